"""Draws mazes from above, rows downwards and columns to the right, whatever the axes are called."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from envsuite.core.canvas import Canvas
from envsuite.core.companions import Pictures
from envsuite.mazes import trail
from envsuite.mazes.world import MazeWorld

FLOOR, WALL, EDGE = (246, 244, 239), (92, 104, 122), (70, 80, 96)
GOAL, POINT, PATH = (214, 74, 74), (37, 99, 176), (120, 166, 214)


SEEN = 0.014
"""Of the picture's height, the least radius of the ball; in large mazes it is drawn larger than it is."""

Doors = Sequence[tuple[np.ndarray, float, tuple[int, int, int]]]
"""Place (m), radius (m) and colour of discs on the floor."""


Figure = Callable[[Canvas, Callable[[Any], np.ndarray], float], None]
"""Draws what moves, on a canvas, with a function from places (..., 2), m, to pixels, and the pixels of a metre."""


def draw(
    world: MazeWorld, state: np.void, size: tuple[int, int], doors: Doors = (), figure: Figure | None = None
) -> np.ndarray:
    """Draw one record.

    Args:
        world: the maze.
        state: record with `position`, `goal` and `trail`.
        size: (width, height) in pixels.
        doors: discs besides the goal.
        figure: what moves; by default a ball.

    Returns:
        uint8 array (height, width, 3).
    """
    params = world.params[0]
    grid = params["grid"]
    rows, columns, scale = int(grid["rows"]), int(grid["columns"]), float(grid["scale"])
    width, height = size
    cell = min(width / columns, height / rows)
    left, top = (width - cell * columns) / 2, (height - cell * rows) / 2

    def pixels(place) -> np.ndarray:
        x, y = np.moveaxis(np.asarray(place, np.float64), -1, 0)
        x, y = (x - grid["x0"]) / scale, (y - grid["y0"]) / scale
        row, column = grid["ix"] * x + grid["iy"] * y, grid["jx"] * x + grid["jy"] * y
        return np.stack([left + (column + 0.5) * cell, top + (row + 0.5) * cell], axis=-1)

    canvas = Canvas(width, height, EDGE, supersample=3 if width < 200 else 2)
    canvas.rectangle((left, top, left + cell * columns, top + cell * rows), FLOOR)
    for i, j in np.argwhere(np.asarray(world.walls(state))[:rows, :columns] != 0):
        # a little larger, so that no seams show
        box = (left + j * cell - 0.3, top + i * cell - 0.3, left + (j + 1) * cell + 0.3, top + (i + 1) * cell + 0.3)
        canvas.rectangle(box, WALL)
    metre = cell / scale
    for place, radius, color in doors:
        canvas.circle(pixels(place), radius * metre, (*color, 110), color, max(1.0, 0.04 * cell))
    goal = pixels(state["goal"])
    canvas.circle(goal, world.radius * metre, (*GOAL, 60), (*GOAL, 200), max(1.0, 0.03 * cell))
    canvas.circle(goal, max(1.5, 0.5 * SEEN * height, 0.08 * cell), GOAL)
    past = trail.read(state["trail"])
    points = np.concatenate([pixels(past), pixels(state["position"])[np.newaxis]])
    for run in np.split(points, np.flatnonzero(np.abs(np.diff(points, axis=0)).max(axis=1) > 1.5 * cell) + 1):
        if len(run) > 1:
            canvas.line(run, PATH, max(1.0, 0.06 * cell))
    if figure:
        figure(canvas, pixels, metre)
    else:
        radius = max(2.0, SEEN * height, float(params["law"]["radius"]) * metre)
        canvas.circle(points[-1], radius, POINT, (255, 255, 255), max(1.0, 0.02 * cell))
    return canvas.to_array()


class MazePictures(Pictures):
    """The maze from above."""

    size = (480, 480)
    fps = 100

    def draw(self, state, size):
        """Draw walls, the goal, and the ball with its trail."""
        return draw(self.world, state, size)
