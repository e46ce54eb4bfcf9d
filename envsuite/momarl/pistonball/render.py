"""Draws pistons and ball."""

import numpy as np

from envsuite.core.canvas import Canvas
from envsuite.core.companions import Pictures
from envsuite.momarl.pistonball.params import CAP, HEIGHT, RADIUS, WALL


class PistonballPictures(Pictures):
    """Pistons and the ball."""

    size = (600, 360)
    fps = 10

    def draw(self, state, size):
        """Draw pistons and ball."""
        width, height = size
        count = len(state["height"])
        across = WALL * (count + 2)
        scale = min(width / across, height / HEIGHT)
        left, top = (width - scale * across) / 2, (height - scale * HEIGHT) / 2

        def at(x: float, y: float) -> tuple[float, float]:
            return left + scale * x, top + scale * y

        def box(a, b, color) -> None:
            (x, y), (u, v) = at(*a), at(*b)
            canvas.polygon([(x, y), (u, y), (u, v), (x, v)], color)

        canvas = Canvas(width, height, (238, 238, 234))
        box((0, 0), (across, HEIGHT), (58, 64, 66))
        box((WALL, WALL), (across - WALL, HEIGHT - WALL), (252, 252, 250))
        x, y = (float(one) for one in state["place"])
        canvas.circle(at(x, y), scale * RADIUS, (66, 150, 214))
        for k in range(4):
            angle = float(state["angle"]) + k * np.pi / 2
            end = at(x + 0.9 * RADIUS * np.cos(angle), y + 0.9 * RADIUS * np.sin(angle))
            canvas.line([at(x, y), end], (236, 244, 250) if k == 0 else (110, 178, 228), max(1.0, scale * 3))
        for k, head in enumerate(state["height"]):
            start, head = WALL * (k + 1), float(head)
            box((start + 14, head), (start + 26, HEIGHT - WALL), (150, 156, 160))
            box((start + 1, head - CAP), (start + 39, head + CAP), (232, 128, 52))
            box((start + 4, HEIGHT - WALL - 10), (start + 36, HEIGHT - WALL), (112, 118, 122))
        return canvas.to_array()
