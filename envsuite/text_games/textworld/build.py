"""Builds games: rooms, ways, doors, things and quests are added one by one."""

import numpy as np

from envsuite.core import Record, field, kernel, rng
from envsuite.text_games.textworld.state import (
    CLOSED,
    CONTAINER,
    EXAMINE_DOORS,
    EXAMINE_HELD,
    NEEDS_LAST,
    NONE,
    OPEN,
    SOLID,
)

GRID = 41
"""Side of the grid on which maps grow; twice the rooms of the largest, so that none reaches its edge."""
UNLIMITED = 30_000
"""More than can be carried."""


class Draft(Record):
    """What a generator remembers while it builds a game."""

    order = field(type=np.int16, shape="names", meaning="a permutation")
    nouns = field(type=np.int16, shape="names", meaning="another")
    cells = field(type=np.int16, shape=GRID * GRID, meaning="the room in each cell of the grid, plus 1")
    cell_of = field(type=np.int16, shape="rooms", meaning="the cell of each room")
    cost = field(type=np.int32, shape="rooms", meaning="commands from a room to each other")
    done = field(type=np.uint8, shape="rooms", meaning="1 if its cost is known")


@kernel
def clear(s):
    """An empty game."""
    g = s.game
    g.room_count, g.door_count, g.thing_count = 0, 0, 0
    g.quest_count, g.event_count, g.fact_count = 0, 0, 0
    for k in range(g.exits.shape[0]):
        g.exits[k], g.gates[k] = NONE, NONE
    for t in range(g.kind.shape[0]):
        g.kind[t], g.heat[t], g.opens[t], g.thing_name[t] = 0, 0, NONE, NONE
        s.lid[t], s.place[t], s.traits[t] = SOLID, NONE, 0
    for k in range(g.room_name.shape[0]):
        g.room_name[k] = NONE
    for k in range(g.door_name.shape[0]):
        g.door_name[k], s.door_state[k] = NONE, OPEN
    for quest in range(g.reward.shape[0]):
        g.reward[quest], g.optional[quest], g.repeatable[quest] = 0, 0, 0
    for event in range(g.event_quest.shape[0]):
        g.event_quest[event], g.event_effect[event], g.event_first[event] = 0, 0, 0
    for k in range(g.fact_kind.shape[0]):
        g.fact_kind[k], g.fact_first[k], g.fact_second[k] = 0, 0, 0
    g.capacity, g.stuck, g.rules = UNLIMITED, 0, EXAMINE_DOORS | EXAMINE_HELD | NEEDS_LAST
    g.meal, g.kitchen, g.cookbook, g.target, g.goal, g.recipe_length = NONE, NONE, NONE, NONE, NONE, 0
    for k in range(g.ingredient.shape[0]):
        g.ingredient[k], g.wanted[k] = NONE, 0
    s.room = 0


@kernel
def add_room(s, name):
    """A room; its index."""
    n = np.int64(s.game.room_count)
    s.game.room_name[n] = name
    s.game.room_count += 1
    return n


@kernel
def link(s, a, side, b, door):
    """A way from room a to room b and back, through a door or, with -1, without one."""
    there, back = 4 * a + side, 4 * b + (side + 2) % 4
    s.game.exits[there], s.game.exits[back] = b, a
    s.game.gates[there], s.game.gates[back] = door, door


@kernel
def add_door(s, name, state):
    """A door that stands in no way yet; its index."""
    n = np.int64(s.game.door_count)
    s.game.door_name[n], s.door_state[n] = name, state
    s.game.door_count += 1
    return n


@kernel
def add_thing(s, kind, name, place):
    """A thing; its index. Containers are closed."""
    n = np.int64(s.game.thing_count)
    s.game.kind[n], s.game.thing_name[n] = kind, name
    s.place[n] = place
    s.lid[n] = CLOSED if kind == CONTAINER else SOLID
    s.game.thing_count += 1
    return n


@kernel
def add_quest(s, reward):
    """A quest without events; its index."""
    n = np.int64(s.game.quest_count)
    s.game.reward[n], s.game.optional[n], s.game.repeatable[n] = reward, 0, 0
    s.game.quest_count += 1
    return n


@kernel
def add_event(s, effect, kind, first, second):
    """An event of the latest quest that one fact brings about."""
    g, n = s.game, s.game.event_count
    g.event_quest[n], g.event_effect[n], g.event_first[n] = g.quest_count - 1, effect, g.fact_count
    g.event_count += 1
    add_fact(s, kind, first, second)


@kernel
def add_fact(s, kind, first, second):
    """A further fact of the latest event, which needs all of them."""
    g, k = s.game, s.game.fact_count
    g.fact_kind[k], g.fact_first[k], g.fact_second[k] = kind, first, second
    g.fact_count += 1


@kernel
def shuffle(s, order, count):
    """Put a permutation of the first `count` numbers into `order`."""
    for k in range(count):
        order[k] = k
    for k in range(count - 1):
        j = k + rng.integers(s.rng, rng.RESET, count - k)
        order[k], order[j] = order[j], order[k]


@kernel
def name_rooms(s, w, run):
    """Give all rooms different names of a run."""
    shuffle(s, w.order, run[1])
    for k in range(s.game.room_count):
        s.game.room_name[k] = run[0] + w.order[k]


@kernel
def free_side(s, room):
    """A random side of a room where no way leads; -1 if there is none."""
    free = 0
    for side in range(4):
        free += s.game.exits[4 * room + side] < 0
    if free == 0:
        return NONE
    pick = rng.integers(s.rng, rng.RESET, free)
    for side in range(4):
        if s.game.exits[4 * room + side] < 0:
            if pick == 0:
                return side
            pick -= 1
    return NONE


@kernel
def beside(cell, side):
    """The cell of the grid beside another."""
    return cell + (-GRID if side == 0 else (1 if side == 1 else (GRID if side == 2 else -1)))


@kernel
def grow_map(s, w, rooms, onward, loops):
    """Rooms on a grid, each beside an earlier one; names come later.

    Args:
        s: the record.
        w: a `Draft`.
        rooms: how many.
        onward: probability that a room adjoins the latest one, not just any.
        loops: probability of a further way between rooms that lie side by side.
    """
    for k in range(w.cells.shape[0]):
        w.cells[k] = 0
    w.cell_of[0] = GRID * (GRID // 2) + GRID // 2
    w.cells[w.cell_of[0]] = add_room(s, NONE) + 1
    while s.game.room_count < rooms:
        count = np.int64(s.game.room_count)
        latest = rng.uniform(s.rng, rng.RESET, 0.0, 1.0) < onward
        base = count - 1 if latest else rng.integers(s.rng, rng.RESET, count)
        side = rng.integers(s.rng, rng.RESET, 4)
        cell = beside(w.cell_of[base], side)
        if w.cells[cell] != 0:
            onward *= 0.9  # a path that has run into itself goes on elsewhere
            continue
        room = add_room(s, NONE)
        w.cell_of[room], w.cells[cell] = cell, room + 1
        link(s, base, side, room, NONE)
    for room in range(rooms):
        for side in range(1, 3):
            other = w.cells[beside(w.cell_of[room], side)] - 1
            if other >= 0 and s.game.exits[4 * room + side] < 0 and rng.uniform(s.rng, rng.RESET, 0.0, 1.0) < loops:
                link(s, room, side, other, NONE)


@kernel
def way_cost(s, way):
    """Commands to go through a way for the first time, with all keys at hand: go, open, unlock."""
    door = s.game.gates[way]
    return 1 if door < 0 else 1 + s.door_state[door]


@kernel
def measure_ways(s, w, start, cost):
    """Write the least number of commands from a room to each other, with all keys at hand (Dijkstra 1959)."""
    rooms = s.game.room_count
    for k in range(rooms):
        cost[k], w.done[k] = 1_000_000, 0
    cost[start] = 0
    for _ in range(rooms):
        near = NONE
        for k in range(rooms):
            if w.done[k] == 0 and (near < 0 or cost[k] < cost[near]):
                near = k
        w.done[near] = 1
        for side in range(4):
            other = s.game.exits[4 * near + side]
            if other >= 0:
                cost[other] = min(cost[other], cost[near] + way_cost(s, 4 * near + side))
