"""Quests of a chosen length in houses of a chosen size: the complexity axes of language agents' studies."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between, Record, batch_loops, field, kernel, rng
from envsuite.text_games.textworld.build import (
    Draft,
    add_door,
    add_event,
    add_quest,
    add_thing,
    clear,
    grow_map,
    link,
    measure_ways,
    name_rooms,
    shuffle,
)
from envsuite.text_games.textworld.names import (
    KEYS,
    LOCKED_CONTAINERS,
    METALS,
    PLAIN_CONTAINERS,
    PLAIN_DOORS,
    PLAIN_FOODS,
    PLAIN_OBJECTS,
    PLAIN_SUPPORTERS,
    ROOMS,
)
from envsuite.text_games.textworld.rules import inventory, place_of
from envsuite.text_games.textworld.state import (
    CLOSED,
    CONSUMED,
    CONTAINER,
    EDIBLE,
    FOOD,
    HOUSE,
    KEY,
    LID_IS,
    LOCKED,
    NONE,
    OBJECT,
    OPEN,
    SUPPORTER,
    THING_AT,
    TRAIT_IS,
    WIN,
)
from envsuite.text_games.textworld.world import Style, TextWorld, begin, observe, step

DOORS = 0.4
"""Probability that a way has a closed door."""
TRIES = 100_000
"""Houses that are drawn at most, until one has a quest of the right length."""
FETCH, PLACE, STORE, TASTE = range(4)
"""Ends of a quest: to have something, to put it on something or into something, or to eat it."""


class Params(Record):
    """The options that kernels know."""

    rooms = field(type=np.int32, meaning="number of rooms")
    objects = field(type=np.int32, meaning="number of things")
    length = field(type=np.int32, meaning="commands of the shortest solution")
    dense = field(type=np.uint8, meaning="1 if each stage of the quest is a point, 0 if only its end is")
    room_names = field(type=np.int32, shape=2, meaning="first and number of the names for rooms")
    items = field(type=np.int32, shape=2, meaning="for objects")
    snacks = field(type=np.int32, shape=2, meaning="for food")
    containers = field(type=np.int32, shape=2, meaning="for containers")
    supporters = field(type=np.int32, shape=2, meaning="for supporters")


class Plan(Record):
    """What the generator remembers."""

    foods = field(type=np.int16, shape="names", meaning="a permutation for foods")
    objects = field(type=np.int16, shape="names", meaning="one for objects")
    used = field(type=np.int16, shape=4, meaning="names used of objects, foods, containers and supporters")
    opened = field(type=np.uint8, shape="rooms", meaning="1 for a door that the solution has opened")
    draft = field(type=Draft)


@kernel
def somewhere(s, p):
    """A random room."""
    return rng.integers(s.rng, rng.RESET, p.rooms)


@kernel
def unused(w, run, order, kind):
    """The next unused name of a run."""
    k = order[w.used[kind]]
    w.used[kind] += 1
    return run[0] + k


@kernel
def add_box(s, p, w):
    """A closed container."""
    return add_thing(s, CONTAINER, unused(w, p.containers, w.draft.nouns, 2), somewhere(s, p))


@kernel
def add_table(s, p, w):
    """A supporter."""
    return add_thing(s, SUPPORTER, unused(w, p.supporters, w.draft.nouns, 3), somewhere(s, p))


@kernel
def add_item(s, p, w, place):
    """An object."""
    return add_thing(s, OBJECT, unused(w, p.items, w.objects, 0), place)


@kernel
def add_snack(s, p, w, place):
    """A food."""
    t = add_thing(s, FOOD, unused(w, p.snacks, w.foods, 1), place)
    s.traits[t] = EDIBLE
    return t


@kernel
def draw_house(s, p, w):
    """Rooms that form a tree, and closed doors in some ways."""
    clear(s)
    grow_map(s, w.draft, p.rooms, 0.5, 0.0)
    for way in range(4 * p.rooms):
        other = s.game.exits[way]
        if (
            other > way // 4
            and s.game.door_count < PLAIN_DOORS.count
            and rng.uniform(s.rng, rng.RESET, 0.0, 1.0) < DOORS
        ):
            link(s, way // 4, way % 4, other, add_door(s, PLAIN_DOORS.first + s.game.door_count, CLOSED))
    shuffle(s, w.draft.nouns, p.containers[1])
    shuffle(s, w.foods, p.snacks[1])
    shuffle(s, w.objects, p.items[1])
    for k in range(w.used.shape[0]):
        w.used[k] = 0
    for k in range(p.rooms):
        w.opened[k] = 0
    s.room = somewhere(s, p)


@kernel
def walk(s, w, here, there):
    """Commands from a room to another: the only path, and its doors that no earlier walk has opened."""
    measure_ways(s, w.draft, there, w.draft.cost)
    count = 0
    while here != there:
        way = NONE
        for side in range(4):
            other = s.game.exits[4 * here + side]
            if other >= 0 and w.draft.cost[other] < w.draft.cost[here]:
                way = 4 * here + side
        door = s.game.gates[way]
        if door >= 0 and not w.opened[door]:
            w.opened[door] = 1
            count += 1
        count += 1
        here = s.game.exits[way]
    return count


@kernel
def stage(s, p, kind, first, second):
    """A quest, if stages are paid for."""
    if p.dense:
        add_quest(s, 1)
        add_event(s, WIN, kind, first, second)


@kernel
def lock_box(s, p, w, box):
    """Lock a container and put its key into a room. Commands until it is unlocked; the room where one is then."""
    metal = rng.integers(s.rng, rng.RESET, len(METALS))
    noun = s.game.thing_name[box] - PLAIN_CONTAINERS.first
    s.game.thing_name[box] = LOCKED_CONTAINERS.first + len(METALS) * noun + metal
    s.lid[box] = LOCKED
    at = somewhere(s, p)
    key = add_thing(s, KEY, KEYS.first + metal, at)
    s.game.opens[key] = box
    stage(s, p, THING_AT, key, inventory(s))
    return walk(s, w, s.room, at) + walk(s, w, at, s.place[box]) + 2


@kernel
def draw_quest(s, p, w):
    """A thing, where it is, what it is wanted for. Length of the shortest solution; -1 if it needs too many things."""
    end = rng.integers(s.rng, rng.RESET, 4)
    source = rng.integers(s.rng, rng.RESET, 4)  # floor, supporter, closed container, locked container
    needed = 1 + (source > 0) + (source == 3) + (end in (PLACE, STORE))
    if needed > p.objects:
        return NONE
    count, room, place = 0, somewhere(s, p), NONE
    if source == 0:
        place = room
        count = walk(s, w, s.room, room)
    elif source == 1:
        holder = add_table(s, p, w)
        room, place = s.place[holder], place_of(s, holder)
        count = walk(s, w, s.room, room)
    else:
        holder = add_box(s, p, w)
        room, place = s.place[holder], place_of(s, holder)
        count = 1 + (lock_box(s, p, w, holder) if source == 3 else walk(s, w, s.room, room))
        stage(s, p, LID_IS, holder, OPEN)
    thing = add_snack(s, p, w, place) if end == TASTE else add_item(s, p, w, place)
    s.game.target = thing
    count += 1
    if end == FETCH:
        add_quest(s, 1)
        add_event(s, WIN, THING_AT, thing, inventory(s))
        return count
    stage(s, p, THING_AT, thing, inventory(s))
    add_goal(s, p, w, end, thing)
    return count + 1 + (0 if end == TASTE else walk(s, w, room, s.place[s.game.goal]) + (end == STORE))


@kernel
def add_goal(s, p, w, end, thing):
    """What the thing is wanted for."""
    if end == TASTE:
        add_quest(s, 1)
        add_event(s, WIN, TRAIT_IS, thing, CONSUMED)
    else:
        s.game.goal = add_table(s, p, w) if end == PLACE else add_box(s, p, w)
        if end == STORE:
            stage(s, p, LID_IS, s.game.goal, OPEN)
        add_quest(s, 1)
        add_event(s, WIN, THING_AT, thing, place_of(s, s.game.goal))


@kernel
def add_others(s, p, w):
    """Things that no quest needs, until there are as many as asked for."""
    while s.game.thing_count < p.objects:
        what = rng.integers(s.rng, rng.RESET, 8)
        if what < 2 and w.used[2] < p.containers[1]:
            add_box(s, p, w)
        elif what < 4 and w.used[3] < p.supporters[1]:
            add_table(s, p, w)
        else:
            spot = rng.integers(s.rng, rng.RESET, p.rooms + s.game.thing_count)
            t = spot - p.rooms
            if t >= 0 and s.game.kind[t] < CONTAINER:
                continue
            place = spot if t < 0 else place_of(s, t)
            if what == 4 and w.used[1] < p.snacks[1]:
                add_snack(s, p, w, place)
            else:
                add_item(s, p, w, place)


@kernel
def reset(s, p, w):
    """Draw houses until one has a quest of the right length."""
    for _ in range(TRIES):
        draw_house(s, p, w)
        if draw_quest(s, p, w) == p.length:
            break
    add_others(s, p, w)
    name_rooms(s, w.draft, p.room_names)
    begin(s)


class TextQuestWorld(TextWorld):
    """A quest whose shortest solution has a chosen length: have a thing, put it somewhere, or eat it.

    Rooms form a tree, some ways have closed doors, and a container that holds what is wanted may be locked.

    Args:
        rooms: number of rooms.
        objects: number of things, furniture included.
        quest_length: commands of the shortest solution.
        rewards: ``"dense"``: a point for each stage (having the key, opening the container, having the thing) and for
            the end; ``"single"``: for the end alone. The task names what is paid for.
        split: names of rooms and things: ``"test"`` has none that ``"train"`` has.
        style: of the texts.

    Raises:
        ValueError: houses of this size seldom or never have quests of this length.
    """

    goal = "detailed"
    loops = batch_loops(reset, step, observe, work=Plan.dtype(rooms=HOUSE.rooms, names=ROOMS.count))

    def __init__(
        self,
        *,
        rooms: Annotated[int, Between(1, 12)] = 2,
        objects: Annotated[int, Between(1, 20)] = 3,
        quest_length: Annotated[int, Between(1, 20)] = 4,
        rewards: Literal["dense", "single"] = "single",
        split: Literal["train", "test", "all"] = "train",
        style: Style = "plain",
    ):
        commands, walks = ((2, 1), (3, 2), (5, 2), (6, 3))[min(objects, 4) - 1]  # by what a quest finds there to do
        most = commands + walks * (rooms // 2)
        if quest_length > most:
            raise ValueError(
                f"quest_length is {quest_length}, expected at most {most} with {rooms} rooms and {objects} objects"
            )
        self.style = style
        self.params = Params.make(
            rooms=rooms,
            objects=objects,
            length=quest_length,
            dense=rewards == "dense",
            room_names=ROOMS.part(split),
            items=PLAIN_OBJECTS.part(split),
            snacks=PLAIN_FOODS.part(split),
            containers=PLAIN_CONTAINERS.part(split),
            supporters=PLAIN_SUPPORTERS.part(split),
        )
