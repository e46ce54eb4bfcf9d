"""What is true in a game, as facts about named entities with the signatures of the package ``textworld``."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from envsuite.text_games.textworld.state import (
    CONSUMED,
    CONTAINER,
    DIRECTIONS,
    EDIBLE,
    EDIBLE_ONLY,
    FOOD,
    FRIED,
    GRILLED,
    KEY,
    OBJECT,
    OPEN,
    ROASTED,
    SOLID,
    SUPPORTER,
    TRAITS,
)

Fact = tuple[str, tuple[str, ...]]
"""A predicate and the ids of the entities that it is about."""

STATES = ("open", "closed", "locked")
TYPES = {OBJECT: "o", KEY: "k", FOOD: "f", CONTAINER: "c", SUPPORTER: "s"}
HEATERS = {(SUPPORTER, FRIED): "stove", (CONTAINER, ROASTED): "oven", (CONTAINER, GRILLED): "toaster"}


@dataclass(frozen=True)
class Entities:
    """Who takes part in a game.

    Attributes:
        rooms: ids of the rooms, by their numbers in the record.
        doors: ids of the doors.
        things: ids of the things.
        types: the type of each id, those of the recipe and of slots included.
        names: what each room, door and thing is called.
        always: what is true besides all that the record tells, such as what the recipe asks for.
        slots: ids of the slots of an inventory that holds only so much, in games of the package.
        numbers: ids of the numbers of things that can be carried, from none on, in games of ours that limit them.
    """

    rooms: tuple[str, ...]
    doors: tuple[str, ...]
    things: tuple[str, ...]
    types: dict[str, str]
    names: dict[str, str]
    always: frozenset[Fact] = frozenset()
    slots: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()

    def lock(self, number: int, things: int) -> str:
        """The id of a door or container, which is numbered as in commands.

        Args:
            number: of the thing, or `things` plus that of the door.
            things: of the size class.
        """
        return self.things[number] if number < things else self.doors[number - things]


def entities_of(state: np.void, names: Sequence[str]) -> Entities:
    """Entities of a game that one of the worlds has drawn; ids count the entities of each type from 0.

    Args:
        state: a record `State`.
        names: that it refers to.
    """
    g = state["game"]
    types: dict[str, str] = {"P": "P", "I": "I"}
    called: dict[str, str] = {}
    counts: dict[str, int] = {}

    def add(kind: str, name: int = -1) -> str:
        key = f"{kind}_{counts.get(kind, 0)}"
        counts[kind] = counts.get(kind, 0) + 1
        types[key] = kind
        if name >= 0:
            called[key] = names[name]
        return key

    rooms = tuple(add("r", int(g["room_name"][k])) for k in range(int(g["room_count"])))
    doors = tuple(add("d", int(g["door_name"][k])) for k in range(int(g["door_count"])))
    things = tuple(add(_type_of(g, t), int(g["thing_name"][t])) for t in range(int(g["thing_count"])))
    always: set[Fact] = set()
    if not g["rules"] & EDIBLE_ONLY:  # any food can be eaten, and stays edible in the package when it was
        always |= {("edible", (key,)) for key in things if types[key] == "f"}
    if g["meal"] >= 0:
        types["RECIPE"] = "RECIPE"
        always |= {("out", (things[g["meal"]], "RECIPE")), ("cooking_location", (rooms[g["kitchen"]], "RECIPE"))}
    for k in range(int(g["recipe_length"])):
        food, wanted = things[g["ingredient"][k]], add("ingredient")
        always |= {(f"ingredient_{k + 1}", (food,)), ("base", (food, wanted)), ("in", (wanted, "RECIPE"))}
        always |= {(trait, (wanted,)) for trait in traits_in(int(g["wanted"][k]))}
    return Entities(rooms, doors, things, types, called, frozenset(always))


def _type_of(g: np.void, t: int) -> str:
    if t == g["meal"]:
        return "meal"
    kind = int(g["kind"][t])
    return HEATERS.get((kind, int(g["heat"][t])), TYPES[kind])


def traits_in(bits: int, rules: int = EDIBLE_ONLY) -> list[str]:
    """Names of traits in the package.

    Args:
        bits: see `envsuite.text_games.textworld.state.TRAITS`.
        rules: of the game; without cooking, what was eaten is called so.
    """
    names = (name for k, name in enumerate(TRAITS) if bits >> k & 1)
    return ["eaten" if name == "consumed" and not rules & EDIBLE_ONLY else name for name in names]


def true_facts(state: np.void, entities: Entities) -> set[Fact]:
    """All that is true now. Of the slots, the first ones are used.

    Args:
        state: a record `State` or `Start`.
        entities: of its game.
    """
    found = set(entities.always) | set(_map_facts(state, entities)) | set(_thing_facts(state, entities))
    found.add(("at", ("P", entities.rooms[state["room"]])))
    carried = int((state["place"] == len(state["game"]["room_name"])).sum())
    if entities.numbers:
        found.add(("carrying", (entities.numbers[carried],)))
    used = carried - int(state["game"]["stuck"])
    return found | {("used" if k < used else "free", (slot,)) for k, slot in enumerate(entities.slots)}


def _map_facts(state: np.void, entities: Entities) -> Iterator[Fact]:
    g = state["game"]
    for door, key in enumerate(entities.doors):
        yield STATES[state["door_state"][door]], (key,)
    for way in np.flatnonzero(g["exits"] >= 0).tolist():
        here, there, door = entities.rooms[way // 4], entities.rooms[g["exits"][way]], int(g["gates"][way])
        yield f"{DIRECTIONS[way % 4]}_of", (there, here)
        if door >= 0:
            yield "link", (here, entities.doors[door], there)
        if door < 0 or state["door_state"][door] == OPEN:
            yield "free", (here, there)


def _thing_facts(state: np.void, entities: Entities) -> Iterator[Fact]:
    g = state["game"]
    parts = set(g["ingredient"][: int(g["recipe_length"])].tolist())
    for t, key in enumerate(entities.things):
        traits, place = int(state["traits"][t]), int(state["place"][t])
        if place >= 0:
            yield place_fact(g, entities, t, place)
        elif t in parts and not traits & CONSUMED:
            yield "used", (key,)
        if g["kind"][t] == CONTAINER and state["lid"][t] < SOLID:
            yield STATES[state["lid"][t]], (key,)
        if g["kind"][t] == KEY and g["opens"][t] >= 0:
            yield "match", (key, entities.lock(int(g["opens"][t]), len(state["place"])))
        for trait in traits_in(traits if g["rules"] & EDIBLE_ONLY else traits & ~EDIBLE, int(g["rules"])):
            yield trait, (key,)


def place_fact(g: np.void, entities: Entities, thing: int, place: int) -> Fact:
    """That a thing is in a place.

    Args:
        g: a record `Game`.
        entities: of it.
        thing: its number.
        place: that of the place, which is not nowhere.
    """
    key, rooms = entities.things[thing], len(g["room_name"])
    if place < rooms:
        return "at", (key, entities.rooms[place])
    if place == rooms:
        return "in", (key, "I")
    holder = place - rooms - 1
    return "on" if g["kind"][holder] == SUPPORTER else "in", (key, entities.things[holder])


def readable(fact: Fact, entities: Entities) -> str:
    """A fact as the package writes it, such as ``in(bun: f, coffer: c)``.

    Args:
        fact: about ids.
        entities: of the game.
    """
    name, keys = fact
    told = ((entities.names.get(key, key), entities.types[key]) for key in keys)
    return f"{name}({', '.join(one if one == kind else f'{one}: {kind}' for one, kind in told)})"
