"""The table of things: creatures, arrows and plants, in the order in which they came, and who stands where."""

from envsuite.core import kernel
from envsuite.crafting.crafter.things import (
    CHUNK,
    COW,
    GRASS,
    PATH,
    PLANT,
    PLAYER,
    SAND,
    SKELETON,
    ZOMBIE,
)


@kernel
def inside(s, x, y):
    """Whether a cell lies in the world."""
    return 0 <= x < s.terrain.shape[0] and 0 <= y < s.terrain.shape[1]


@kernel
def walkable(material):
    """Whether creatures walk on a material."""
    return material in (GRASS, SAND, PATH)


@kernel
def free(s, x, y):
    """Whether a creature could step onto a cell."""
    if not inside(s, x, y) or s.beings[x, y] != 0:
        return False
    return walkable(s.terrain[x, y])


@kernel
def chunk_at(s, x, y):
    """Number of the chunk that holds a cell."""
    return x // CHUNK * (-(-s.terrain.shape[1] // CHUNK)) + y // CHUNK


@kernel
def enliven(s, x, y):
    """From now on creatures come and go in the chunk of a cell."""
    if s.chunk_count == s.chunks.shape[0]:
        return
    chunk = chunk_at(s, x, y)
    for k in range(s.chunk_count):
        if s.chunks[k] == chunk:
            return
    s.chunks[s.chunk_count] = chunk
    s.chunk_count += 1


@kernel
def add(s, p, kind, x, y, facing):
    """Put a new thing onto a cell, where nothing stands; whether there was room for it in the record."""
    if s.count >= s.things.shape[0]:
        s.crowded += 1
        return False
    c = p.creatures
    thing = s.things[s.count]
    thing.kind, thing.x, thing.y, thing.facing, thing.timer = kind, x, y, facing, 0
    thing.health = 1 if kind == PLANT else 0  # arrows have none
    if kind == COW:
        thing.health = c.cow_health
    elif kind == ZOMBIE:
        thing.health = c.zombie_health
    elif kind == SKELETON:
        thing.health = c.skeleton_health
    s.count += 1
    s.beings[x, y] = kind
    enliven(s, x, y)
    return True


@kernel
def travel(s, i, x, y):
    """Take a thing to a cell, where nothing stands."""
    thing = s.things[i]
    s.beings[thing.x, thing.y], s.beings[x, y] = 0, thing.kind
    thing.x, thing.y = x, y
    enliven(s, x, y)


@kernel
def leave(s, i):
    """Take a thing out of the world; its row stays until `close_ranks`."""
    thing = s.things[i]
    if thing.kind != 0:
        s.beings[thing.x, thing.y] = 0
        thing.kind = 0


@kernel
def close_ranks(s):
    """Take out the rows of things that are gone, keeping the order of the others."""
    kept = 0
    for i in range(s.count):
        if s.things[i].kind != 0:
            if kept < i:
                one, other = s.things[kept], s.things[i]
                one.kind, one.x, one.y, one.health = other.kind, other.x, other.y, other.health
                one.timer, one.facing = other.timer, other.facing
            kept += 1
    for i in range(kept, s.count):
        gone = s.things[i]
        gone.kind, gone.x, gone.y, gone.health, gone.timer, gone.facing = 0, 0, 0, 0, 0, 0
    s.count = kept


@kernel
def clear(s):
    """Take everything and everybody off the map."""
    for i in range(s.count):
        s.things[i].kind = 0
    close_ranks(s)
    s.crowded, s.chunk_count = 0, 0
    for n in range(s.chunks.shape[0]):
        s.chunks[n] = 0
    for x in range(s.beings.shape[0]):
        for y in range(s.beings.shape[1]):
            s.beings[x, y] = 0


@kernel
def thing_at(s, x, y):
    """Row of the thing that stands on a cell; -1 if there is none, or a player."""
    for i in range(s.count):
        thing = s.things[i]
        if thing.kind == s.beings[x, y] and thing.x == x and thing.y == y:
            return i
    return -1


@kernel
def player_at(s, x, y):
    """Index of the player on a cell; -1 if there is none."""
    for k in range(s.players.shape[0]):
        if s.players[k].alive and s.players[k].x == x and s.players[k].y == y:
            return k
    return -1


@kernel
def hurt(s, x, y, damage):
    """Take health from whoever stands on a cell."""
    if s.beings[x, y] == PLAYER:
        me = s.players[player_at(s, x, y)]
        me.inventory[0] = max(0, me.inventory[0] - damage)
        return
    i = thing_at(s, x, y)
    if i >= 0:
        s.things[i].health = max(0, s.things[i].health - damage)


@kernel
def distance(s, me, x, y):
    """Steps from a player to a cell."""
    return abs(me.x - x) + abs(me.y - y)


@kernel
def nearest(s, x, y):
    """Index of the living player that is nearest to a cell, the first of several."""
    best, least = 0, 1 << 30
    for k in range(s.players.shape[0]):
        away = distance(s, s.players[k], x, y)
        if s.players[k].alive and away < least:
            best, least = k, away
    return best
