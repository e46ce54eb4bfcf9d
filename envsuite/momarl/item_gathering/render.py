"""Draws the map of item gathering."""

from envsuite.core.canvas import Canvas
from envsuite.core.companions import Pictures

ITEMS = ((214, 72, 72), (66, 150, 88), (230, 172, 48), (90, 110, 210), (160, 90, 180), (70, 170, 180))
AGENTS = (
    (40, 70, 130),
    (180, 90, 40),
    (60, 110, 60),
    (120, 60, 130),
    (90, 90, 90),
    (20, 120, 130),
    (150, 40, 60),
    (0, 0, 0),
)


class ItemGatheringPictures(Pictures):
    """The map from above."""

    size = (420, 420)
    fps = 3

    def draw(self, state, size):
        """Draw the map."""
        width, height = size
        rows, columns = state["items"].shape
        canvas = Canvas(width, height, (236, 236, 230))
        cell = min(width / columns, height / rows)
        left, top = (width - columns * cell) / 2, (height - rows * cell) / 2
        gap = max(0.5, 0.03 * cell)
        for i in range(rows):
            for j in range(columns):
                x, y = left + j * cell, top + i * cell
                canvas.rectangle((x + gap, y + gap, x + cell - gap, y + cell - gap), (250, 250, 247))
                kind = int(state["items"][i, j])
                if kind:
                    inset = 0.22 * cell
                    box = (x + inset, y + inset, x + cell - inset, y + cell - inset)
                    canvas.rectangle(box, ITEMS[kind - 1], 0.12 * cell)
        for n, (i, j) in enumerate(state["place"]):
            center = (left + (j + 0.5) * cell, top + (i + 0.5) * cell)
            canvas.circle(center, 0.36 * cell, AGENTS[n])
            if cell >= 20:
                canvas.text(center, chr(ord("A") + n), (255, 255, 255), 0.42 * cell, "mm")
        return canvas.to_array()
