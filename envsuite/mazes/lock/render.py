"""Draws the lanes, the doors and who goes through them."""

import math

from envsuite.core.canvas import Canvas
from envsuite.core.companions import Pictures
from envsuite.mazes.lock.world import DEAD, LANES

PAPER, INK, HERO, LOST, DOOR = (246, 247, 249), (44, 48, 56), (44, 98, 190), (206, 70, 64), (150, 158, 170)
FLOORS = (204, 214, 230), (206, 226, 212), (226, 202, 200)
"""Colours of the lanes."""
_ROW = 26  # cells in a row of the picture, at most


class LockPictures(Pictures):
    """Both lanes and, below them, the one that leads nowhere; long corridors go on in the next row."""

    size = (640, 360)
    fps = 4

    def draw(self, state, size):
        """Draw them."""
        width, height = size
        canvas = Canvas(width, height, PAPER)
        doors, door, lane = int(self.world.params[0]["doors"]), int(state["door"]), int(state["lane"])
        rows = math.ceil((doors + 1) / _ROW)
        columns = math.ceil((doors + 1) / rows)
        top, text = 0.17 * height, max(8.0, height / 22)
        across, down = 0.94 * width / columns, 0.8 * height / (rows * (LANES + 0.6))
        side = min(across, down)
        for k in range(doors + 1):
            for which in range(LANES):
                x = 0.03 * width + (k % columns + 0.5) * across
                y = top + (k // columns * (LANES + 0.6) + which + 0.5) * down
                box = (x - 0.5 * across, y - 0.4 * down, x + 0.5 * across - 1, y + 0.4 * down)
                canvas.rectangle(box, FLOORS[which])
                if k < doors and which != DEAD:
                    canvas.line([(box[2], box[1]), (box[2], box[3])], DOOR if k >= door else INK, 2.0)
                if which == lane and k == door:
                    canvas.circle((x, y), 0.32 * side, LOST if lane == DEAD else HERO, INK, max(1.0, 0.05 * side))
        for which, name in enumerate(("lane A", "lane B", "lost")):
            canvas.text((0.6 * width + 0.12 * which * width, 0.08 * height), name, INK, text, "lm")
            left = (0.575 + 0.12 * which) * width
            canvas.rectangle((left, 0.06 * height, left + 0.02 * width, 0.1 * height), FLOORS[which])
        told = f"door {door} of {doors}"
        if int(state["symbol"]) >= 0:
            told += f"   symbol {int(state['symbol'])}"
        canvas.text((0.03 * width, 0.08 * height), told, INK, text, "lm")
        return canvas.to_array()
