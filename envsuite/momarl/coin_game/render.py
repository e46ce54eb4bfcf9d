"""Draws the coin game."""

from envsuite.core.canvas import Canvas
from envsuite.core.companions import Pictures

_COLORS = ((206, 66, 62), (58, 102, 190))


class CoinGamePictures(Pictures):
    """The torus from above."""

    size = (360, 400)
    fps = 4

    def draw(self, state, size):
        """Draw agents, the coin, and what was taken."""
        width, height = size
        count = state["grid"].shape[0]
        canvas = Canvas(width, height, (238, 238, 233))
        cell = min(width, 0.88 * height) / count
        left = (width - count * cell) / 2
        for i in range(count):
            for j in range(count):
                x, y = left + j * cell, i * cell
                canvas.rectangle((x + 2, y + 2, x + cell - 2, y + cell - 2), (252, 252, 249))
        row, column = (int(one) for one in state["coin"])
        center = (left + (column + 0.5) * cell, (row + 0.5) * cell)
        canvas.circle(center, 0.3 * cell, _COLORS[int(state["owner"])])
        canvas.circle(center, 0.2 * cell, (246, 208, 96))
        together = bool((state["place"][0] == state["place"][1]).all())
        for n, (row, column) in enumerate(state["place"]):
            x, y = left + (int(column) + 0.5) * cell, (int(row) + 0.5) * cell
            x += (2 * n - 1) * 0.22 * cell * together
            half = 0.2 * cell if together else 0.32 * cell
            canvas.rectangle((x - half, y - half, x + half, y + half), _COLORS[n], 0.1 * cell)
            own, others = (int(one) for one in state["taken"][n])
            text = f"{'red' if n == 0 else 'blue'}: {own} own, {others} of the other"
            canvas.text((0.04 * width, (0.915 + 0.05 * n) * height), text, _COLORS[n], 0.038 * height, "lm")
        return canvas.to_array()
