"""Draws villages above and mines below."""

import numpy as np

from envsuite.core.canvas import Canvas
from envsuite.core.companions import Pictures

GEMS = ((216, 62, 80), (54, 130, 220), (60, 170, 96), (222, 170, 40), (150, 90, 200), (40, 170, 180))


class GemMiningPictures(Pictures):
    """Villages above, mines below."""

    size = (640, 360)
    fps = 2

    def draw(self, state, size):
        """Draw villages, mines and gems."""
        width, height = size
        p = self.world.params[0]
        villages, mines = len(self.world.agents), len(p["chance"])
        canvas = Canvas(width, height, (232, 240, 226))
        ground = 0.45 * height
        canvas.rectangle((0, ground, width, height), (150, 116, 84))
        pitch = width / (mines + 1)
        large = float(p["workers"].max())
        low = 0.82 * height
        for m in range(mines):
            x = (m + 1) * pitch
            canvas.line([(x, ground), (x, low)], (104, 78, 54), max(1.0, 0.16 * pitch))
            canvas.rectangle((x - 0.36 * pitch, low, x + 0.36 * pitch, 0.95 * height), (84, 62, 44), 0.1 * pitch)
        for i in range(villages):
            x, top = (i + 1) * pitch, 0.2 * height
            for k in range(int(p["reach"][i])):
                canvas.line([(x, top), (x + k * pitch, ground)], (206, 214, 200), max(1.0, 0.03 * pitch))
            if state["target"][i] >= 0:
                canvas.line(
                    [(x, top), ((int(state["target"][i]) + 1) * pitch, low)], (70, 70, 60), max(1.0, 0.08 * pitch)
                )
            tall = 0.15 * height * float(p["workers"][i]) / large
            canvas.rectangle((x - 0.32 * pitch, top - tall, x + 0.32 * pitch, top), (176, 92, 60), 0.05 * pitch)
        for m, k in zip(*np.nonzero(state["gems"]), strict=True):
            kinds = state["gems"].shape[1]
            x = (m + 1) * pitch + (k - (kinds - 1) / 2) * 0.7 * pitch / max(2, kinds)
            canvas.circle((x, 0.885 * height), min(0.16 * pitch, 0.05 * height), GEMS[int(k) % len(GEMS)])
        if height >= 200:
            found = state["gems"].sum(axis=0)
            text = "  ".join(f"{name}: {int(n)}" for name, n in zip(self.world.reward.objectives, found, strict=True))
            canvas.text((8, ground + 6), text, (250, 244, 230), 0.045 * height)
        return canvas.to_array()
