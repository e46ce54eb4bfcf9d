"""Constants of the world, in groups; each can be set by the option ``config``.

Defaults are those of Crafter 1.8.3 (Hafner 2021, arXiv 2109.06780; its data.yaml, objects.py, env.py, worldgen.py).
"""

from typing import Any

import numpy as np

from envsuite.core import Record, field
from envsuite.crafting.crafter.things import ITEMS


class Terrain(Record):
    """How worlds are made: thresholds of noise, which lies in [-1, 1], and shares of the cells that it allows."""

    meadow = field(4.0, "cells", "radius of the meadow around the start", low=0, high=64)
    mountain = field(0.15, "", "mountains are where their noise is above this; 2 makes none", low=-6, high=2)
    water = field(0.3, "", "lakes are where their noise is above this; 2 makes none", low=-4, high=2)
    shore = field(0.25, "", "sand is where the noise of lakes is above this, and below 0.35", low=-4, high=2)
    sand = field(-0.2, "", "and where a noise of its own is above this; 1 makes none", low=-1, high=1)
    cave = field(0.15, "", "caves are where their noise is above this; 1 makes none", low=-1, high=1)
    tunnel = field(0.4, "", "tunnels are where their noise is above this; 1 makes none", low=-1, high=1)
    lava = field(0.35, "", "lava is deep in mountains where its noise is above this; 1 makes none", low=-1, high=1)
    tree_noise = field(0.0, "", "trees are where their noise is above this", low=-1, high=1)
    tree_share = field(0.2, "", "and then on this share of the cells", low=0, high=1)
    coal_noise = field(0.0, "", "coal is in mountains where its noise is above this", low=-1, high=1)
    coal_share = field(0.15, "", "and then in this share of the cells", low=0, high=1)
    iron_noise = field(0.4, "", "iron is in mountains where its noise is above this", low=-1, high=1)
    iron_share = field(0.25, "", "and then in this share of the cells", low=0, high=1)
    diamond_share = field(0.006, "", "share of the cells inside mountains", low=0, high=1)


class Creatures(Record):
    """How many creatures there are, and how strong."""

    cow_share = field(0.015, "", "of the grass at first", low=0, high=1)
    zombie_share = field(0.007, "", "of walkable cells at first", low=0, high=1)
    skeleton_share = field(0.05, "", "of tunnels at first", low=0, high=1)
    cow_spawn = field(0.01, "", "chance that a cow comes to a chunk that lacks one, every ten steps", low=0, high=1)
    zombie_spawn = field(0.3, "", "the same for zombies", low=0, high=1)
    skeleton_spawn = field(0.1, "", "the same for skeletons", low=0, high=1)
    cow_despawn = field(0.1, "", "chance that a cow goes where there are too many, every ten steps", low=0, high=1)
    zombie_despawn = field(0.4, "", "the same for zombies", low=0, high=1)
    skeleton_despawn = field(0.1, "", "the same for skeletons", low=0, high=1)
    zombie_night = field(3.5, "", "zombies that a chunk bears in darkness", low=0, high=20)
    zombie_day = field(0.5, "", "zombies that a chunk bears in full light", low=0, high=20)
    cow_health = field(3, "", "", type=np.int64, low=1, high=100)
    zombie_health = field(5, "", "", type=np.int64, low=1, high=100)
    skeleton_health = field(3, "", "", type=np.int64, low=1, high=100)
    zombie_damage = field(2, "health", "", type=np.int64, low=0, high=9)
    zombie_damage_asleep = field(7, "health", "to who sleeps", type=np.int64, low=0, high=9)
    arrow_damage = field(2, "health", "", type=np.int64, low=0, high=9)


class Body(Record):
    """What a body needs; a sleeper hungers and thirsts half as fast."""

    hunger = field(25, "steps", "food falls by 1 after more than these", type=np.int64, low=1, high=1_000_000)
    thirst = field(20, "steps", "drink falls by 1 after more than these", type=np.int64, low=1, high=1_000_000)
    fatigue = field(30, "steps", "energy falls by 1 after more than these awake", type=np.int64, low=1, high=1_000_000)
    rest = field(10, "steps", "energy rises by 1 after more than these asleep", type=np.int64, low=1, high=1_000_000)
    heal = field(25, "steps", "health rises by 1 after more than these", type=np.int64, low=1, high=1_000_000)
    decay = field(15, "steps", "health falls by 1 after more than these in want", type=np.int64, low=1, high=1_000_000)


class Farming(Record):
    """What grows and feeds."""

    sapling_chance = field(0.1, "", "of a sapling in grass", low=0, high=1)
    ripe_after = field(300, "steps", "a plant is ripe after more than these", type=np.int64, low=0, high=30_000)
    plant_food = field(4, "food", "of a ripe plant", type=np.int64, low=0, high=9)
    plant_sates = field(0, "", "1: a plant also takes hunger away, as a cow does", type=np.int64, low=0, high=1)
    cow_food = field(6, "food", "of a cow", type=np.int64, low=0, high=9)


class Time(Record):
    """The day."""

    day_length = field(300, "steps", "of a day and its night", type=np.int64, low=10, high=100_000)
    always_day = field(0, "", "1: the light is always full", type=np.int64, low=0, high=1)


GROUPS: dict[str, type[Record]] = {
    "terrain": Terrain,
    "creatures": Creatures,
    "body": Body,
    "farming": Farming,
    "time": Time,
}
"""Groups of constants, as ``config`` names them."""

BUILT = (
    "stone",
    "table",
    "furnace",
    "plant",
    "wood_pickaxe",
    "stone_pickaxe",
    "iron_pickaxe",
    "wood_sword",
    "stone_sword",
    "iron_sword",
)
"""What is placed or made, in the order of the actions from ``place_stone`` on."""

COSTS: dict[str, dict[str, int]] = {
    "stone": {"stone": 1},
    "table": {"wood": 2},
    "furnace": {"stone": 4},
    "plant": {"sapling": 1},
    "wood_pickaxe": {"wood": 1},
    "stone_pickaxe": {"wood": 1, "stone": 1},
    "iron_pickaxe": {"wood": 1, "coal": 1, "iron": 1},
    "wood_sword": {"wood": 1},
    "stone_sword": {"wood": 1, "stone": 1},
    "iron_sword": {"wood": 1, "coal": 1, "iron": 1},
}
"""What each of these uses up; data.yaml of Crafter 1.8.3."""

CLASSIC: dict[str, Any] = {
    "costs": {
        "furnace": {"stone": 1},
        "iron_pickaxe": {"wood": 1, "stone": 1, "coal": 1, "iron": 1},
        "iron_sword": {"wood": 1, "stone": 1, "coal": 1, "iron": 1},
    },
    "farming": {"ripe_after": 599, "plant_sates": 1},
}
"""Where Craftax-Classic 1.6.1 differs in recipes and plants; its game_logic.py."""

START = {"health": 9, "food": 9, "drink": 9, "energy": 9}
"""What a player has at first; nothing else."""


class Params(Record):
    """The constants that kernels know."""

    terrain = field(type=Terrain)
    creatures = field(type=Creatures)
    body = field(type=Body)
    farming = field(type=Farming)
    time = field(type=Time)
    costs = field(type=np.int8, shape=(len(BUILT), len(ITEMS)), meaning="of what is placed or made, by item")
    start = field(type=np.int8, shape=len(ITEMS), meaning="what a player has at first")
    original = field(type=np.uint8, meaning="1: with the defects of Crafter 1.8.3")
    shared = field(type=np.uint8, meaning="1: players who live share what all of them earn")
