"""Parameter records that the mazes share: the place of the cells, the law of motion, walls, starts and goals."""

from typing import Literal

import numpy as np

from envsuite.mazes.layouts import MAX_SIDE

GRID = np.dtype(
    [
        ("rows", np.int64),
        ("columns", np.int64),
        ("scale", np.float64),  # m, side of a cell
        ("x0", np.float64),  # m, centre of cell (0, 0)
        ("y0", np.float64),
        ("ix", np.int64),  # rows and columns passed in one cell's length along +x ...
        ("jx", np.int64),
        ("iy", np.int64),  # ... and along +y; -1, 0 or 1
        ("jy", np.int64),
    ],
    align=True,
)
"""Where cell (i, j) lies: x = x0 + scale (ix i + jx j), y = y0 + scale (iy i + jy j)."""

LAW = np.dtype(
    [
        ("mass", np.float64),  # kg
        ("damping", np.float64),  # N s/m
        ("force", np.float64),  # N at full action
        ("dt", np.float64),  # s
        ("speed_limit", np.float64),  # m/s, each component, before a step
        ("radius", np.float64),  # m
        ("margin", np.float64),  # m, distance at which contacts begin
        ("inverse_weight", np.float64),  # 1/kg, scales the softness of contacts
        ("stiffness", np.float64),  # 1/s^2
        ("contact_damping", np.float64),  # 1/s
        ("impedance_low", np.float64),
        ("impedance_high", np.float64),
        ("impedance_width", np.float64),  # m
    ],
    align=True,
)
"""The point mass and its contacts, see `envsuite.mazes.contact`."""

MAX_CELLS = MAX_SIDE * MAX_SIDE

MAZE_FIELDS = [
    ("grid", GRID),
    ("law", LAW),
    ("walls", np.uint8, (MAX_SIDE, MAX_SIDE)),  # 1 where a wall is
    ("start_count", np.int64),
    ("goal_count", np.int64),
    ("starts", np.float64, (MAX_CELLS, 2)),  # m, the first start_count are used
    ("goals", np.float64, (MAX_CELLS, 2)),  # m, the first goal_count are used
]
"""Fields of the parameter record of every maze with a fixed layout."""

Physics = Literal["mj2", "mj3", "mj4"]

PHYSICS: dict[str, tuple[float, float]] = {"mj2": (0.002, 2 / 3), "mj3": (0.002, 1.0), "mj4": (0.004, 1.0)}
"""Contact margin in metres, and inverse weight times mass, in the generations of MuJoCo: 2.x takes the mean of the
inverse inertia over three axes, of which the ball moves along two; 4.x sums the margins of both bodies."""


def law(physics: str) -> np.ndarray:
    """The point mass of maze2d and PointMaze.

    A ball of radius 0.1 m and density 1000 kg/m^3 on two damped slides (D4RL, maze_model.py; Gymnasium-Robotics,
    point.xml). The contact constants are MuJoCo's for its default solref (0.02, 1) and solimp (0.9, 0.95, 0.001):
    stiffness 1/(0.95 0.02)^2, damping 2/(0.95 0.02) (MuJoCo documentation, Modeling, "Solver parameters").

    Args:
        physics: generation of MuJoCo, ``"mj2"``, ``"mj3"`` or ``"mj4"``.

    Returns:
        Record of type `LAW`.

    Raises:
        ValueError: an unknown generation.
    """
    if physics not in PHYSICS:
        raise ValueError(f"physics is {physics!r}, expected one of {sorted(PHYSICS)}")
    margin, weight = PHYSICS[physics]
    radius, low, high, settling = 0.1, 0.9, 0.95, 0.02
    mass = 4 / 3 * np.pi * radius**3 * 1000
    values = (mass, 1.0, 100.0, 0.01, 5.0, radius, margin, weight / mass)
    return np.array((*values, 1 / (high * settling) ** 2, 2 / (high * settling), low, high, 0.001), LAW)


def fill(params: np.void, walls: np.ndarray, grid: tuple, starts: np.ndarray, goals: np.ndarray) -> None:
    """Write walls, grid, starts and goals into a parameter record.

    Args:
        params: record with `MAZE_FIELDS`.
        walls: (rows, columns) bool.
        grid: scale, x0, y0, ix, jx, iy, jy of `GRID`.
        starts: (n, 2), m.
        goals: (m, 2), m.
    """
    rows, columns = walls.shape
    params["grid"] = (rows, columns, *grid)
    params["walls"] = 1
    params["walls"][:rows, :columns] = walls
    for name, points in (("start", starts), ("goal", goals)):
        params[f"{name}_count"] = len(points)
        params[f"{name}s"][: len(points)] = points


def centred(rows: int, columns: int) -> tuple:
    """The grid of a maze of unit cells around the origin, rows from top to bottom, as `fill` takes it."""
    return (1.0, 0.5 - columns / 2, rows / 2 - 0.5, 0, 1, -1, 0)


def centre(grid: np.void, cells: np.ndarray) -> np.ndarray:
    """Centres of cells.

    Args:
        grid: record of type `GRID`.
        cells: int (..., 2), rows and columns.

    Returns:
        float64 (..., 2), m.
    """
    i, j = np.asarray(cells)[..., 0], np.asarray(cells)[..., 1]
    x = grid["x0"] + grid["scale"] * (grid["ix"] * i + grid["jx"] * j)
    y = grid["y0"] + grid["scale"] * (grid["iy"] * i + grid["jy"] * j)
    return np.stack([x, y], axis=-1)
