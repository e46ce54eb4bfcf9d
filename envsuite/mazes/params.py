"""Parameters that the mazes share: the place of the cells, the law of motion, walls, starts and goals."""

from typing import Literal

import numpy as np

from envsuite.core import Record, field
from envsuite.mazes.layouts import MAX_SIDE

_DENSITY, _SETTLING = 1000.0, 0.02  # kg/m^3 of the ball; s, MuJoCo's default solref
_RADIUS, _LOW, _HIGH = 0.1, 0.9, 0.95  # m; MuJoCo's default solimp
_MASS = 4 / 3 * np.pi * _RADIUS**3 * _DENSITY
_MAX_CELLS = MAX_SIDE * MAX_SIDE


class Grid(Record):
    """Where cell (i, j) lies: x = x0 + scale (ix i + jx j), y = y0 + scale (iy i + jy j)."""

    rows = field(type=np.int64)
    columns = field(type=np.int64)
    scale = field(unit="m", meaning="side of a cell")
    x0 = field(unit="m", meaning="centre of cell (0, 0)")
    y0 = field(unit="m")
    ix = field(type=np.int64, meaning="rows passed in one cell's length along +x: -1, 0 or 1")
    jx = field(type=np.int64, meaning="columns passed along +x")
    iy = field(type=np.int64, meaning="rows passed along +y")
    jy = field(type=np.int64, meaning="columns passed along +y")


class Law(Record):
    """The point mass and its contacts, see `envsuite.mazes.contact`; by default that of maze2d and PointMaze.

    A ball on two damped slides (D4RL, maze_model.py; Gymnasium-Robotics, point.xml). The contact constants are MuJoCo's
    for its default solref and solimp (MuJoCo documentation, Modeling, "Solver parameters").
    """

    mass = field(_MASS, "kg", "of a ball of 1000 kg/m^3")
    damping = field(1.0, "N s/m")
    force = field(100.0, "N", "at full action")
    dt = field(0.01, "s")
    speed_limit = field(5.0, "m/s", "of each component, before a step")
    radius = field(_RADIUS, "m")
    margin = field(unit="m", meaning="distance at which contacts begin")
    inverse_weight = field(unit="1/kg", meaning="scales the softness of contacts")
    stiffness = field(1 / (_HIGH * _SETTLING) ** 2, "1/s^2")
    contact_damping = field(2 / (_HIGH * _SETTLING), "1/s")
    impedance_low = field(_LOW)
    impedance_high = field(_HIGH)
    impedance_width = field(0.001, "m")


class Plan(Record):
    """Cells, walls, and where episodes start and end."""

    grid = field(type=Grid)
    walls = field(type=np.uint8, shape=(MAX_SIDE, MAX_SIDE), meaning="1 where a wall is")
    start_count = field(type=np.int64)
    goal_count = field(type=np.int64)
    starts = field(unit="m", meaning="the first start_count are used", shape=(_MAX_CELLS, 2))
    goals = field(unit="m", meaning="the first goal_count are used", shape=(_MAX_CELLS, 2))


class Maze(Plan):
    """What every maze of fixed layout has in which a ball moves."""

    law = field(type=Law)


Physics = Literal["mj2", "mj3", "mj4"]

PHYSICS: dict[str, tuple[float, float]] = {"mj2": (0.002, 2 / 3), "mj3": (0.002, 1.0), "mj4": (0.004, 1.0)}
"""Contact margin in metres, and inverse weight times mass, in the generations of MuJoCo: 2.x takes the mean of the
inverse inertia over three axes, of which the ball moves along two; 4.x sums the margins of both bodies."""


def law(physics: Physics) -> np.void:
    """The law of motion with the contacts of a generation of MuJoCo."""
    margin, weight = PHYSICS[physics]
    return Law.make(margin=margin, inverse_weight=weight / _MASS)[0]


def lay_out(params: np.void, walls: np.ndarray, grid: tuple) -> None:
    """Write walls and grid into a parameter record.

    Args:
        params: record of type `Plan`.
        walls: (rows, columns) bool.
        grid: scale, x0, y0, ix, jx, iy, jy of `Grid`.
    """
    rows, columns = walls.shape
    params["grid"] = (rows, columns, *grid)
    params["walls"] = 1
    params["walls"][:rows, :columns] = walls


def populate(params: np.void, starts: np.ndarray, goals: np.ndarray) -> None:
    """Write places where episodes start and end, m, (n, 2) and (m, 2), into a parameter record of type `Plan`."""
    for name, points in (("start", starts), ("goal", goals)):
        params[f"{name}_count"] = len(points)
        params[f"{name}s"][: len(points)] = points


def centred(rows: int, columns: int, scale: float = 1.0) -> tuple:
    """The grid of a maze around the origin, rows from top to bottom, as `lay_out` takes it; cells of `scale` m."""
    return (scale, scale * (0.5 - columns / 2), scale * (rows / 2 - 0.5), 0, 1, -1, 0)


def centre(grid: np.void, cells: np.ndarray) -> np.ndarray:
    """Centres of cells.

    Args:
        grid: record of type `Grid`.
        cells: int (..., 2), rows and columns.

    Returns:
        float64 (..., 2), m.
    """
    i, j = np.asarray(cells)[..., 0], np.asarray(cells)[..., 1]
    x = grid["x0"] + grid["scale"] * (grid["ix"] * i + grid["jx"] * j)
    y = grid["y0"] + grid["scale"] * (grid["iy"] * i + grid["jy"] * j)
    return np.stack([x, y], axis=-1)
