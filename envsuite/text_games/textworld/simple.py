"""The simple game: find a food in a fixed house and put it on the stove."""

from typing import Literal

import numpy as np

from envsuite.core import Record, batch_loops, field, kernel, rng
from envsuite.text_games.textworld.build import (
    Draft,
    add_door,
    add_event,
    add_quest,
    add_room,
    add_thing,
    clear,
    link,
    shuffle,
)
from envsuite.text_games.textworld.names import NUMBER
from envsuite.text_games.textworld.rules import door_object, inventory, place_of
from envsuite.text_games.textworld.state import (
    CLOSED,
    CONSUMED,
    CONTAINER,
    DOOR_IS,
    EAST,
    EDIBLE,
    FAIL,
    FOOD,
    HOUSE,
    KEY,
    LID_IS,
    LOCKED,
    NONE,
    NORTH,
    OBJECT,
    OPEN,
    PLAYER_AT,
    SOUTH,
    SUPPORTER,
    THING_AT,
    TRAIT_IS,
    WIN,
)
from envsuite.text_games.textworld.world import Style, TextWorld, begin, observe, step


def _numbers(*names: str) -> np.ndarray:
    return np.array([NUMBER[name] for name in names], np.int16)


BEDROOM, KITCHEN, BATHROOM, LIVING_ROOM, BACKYARD, GARDEN = range(6)
ROOM_NAMES = _numbers("bedroom", "kitchen", "bathroom", "living room", "backyard", "garden")
FIXED = (
    ("chest drawer", CONTAINER, BEDROOM),
    ("antique trunk", CONTAINER, BEDROOM),
    ("king-size bed", SUPPORTER, BEDROOM),
    ("counter", SUPPORTER, KITCHEN),
    ("stove", SUPPORTER, KITCHEN),
    ("kitchen island", SUPPORTER, KITCHEN),
    ("refrigerator", CONTAINER, KITCHEN),
    ("toilet", CONTAINER, BATHROOM),
    ("sink", SUPPORTER, BATHROOM),
    ("bath", CONTAINER, BATHROOM),
    ("couch", SUPPORTER, LIVING_ROOM),
    ("low table", SUPPORTER, LIVING_ROOM),
    ("tv", SUPPORTER, LIVING_ROOM),
    ("bbq", SUPPORTER, BACKYARD),
    ("patio table", SUPPORTER, BACKYARD),
    ("set of chairs", SUPPORTER, BACKYARD),
)
"""Furniture: name, kind and room."""
_PIECES = [name for name, _, _ in FIXED]
DRAWER, TRUNK, STOVE, ISLAND, FRIDGE, SINK, BATH, COUCH, LOW_TABLE = map(
    _PIECES.index,
    ("chest drawer", "antique trunk", "stove", "kitchen island", "refrigerator", "sink", "bath", "couch", "low table"),
)
NAME_OF, KIND_OF, ROOM_OF = (
    np.array(column, np.int16)
    for column in zip(*((NUMBER[name], kind, room) for name, kind, room in FIXED), strict=True)
)
LOOSE = _numbers("toothbrush", "soap bar", "remote", "shovel", "note")
LOOSE_AT = np.array([SINK, BATH, LOW_TABLE, NONE, ISLAND], np.int16)
"""The furniture on or in which each loose thing lies; the shovel lies in the garden."""
FOODS = _numbers("apple", "milk", "half of a bag of chips", "tomato plant", "bell pepper", "lettuce")
FOODS_AT = np.array([FRIDGE, FRIDGE, COUCH, NONE, NONE, NONE], np.int16)
"""Where the foods lie, whose names are shuffled; -1 is the garden."""
HELD_OUT = _numbers("garlic", "kiwi", "carrot")
OAK, SCREEN = NUMBER["wooden door"], NUMBER["screen door"]
OLD_KEY = NUMBER["old key"]
DENSE, BALANCED, SPARSE = range(3)


class Params(Record):
    """The options that kernels know."""

    rewards = field(type=np.int32, meaning="0 dense, 1 balanced, 2 sparse")
    held_out = field(type=np.uint8, meaning="1 if the food has a name that training does not know")


@kernel
def win(s, kind, first, second):
    """A quest of one point."""
    add_quest(s, 1)
    add_event(s, WIN, kind, first, second)


@kernel
def lay(s, spot):
    """The place on or in a piece of furniture; the garden for -1."""
    return GARDEN if spot < 0 else place_of(s, spot)


@kernel
def build_house(s):
    """Rooms, doors and furniture, which are always the same. The index of both doors."""
    for k in range(len(ROOM_NAMES)):
        add_room(s, ROOM_NAMES[k])
    oak, screen = add_door(s, OAK, LOCKED), add_door(s, SCREEN, CLOSED)
    link(s, BEDROOM, EAST, KITCHEN, oak)
    link(s, KITCHEN, NORTH, BATHROOM, NONE)
    link(s, KITCHEN, SOUTH, LIVING_ROOM, NONE)
    link(s, KITCHEN, EAST, BACKYARD, screen)
    link(s, BACKYARD, SOUTH, GARDEN, NONE)
    for k in range(len(FIXED)):
        add_thing(s, KIND_OF[k], NAME_OF[k], ROOM_OF[k])
    for k in range(len(LOOSE)):
        add_thing(s, OBJECT, LOOSE[k], lay(s, LOOSE_AT[k]))
    return oak, screen


@kernel
def add_quests(s, p, box, key, oak, screen, spot, food):
    """What is paid for on the way, and at the end."""
    if p.rewards == DENSE:
        win(s, LID_IS, box, OPEN)
        win(s, THING_AT, key, inventory(s))
        win(s, DOOR_IS, oak, CLOSED)
        win(s, DOOR_IS, oak, OPEN)
    if p.rewards != SPARSE:
        win(s, PLAYER_AT, KITCHEN, 0)
        if spot < 0:
            win(s, DOOR_IS, screen, OPEN)
    if p.rewards == DENSE:
        if spot == COUCH:
            win(s, PLAYER_AT, LIVING_ROOM, 0)
        elif spot < 0:
            win(s, PLAYER_AT, BACKYARD, 0)
            win(s, PLAYER_AT, GARDEN, 0)
    if p.rewards != SPARSE:
        win(s, THING_AT, food, inventory(s))
    win(s, THING_AT, food, place_of(s, STOVE))
    add_quest(s, 0)
    add_event(s, FAIL, TRAIT_IS, food, CONSUMED)


@kernel
def reset(s, p, w):
    """Hide the key, shuffle the foods, and choose one."""
    clear(s)
    oak, screen = build_house(s)
    shuffle(s, w.order, len(FOODS))
    first_food = np.int64(s.game.thing_count)
    for k in range(len(FOODS)):
        food = add_thing(s, FOOD, FOODS[w.order[k]], lay(s, FOODS_AT[k]))
        s.traits[food] = EDIBLE
    box = DRAWER if rng.integers(s.rng, rng.RESET, 2) == 0 else TRUNK
    key = add_thing(s, KEY, OLD_KEY, place_of(s, box))
    s.game.opens[key] = door_object(s, oak)
    pick = rng.integers(s.rng, rng.RESET, len(FOODS))
    food = first_food + pick
    if p.held_out:
        s.game.thing_name[food] = HELD_OUT[rng.integers(s.rng, rng.RESET, len(HELD_OUT))]
    s.room, s.game.target, s.game.goal = BEDROOM, food, STOVE
    add_quests(s, p, box, key, oak, screen, FOODS_AT[pick], food)
    begin(s)


class SimpleWorld(TextWorld):
    """A house of six rooms: leave the bedroom, find a food, and put it on the stove. Eating it loses.

    Args:
        rewards: ``"dense"``: a point for each of 7 to 10 steps of the solution; ``"balanced"``: for 3 or 4 of them;
            ``"sparse"``: for the food on the stove alone.
        goal: how much the objective tells: the whole way, what is missing, or nothing. A note in the kitchen says
            what is missing.
        split: ``"test"``: the food has a name that ``"train"`` does not know: garlic, kiwi or carrot.
        style: of the texts.
    """

    objectives = ("The dinner is almost ready. All that is missing is the {0}, grilled on the {1}.",)
    loops = batch_loops(reset, step, observe, work=Draft.dtype(rooms=HOUSE.rooms, names=16))

    def __init__(
        self,
        *,
        rewards: Literal["dense", "balanced", "sparse"] = "dense",
        goal: Literal["detailed", "brief", "none"] = "detailed",
        split: Literal["train", "test"] = "train",
        style: Style = "plain",
    ):
        self.goal, self.style = goal, style
        self.params = Params.make(rewards=("dense", "balanced", "sparse").index(rewards), held_out=split == "test")
