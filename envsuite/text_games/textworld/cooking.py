"""The cooking game: fetch what a recipe asks for, cook and cut it, prepare the meal and eat it."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between, batch_loops, kernel, rng
from envsuite.text_games.textworld.build import (
    UNLIMITED,
    add_event,
    add_quest,
    add_thing,
    clear,
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
from envsuite.text_games.textworld.house import (
    BACKYARD,
    FOOD_COUNT,
    GROUPS,
    KITCHEN,
    Params,
    Plan,
    add_doors,
    add_tool,
    furnish,
    lay_out,
)
from envsuite.text_games.textworld.names import (
    FOOD_ITEM,
    FURNITURE,
    HOUSE_ROOMS,
    TOOL,
    TOOLS,
)
from envsuite.text_games.textworld.rules import inventory, place_of
from envsuite.text_games.textworld.state import (
    ALL_TRAITS,
    BURNED,
    CHOPPED,
    CONSUMED,
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
    RAW,
    RECIPE_DONE,
    RECIPE_PARTS,
    ROASTED,
    SHARP,
    SLICED,
    THING_AT,
    TRAIT_IS,
    UNCUT,
    WIN,
)
from envsuite.text_games.textworld.world import Style, TextWorld, begin, observe, step

RULES = EXAMINE_DOORS | EXAMINE_HELD | NEEDS_LAST | EDIBLE_ONLY | RECIPE_DONE
ORIGINAL_RULES = NEEDS_LAST | EDIBLE_ONLY | RECIPE_PARTS
CAPACITY = 15
"""Things that can be carried where the recipe sets no limit; with more, more than 256 commands could be possible."""
FOOD_AT = np.array(
    [[FURNITURE.index(place) if place in FURNITURE else NONE for place in food.places] for food in FOODS]
)
"""(foods, 2) furniture where each food may lie; -1 is the garden."""
GARDEN = HOUSE_ROOMS.index("garden")
COOKBOOK, KNIFE, MEAL = (TOOL.first + k for k in range(len(TOOLS)))
HEATS, CUTS = (FRIED, ROASTED, GRILLED), (CHOPPED, SLICED, DICED)


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
