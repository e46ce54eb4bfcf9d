"""The treasure hunter: take the right one of two objects."""

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
    LOCKED_DOORS,
    METALS,
    PLAIN_CONTAINERS,
    PLAIN_DOORS,
    PLAIN_OBJECTS,
    PLAIN_SUPPORTERS,
    ROOMS,
)
from envsuite.text_games.textworld.rules import door_object, inventory, place_of
from envsuite.text_games.textworld.state import (
    CLOSED,
    CONTAINER,
    FAIL,
    HOUSE,
    KEY,
    LOCKED,
    NONE,
    OBJECT,
    OPEN,
    SUPPORTER,
    THING_AT,
    WIN,
)
from envsuite.text_games.textworld.world import Style, TextWorld, begin, observe, step

MOST_LOCKS = 8
LOOPS = 0.3
"""Probability of a further way between rooms that lie side by side."""
DOORS = 0.5
"""Probability that a way has a door, in games with doors."""
LOCKS = 0.4
"""Probability that a door or container is locked, in games with locks."""


class Params(Record):
    """The options that kernels know."""

    rooms = field(type=np.int32, meaning="number of rooms")
    furniture = field(type=np.int32, meaning="number of containers and supporters")
    length = field(type=np.int32, meaning="commands of the shortest solution")
    doors = field(type=np.uint8, meaning="1 if ways may have doors")
    shut = field(type=np.uint8, meaning="1 if doors and containers may be closed")
    locks = field(type=np.uint8, meaning="1 if they may be locked")
    room_names = field(type=np.int32, shape=2, meaning="first and number of the names for rooms")
    items = field(type=np.int32, shape=2, meaning="for both objects")


@kernel
def lock(s, x, metal, keys):
    """A key for a door or container, in the inventory."""
    key = add_thing(s, KEY, KEYS.first + metal, inventory(s))
    s.game.opens[key] = x
    return keys + 1


@kernel
def add_doors(s, p, w, keys):
    """Doors in some of the ways. Number of keys so far."""
    plain = 0
    for way in range(4 * s.game.room_count):
        room, side = way // 4, way % 4
        other = s.game.exits[way]
        if (
            other > room
            and rng.uniform(s.rng, rng.RESET, 0.0, 1.0) < DOORS
            and s.game.door_count < s.door_state.shape[0]
        ):
            if p.locks and keys < MOST_LOCKS and rng.uniform(s.rng, rng.RESET, 0.0, 1.0) < LOCKS:
                metal = w.order[keys]
                door = add_door(s, LOCKED_DOORS.first + metal, LOCKED)
                keys = lock(s, door_object(s, door), metal, keys)
            elif plain < PLAIN_DOORS.count:
                state = CLOSED if p.shut and rng.integers(s.rng, rng.RESET, 2) == 1 else OPEN
                door = add_door(s, PLAIN_DOORS.first + plain, state)
                plain += 1
            else:
                continue
            link(s, room, side, other, door)
    return keys


@kernel
def add_furniture(s, p, w, keys):
    """Containers and supporters in any rooms."""
    metals = len(METALS)
    for k in range(p.furniture):
        room = rng.integers(s.rng, rng.RESET, s.game.room_count)
        noun = w.nouns[k]
        if rng.integers(s.rng, rng.RESET, 2) == 0:
            add_thing(s, SUPPORTER, PLAIN_SUPPORTERS.first + noun, room)
        elif p.locks and keys < MOST_LOCKS and rng.uniform(s.rng, rng.RESET, 0.0, 1.0) < LOCKS:
            metal = w.order[keys]
            box = add_thing(s, CONTAINER, LOCKED_CONTAINERS.first + metals * noun + metal, room)
            s.lid[box] = LOCKED
            keys = lock(s, box, metal, keys)
        else:
            box = add_thing(s, CONTAINER, PLAIN_CONTAINERS.first + noun, room)
            if not p.shut:
                s.lid[box] = OPEN
    return keys


@kernel
def spots(s):
    """Number of places where an object may lie: each room, then each container and supporter."""
    return s.game.room_count + s.game.thing_count


@kernel
def spot_room(s, spot):
    """The room of a spot; -1 for things that hold nothing."""
    if spot < s.game.room_count:
        return spot
    t = spot - s.game.room_count
    return s.place[t] if s.game.kind[t] >= CONTAINER else NONE


@kernel
def spot_place(s, spot):
    """The place of what lies there."""
    return spot if spot < s.game.room_count else place_of(s, spot - s.game.room_count)


@kernel
def spot_cost(s, spot):
    """Commands to take what lies there, in the same room and with all keys at hand."""
    t = spot - s.game.room_count
    return 1 + (s.lid[t] if t >= 0 and s.game.kind[t] == CONTAINER else 0)


@kernel
def choose_spot(s, w, length):
    """A random start, and a spot whose object takes exactly so many commands from there; -1 if there is none."""
    found, chosen = 0, NONE
    for start in range(s.game.room_count):
        measure_ways(s, w, start, w.cost)
        for spot in range(spots(s)):
            room = spot_room(s, spot)
            if room >= 0 and w.cost[room] + spot_cost(s, spot) == length:
                found += 1
                if rng.integers(s.rng, rng.RESET, found) == 0:
                    s.room, chosen = start, spot
    return chosen


@kernel
def reset(s, p, w):
    """Draw maps until one has a start and a place that lie so many commands apart."""
    right, onward = NONE, 0.3
    while right < 0:
        clear(s)
        grow_map(s, w, p.rooms, onward, LOOPS)
        onward += 0.07  # longer paths, where they are needed
        shuffle(s, w.order, len(METALS))
        shuffle(s, w.nouns, PLAIN_CONTAINERS.count)
        keys = add_doors(s, p, w, 0) if p.doors else 0
        add_furniture(s, p, w, keys)
        right = choose_spot(s, w, p.length)
    wrong = right
    while wrong == right or spot_room(s, wrong) < 0:
        wrong = rng.integers(s.rng, rng.RESET, spots(s))
    right_place, wrong_place = spot_place(s, right), spot_place(s, wrong)
    shuffle(s, w.order, p.items[1])
    first = rng.integers(s.rng, rng.RESET, 2)
    one = add_thing(s, OBJECT, p.items[0] + w.order[0], wrong_place if first == 1 else right_place)
    other = add_thing(s, OBJECT, p.items[0] + w.order[1], right_place if first == 1 else wrong_place)
    good, bad = (other, one) if first == 1 else (one, other)
    s.game.target = good
    name_rooms(s, w, p.room_names)
    add_quest(s, 1)
    add_event(s, WIN, THING_AT, good, inventory(s))
    add_event(s, FAIL, THING_AT, bad, inventory(s))
    begin(s)


class TreasureHunterWorld(TextWorld):
    """Take the object that the objective names; taking the other one loses.

    Args:
        level: 1 to 30. Levels 1 to 10 have 5 rooms and no doors, and the shortest solution grows from 1 to 5 commands;
            levels 11 to 20 have 10 rooms and 10 containers and supporters, and 2 to 10 commands; levels 21 to 30 have
            20 rooms, 20 containers and supporters, and 3 to 20 commands.
        door_states: ``"documented"``: doors and containers may be closed from level 11 on, and locked from level 21 on,
            with the keys in the inventory. ``"open"``: all doors are open, as in TextWorld's code, and containers are
            closed.
        split: names of rooms and of both objects: ``"test"`` has none that ``"train"`` has.
        style: of the texts.
    """

    objectives = ("Find the {0} and take it. There is another treasure: if you take that one, you lose.",)
    loops = batch_loops(reset, step, observe, work=Draft.dtype(rooms=HOUSE.rooms, names=ROOMS.count))

    def __init__(
        self,
        *,
        level: Annotated[int, Between(1, 30)] = 5,
        door_states: Literal["documented", "open"] = "documented",
        split: Literal["train", "test", "all"] = "train",
        style: Style = "plain",
    ):
        self.style = style
        stage, k = divmod(level - 1, 10)
        shortest, longest = ((1, 5), (2, 10), (3, 20))[stage]
        self.params = Params.make(
            rooms=(5, 10, 20)[stage],
            furniture=10 * stage,
            length=round(shortest + k * (longest - shortest) / 9),
            doors=stage > 0,
            shut=stage > 0 and door_states == "documented",
            locks=stage == 2 and door_states == "documented",
            room_names=ROOMS.part(split),
            items=PLAIN_OBJECTS.part(split),
        )
