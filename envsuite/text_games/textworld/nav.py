"""LMRL-Gym's text navigation: put the stale food of a fixed house into the fridge."""

from typing import Literal

import numpy as np

from envsuite.core import Record, batch_loops, field, kernel, rng
from envsuite.text_games.textworld.build import (
    add_event,
    add_fact,
    add_quest,
    add_room,
    add_thing,
    clear,
    link,
)
from envsuite.text_games.textworld.names import NUMBER
from envsuite.text_games.textworld.rules import place_of
from envsuite.text_games.textworld.state import (
    CLOSED,
    CONSUMED,
    CONTAINER,
    EAST,
    EDIBLE,
    FAIL,
    FOOD,
    HIDES_PLACE,
    LID_IS,
    NEEDS_LAST,
    NO_SENSES,
    NONE,
    NORTH,
    OBJECT,
    SOUTH,
    SUPPORTER,
    THING_AT,
    TRAIT_IS,
    WEST,
    WIN,
)
from envsuite.text_games.textworld.world import Style, TextWorld, begin, observe, step

_ROOMS = ("bedroom", "living room", "dining room", "kitchen", "garden", "backyard", "office", "bathroom")
BEDROOM, LIVING_ROOM, DINING_ROOM, KITCHEN, GARDEN, BACKYARD, OFFICE, BATHROOM = range(len(_ROOMS))
_WAYS = (
    (BEDROOM, WEST, LIVING_ROOM),
    (LIVING_ROOM, WEST, DINING_ROOM),
    (DINING_ROOM, WEST, KITCHEN),
    (KITCHEN, NORTH, GARDEN),
    (KITCHEN, WEST, BACKYARD),
    (LIVING_ROOM, SOUTH, OFFICE),
    (OFFICE, EAST, BATHROOM),
    (BEDROOM, SOUTH, BATHROOM),
)
_FURNITURE = (
    ("bedroom table", SUPPORTER, BEDROOM),
    ("office chest", CONTAINER, OFFICE),
    ("living room table", SUPPORTER, LIVING_ROOM),
    ("dining table", SUPPORTER, DINING_ROOM),
    ("fridge", CONTAINER, KITCHEN),
)
FRIDGE = 4
_LOOSE = (
    ("bowl", OBJECT, 0),
    ("set of utensils", OBJECT, 1),
    ("stale food", FOOD, 2),
    ("fresh food", FOOD, 2),
    ("coffee cup", OBJECT, 3),
    ("plate", OBJECT, 3),
    ("fruit", FOOD, FRIDGE),
)
STALE = len(_FURNITURE) + 2


def _numbered(rows):
    return np.array([[NUMBER[name], *rest] for name, *rest in rows])


ROOMS, WAYS = _numbered([(name,) for name in _ROOMS]), np.array(_WAYS)
FURNITURE, LOOSE = _numbered(_FURNITURE), _numbered(_LOOSE)
FAR = np.array([OFFICE, BATHROOM, GARDEN, BACKYARD])
"""Rooms where episodes of the data begin three times as often as in the others."""


class Params(Record):
    """The options that kernels know."""

    as_data = field(type=np.uint8, meaning="1 if episodes begin as often in each room as in LMRL-Gym's data")
    rules = field(type=np.uint8, meaning="bits, see `envsuite.text_games.textworld.state`")


@kernel
def reset(s, p):
    """The house, and a room to begin in."""
    clear(s)
    for k in range(ROOMS.shape[0]):
        add_room(s, ROOMS[k, 0])
    for k in range(WAYS.shape[0]):
        link(s, WAYS[k, 0], WAYS[k, 1], WAYS[k, 2], NONE)
    for k in range(FURNITURE.shape[0]):
        add_thing(s, FURNITURE[k, 1], FURNITURE[k, 0], FURNITURE[k, 2])
    for k in range(LOOSE.shape[0]):
        thing = add_thing(s, LOOSE[k, 1], LOOSE[k, 0], place_of(s, LOOSE[k, 2]))
        if LOOSE[k, 1] == FOOD:
            s.traits[thing] = EDIBLE
    s.game.rules = p.rules
    s.game.target, s.game.goal = STALE, FRIDGE
    s.room = rng.integers(s.rng, rng.RESET, ROOMS.shape[0])
    if p.as_data:
        pick, near = rng.integers(s.rng, rng.RESET, len(FAR)), rng.integers(s.rng, rng.RESET, 4) == 0
        s.room = pick if near else FAR[pick]  # the first four rooms are the others
    add_quest(s, 1)
    add_event(s, WIN, THING_AT, STALE, place_of(s, FRIDGE))
    add_fact(s, LID_IS, FRIDGE, CLOSED)
    add_event(s, FAIL, TRAIT_IS, STALE, CONSUMED)
    begin(s)


class TextNavWorld(TextWorld):
    """Put the stale food into the fridge and close it; eating it loses.

    Args:
        observable: ``"partial"`` hides what the room is called and what is carried.
        start: the room is drawn evenly, or as in LMRL-Gym's data: three quarters of the episodes begin in the office,
            the bathroom, the garden or the backyard.
        style: of the texts.
    """

    objectives = ("Put the {0} into the {1}, and close the {1}.",)
    listed = True
    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        observable: Literal["full", "partial"] = "full",
        start: Literal["even", "data"] = "even",
        style: Style = "plain",
    ):
        self.style = style
        self.params = Params.make(
            as_data=start == "data", rules=NEEDS_LAST | NO_SENSES | (HIDES_PLACE if observable == "partial" else 0)
        )
