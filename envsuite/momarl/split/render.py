"""Draws goods, values, talk and the last split."""

from envsuite.core.canvas import Canvas, drawable
from envsuite.core.companions import Pictures
from envsuite.momarl.letters import message_of

SIDES = ((52, 104, 184), (206, 96, 44))
FREE = (206, 206, 200)


class SplitPictures(Pictures):
    """Goods and how they were split."""

    size = (480, 340)
    fps = 2

    def draw(self, state, size):
        """Draw goods, values, claims and the last split."""
        width, height = size
        canvas = Canvas(width, height, (246, 246, 242))
        rows, letter = len(self.world.kinds), 0.045 * height
        for n in range(2):
            x = width * (0.13 if n == 0 else 0.87)
            canvas.text((x, 0.06 * height), self.world.agents[n], SIDES[n], 1.2 * letter, "mm")
            points = f"{float(state['total'][n]):.0f} points"
            canvas.text((x, 0.13 * height), points, SIDES[n], 1.2 * letter, "mm")
            said = "" if state["claim"][n][0] < 0 else drawable(message_of(state["letter"][n]))
            for k in range(rows):
                y = height * (0.2 + 0.54 * (k + 0.5) / rows)
                worth = f"{int(state['value'][n][k])}"
                if not self.world.letters and state["claim"][n][k] >= 0:
                    worth += f" (says {int(state['claim'][n][k])})"
                canvas.text((x, y), worth, (60, 60, 60), 1.1 * letter, "mm")
            if self.world.letters and said:
                top, side = height * (0.8 + 0.095 * n), 0.03 * width
                canvas.rectangle((side, top, width - side, top + 0.085 * height), (255, 255, 255), 0.02 * height)
                said = canvas.cut(said, width - 3 * side, 0.9 * letter)
                canvas.text((1.5 * side, top + 0.0425 * height), said, SIDES[n], 0.9 * letter, "lm")
        for k, name in enumerate(self.world.kinds):
            y, goods = height * (0.2 + 0.54 * (k + 0.5) / rows), int(state["goods"][k])
            canvas.text((0.5 * width, y - 0.065 * height), name, (90, 90, 90), 0.9 * letter, "mm")
            mine, other = (float(state["kept"][n][k]) for n in range(2))
            if int(state["played"]) == 0:
                mine, other = 0.0, 0.0
            for j in range(goods):
                color = SIDES[0] if j + 0.5 < mine else SIDES[1] if goods - j - 0.5 < other else FREE
                x = width * (0.5 + 0.045 * (j - (goods - 1) / 2))
                canvas.circle((x, y), 0.018 * width, color)
        return canvas.to_array()
