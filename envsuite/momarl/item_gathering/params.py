"""Options and the parameter record of item gathering.

After Källström and Heintz (2019), "Tunable dynamics in agent-based simulation using multi-objective reinforcement
learning", ALA, and MOMAland (arXiv 2407.16312).
"""

from collections.abc import Sequence

import numpy as np

from envsuite.core import Record, field

MOST_AGENTS = 8
MOST_KINDS = 6
LARGEST = 32
ROUNDS = 50
"""Rounds for each agent in which collisions are settled; settled or not, everybody then returns."""

FIXED, SHUFFLED, DRAWN = 0, 1, 2
LAYOUTS = ("fixed", "shuffled", "drawn")

# MOMAland's default: 1 an agent, larger numbers the kinds of items
DEFAULT_MAP = (
    (0, 0, 0, 0, 0, 0, 0, 1),
    (0, 0, 0, 0, 0, 0, 0, 0),
    (0, 0, 0, 0, 0, 4, 0, 0),
    (0, 0, 4, 0, 4, 5, 0, 0),
    (0, 0, 0, 3, 0, 0, 0, 0),
    (0, 0, 3, 3, 0, 5, 0, 0),
    (0, 0, 0, 0, 0, 0, 0, 0),
    (1, 0, 0, 0, 0, 0, 0, 0),
)

# numbers of items as in MOMAland's experiments with two and four objectives, places drawn once
_TWO = (
    (0, 0, 0, 0, 0, 0, 0, 1),
    (0, 0, 0, 0, 0, 0, 0, 0),
    (0, 0, 4, 3, 4, 0, 0, 0),
    (0, 0, 4, 0, 0, 0, 0, 0),
    (0, 0, 0, 3, 4, 3, 0, 0),
    (0, 0, 4, 0, 4, 3, 0, 0),
    (0, 0, 0, 0, 0, 0, 0, 0),
    (1, 0, 0, 0, 0, 0, 0, 0),
)
_FOUR = (
    (0, 0, 0, 0, 0, 0, 0, 1),
    (0, 0, 0, 0, 0, 0, 0, 0),
    (0, 0, 5, 4, 4, 0, 0, 0),
    (0, 0, 6, 0, 0, 0, 0, 0),
    (0, 0, 0, 3, 5, 3, 0, 0),
    (0, 0, 4, 0, 4, 3, 0, 0),
    (0, 0, 0, 0, 0, 0, 0, 0),
    (1, 0, 0, 0, 0, 0, 0, 0),
)

MAPS = {"default": DEFAULT_MAP, "two kinds": _TWO, "four kinds": _FOUR}


class Params(Record):
    """An instance."""

    items = field(type=np.int8, shape=("height", "width"), meaning="0 or the kind, from 1 on")
    starts = field(type=np.int8, shape=("agents", 2), meaning="row, column")
    pick = field(shape=MOST_KINDS, meaning="probability to pick up an item that one stands on")
    kinds = field(type=np.int32, meaning="of items")
    layout = field(type=np.int32, meaning="0 fixed, 1 shuffled, 2 drawn")
    team = field(type=np.uint8, meaning="everybody is paid for what anybody picks up")
    steps = field(type=np.uint32, meaning="after which the episode is cut off")


def read_map(table: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Items and agents of a map.

    Args:
        table: rows of numbers: 0 nothing, 1 an agent, larger numbers kinds of items.

    Returns:
        Items (height, width) int8, kinds from 1 on; places of agents (agents, 2) int8, row by row.

    Raises:
        ValueError: no rectangle of whole numbers, of a forbidden size, or without agents or items.
    """
    grid = np.asarray(table)
    if (
        grid.ndim != 2
        or grid.dtype.kind not in "iu"
        or (grid < 0).any()
        or not 2 <= min(grid.shape) <= max(grid.shape) <= LARGEST
    ):
        raise ValueError(
            f"initial_map is {grid.dtype} {grid.shape}, expected whole numbers >= 0, 2 to {LARGEST} rows and columns"
        )
    kinds = np.unique(grid[grid >= 2])
    starts = np.argwhere(grid == 1)
    if not 1 <= len(kinds) <= MOST_KINDS or not 1 <= len(starts) <= MOST_AGENTS:
        raise ValueError(
            f"initial_map has {len(starts)} agents and {len(kinds)} kinds of items, expected 1 to {MOST_AGENTS} and 1 "
            f"to {MOST_KINDS}"
        )
    if (kinds != np.arange(kinds[0], kinds[0] + len(kinds))).any():
        raise ValueError(f"initial_map has the kinds {kinds.tolist()}, expected consecutive numbers")
    return np.where(grid >= 2, grid - kinds[0] + 1, 0).astype(np.int8), starts.astype(np.int8)
