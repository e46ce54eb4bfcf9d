"""Draws the grid from above with what is in view lit up; agents get their view alone."""

from envsuite.memory.minigrid.world import BALL, KEY, UNSEEN, VIEW, WALL, place_of
from envsuite.memory.render import MemoryPictures

FLOOR, DARK, STONE, GREEN, HERO, LINE = (
    (236, 232, 222),
    (150, 150, 156),
    (92, 98, 112),
    (46, 160, 84),
    (206, 62, 56),
    (206, 202, 194),
)


def thing(canvas, kind, x, y, side):
    """A key or a ball in a cell whose upper left corner is given."""
    if kind == BALL:
        canvas.circle((x + side / 2, y + side / 2), 0.32 * side, GREEN)
    elif kind == KEY:
        canvas.circle((x + 0.38 * side, y + 0.34 * side), 0.17 * side, None, GREEN, 0.1 * side)
        canvas.line([(x + 0.5 * side, y + 0.46 * side), (x + 0.8 * side, y + 0.8 * side)], GREEN, 0.11 * side)
        canvas.line([(x + 0.66 * side, y + 0.64 * side), (x + 0.8 * side, y + 0.52 * side)], GREEN, 0.09 * side)


def arrow(canvas, x, y, side, direction):
    """The agent, which faces east, south, west or north."""
    points = [(0.4, 0.0), (-0.34, 0.3), (-0.2, 0.0), (-0.34, -0.3)]
    for _ in range(direction):
        points = [(-b, a) for a, b in points]
    canvas.polygon([(x + (0.5 + a) * side, y + (0.5 + b) * side) for a, b in points], HERO)


class MiniGridMemoryPictures(MemoryPictures):
    """The whole grid for people, 7 x 7 cells for agents."""

    size = (420, 420)
    fps = 8
    ground = DARK

    def paint(self, canvas, state, all_seen):
        """Draw cells, objects and agent."""
        width, height = canvas.width, canvas.height
        grid = state["grid"] if all_seen else state["sight"].T
        count = len(grid)
        side = min(width, height) / count
        left, top = (width - side * count) / 2, (height - side * count) / 2
        lit = {self._place(state, i, j) for i in range(VIEW) for j in range(VIEW) if state["sight"][i, j] != UNSEEN}
        for row in range(count):
            for column in range(count):
                kind, x, y = int(grid[row, column]), left + column * side, top + row * side
                shown = (column, row) in lit or not all_seen
                if kind == UNSEEN:
                    continue
                color = STONE if kind == WALL else FLOOR
                if not shown:
                    color = tuple(round(0.8 * one) for one in color)
                canvas.rectangle((x, y, x + side, y + side), color)
                canvas.line([(x, y), (x + side, y)], LINE if kind != WALL else color, 1.0)
                canvas.line([(x, y), (x, y + side)], LINE if kind != WALL else color, 1.0)
                thing(canvas, kind, x, y, side)
        column, row = (int(state["column"]), int(state["row"])) if all_seen else (VIEW // 2, VIEW - 1)
        facing = int(state["direction"]) if all_seen else 3
        arrow(canvas, left + column * side, top + row * side, side, facing)

    def _place(self, state, i, j):
        column, row = place_of(state, i, j)
        return int(column), int(row)
