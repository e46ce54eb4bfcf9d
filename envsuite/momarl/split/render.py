"""Draws goods, values, talk and the last split."""

from envsuite.core.canvas import Canvas
from envsuite.core.companions import Pictures
from envsuite.momarl.letters import message_of

SIDES = ((52, 104, 184), (206, 96, 44))
FREE = (206, 206, 200)


class SplitPictures(Pictures):
    """Goods and how they were split."""

    size = (480, 300)
    fps = 2

    def draw(self, state, size):
        """Draw goods, values, claims and the last split."""
        width, height = size
        canvas = Canvas(width, height, (246, 246, 242))
        rows, letter = len(self.world.kinds), 0.05 * height
        for n in range(2):
            x = width * (0.13 if n == 0 else 0.87)
            canvas.text((x, 0.07 * height), self.world.agents[n], SIDES[n], 1.2 * letter, "mm")
            canvas.text((x, 0.9 * height), f"{float(state['total'][n]):.0f}", SIDES[n], 1.8 * letter, "mm")
            said = "" if state["claim"][n][0] < 0 else message_of(state["letter"][n])[:40]
            for k in range(rows):
                y = height * (0.22 + 0.5 * (k + 0.5) / rows)
                worth = f"{int(state['value'][n][k])}"
                if not self.world.letters and state["claim"][n][k] >= 0:
                    worth += f" (says {int(state['claim'][n][k])})"
                canvas.text((x, y), worth, (60, 60, 60), 1.1 * letter, "mm")
            if self.world.letters and said:
                canvas.text((0.5 * width, height * (0.06 + 0.08 * n)), said, SIDES[n], 0.9 * letter, "mm")
        for k, name in enumerate(self.world.kinds):
            y, goods = height * (0.22 + 0.5 * (k + 0.5) / rows), int(state["goods"][k])
            canvas.text((0.5 * width, y - 0.065 * height), name, (90, 90, 90), 0.9 * letter, "mm")
            mine, other = (float(state["kept"][n][k]) for n in range(2))
            if int(state["played"]) == 0:
                mine, other = 0.0, 0.0
            for j in range(goods):
                color = SIDES[0] if j + 0.5 < mine else SIDES[1] if goods - j - 0.5 < other else FREE
                x = width * (0.5 + 0.045 * (j - (goods - 1) / 2))
                canvas.circle((x, y), 0.018 * width, color)
        return canvas.to_array()
