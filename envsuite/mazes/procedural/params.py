"""Constants of the random mazes."""

from collections.abc import Sequence

import numpy as np

from envsuite.mazes.levels import GENERATORS
from envsuite.mazes.params import GRID, LAW, centred, law

RADIUS = 0.45
"""Distance in metres from the goal that counts as success, as in PointMaze."""

PLACE_NOISE = 0.25
"""Starts and goals are uniform within this distance of a cell's centre, on each axis, m, as in PointMaze."""

SIZES = range(2, 16)

TRAINING = ("backtracker", "wilson", "rooms")
HELD_OUT = ("prim", "division")

PARAMS = np.dtype(
    [
        ("grid", GRID),
        ("law", LAW),
        ("radius", np.float64),  # m
        ("loops", np.float64),
        ("generator_count", np.int64),
        ("generators", np.int64, (len(GENERATORS),)),
    ],
    align=True,
)


def parameters(size: int, generators: Sequence[str], *, loops: float, physics: str) -> np.ndarray:
    """The parameter record.

    Args:
        size: cells along each side.
        generators: names of `envsuite.mazes.levels.GENERATORS`, one of which is drawn for every episode.
        loops: probability that a wall between cells is taken away.
        physics: generation of MuJoCo, see `envsuite.mazes.params.PHYSICS`.

    Returns:
        Array of shape (1,) of type `PARAMS`.

    Raises:
        ValueError: a size, a generator or a probability out of range.
    """
    if isinstance(size, bool) or size not in SIZES:
        raise ValueError(f"size is {size!r}, expected {SIZES.start} to {SIZES.stop - 1}")
    if isinstance(generators, str) or not 0 < len(generators) <= len(GENERATORS):
        raise ValueError(f"generators is {generators!r}, expected a list of names among {sorted(GENERATORS)}")
    if unknown := sorted(set(generators) - set(GENERATORS)):
        raise ValueError(f"unknown generator {unknown[0]!r}, expected one of {sorted(GENERATORS)}")
    if not 0 <= loops <= 1:
        raise ValueError(f"loops is {loops}, expected a probability")
    params = np.zeros(1, PARAMS)
    p = params[0]
    side = 2 * size + 1
    p["grid"] = (side, side, *centred(side, side))
    p["law"] = law(physics)
    p["radius"], p["loops"] = RADIUS, loops
    p["generator_count"] = len(generators)
    p["generators"][: len(generators)] = [GENERATORS[name] for name in generators]
    return params
