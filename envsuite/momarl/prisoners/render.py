"""Draws the payoff table and the cell of the last round."""

import numpy as np

from envsuite.core.canvas import Canvas
from envsuite.core.companions import Pictures


class PrisonersPictures(Pictures):
    """The table of payoffs."""

    size = (480, 240)
    fps = 2

    def draw(self, state, size):
        """Draw the last choices and the payoffs."""
        width, height = size
        canvas = Canvas(width, height, (246, 246, 242))
        p = self.world.params[0]
        left, top, cell = 0.16 * width, 0.16 * height, np.array([0.4 * width, 0.32 * height])
        for i in range(2):
            canvas.text((left + (i + 0.5) * cell[0], 0.09 * height), "AB"[i], (40, 80, 160), 0.09 * height, "mm")
            canvas.text((0.08 * width, top + (i + 0.5) * cell[1]), "AB"[i], (190, 80, 40), 0.09 * height, "mm")
            for j in range(2):
                x, y = left + j * cell[0], top + i * cell[1]
                last = tuple(int(one) for one in state["last"]) == (i, j)
                fill = (250, 214, 120) if last else (228, 230, 228)
                canvas.rectangle((x + 3, y + 3, x + cell[0] - 3, y + cell[1] - 3), fill, 0.02 * width)
                pays = f"{float(p['pay'][i, j]):g}, {float(p['pay'][j, i]):g}"
                canvas.text((x + cell[0] / 2, y + cell[1] / 2), pays, (50, 50, 50), 0.1 * height, "mm")
        step, rounds = int(state["clock"]["step"]), int(p["rounds"])
        canvas.text((left, 0.865 * height), f"round {step} of {rounds}", (90, 90, 90), 0.06 * height, "lm")
        share = min(1.0, step / rounds)
        canvas.rectangle((left, 0.9 * height, left + 0.8 * width, 0.95 * height), (220, 220, 216))
        if share:
            canvas.rectangle((left, 0.9 * height, left + 0.8 * width * share, 0.95 * height), (90, 120, 170))
        return canvas.to_array()
