"""Constants of PointMaze (Gymnasium-Robotics 1.4, envs/maze/maze_v4.py and point_maze.py)."""

import numpy as np

from envsuite.mazes import layouts
from envsuite.mazes.params import MAZE_FIELDS, centre, centred, fill, law

RADIUS = 0.45
"""Distance in metres from the goal that counts as success; the original's documentation says 0.5."""

PLACE_NOISE = 0.25
"""Starts and goals are uniform within this distance of a cell's centre, on each axis, m."""

APART = 0.5
"""A start cell's centre is farther than this from the goal, m."""

LAYOUTS: dict[str, str] = {
    "umaze": layouts.plain("#####/#OOO#/###O#/#OOO#/#####"),
    "open": layouts.plain(layouts.D4RL["open"]),
    "medium": layouts.plain(layouts.D4RL["medium"]),
    "large": layouts.plain(layouts.D4RL["large"]),
}

_MEDIUM_GOALS = ((2, 6), (5, 1), (6, 5))
_LARGE_GOALS = ((1, 6), (3, 5), (3, 10), (5, 2), (7, 4), (7, 6), (7, 9))
for _name, _goals in (("medium", _MEDIUM_GOALS), ("large", _LARGE_GOALS)):
    _layout = LAYOUTS[_name]
    LAYOUTS[f"{_name}-diverse-g"] = layouts.marked(_layout, {(1, 1): "R"} | dict.fromkeys(_goals, "G"))
    LAYOUTS[f"{_name}-diverse-gr"] = layouts.marked(_layout, dict.fromkeys(((1, 1), *_goals), "C"))

PARAMS = np.dtype(
    [
        *MAZE_FIELDS,
        ("radius", np.float64),  # m
        ("dense", np.uint8),
        ("continuing", np.uint8),
        ("reset_target", np.uint8),
    ],
    align=True,
)


def parameters(layout: str, *, dense: bool, continuing: bool, reset_target: bool, physics: str) -> np.ndarray:
    """The parameter record.

    Args:
        layout: a name of `LAYOUTS`, or a layout as text.
        dense: whether the reward falls off exponentially with the distance instead of being 0 or 1.
        continuing: whether the episode goes on at the goal.
        reset_target: whether a continuing episode moves the goal when it is reached.
        physics: generation of MuJoCo, see `envsuite.mazes.params.PHYSICS`.

    Returns:
        Array of shape (1,) of type `PARAMS`.

    Raises:
        ValueError: an unknown name or a malformed layout, or one without two distinct cells to start and end in.
    """
    if layout not in LAYOUTS and "#" not in layout:
        raise ValueError(f"layout is {layout!r}, expected one of {sorted(LAYOUTS)} or a layout as text")
    cells = layouts.read(LAYOUTS.get(layout, layout))
    goals, starts = layouts.find(cells, "GC"), layouts.find(cells, "RC")
    free = layouts.find(cells, "O")
    goals, starts = (goals if len(goals) else free), (starts if len(starts) else free)
    if not all((starts != goal).any() for goal in goals) or len(goals) == 0:
        raise ValueError(f"layout {layout!r} has no start cell apart from a goal cell")
    params = np.zeros(1, PARAMS)
    walls = cells == layouts.WALL
    fill(params[0], walls, centred(*walls.shape), np.zeros((0, 2)), np.zeros((0, 2)))
    grid = params[0]["grid"]
    fill(params[0], walls, centred(*walls.shape), centre(grid, starts), centre(grid, goals))
    params[0]["law"] = law(physics)
    params[0]["radius"] = RADIUS
    params[0]["dense"], params[0]["continuing"], params[0]["reset_target"] = dense, continuing, reset_target
    return params
