"""Draws the plant's steerings, wear and consumption."""

import numpy as np

from envsuite.core.canvas import Canvas
from envsuite.core.companions import Pictures
from envsuite.industrial.panel import BLUE, GREEN, INK, ORANGE, PAPER, RED, curves, dial

_MOST = 300.0  # of fatigue and consumption, on the curves


class IndustrialBenchmarkPictures(Pictures):
    """Dials of what is steered, and curves of the frames that an agent sees."""

    size = (640, 400)

    def draw(self, state, size):
        """Draw them."""
        width, height = size
        canvas = Canvas(width, height, PAPER)
        names = (("setpoint", 0), ("velocity", 1), ("gain", 2), ("shift", 3))
        frames = np.asarray(state["frames"], np.float64)
        for k, (name, column) in enumerate(names):
            place = (width * (0.14 + 0.24 * k), 0.17 * height)
            dial(canvas, place, 0.12 * height, frames[0, column], (0.0, 100.0), name)
        past = frames[::-1]
        lines = [("velocity", BLUE, past[:, 1]), ("gain", GREEN, past[:, 2]), ("shift", ORANGE, past[:, 3])]
        length = len(past)
        curves(canvas, (0.08 * width, 0.42 * height, 0.48 * width, 0.92 * height), lines, (0.0, 100.0), length)
        lines = [("fatigue", RED, past[:, 4]), ("consumption", INK, past[:, 5])]
        curves(canvas, (0.57 * width, 0.42 * height, 0.97 * width, 0.92 * height), lines, (0.0, _MOST), length)
        text = f"step {int(state['clock']['step'])}   cost of the step {float(state['cost']):.0f}"
        canvas.text((width / 2, 0.96 * height), text, INK, max(8.0, height / 28), "mm")
        return canvas.to_array()
