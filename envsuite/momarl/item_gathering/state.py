"""The state record and the layouts of item gathering."""

import numpy as np

from envsuite.core import Block, Choice, Record, StateRecord, Vector, field
from envsuite.momarl.item_gathering.params import MOST_KINDS


class State(StateRecord):
    """The map."""

    items = field(type=np.int8, shape=("height", "width"), meaning="0 or the kind, from 1 on")
    place = field(type=np.int8, shape=("agents", 2), meaning="row, column")
    target = field(type=np.int8, shape=("agents", 2), meaning="where each wants to go")
    gathered = field(type=np.int32, shape=("agents", MOST_KINDS), meaning="items by agent and kind")
    left = field(type=np.int32, meaning="items on the map")
    rows = field(type=np.int8, shape="height", meaning="scratch of the shuffle")
    columns = field(type=np.int8, shape="width", meaning="scratch of the shuffle")


class Info(Record):
    """The metrics."""

    gathered = field(meaning="items that one has picked up so far")
    left = field(meaning="items on the map")


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
