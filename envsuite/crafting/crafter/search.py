"""Shortest ways through a world for who digs, and bridges water, on its way; by Dial's buckets (1969)."""

import numpy as np

from envsuite.core import Record, field, kernel
from envsuite.crafting.crafter.observe import kind_at
from envsuite.crafting.crafter.table import free, inside, walkable
from envsuite.crafting.crafter.things import (
    ACROSS,
    ALONG,
    ARROW,
    COAL,
    DIAMOND,
    IRON,
    IRON_PICKAXE,
    LAVA,
    PATH,
    PLANT,
    STONE,
    STONE_PICKAXE,
    STONES,
    TREE,
    WATER,
    WOOD_PICKAXE,
)

SHELTER, SEAL = 32, 33
"""Goals beside kinds of cells: a place to dig in, and a place to put a stone beside a plant from."""
BUCKETS = 8  # more than the dearest step
ROOM = 6  # cells of a hiding place at most
CROWD = 6  # steps that a creature in the way costs


class Room(Record):
    """What a search keeps."""

    cost = field(type=np.int32, shape="cells")
    came = field(type=np.int8, shape="cells", meaning="side by which a cell is entered")
    bucket = field(type=np.int32, shape=(BUCKETS, "slots"))
    held = field(type=np.int32, shape=BUCKETS)
    pocket = field(type=np.int32, shape=ROOM + 1)


@kernel
def entry(s, me, x, y):
    """Steps that it takes to enter a cell; 0 if it cannot be entered."""
    if not inside(s, x, y):
        return 0
    being, material, own = s.beings[x, y], s.terrain[x, y], me.inventory
    if material == LAVA or being == PLANT:
        return 0
    if being != 0:
        return 2 if being == ARROW else CROWD
    if walkable(material):
        return 1
    if material == TREE:
        return 2
    if material in (STONE, COAL):
        return 2 if own[WOOD_PICKAXE] > 0 else 0
    if material == IRON:
        return 2 if own[STONE_PICKAXE] > 0 else 0
    if material == DIAMOND:
        return 2 if own[IRON_PICKAXE] > 0 else 0
    if material == WATER:
        return 4 if own[STONES] > 0 and own[WOOD_PICKAXE] > 0 else 0
    return 0


@kernel
def solid(s, x, y):
    """Whether no creature can ever stand on a cell as it is."""
    if not inside(s, x, y):
        return True
    return s.beings[x, y] == 0 and not walkable(s.terrain[x, y])


@kernel
def enclosed(s, room, x, y, closed_x, closed_y):
    """Whether who stands on a cell is walled in with a few others, if one more cell were closed."""
    rows = s.terrain.shape[1]
    room.pocket[0], found, n = x * rows + y, 1, 0
    while n < found:
        cx, cy = room.pocket[n] // rows, room.pocket[n] % rows
        n += 1
        for side in range(4):
            nx, ny = cx + ACROSS[side], cy + ALONG[side]
            if (nx == closed_x and ny == closed_y) or solid(s, nx, ny):
                continue
            if s.beings[nx, ny] != 0 and (nx != x or ny != y) and s.beings[nx, ny] != 13:
                return False
            known = False
            for k in range(found):
                known = known or room.pocket[k] == nx * rows + ny
            if not known:
                if found > ROOM - 1:
                    return False
                room.pocket[found] = nx * rows + ny
                found += 1
    return True


@kernel
def digs_in(s, x, y, side):
    """Whether two cells to a side of one are stone that can be dug into, with solid cells all around."""
    for n in range(1, 3):
        cx, cy = x + n * ACROSS[side], y + n * ALONG[side]
        if not inside(s, cx, cy) or s.beings[cx, cy] != 0:
            return False
        if s.terrain[cx, cy] != STONE and s.terrain[cx, cy] != COAL and s.terrain[cx, cy] != PATH:
            return False
        for turn in (2, 3) if side < 2 else (0, 1):
            if not solid(s, cx + ACROSS[turn], cy + ALONG[turn]):
                return False
    return solid(s, x + 3 * ACROSS[side], y + 3 * ALONG[side])


@kernel
def to_seal(s, x, y):
    """Whether a cell is free and beside a plant."""
    if not free(s, x, y):
        return False
    for side in range(4):
        nx, ny = x + ACROSS[side], y + ALONG[side]
        if inside(s, nx, ny) and s.beings[nx, ny] == PLANT:
            return True
    return False


@kernel
def is_target(s, p, x, y, goal):
    """Whether a cell is what is looked for, among kinds."""
    if goal >= SHELTER or (goal < 13 and s.beings[x, y] != 0):
        return False
    return kind_at(s, p, x, y) == goal


@kernel
def find(s, p, me, room, goal, reach):
    """The first step of a shortest way to the nearest cell of a kind.

    Args:
        s: record of the world.
        p: parameters.
        me: record of the player.
        room: record of type `Room`.
        goal: a kind of cell, `SHELTER` or `SEAL`.
        reach: steps at most.

    Returns:
        The side of the first step, -1 if there is no way; steps of the way; whether the first step is the target's.
    """
    rows = s.terrain.shape[1]
    start = me.x * rows + me.y
    for n in range(s.terrain.shape[0] * rows):
        room.cost[n] = 1 << 30
    for n in range(BUCKETS):
        room.held[n] = 0
    room.cost[start], room.bucket[0, 0], room.held[0] = 0, start, 1
    waiting, steps = 1, 0
    while waiting > 0 and steps <= reach:
        slot = steps % BUCKETS
        if room.held[slot] == 0:
            steps += 1
            continue
        room.held[slot] -= 1
        waiting -= 1
        cell = room.bucket[slot, room.held[slot]]
        if room.cost[cell] != steps:
            continue
        x, y = cell // rows, cell % rows
        if cell != start and is_target(s, p, x, y, goal):
            return first_step(s, room, start, cell), steps, steps_between(s, start, cell) == 1
        if goal >= SHELTER:
            side = special(s, me, x, y, goal)
            if side >= 0:
                return (side if cell == start else first_step(s, room, start, cell)), steps, False
        for side in range(4):
            nx, ny = x + ACROSS[side], y + ALONG[side]
            if not inside(s, nx, ny):
                continue
            more = 1 if is_target(s, p, nx, ny, goal) else entry(s, me, nx, ny)
            other = nx * rows + ny
            if more > 0 and steps + more < room.cost[other]:
                room.cost[other], room.came[other] = steps + more, side
                slot = (steps + more) % BUCKETS
                room.bucket[slot, room.held[slot]] = other
                room.held[slot] += 1
                waiting += 1
    return -1, 0, False


@kernel
def special(s, me, x, y, goal):
    """Side to go on to from a cell, if a shelter or a place to put a stone from begins there; else -1."""
    for side in range(4):
        if goal == SHELTER:
            if digs_in(s, x, y, side):
                return side
        else:
            nx, ny = x + ACROSS[side], y + ALONG[side]
            if free(s, nx, ny) and to_seal(s, nx + ACROSS[side], ny + ALONG[side]) and free_or_me(s, me, x, y):
                return side
    return -1


@kernel
def free_or_me(s, me, x, y):
    """Whether a cell is free, or where the player stands."""
    return free(s, x, y) or (me.x == x and me.y == y)


@kernel
def steps_between(s, one, other):
    """Steps between two cells as a bird flies."""
    rows = s.terrain.shape[1]
    return abs(one // rows - other // rows) + abs(one % rows - other % rows)


@kernel
def first_step(s, room, start, cell):
    """Side of the first step of the way that leads to a cell."""
    rows, side = s.terrain.shape[1], 0
    while cell != start:
        side = room.came[cell]
        cell -= ACROSS[side] * rows + ALONG[side]
    return side


def make_room(width: int, height: int) -> np.ndarray:
    """Memory for searches in worlds of a size.

    Args:
        width: cells.
        height: cells.

    Returns:
        (1,) of type `Room`.
    """
    cells = width * height
    return np.zeros(1, Room.dtype(cells=cells, slots=4 * cells))
