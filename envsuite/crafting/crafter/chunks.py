"""How creatures come and go, chunk by chunk."""

import numpy as np

from envsuite.core import fmath, kernel, rng
from envsuite.crafting.crafter.beings import chance
from envsuite.crafting.crafter.table import add, chunk_at, close_ranks, distance, leave, nearest
from envsuite.crafting.crafter.things import CHUNK, COW, GRASS, PATH, SKELETON, ZOMBIE

SPECIES = (ZOMBIE, SKELETON, COW)
"""In the order in which they come and go."""


@kernel
def daylight(p, step):
    """Light of the day at a step, 0 to 1: 1 - |cos(pi (t / 300 mod 1 + 0.3))|^3."""
    if p.time.always_day:
        return 1.0
    progress = step / p.time.day_length % 1.0 + 0.3
    dark = abs(fmath.cos(3.141592653589793 * progress))
    return 1.0 - dark * dark * dark


@kernel(apart=True)
def balance(s, p):
    """Let creatures come and go in all chunks."""
    for chunk in range(s.census.shape[0]):
        for k in range(3):
            s.census[chunk, k] = 0
    for i in range(s.count):
        thing = s.things[i]
        if COW <= thing.kind <= SKELETON:
            s.census[chunk_at(s, thing.x, thing.y), thing.kind - COW] += 1
    gone = False
    for n in range(s.chunk_count):
        chunk = np.int64(s.chunks[n])
        grass, path = cells(s, chunk, GRASS), cells(s, chunk, PATH)
        for species in SPECIES:
            there = s.census[chunk, species - COW]
            gone = balance_species(s, p, chunk, species, there, path if species == SKELETON else grass) or gone
    if gone:
        close_ranks(s)


@kernel
def bounds(s, chunk):
    """First column and row of a chunk, and those behind it."""
    rows = -(-s.terrain.shape[1] // CHUNK)
    x, y = chunk // rows * CHUNK, chunk % rows * CHUNK
    return x, min(x + CHUNK, s.terrain.shape[0]), y, min(y + CHUNK, s.terrain.shape[1])


@kernel
def cells(s, chunk, material):
    """How many cells of a chunk are of a material."""
    left, right, top, bottom = bounds(s, chunk)
    found = 0
    for x in range(left, right):
        for y in range(top, bottom):
            found += s.terrain[x, y] == material
    return found


@kernel
def cell_of(s, chunk, material, number):
    """The cell of a material that has a number, column by column."""
    left, right, top, bottom = bounds(s, chunk)
    for x in range(left, right):
        for y in range(top, bottom):
            if s.terrain[x, y] == material:
                if number == 0:
                    return x, y
                number -= 1
    return left, top


@kernel
def one_of(s, chunk, species, number):
    """Row of the creature of a species that has a number in a chunk."""
    for i in range(s.count):
        thing = s.things[i]
        if thing.kind == species and chunk_at(s, thing.x, thing.y) == chunk:
            if number == 0:
                return i
            number -= 1
    return -1


@kernel
def balance_species(s, p, chunk, species, there, space):
    """Let one creature of a species come, or one go; whether one has gone."""
    c = p.creatures
    if species == ZOMBIE:
        material, comes_from, goes_from, comes, goes = GRASS, 6, 0, c.zombie_spawn, c.zombie_despawn
        most = c.zombie_night - (c.zombie_night - c.zombie_day) * s.daylight
        least = 0.0 if space < 50 else most
    elif species == SKELETON:
        material, comes_from, goes_from, comes, goes = PATH, 7, 7, c.skeleton_spawn, c.skeleton_despawn
        most, least = 2.0, 0.0 if space < 6 else 1.0
    else:
        material, comes_from, goes_from, comes, goes = GRASS, 5, 5, c.cow_spawn, c.cow_despawn
        most, least = 1.5 + s.daylight, 0.0 if space < 30 else 1.0
    if there < int(least) and chance(s) < comes:
        x, y = cell_of(s, chunk, material, rng.integers(s.rng, rng.DYNAMICS, space))
        if s.beings[x, y] == 0 and distance(s, s.players[nearest(s, x, y)], x, y) >= comes_from:
            add(s, p, species, x, y, 0)
    elif there > int(most) and chance(s) < goes:
        i = one_of(s, chunk, species, rng.integers(s.rng, rng.DYNAMICS, there))
        thing = s.things[i]
        if distance(s, s.players[nearest(s, thing.x, thing.y)], thing.x, thing.y) >= goes_from:
            leave(s, i)
            return True
    return False
