"""Draws the board of Ingenious, with racks and points beside it."""

import numpy as np

from envsuite.core.canvas import Canvas
from envsuite.core.companions import Pictures, Referee, companion
from envsuite.momarl.ingenious.params import board_cells

COLORS = ((208, 58, 58), (66, 152, 80), (56, 112, 200), (236, 138, 40), (238, 204, 64), (136, 76, 176))
_ANGLES = np.deg2rad(np.arange(30, 390, 60))
_HEXAGON = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], 1)


def _players(canvas: Canvas, world, state, box) -> None:
    left, top, right, bottom = box
    players, most = len(world.agents), int(world.params[0]["most"])
    part = (bottom - top) / players
    colors, span = state["score"].shape[1], right - left
    for n in range(players):
        y = top + n * part
        if companion(world, Referee).current_player(state) == n:
            canvas.rectangle((left, y + 0.03 * part, right - 0.02 * span, y + 0.97 * part), (232, 238, 246))
        canvas.text((left + 8, y + 0.07 * part), world.agents[n], (60, 60, 60), min(14.0, 0.12 * part))
        radius = min((right - left) / 30, 0.05 * part)
        for k, (a, b) in enumerate(state["rack"][n]):
            if a:
                x = left + 10 + 4.6 * radius * k + radius
                for half, color in enumerate((a, b)):
                    canvas.circle((x, y + 0.27 * part + 2.1 * half * radius), radius, COLORS[int(color) - 1])
        for k in range(colors):
            low, start, end = y + (0.46 + 0.08 * k) * part, left + 0.06 * span, right - 0.24 * span
            length = (end - start) * min(1.0, float(state["score"][n][k]) / most)
            for stop, color in ((end, (222, 222, 216)), (start + length, COLORS[k])):
                corners = [(start, low), (stop, low), (stop, low + 0.05 * part), (start, low + 0.05 * part)]
                canvas.polygon(corners, color)
            canvas.text(
                (end + 0.03 * span, low - 0.01 * part), str(int(state["score"][n][k])), (60, 60, 60), 0.07 * part
            )


class IngeniousPictures(Pictures):
    """The hexagonal board and the points."""

    size = (560, 480)
    fps = 2

    def draw(self, state, size):
        """Draw the board, racks and points."""
        width, height = size
        canvas = Canvas(width, height, (246, 245, 240))
        side = self.world.side
        cell = min(0.66 * width / (3**0.5 * (2 * side - 1)), height / (3 * side - 1))
        middle = np.array([0.34 * width, height / 2])
        for (q, r), color in zip(board_cells(side), state["board"], strict=True):
            center = middle + cell * np.array([3**0.5 * (r + q / 2), 1.5 * q])
            fill = (226, 224, 216) if color == 0 else (250, 249, 246)
            canvas.polygon(center + 0.96 * cell * _HEXAGON, fill)
            if color:
                canvas.circle(tuple(center), 0.62 * cell, COLORS[int(color) - 1])
        _players(canvas, self.world, state, (0.7 * width, 0.0, width, float(height)))
        return canvas.to_array()
