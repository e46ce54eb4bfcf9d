"""The house of the cooking game: rooms on a random walk, doors, furniture, the cookbook and the knife."""

import numpy as np

from envsuite.core import Record, field, kernel, rng
from envsuite.text_games.textworld.build import (
    GRID,
    Draft,
    add_door,
    add_room,
    add_thing,
    beside,
    link,
    shuffle,
)
from envsuite.text_games.textworld.foods import (
    FOODS,
)
from envsuite.text_games.textworld.names import (
    FURNITURE,
    FURNITURE_ITEM,
    HOUSE_ROOM,
    HOUSE_ROOMS,
    NUMBER,
)
from envsuite.text_games.textworld.rules import place_of
from envsuite.text_games.textworld.state import (
    CLOSED,
    CONTAINER,
    FRIED,
    GRILLED,
    NONE,
    OBJECT,
    OPEN,
    ROASTED,
    SOLID,
    SUPPORTER,
)

KITCHEN = HOUSE_ROOMS.index("kitchen")
BACKYARD = HOUSE_ROOMS.index("backyard")
GROUPS = np.array([1, 6, 9, 12])
"""Rooms after each stage of building; the names up to there belong to it."""
SIDE = 5
"""Rooms lie on a grid of this side, as in the original."""
TRIES = 200
"""Steps of the walk that lays out a stage, before the map is begun anew."""

_NEIGHBOURS = {
    "kitchen": ("livingroom", "backyard", "corridor", "pantry"),
    "pantry": ("kitchen",),
    "livingroom": ("kitchen", "bedroom", "driveway", "corridor"),
    "bathroom": ("corridor",),
    "bedroom": ("livingroom", "corridor"),
    "backyard": ("kitchen", "garden", "shed", "corridor"),
    "garden": ("backyard",),
    "shed": ("backyard",),
    "driveway": ("livingroom", "street", "corridor"),
    "street": ("driveway", "supermarket"),
    "corridor": ("livingroom", "kitchen", "bedroom", "bathroom", "driveway", "backyard"),
    "supermarket": ("street",),
}
ROOM_COUNT = len(_NEIGHBOURS)
MAY_ADJOIN = np.array(
    [[b in _NEIGHBOURS[a] for b in HOUSE_ROOMS[:ROOM_COUNT]] for a in HOUSE_ROOMS[:ROOM_COUNT]], np.uint8
)
_DOORS = (
    ("pantry", "kitchen", ("frosted-glass door", "plain door")),
    ("kitchen", "backyard", ("sliding patio door", "patio door", "screen door")),
    ("corridor", "backyard", ("sliding patio door", "patio door", "screen door")),
    ("backyard", "shed", ("barn door", "wooden door")),
    ("livingroom", "driveway", ("front door", "fiberglass door")),
    ("corridor", "driveway", ("front door", "fiberglass door")),
    ("supermarket", "street", ("sliding door", "commercial glass door")),
)
DOOR_ENDS = np.array([[HOUSE_ROOMS.index(a), HOUSE_ROOMS.index(b)] for a, b, _ in _DOORS])
DOOR_NAMES = np.array([[NUMBER[names[k % len(names)]] for k in range(6)] for _, _, names in _DOORS])
"""(doors, 6) names to choose among, each equally often."""

_FURNITURE = {
    "fridge": ("kitchen", CONTAINER, CLOSED, 0),
    "counter": ("kitchen", SUPPORTER, SOLID, 0),
    "table": ("kitchen", SUPPORTER, SOLID, 0),
    "stove": ("kitchen", SUPPORTER, SOLID, FRIED),
    "oven": ("kitchen", CONTAINER, CLOSED, ROASTED),
    "shelf": ("pantry", SUPPORTER, SOLID, 0),
    "BBQ": ("backyard", CONTAINER, SOLID, GRILLED),
    "patio table": ("backyard", SUPPORTER, SOLID, 0),
    "patio chair": ("backyard", SUPPORTER, SOLID, 0),
    "showcase": ("supermarket", SUPPORTER, SOLID, 0),
    "sofa": ("livingroom", SUPPORTER, SOLID, 0),
    "bed": ("bedroom", SUPPORTER, SOLID, 0),
    "toilet": ("bathroom", SUPPORTER, SOLID, 0),
    "workbench": ("shed", SUPPORTER, SOLID, 0),
    "toolbox": ("shed", CONTAINER, CLOSED, 0),
}
PIECE_ROOM, PIECE_KIND, PIECE_LID, PIECE_HEAT = (
    np.array(column)
    for column in zip(
        *((HOUSE_ROOMS.index(_FURNITURE[name][0]), *_FURNITURE[name][1:]) for name in FURNITURE), strict=True
    )
)
_ALWAYS = {"table", "stove", "oven", "counter", "fridge", "BBQ", "shelf", "showcase"}
ALWAYS = np.array([name in _ALWAYS for name in FURNITURE])
"""Furniture that stands wherever its room exists."""
TABLE, COUNTER = FURNITURE.index("table"), FURNITURE.index("counter")
FOOD_COUNT = len(FOODS)


class Params(Record):
    """The options that kernels know."""

    recipe = field(type=np.int32, meaning="number of ingredients")
    fetch = field(type=np.int32, meaning="ingredients to fetch; the others are carried from the beginning")
    stages = field(type=np.int32, meaning="stages of building: 1, 6, 9 or 12 rooms")
    shut = field(type=np.uint8, meaning="1 if doors and containers are closed")
    cook = field(type=np.uint8, meaning="1 if ingredients have to be cooked")
    cut = field(type=np.uint8, meaning="1 if they have to be cut")
    drop = field(type=np.uint8, meaning="1 if no more can be carried than the recipe needs")
    split = field(type=np.int32, meaning="0 to 2, and 3 for all foods")
    rules = field(type=np.uint8, meaning="bits, see `envsuite.text_games.textworld.state`")
    capacity = field(type=np.int32, meaning="things that can be carried, where the recipe sets no limit")


class Plan(Record):
    """What the generator remembers."""

    room_of = field(type=np.int16, shape=ROOM_COUNT, meaning="the room of each name; -1")
    piece = field(type=np.int16, shape=len(FURNITURE), meaning="the thing of each piece of furniture; -1")
    food = field(type=np.int16, shape=FOOD_COUNT, meaning="the thing of each food; -1")
    chosen = field(type=np.int16, shape=5, meaning="the foods of the recipe")
    draft = field(type=Draft)


@kernel
def walk(s, w, room, stage):
    """Lay out the rooms of a stage on a random walk. The room where it ends; -1 if it takes too long."""
    first, last = (GROUPS[stage - 1] if stage > 0 else 0), GROUPS[stage]
    left = last - first
    for _ in range(TRIES):
        if left == 0:
            return room
        name = s.game.room_name[room] - HOUSE_ROOM.first
        shuffle(s, w.draft.order, 4)
        for k in range(4):
            side = np.int64(w.draft.order[k])
            cell = beside(w.draft.cell_of[room], side)
            row, column = cell // GRID, cell % GRID
            if row >= SIDE or column >= SIDE:
                continue
            other = w.draft.cells[cell] - 1
            if other >= 0:
                if MAY_ADJOIN[name, s.game.room_name[other] - HOUSE_ROOM.first] == 0:
                    continue
            else:
                found, pick = 0, NONE
                for one in range(first, last):
                    if w.room_of[one] < 0 and MAY_ADJOIN[name, one]:
                        found += 1
                        if rng.integers(s.rng, rng.RESET, found) == 0:
                            pick = one
                if pick < 0:
                    continue
                other = add_room(s, HOUSE_ROOM.first + pick)
                w.room_of[pick], w.draft.cell_of[other], w.draft.cells[cell] = other, cell, other + 1
                left -= 1
            link(s, room, side, other, NONE)
            room = other
            break
    return NONE


@kernel
def lay_out(s, p, w):
    """Rooms and ways. Whether all rooms found a place."""
    s.game.room_count = 0
    for k in range(s.game.exits.shape[0]):
        s.game.exits[k] = NONE
    for k in range(w.draft.cells.shape[0]):
        w.draft.cells[k] = 0
    for k in range(ROOM_COUNT):
        w.room_of[k] = NONE
    cell = rng.integers(s.rng, rng.RESET, SIDE) * GRID + rng.integers(s.rng, rng.RESET, SIDE)
    room = add_room(s, HOUSE_ROOM.first + KITCHEN)
    w.room_of[KITCHEN], w.draft.cell_of[room], w.draft.cells[cell] = room, cell, room + 1
    for stage in range(1, p.stages):
        room = walk(s, w, room, stage)
        if room < 0:
            return False
    return True


@kernel
def add_doors(s, p, w):
    """Doors in the ways that have one."""
    for k in range(len(DOOR_ENDS)):
        a, b = w.room_of[DOOR_ENDS[k, 0]], w.room_of[DOOR_ENDS[k, 1]]
        for side in range(4 if a >= 0 and b >= 0 else 0):
            if s.game.exits[4 * a + side] == b:
                name = DOOR_NAMES[k, rng.integers(s.rng, rng.RESET, 6)]
                while named(s, name):
                    name = DOOR_NAMES[k, rng.integers(s.rng, rng.RESET, 6)]
                link(s, a, side, b, add_door(s, name, CLOSED if p.shut else OPEN))


@kernel
def named(s, name):
    """Whether a door has this name."""
    found = False
    for k in range(s.game.door_count):
        found = found or s.game.door_name[k] == name
    return found


@kernel
def furnish(s, p, w):
    """Furniture: some pieces always, others by chance."""
    pieces = len(PIECE_ROOM)
    for k in range(pieces):
        w.piece[k] = NONE
        if ALWAYS[k]:
            add_piece(s, p, w, k)
    more = s.game.room_count + rng.integers(s.rng, rng.RESET, pieces + 3 - s.game.room_count)
    shuffle(s, w.draft.order, pieces)
    for j in range(pieces):
        k = np.int64(w.draft.order[j])
        if w.piece[k] < 0 and more > 0:
            add_piece(s, p, w, k)
            more -= 1


@kernel
def add_piece(s, p, w, k):
    """A piece of furniture, if its room exists."""
    room = w.room_of[PIECE_ROOM[k]]
    if room >= 0:
        t = add_thing(s, PIECE_KIND[k], FURNITURE_ITEM.first + k, room)
        s.lid[t] = OPEN if PIECE_LID[k] == CLOSED and not p.shut else PIECE_LID[k]
        s.game.heat[t] = PIECE_HEAT[k]
        w.piece[k] = t


@kernel
def add_tool(s, w, name, traits):
    """The cookbook or the knife, on the table or the counter."""
    on = w.piece[TABLE] if rng.integers(s.rng, rng.RESET, 2) == 0 else w.piece[COUNTER]
    t = add_thing(s, OBJECT, name, place_of(s, on))
    s.traits[t] = traits
    return t
