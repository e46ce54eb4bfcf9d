"""Nim in pictures."""

from envsuite.language_games.render import LIGHT, PAPER, TurnPictures


class NimPictures(TurnPictures):
    """Columns of things with the numbers of their heaps below."""

    def paint(self, canvas, state, viewer):
        """Draw the heaps."""
        width, height, heaps = canvas.width, canvas.height, state["heaps"].tolist()
        across = width / len(heaps)
        step = min(0.72 * height / max(self.world.heaps), 0.8 * across)
        for k, count in enumerate(heaps):
            x = (k + 0.5) * across
            for j in range(count):
                canvas.circle((x, 0.78 * height - (j + 0.5) * step), 0.42 * step, PAPER)
            canvas.text((x, 0.85 * height), str(k + 1), LIGHT, 0.08 * height, "mm")
