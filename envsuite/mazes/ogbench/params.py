"""Constants of OGBench's point mazes (Park et al. 2024, arXiv 2410.20092; ogbench/locomaze/maze.py and point.py)."""

import numpy as np

from envsuite.mazes import layouts
from envsuite.mazes.params import MAZE_FIELDS, centre, fill

UNIT = 4.0
"""Side of a cell, m."""

RADIUS = 1.0
"""Distance from the goal that counts as success, m."""

PLACE_NOISE = 1.0
"""Starts and goals are uniform within this distance of a cell's centre, on each axis, m."""

STRIDE = 0.2
"""Metres of a full action along one axis."""

BALL = 0.7
"""Radius of the point's ball, m."""

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

PARAMS = np.dtype(
    [
        *MAZE_FIELDS,
        ("paired", np.uint8),  # start k belongs to goal k
        ("first_task", np.int64),  # number of the first pair, from 1
        ("cost", np.uint8),  # rewards are -1 and 0 instead of 0 and 1
        ("terminates", np.uint8),
        ("in_count", np.int64),
        ("out_count", np.int64),
        ("doors_in", np.float64, (2, 2)),  # m
        ("doors_out", np.float64, (3, 2)),  # m
    ],
    align=True,
)


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


def parameters(maze: str, *, task: int | str, cost: bool, terminates: bool) -> np.ndarray:
    """The parameter record.

    Args:
        maze: a name of `LAYOUTS`.
        task: 1 to 5; ``"any"``, one of the five in every episode; or ``"free"``, any free cell to any vertex.
        cost: whether rewards are -1 and 0 instead of 0 and 1.
        terminates: whether an episode ends at the goal.

    Returns:
        Array of shape (1,) of type `PARAMS`.

    Raises:
        ValueError: an unknown maze or task.
    """
    if maze not in LAYOUTS:
        raise ValueError(f"maze is {maze!r}, expected one of {sorted(LAYOUTS)}")
    if task not in (1, 2, 3, 4, 5, "any", "free") or isinstance(task, bool):
        raise ValueError(f"task is {task!r}, expected 1 to 5, 'any' or 'free'")
    cells = layouts.read(LAYOUTS[maze])
    walls = cells == layouts.WALL
    if task == "free":
        starts, goals = np.argwhere(~walls), vertices(walls)
    else:
        pairs = TASKS[maze] if task == "any" else TASKS[maze][int(task) - 1 : int(task)]
        starts, goals = (np.array([pair[k] for pair in pairs]) for k in (0, 1))
    params = np.zeros(1, PARAMS)
    p = params[0]
    grid = (UNIT, -UNIT, -UNIT, 0, 1, 1, 0)
    fill(p, walls, grid, np.zeros((0, 2)), np.zeros((0, 2)))
    fill(p, walls, grid, centre(p["grid"], starts), centre(p["grid"], goals))
    p["law"]["radius"] = BALL
    p["paired"], p["first_task"] = task != "free", task if isinstance(task, int) else 1
    p["cost"], p["terminates"] = cost, terminates
    for name, doors in (("in", DOORS_IN.get(maze, ())), ("out", DOORS_OUT.get(maze, ()))):
        p[f"{name}_count"] = len(doors)
        if doors:
            p[f"doors_{name}"] = centre(p["grid"], np.array(doors))
    return params
