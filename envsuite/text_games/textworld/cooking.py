"""The cooking game: fetch what a recipe asks for, cook and cut it, prepare the meal and eat it."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between, Record, batch_loops, field, kernel, rng
from envsuite.text_games.textworld.build import (
    GRID,
    UNLIMITED,
    Draft,
    add_door,
    add_event,
    add_quest,
    add_room,
    add_thing,
    beside,
    clear,
    link,
    shuffle,
)
from envsuite.text_games.textworld.foods import (
    ALL,
    ALLOWED,
    CUT_OF,
    FOODS,
    HEAT_OF,
    SAME_BEGINNING,
    SAME_ENDING,
    SPLITS,
    TRAITS_OF,
)
from envsuite.text_games.textworld.names import (
    FOOD_ITEM,
    FURNITURE,
    FURNITURE_ITEM,
    HOUSE_ROOM,
    HOUSE_ROOMS,
    NUMBER,
    TOOL,
    TOOLS,
)
from envsuite.text_games.textworld.rules import inventory, place_of
from envsuite.text_games.textworld.state import (
    ALL_TRAITS,
    BURNED,
    CHOPPED,
    CLOSED,
    CONSUMED,
    CONTAINER,
    COOKED,
    DICED,
    EDIBLE,
    EDIBLE_ONLY,
    EXAMINE_DOORS,
    EXAMINE_HELD,
    FAIL,
    FOOD,
    FRIED,
    GRILLED,
    HOUSE,
    INEDIBLE,
    NEEDS_COOKING,
    NEEDS_LAST,
    NONE,
    OBJECT,
    OPEN,
    RAW,
    RECIPE_DONE,
    RECIPE_PARTS,
    ROASTED,
    SHARP,
    SLICED,
    SOLID,
    SUPPORTER,
    THING_AT,
    TRAIT_IS,
    UNCUT,
    WIN,
)
from envsuite.text_games.textworld.world import Style, TextWorld, begin, observe, step

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
RULES = EXAMINE_DOORS | EXAMINE_HELD | NEEDS_LAST | EDIBLE_ONLY | RECIPE_DONE
ORIGINAL_RULES = NEEDS_LAST | EDIBLE_ONLY | RECIPE_PARTS
CAPACITY = 15
"""Things that can be carried where the recipe sets no limit; with more, more than 256 commands could be possible."""
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
FOOD_AT = np.array(
    [[FURNITURE.index(place) if place in FURNITURE else NONE for place in food.places] for food in FOODS]
)
"""(foods, 2) furniture where each food may lie; -1 is the garden."""
GARDEN = HOUSE_ROOMS.index("garden")
COOKBOOK, KNIFE, MEAL = (TOOL.first + k for k in range(len(TOOLS)))
HEATS, CUTS = (FRIED, ROASTED, GRILLED), (CHOPPED, SLICED, DICED)
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


@kernel
def add_food(s, w, food, place):
    """A food."""
    t = add_thing(s, FOOD, FOOD_ITEM.first + food, place)
    s.traits[t] = TRAITS_OF[food]
    w.food[food] = t
    return t


@kernel
def spot_of(s, w, food):
    """A place where a food may lie, by chance among those that exist; -1 if none does."""
    first = rng.integers(s.rng, rng.RESET, 2)
    for k in range(2):
        piece = FOOD_AT[food, (first + k) % 2]
        if piece < 0 and w.room_of[GARDEN] >= 0:
            return w.room_of[GARDEN]
        if piece >= 0 and w.piece[piece] >= 0:
            return place_of(s, w.piece[piece])
    return NONE


@kernel
def fits(p, w, food, way):
    """Whether a preparation of a food is allowed, and its skills are asked for."""
    return (
        ALLOWED[p.split, food, way]
        and (HEAT_OF[way] != 0 or not p.cook)
        and (CUT_OF[way] != 0 or not p.cut)
        and (HEAT_OF[way] != GRILLED or w.room_of[BACKYARD] >= 0)
    )


@kernel
def known(p, w, food):
    """Whether a food is among those of the game: all of the split that the skills leave.

    Cutting does not rule out foods that cannot be cut, unless there is no barbecue, as in the original.
    """
    for way in range(len(HEAT_OF)):
        if fits(p, w, food, way):
            return True
        if ALLOWED[p.split, food, way] and (HEAT_OF[way] != 0 or not p.cook) and w.room_of[BACKYARD] >= 0:
            return True
    return False


@kernel
def choose_foods(s, p, w):
    """The foods of the recipe, where they lie. Number found."""
    for food in range(FOOD_COUNT):
        w.food[food] = NONE
    shuffle(s, w.draft.order, FOOD_COUNT)
    found = 0
    for k in range(FOOD_COUNT):
        food = np.int64(w.draft.order[k])
        ways = 0
        for way in range(len(HEAT_OF)):
            ways += fits(p, w, food, way)
        if found < p.recipe and ways > 0:
            place = spot_of(s, w, food)
            if place >= 0:
                add_food(s, w, food, place)
                w.chosen[found] = food
                found += 1
    return found


@kernel
def write_recipe(s, p, w):
    """Choose how each ingredient is to be done, and do what no skill is asked for."""
    g = s.game
    for k in range(p.recipe):
        food = np.int64(w.chosen[k])
        t = w.food[food]
        ways, pick = 0, 0
        for way in range(len(HEAT_OF)):
            if fits(p, w, food, way):
                ways += 1
                if rng.integers(s.rng, rng.RESET, ways) == 0:
                    pick = way
        heat, cut = HEAT_OF[pick], CUT_OF[pick]
        g.ingredient[k], g.wanted[k] = t, heat | cut
        if not p.cook:
            kept = s.traits[t] & (ALL_TRAITS ^ (RAW | NEEDS_COOKING | INEDIBLE))
            edible = s.traits[t] & (EDIBLE | INEDIBLE)
            s.traits[t] = kept | heat | COOKED | (EDIBLE if edible else 0)
        if not p.cut:
            s.traits[t] = (s.traits[t] & (ALL_TRAITS ^ UNCUT)) | cut
    g.recipe_length = p.recipe


@kernel
def add_look_alike(s, p, w, food, alike):
    """A food with a similar name beside an ingredient, unless one is there already."""
    place = s.place[w.food[food]]
    shuffle(s, w.draft.order, FOOD_COUNT)
    for k in range(FOOD_COUNT):
        other = np.int64(w.draft.order[k])
        if alike[food, other] and known(p, w, other):
            if w.food[other] < 0:
                add_food(s, w, other, place)
                return
            if s.place[w.food[other]] == place:
                return


@kernel
def add_distractors(s, p, w, carried):
    """Foods that no recipe names."""
    for k in range(p.recipe):
        food = np.int64(w.chosen[k])
        if s.place[w.food[food]] != inventory(s) or carried < s.game.capacity:
            add_look_alike(s, p, w, food, SAME_BEGINNING)
            add_look_alike(s, p, w, food, SAME_ENDING)
    more = abs(np.int64(rng.normal(s.rng, rng.RESET, 0.0, 1.0) * 3 + p.recipe))
    shuffle(s, w.draft.order, FOOD_COUNT)
    for k in range(FOOD_COUNT):
        food = np.int64(w.draft.order[k])
        if more > 0 and w.food[food] < 0 and known(p, w, food) and s.game.thing_count < s.place.shape[0] - 1:
            place = spot_of(s, w, food)
            if place >= 0:
                add_food(s, w, food, place)
                more -= 1


@kernel
def add_quests(s, p):
    """A point for each ingredient fetched, cooked and cut, for the meal, and for eating it."""
    g = s.game
    for k in range(p.recipe):
        t, heat, cut = g.ingredient[k], 0, 0
        for one in HEATS:
            heat |= g.wanted[k] & one
        for one in CUTS:
            cut |= g.wanted[k] & one
        if s.place[t] != inventory(s):
            add_quest(s, 1)
            add_event(s, WIN, THING_AT, t, inventory(s))
        to_heat, to_cut = heat and not s.traits[t] & heat, cut and not s.traits[t] & cut
        add_quest(s, 1 if to_heat else 0)
        if to_heat:
            add_event(s, WIN, TRAIT_IS, t, heat)
        add_event(s, FAIL, TRAIT_IS, t, CONSUMED | BURNED | ((FRIED | ROASTED | GRILLED) ^ heat))
        add_quest(s, 1 if to_cut else 0)
        if to_cut:
            add_event(s, WIN, TRAIT_IS, t, cut)
        add_event(s, FAIL, TRAIT_IS, t, CONSUMED | ((CHOPPED | SLICED | DICED) ^ cut))
    add_quest(s, 1)
    add_event(s, WIN, THING_AT, g.meal, inventory(s))
    add_quest(s, 1)
    add_event(s, WIN, TRAIT_IS, g.meal, CONSUMED)
    add_event(s, FAIL, TRAIT_IS, g.meal, BURNED)


@kernel
def reset(s, p, w):
    """Draw a house, a recipe and foods."""
    clear(s)
    g = s.game
    g.rules = p.rules
    found = 0
    while found < p.recipe:
        while not lay_out(s, p, w):
            pass
        g.door_count, g.thing_count = 0, 0
        add_doors(s, p, w)
        furnish(s, p, w)
        g.cookbook = add_tool(s, w, COOKBOOK, 0)
        if p.cut or rng.integers(s.rng, rng.RESET, 2) == 1:
            add_tool(s, w, KNIFE, SHARP)
        found = choose_foods(s, p, w)
    s.room, g.kitchen = rng.integers(s.rng, rng.RESET, g.room_count), w.room_of[KITCHEN]
    g.capacity = p.recipe + (p.recipe == 1 and p.cut) if p.drop else p.capacity
    shuffle(s, w.draft.order, p.recipe)
    for k in range(p.recipe - p.fetch):
        s.place[w.food[w.chosen[w.draft.order[k]]]] = inventory(s)
    add_distractors(s, p, w, p.recipe - p.fetch)
    write_recipe(s, p, w)
    g.meal = add_thing(s, FOOD, MEAL, NONE)
    add_quests(s, p)
    begin(s)


class CookingWorld(TextWorld):
    """Read the recipe in the kitchen, fetch what it asks for, cook and cut it, prepare the meal, and eat it.

    Args:
        recipe: number of ingredients.
        take: how many of them have to be fetched; the others are carried from the beginning. At most `recipe`.
        go: number of rooms.
        open: doors and containers are closed.
        cook: ingredients have to be cooked; otherwise they are already.
        cut: ingredients have to be cut; otherwise they are already.
        drop: no more can be carried than the recipe has ingredients.
        split: foods and preparations: ``"valid"`` and ``"test"`` have foods that ``"train"`` does not know, and its
            foods in other preparations.
        style: of the texts.
        compat: ``"textworld"``: rules of the original's JSON engine, see README.md.

    Raises:
        ValueError: more ingredients to fetch than the recipe has.
    """

    objectives = (
        "You are hungry. The cookbook in the kitchen tells you what to cook. Do as it says, prepare the meal, and eat "
        "it.",
    )
    loops = batch_loops(reset, step, observe, work=Plan.dtype(rooms=HOUSE.rooms, names=FOOD_COUNT))

    def __init__(
        self,
        *,
        recipe: Annotated[int, Between(1, 5)] = 3,
        take: Annotated[int, Between(0, 5)] = 3,
        go: Literal[1, 6, 9, 12] = 6,
        open: bool = True,
        cook: bool = True,
        cut: bool = True,
        drop: bool = False,
        split: Literal["train", "valid", "test", "all"] = "train",
        style: Style = "plain",
        compat: Literal["textworld"] | None = None,
    ):
        if take > recipe:
            raise ValueError(f"take is {take}, expected at most recipe, {recipe}")
        self.style = style
        self.params = Params.make(
            recipe=recipe,
            fetch=take,
            stages=GROUPS.tolist().index(go) + 1,
            shut=open,
            cook=cook,
            cut=cut,
            drop=drop,
            split=ALL if split == "all" else SPLITS.index(split),
            rules=ORIGINAL_RULES if compat else RULES,
            capacity=UNLIMITED if compat else CAPACITY,
        )
