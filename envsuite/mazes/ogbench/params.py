"""Constants of OGBench's point mazes (Park et al. 2024, arXiv 2410.20092; ogbench/locomaze/maze.py and point.py)."""

import numpy as np

from envsuite.core import Record, field
from envsuite.mazes import layouts
from envsuite.mazes.params import Maze

UNIT = 4.0
"""Side of a cell, m."""

RADIUS, ANT_RADIUS = 1.0, 0.5
"""Distance from the goal that counts as success for the point and for the ant, m."""

PLACE_NOISE = 1.0
"""Starts and goals are uniform within this distance of a cell's centre, on each axis, m."""

STRIDE = 0.2
"""Metres of a full action along one axis."""

LEFT_OVER = 0.1773
"""Part of a penetration that MuJoCo leaves after the five physics steps of one action, measured on MuJoCo 3."""

DOOR_RADIUS = 1.5
"""Distance from a teleporter at which it acts, m."""

LAYOUTS: dict[str, str] = {
    "medium": layouts.plain(layouts.D4RL["medium"]),
    "large": layouts.plain(layouts.D4RL["large"]),
    "giant": layouts.GIANT,
    "teleport": layouts.TELEPORT,
}

Cell = tuple[int, int]

TASKS: dict[str, tuple[tuple[Cell, Cell], ...]] = {
    "medium": (((1, 1), (6, 6)), ((6, 1), (1, 6)), ((5, 3), (4, 2)), ((6, 5), (6, 1)), ((2, 6), (1, 1))),
    "large": (((1, 1), (7, 10)), ((5, 4), (7, 1)), ((7, 4), (1, 10)), ((3, 8), (5, 4)), ((1, 1), (5, 4))),
    "giant": (((1, 1), (10, 14)), ((1, 14), (10, 1)), ((8, 14), (1, 1)), ((8, 3), (5, 12)), ((5, 9), (3, 8))),
    "teleport": (((1, 10), (7, 1)), ((1, 1), (7, 10)), ((5, 6), (7, 10)), ((7, 1), (7, 10)), ((5, 6), (7, 1))),
}
"""Start and goal cells of the five evaluation tasks of each maze."""

DOORS_IN: dict[str, tuple[Cell, ...]] = {"teleport": ((4, 6), (5, 1))}
DOORS_OUT: dict[str, tuple[Cell, ...]] = {"teleport": ((1, 7), (6, 1), (6, 10))}


class Tasks(Record):
    """The options that kernels know."""

    radius = field(unit="m", meaning="distance from the goal that counts as success")
    paired = field(type=np.uint8, meaning="whether start k belongs to goal k")
    first_task = field(type=np.int64, meaning="number of the first pair, from 1")
    cost = field(type=np.uint8, meaning="whether rewards are -1 and 0 instead of 0 and 1")
    terminates = field(type=np.uint8, meaning="whether an episode ends at the goal")
    in_count = field(type=np.int64, meaning="teleporters")
    out_count = field(type=np.int64, meaning="places they lead to")
    doors_in = field(unit="m", shape=(2, 2))
    doors_out = field(unit="m", shape=(3, 2))


class Params(Maze, Tasks):
    """The maze of a point, and the options that kernels know."""


def vertices(walls: np.ndarray) -> np.ndarray:
    """Free cells that are not straight corridors, in which OGBench's data collection puts goals.

    Args:
        walls: (rows, columns) bool.

    Returns:
        int64 (n, 2).
    """
    free = ~walls
    up, down = np.roll(free, 1, 0), np.roll(free, -1, 0)
    left, right = np.roll(free, 1, 1), np.roll(free, -1, 1)
    upright = up & down & ~left & ~right
    level = left & right & ~up & ~down
    return np.argwhere(free & ~upright & ~level)
