"""Draws the beach from above."""

import numpy as np

from envsuite.core.canvas import Canvas
from envsuite.core.companions import Pictures
from envsuite.momarl.beach.language import crowd

COLORS = ((214, 84, 60), (52, 104, 184), (60, 150, 90), (150, 90, 170))


class BeachPictures(Pictures):
    """The beach from above."""

    size = (640, 360)
    fps = 2

    def draw(self, state, size):
        """Draw the sections and their visitors."""
        width, height = size
        p = self.world.params[0]
        sections, agents = int(p["sections"]), len(self.world.agents)
        canvas = Canvas(width, height, (243, 226, 186))
        sea = 0.2 * height
        canvas.rectangle((0, 0, width, sea), (118, 180, 214))
        canvas.rectangle((0, sea - 0.02 * height, width, sea + 0.015 * height), (236, 244, 246))
        strip = width / sections
        columns = max(3, int(np.ceil(np.sqrt(agents * strip / (0.68 * height)))))
        pitch = min(strip * 0.88 / columns, 0.68 * height / np.ceil(agents / columns))
        pitch = max(pitch, strip * 0.88 / columns * 0.5)
        base = height * 0.9
        for k in range(sections):
            left = k * strip
            if k:
                canvas.line([(left, sea), (left, height)], (206, 182, 132), max(1.0, 0.004 * width))
            kinds = np.sort(state["type"][state["section"] == k])
            start = left + 0.5 * (strip - columns * pitch)
            for i, kind in enumerate(kinds):
                x, y = start + (i % columns + 0.5) * pitch, base - (i // columns + 0.5) * pitch
                canvas.circle((x, y), 0.42 * pitch, COLORS[int(kind)])
            full = base - np.ceil(float(p["capacity"]) / columns) * pitch
            canvas.line(
                [(left + 0.05 * strip, full), (left + 0.95 * strip, full)], (90, 70, 40), max(1.0, 0.003 * width)
            )
            if height >= 200:
                canvas.text(
                    (left + strip / 2, 0.95 * height), crowd(self.world, state, k), (60, 50, 30), 0.035 * height, "mm"
                )
        if height >= 200:
            canvas.text(
                (10, 10), f"step {int(state['clock']['step'])} of {int(p['steps'])}", (255, 255, 255), 0.05 * height
            )
        return canvas.to_array()
