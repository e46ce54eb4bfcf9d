"""The record of a world, its metrics, and what players observe."""

from typing import Any

import numpy as np

from envsuite.core import Block, Record, StateRecord, Vector, field
from envsuite.crafting.crafter.noise import ENTRIES
from envsuite.crafting.crafter.things import ACHIEVEMENTS, CHUNK, ITEMS, KINDS, MOST, VIEW


class Player(Record):
    """A player's place, body and deeds."""

    x = field(unit="cells", type=np.int32, meaning="from the left")
    y = field(unit="cells", type=np.int32, meaning="from the top")
    facing = field(type=np.int32, meaning="0 to 3: left, right, up, down")
    sleeping = field(type=np.uint8)
    alive = field(type=np.uint8, meaning="0: no longer in the world")
    hunger = field(unit="steps", type=np.float64, meaning="since food fell; half as fast asleep")
    thirst = field(unit="steps", type=np.float64, meaning="since drink fell; half as fast asleep")
    fatigue = field(unit="steps", type=np.float64, meaning="awake since energy fell; below 0 asleep")
    recover = field(unit="steps", type=np.float64, meaning="of health, up or down")
    felt = field(type=np.int32, meaning="health when it was last looked at for pain, which wakes")
    paid = field(type=np.int32, meaning="health when it was last rewarded")
    unlocked = field(type=np.int32, meaning="achievements so far that were rewarded")
    inventory = field(type=np.int32, shape=len(ITEMS))
    achievements = field(type=np.int32, shape=len(ACHIEVEMENTS), meaning="how often each was done")


class Thing(Record):
    """A creature, an arrow or a plant."""

    kind = field(type=np.int32, meaning="see `envsuite.crafting.crafter.things`; 0: gone")
    x = field(unit="cells", type=np.int32)
    y = field(unit="cells", type=np.int32)
    health = field(type=np.int32)
    timer = field(unit="steps", type=np.int32, meaning="until a zombie strikes or a skeleton shoots; age of a plant")
    facing = field(type=np.int32, meaning="of an arrow")


class State(StateRecord):
    """A world; columns count to the right, rows downwards, and maps have the column first."""

    players = field(type=Player.dtype(), shape="agents")
    terrain = field(type=np.uint8, shape=("width", "height"), meaning="material of each cell")
    beings = field(type=np.uint8, shape=("width", "height"), meaning="kind of what stands on each cell; 0 for none")
    things = field(type=Thing.dtype(), shape="capacity", meaning="all but players, in the order in which they came")
    count = field(type=np.int32, meaning="of things")
    crowded = field(type=np.int32, meaning="things for which there was no room in this record")
    daylight = field(type=np.float64, meaning="0 to 1")
    chunks = field(type=np.uint8, shape="chunks", meaning="those in which creatures come and go, in their order")
    chunk_count = field(type=np.int32)
    census = field(type=np.int16, shape=("chunks", 3), meaning="cows, zombies and skeletons, for the moment")
    permutation = field(type=np.uint8, shape=ENTRIES, meaning="of the noise")
    terminated = field(type=np.uint8, shape="agents")
    truncated = field(type=np.uint8, shape="agents")


CAPACITY = 1024
"""Things that a record has room for; the most that worlds of this size hold is some 150. Where all are taken nothing
new comes: nothing grows, hatches, or is shot, and ``info["crowded"]`` counts what did not."""


def chunk_numbers(width: int, height: int) -> int:
    """How many chunks a world has.

    Args:
        width: cells.
        height: cells.
    """
    return -(-width // CHUNK) * -(-height // CHUNK)


_Deeds: Any = type(
    "_Deeds", (Record,), {name: field(type=np.int32, meaning="times in this episode") for name in ACHIEVEMENTS}
)


class Info(_Deeds):
    """The metrics."""

    achievements = field(type=np.int32, meaning="how many of the 22 were done at least once")
    is_success = field(type=np.bool_, meaning="a diamond was collected")
    position = field(unit="cells", type=np.int32, shape=2, meaning="to the right and downwards")
    inventory = field(type=np.int32, shape=len(ITEMS))
    discount = field(type=np.float32, meaning="0 after death, else 1")
    daylight = field(type=np.float32, meaning="0 to 1")
    crowded = field(type=np.int32, meaning="things for which there was no room")


CELLS = VIEW[0] * VIEW[1]
BLOCKS = (
    "another player",
    "outside",
    "grass",
    "water",
    "stone",
    "tree",
    "unused",
    "path",
    "coal",
    "iron",
    "diamond",
    "table",
    "furnace",
    "sand",
    "lava",
    "plant",
    "ripe plant",
)
"""Of the symbolic view, in the order of Craftax-Classic (its BlockType)."""
MOBS = ("zombie", "cow", "skeleton", "arrow")
"""Likewise."""


def observation_layout(observed: str, width: int, height: int) -> Vector:
    """What a player sees.

    Args:
        observed: ``"ids"``, ``"whole"`` or ``"symbolic"``.
        width: of the world, cells.
        height: of the world, cells.
    """
    if observed == "symbolic":
        per = len(BLOCKS) + len(MOBS)
        return Vector(
            (
                Block("map", CELLS * per, 0, 1, "", "for each cell in view, row by row: 17 materials, 4 creatures"),
                Block("inventory", 12, 0, 0.9, "", "wood, stone, coal, iron, diamond, sapling, tools; tenths"),
                Block("body", 4, 0, 0.9, "", "health, food, drink, energy; tenths"),
                Block("facing", 4, 0, 1, "", "left, right, up, down"),
                Block("daylight", 1, 0, 1),
                Block("sleeping", 1, 0, 1),
            )
        )
    blocks = (
        Block("map", CELLS, 0, KINDS - 1, "", "kinds of the 9 x 7 cells in view, row by row"),
        Block("inventory", len(ITEMS), 0, MOST, "", ", ".join(ITEMS).replace("_", " ")),
        Block("facing", 4, 0, 1, "", "left, right, up, down"),
        Block("daylight", 1, 0, 100, "percent"),
        Block("sleeping", 1, 0, 1),
    )
    if observed == "whole":
        whole = Block("world", width * height, 0, KINDS - 1, "", "kinds of all cells, row by row")
        blocks = (whole, Block("position", 2, 0, 255, "cells", "to the right and downwards"), *blocks)
    return Vector(blocks, dtype=np.uint8)
