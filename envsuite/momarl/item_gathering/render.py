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


READABLE = 200
"""Pixels of height from which a picture has words."""


class ItemGatheringPictures(Pictures):
    """The map from above."""

    size = (420, 460)
    fps = 3

    def draw(self, state, size):
        """Draw the map."""
        width, height = size
        rows, columns = state["items"].shape
        canvas = Canvas(width, height, (236, 236, 230))
        below = 0.09 * height if height >= READABLE else 0.0
        cell = min(width / columns, (height - below) / rows)
        left, top = (width - columns * cell) / 2, (height - below - rows * cell) / 2
        if below:
            self._legend(canvas, state, (left, height - below, left + columns * cell, height))
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

    def _legend(self, canvas: Canvas, state, box) -> None:
        """Who has gathered how many of each kind, in the kinds' colours."""
        left, top, right, bottom = box
        agents, kinds = len(state["place"]), len(self.world.reward.objectives)
        high, part = bottom - top, (right - left) / agents
        letter = min(0.5 * high, 0.9 * part / (kinds + 1))
        for n in range(agents):
            x, y = left + n * part + letter, (top + bottom) / 2
            canvas.circle((x, y), 0.62 * letter, AGENTS[n])
            canvas.text((x, y), chr(ord("A") + n), (255, 255, 255), 0.8 * letter, "mm")
            for k in range(kinds):
                at = x + (k + 1) * 0.9 * (part - letter) / (kinds + 0.5)
                canvas.rectangle((at - letter, y - 0.4 * letter, at - 0.2 * letter, y + 0.4 * letter), ITEMS[k], 2)
                canvas.text((at, y), str(int(state["gathered"][n, k])), (50, 50, 50), letter, "lm")
