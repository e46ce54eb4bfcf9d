"""Cloths with a hole: which particles there are, and the springs between them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from envsuite.manipulation.cloth.params import ABSENT, CELL, FREE, SIDE

RADIUS = 1.1
"""Of the hole, in cells."""
_LOW, _HIGH = 3, SIDE - 2
"""Places of a hole's centre for which the particles around it are there."""
HOLES = tuple(
    divmod(place, 100)
    for place in (
        808, 910, 1111, 1005, 511, 706, 509, 806, 607, 906, 911, 805, 709, 1007, 810, 711, 605, 1106, 708, 1109,
        907, 1009, 610, 1006, 705, 609, 505, 506, 908, 606, 1011, 905, 1108, 909, 809, 811, 1107, 507, 1010, 611,
    )
)  # fmt: skip
"""Centres in cells, 8 - 3 to 8 + 3 along both axes: forty of forty-nine, mixed; the original's draw is not known."""
SPLITS = {"training": HOLES[:20], "held_out": HOLES[20:]}

_RING = ((2, 0), (1, 1), (0, 2), (-1, 1), (-2, 0), (-1, -1), (0, -2), (1, -1))
_EDGE = (*_RING, (1, 2), (-1, -2))
"""The ten nearest particles around a hole. Eight are equally far as the last two: a pair whose mean is the centre."""

_CORNERS = ((0, 0), (1, 0), (0, 1), (1, 1))
"""Of the grippers, in halves of the cloth along both axes."""
_GRIPPER = 0.5
"""m from the cloth's middle along both axes."""
_CUBE = 0.05
"""m, half the width of a gripper."""


@dataclass(frozen=True)
class Mesh:
    """A cloth with a hole; particle ``SIDE * row + column``, both from 0.

    Attributes:
        springs: (springs, 2) particles, along the grid first, then along diagonals, then across two cells.
        kinds: (4,) where springs of each kind begin, and where the last end.
        owner: (particles,) the gripper that holds a particle, `FREE` or `ABSENT`.
        edge: (10,) particles around the hole.
    """

    springs: np.ndarray
    kinds: np.ndarray
    owner: np.ndarray
    edge: np.ndarray


def flat() -> np.ndarray:
    """Places of particles around the cloth's middle, m, (particles, 2)."""
    row, column = np.divmod(np.arange(SIDE * SIDE), SIDE)
    return CELL * (np.stack([column, row], axis=1) - (SIDE - 1) / 2)


def grippers() -> np.ndarray:
    """Places of grippers around the cloth's middle, m, (4, 2)."""
    return _GRIPPER * (2.0 * np.array(_CORNERS) - 1.0)


def mesh(hole: Sequence[int], thickness: float) -> Mesh:
    """A cloth.

    Args:
        hole: column and row of the particle in the hole's centre, both from 1.
        thickness: radius of a particle, m: grippers hold those which they touch.

    Raises:
        ValueError: the hole, or particles around it, are not within the cloth.
    """
    center = np.asarray(hole)
    inside = center.shape == (2,) and center.dtype.kind == "i" and (center >= _LOW).all() and (center <= _HIGH).all()
    if not inside:
        raise ValueError(f"hole is {hole!r}, expected two whole numbers from {_LOW} to {_HIGH}, its column and row")
    column, row = np.meshgrid(np.arange(1, SIDE + 1), np.arange(1, SIDE + 1))
    there = (column - center[0]) ** 2 + (row - center[1]) ** 2 > RADIUS**2
    number = np.arange(SIDE * SIDE).reshape(SIDE, SIDE)
    beyond = np.maximum(np.abs(flat()[:, np.newaxis] - grippers()) - _CUBE, 0.0)
    touched = np.linalg.norm(beyond, axis=2) < thickness
    owner = np.where(touched.any(axis=1), touched.argmax(axis=1), FREE)
    owner[~there.ravel()] = ABSENT
    parts = [
        np.concatenate([_pairs(number, there, (0, 1)), _pairs(number, there, (1, 0))]),
        np.concatenate([_pairs(number, there, (1, 1)), _pairs(number, there, (1, -1))]),
        np.concatenate([_pairs(number, there, (0, 2)), _pairs(number, there, (2, 0))]),
    ]
    edge = [number[center[1] - 1 + up, center[0] - 1 + right] for right, up in _EDGE]
    kinds = np.cumsum([0, *(len(part) for part in parts)])
    return Mesh(np.concatenate(parts), kinds, owner, np.array(edge))


def _pairs(number: np.ndarray, there: np.ndarray, step: tuple[int, int]) -> np.ndarray:
    """Pairs of particles, a step of rows and columns apart, which are there as is what lies between them."""
    down, right = step
    rows, columns = SIDE - down, SIDE - abs(right)
    first = (slice(0, rows), slice(max(0, -right), max(0, -right) + columns))
    second = (slice(down, SIDE), slice(max(0, right), max(0, right) + columns))
    keep = there[first] & there[second]
    if 2 in step:
        middle = (slice(down // 2, down // 2 + rows), slice(right // 2, right // 2 + columns))
        keep &= there[middle]
    return np.stack([number[first][keep], number[second][keep]], axis=1)
