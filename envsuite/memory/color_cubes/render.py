"""Draws the grid: cubes are solid while they are shown, and outlines while they have to be remembered."""

from envsuite.memory.color_cubes.world import ALL, NOTHING, STEPS
from envsuite.memory.render import MemoryPictures

FLOOR, LINE, INK, HERO, HIDDEN = (247, 246, 241), (214, 214, 208), (40, 44, 52), (60, 66, 78), (150, 154, 162)
NAMES = (
    *("red", "blue", "green", "yellow", "purple", "orange", "cyan", "pink"),
    *("brown", "black", "olive", "teal", "navy", "lime", "grey", "maroon"),
)
COLORS = (
    *((214, 62, 62), (52, 104, 204), (62, 160, 84), (236, 190, 44), (136, 82, 178), (236, 130, 44)),
    *((64, 186, 200), (232, 132, 180), (140, 92, 54), (30, 30, 34), (128, 128, 40), (20, 120, 120)),
    *((24, 40, 110), (160, 216, 70), (120, 124, 130), (120, 30, 40)),
)


class ColorCubesPictures(MemoryPictures):
    """What the agent is told, and, thinly drawn, what it has to remember."""

    size = (420, 480)
    fps = 5
    ground = (255, 255, 255)

    def paint(self, canvas, state, all_seen):
        """Draw grid, cubes, agent and the colour that is wanted."""
        width, height = canvas.width, canvas.height
        p = self.world.params[0]
        n, count = int(p["side"]), int(p["cubes"])
        side = min(0.96 * width / n, 0.84 * height / n)
        left, top = (width - side * n) / 2, 0.98 * height - side * n
        canvas.rectangle((left, top, left + side * n, top + side * n), FLOOR)
        for k in range(n + 1):
            canvas.line([(left + k * side, top), (left + k * side, top + n * side)], LINE, 1.0)
            canvas.line([(left, top + k * side), (left + n * side, top + k * side)], LINE, 1.0)
        shown = int(state["shown"])
        for k in range(count if shown != NOTHING or all_seen else 0):
            x, y = left + int(state["cell"][k]) % n * side, top + int(state["cell"][k]) // n * side
            box = (x + 0.16 * side, y + 0.16 * side, x + 0.84 * side, y + 0.84 * side)
            if shown == NOTHING:
                corners = [(box[0], box[1]), (box[2], box[1]), (box[2], box[3]), (box[0], box[3]), (box[0], box[1])]
                canvas.line(corners, COLORS[k], max(1.0, 0.03 * side))
            else:
                canvas.rectangle(box, COLORS[k] if shown == ALL else HIDDEN, 0.08 * side)
        x, y = left + (int(state["column"]) + 0.5) * side, top + (int(state["row"]) + 0.5) * side
        canvas.circle((x, y), 0.24 * side, HERO, (255, 255, 255), max(1.0, 0.03 * side))
        down, right = (float(one) for one in STEPS[int(state["facing"])])
        tip = (x + 0.4 * side * right, y + 0.4 * side * down)
        sides = [(x + 0.16 * side * (right + a * down), y + 0.16 * side * (down + a * right)) for a in (1, -1)]
        canvas.polygon([tip, *sides], HERO)
        self._head(canvas, state, all_seen)

    def _head(self, canvas, state, all_seen):
        width, tall = canvas.width, 0.055 * canvas.height
        y, target = 0.065 * canvas.height, int(state["target"])
        if all_seen:
            phases = int(self.world.params[0]["phases"])
            canvas.text((0.03 * width, y), f"{int(state['phase'])} of {phases} touched", INK, tall, "lm")
        if not (state["begins"] or all_seen):
            return
        canvas.text((0.68 * width, y), "touch", INK, tall, "rm")
        box = (0.7 * width, y - 0.6 * tall, 0.7 * width + 1.2 * tall, y + 0.6 * tall)
        canvas.rectangle(box, COLORS[target], 0.1 * tall)
        if not state["begins"]:
            inner = (box[0] + 0.14 * tall, box[1] + 0.14 * tall, box[2] - 0.14 * tall, box[3] - 0.14 * tall)
            canvas.rectangle(inner, (255, 255, 255), 0.1 * tall)
        canvas.text((box[2] + 0.3 * tall, y), NAMES[target], INK, 0.8 * tall, "lm")
