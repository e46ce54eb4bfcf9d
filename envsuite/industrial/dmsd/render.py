"""Draws the two masses, their springs and their targets."""

import numpy as np

from envsuite.core.canvas import Canvas
from envsuite.core.companions import Pictures
from envsuite.industrial.dmsd.world import REACH, SWITCH, TRAIL
from envsuite.industrial.panel import BLUE, GREEN, INK, PAPER, RED, curves

_WALL, _REST = 7.5, 2.5  # m from the middle, of walls and of the masses' places of rest, as drawn
_WANTED = (110, 175, 220), (120, 205, 170)  # colours of the targets
_HALF = 0.45  # m, half of a mass's side


class DMSDPictures(Pictures):
    """Walls, springs and masses with their targets and forces; below, where the masses have been."""

    size = (640, 360)
    fps = 5

    def draw(self, state, size):
        """Draw them."""
        width, height = size
        canvas = Canvas(width, height, PAPER)
        scale, middle, floor = width / (2 * _WALL + 1.0), width / 2, 0.36 * height
        step = int(state["clock"]["step"])
        places = [float(np.clip(state["x"][i], -4.5, 4.5)) + _REST * (2 * i - 1) for i in range(2)]

        def at(x: float) -> float:
            return middle + scale * x

        canvas.line([(at(-_WALL), floor), (at(_WALL), floor)], INK, 2.0)
        for side in (-_WALL, _WALL):
            canvas.rectangle((at(side) - 5, floor - 0.22 * height, at(side) + 5, floor), INK)
        level = floor - scale * _HALF
        ends = [-_WALL, places[0] - _HALF, places[0] + _HALF, places[1] - _HALF, places[1] + _HALF, _WALL]
        for left, right in zip(ends[::2], ends[1::2], strict=True):
            across = np.linspace(at(left), at(right), 25)
            swing = 0.018 * height * np.array([0, 1, 0, -1] * 6 + [0])
            canvas.line(np.column_stack([across, level + swing]), INK, 1.5)
        text = max(8.0, height / 26)
        for i, color in enumerate((BLUE, GREEN)):
            goal = at(float(state["targets"][i, 1 if step >= SWITCH else 0]) + _REST * (2 * i - 1))
            canvas.line([(goal, floor - 0.27 * height), (goal, floor + 8)], _WANTED[i], 3.0)
            box = (at(places[i] - _HALF), floor - 2 * scale * _HALF, at(places[i] + _HALF), floor)
            canvas.rectangle(box, color, 3.0)
            canvas.text((at(places[i]), level), str(i + 1), (255, 255, 255), text, "mm")
            push = 1.5 * scale * float(state["push"][i] / self.world.params[0]["force"])
            if abs(push) > 1.0:
                tip, high = at(places[i]) + push, box[1] - 0.03 * height
                canvas.line([(at(places[i]), high), (tip, high)], RED, 3.0)
                back = np.sign(push) * min(6.0, abs(push))
                canvas.polygon([(tip + back, high), (tip, high - 5), (tip, high + 5)], RED)
        canvas.text((middle, 0.04 * height), f"step {step}", INK, text, "mm")
        order = [k % TRAIL for k in range(max(0, step - TRAIL + 1), step + 1)]
        trail = np.asarray(state["trail"], np.float64)[order]
        past = [1 if k >= SWITCH else 0 for k in range(max(0, step - TRAIL + 1), step + 1)]
        goals = np.asarray(state["targets"], np.float64)[:, past]
        lines = [("target 1", _WANTED[0], goals[0]), ("target 2", _WANTED[1], goals[1])]
        lines += [("mass 1", BLUE, trail[:, 0]), ("mass 2", GREEN, trail[:, 1])]
        box = (0.09 * width, 0.48 * height, 0.97 * width, 0.95 * height)
        curves(canvas, box, lines, (-REACH - 0.5, REACH + 0.5), TRAIL)
        return canvas.to_array()
