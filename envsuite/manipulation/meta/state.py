"""One instance of a task of Meta-World, its metrics, and what is observed and done."""

import numpy as np

from envsuite.core import Block, Record, Vector, field
from envsuite.manipulation.meta.look import Look
from envsuite.rigid.world import BodyState

SIGHT = 18  # numbers seen at one moment
GOAL = slice(2 * SIGHT, 2 * SIGHT + 3)
"""Where the goal stands in an observation."""

HAND_LOW, HAND_HIGH = (-0.525, 0.348, -0.0525), (0.525, 1.025, 0.7)
"""Bounds of the observed hand, m."""


class State(BodyState):
    """One instance."""

    look = field(type=Look, meaning="what rewards are told")
    drawn = field(unit="m", shape=(2, 3), meaning="places drawn for this episode")
    sight = field(shape=SIGHT, meaning="what is observed of this moment")
    before = field(shape=SIGHT, meaning="and of the step before")
    success = field(type=np.bool_, meaning="in this step")
    success_once = field(type=np.bool_, meaning="in this step or an earlier one")


class _Varied(Record):
    """What was drawn; it stands first, since no record may be the beginning of another."""

    level = field(type=np.int32, meaning="the episode's variant")
    friction = field(meaning="drawn factor")
    damping = field(meaning="drawn factor")


class VariedState(_Varied, State):
    """One instance of a task that varies."""


class Info(Record):
    """The metrics."""

    success = field(type=np.bool_, meaning="in this step")
    success_once = field(type=np.bool_, meaning="in this step or an earlier one of the episode")
    object_to_goal = field(type=np.float64, unit="m", meaning="distance of the observed object from the goal")
    overflow = field(type=np.int32, meaning="contacts that found no room in the episode; 0, or the physics is wrong")


def _moment(when: str) -> tuple[Block, ...]:
    return (
        Block(f"hand{when}", 3, HAND_LOW, HAND_HIGH, "m"),
        Block(f"fingers{when}", 1, -1, 1, meaning="1 is open"),
        Block(f"object{when}", 3, -np.inf, np.inf, "m"),
        Block(f"object's turn{when}", 4, -np.inf, np.inf, meaning="quaternion"),
        Block(f"second object{when}", 3, -np.inf, np.inf, "m"),
        Block(f"second object's turn{when}", 4, -np.inf, np.inf, meaning="quaternion"),
    )


ACTION = Vector(
    (
        *(Block(f"d{one}", 1, -1, 1, "cm", "of the hand's place") for one in "xyz"),
        Block("grip", 1, -1, 1, meaning="1 closes"),
    ),
    out_of_range="clip",
)

OBSERVATION = Vector(
    (*_moment(""), *_moment(" before"), Block("goal", 3, -np.inf, np.inf, "m")),
    dtype=np.float64,
)
