"""The state record and the layouts of item gathering."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Choice, Vector
from envsuite.core.rng import STREAM
from envsuite.momarl.item_gathering.params import MOST_KINDS


def state_dtype(height: int, width: int, agents: int) -> np.dtype:
    """The record of an instance.

    Args:
        height: rows of the map.
        width: columns.
        agents: number of agents.
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("items", np.int8, (height, width)),
            ("place", np.int8, (agents, 2)),
            ("target", np.int8, (agents, 2)),
            ("gathered", np.int32, (agents, MOST_KINDS)),
            ("left", np.int32),
            ("rows", np.int8, (height,)),  # scratch of the shuffle
            ("columns", np.int8, (width,)),
        ],
        align=True,
    )


# gathered: items that one has picked up so far; left: items on the map
INFO = np.dtype([("gathered", np.float32), ("left", np.float32)], align=True)

ACTION = Choice(("stay", "up", "down", "left", "right"))


def observation_layout(height: int, width: int, agents: int, kinds: int) -> Vector:
    """What an agent sees: who it is, and the map.

    Args:
        height: rows of the map.
        width: columns.
        agents: number of agents.
        kinds: of items.
    """
    return Vector(
        (
            Block("me", 1, -agents, -1, "", "one's own number on the map, -1 for the first agent"),
            Block("map", height * width, -agents, kinds, "", "row by row: 0 nothing, agents below 0, items above"),
        ),
        dtype=np.int8,
    )
