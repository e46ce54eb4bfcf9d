"""How a world is drawn: materials from noise, cell by cell, then creatures."""

from envsuite.core import fmath, kernel, rng
from envsuite.crafting.crafter.noise import draw_permutation, simplex
from envsuite.crafting.crafter.table import add
from envsuite.crafting.crafter.things import (
    COAL,
    COW,
    DIAMOND,
    FURNACE,
    GRASS,
    IRON,
    LAVA,
    PATH,
    SAND,
    SKELETON,
    STONE,
    TREE,
    WATER,
    ZOMBIE,
)

TUNNEL = FURNACE + 1
"""Stands for a path in a tunnel until creatures are placed."""

# Where a layer is both condition and depth, constants of the original (worldgen.py) that no configuration changes
SHORE_MOST, DEEP, INSIDE = 0.35, 0.3, 0.18


@kernel
def _layer(permutation, x, y, z, size):
    return simplex(permutation, x / size, y / size, z)


@kernel
def _material(s, t, x, y):
    """Material of a cell; draws from the stream only where noise leaves it to chance."""
    grain = s.permutation
    dx, dy = x - s.players[0].x, y - s.players[0].y
    start = t.meadow - fmath.sqrt(float(dx * dx + dy * dy)) + 2.0 * _layer(grain, x, y, 8.0, 3.0)
    start = 1.0 / (1.0 + fmath.exp(-start))
    if start > 0.5:
        return GRASS
    water = _layer(grain, x, y, 3.0, 15.0) + 0.15 * _layer(grain, x, y, 3.0, 5.0) + 0.1 - 2.0 * start
    mountain = (_layer(grain, x, y, 0.0, 15.0) + 0.3 * _layer(grain, x, y, 0.0, 5.0)) / 1.3
    mountain -= 4.0 * start + 0.3 * water
    if mountain > t.mountain:
        return _inside(s, t, x, y, mountain)
    if t.shore < water <= SHORE_MOST and _layer(grain, x, y, 4.0, 9.0) > t.sand:
        return SAND
    if water > t.water:
        return WATER
    if _layer(grain, x, y, 5.0, 7.0) > t.tree_noise and rng.uniform(s.rng, rng.RESET, 0.0, 1.0) > 1.0 - t.tree_share:
        return TREE
    return GRASS


@kernel
def _inside(s, t, x, y, mountain):
    """Material of a cell in the mountains."""
    grain = s.permutation
    if mountain > DEEP and _layer(grain, x, y, 6.0, 7.0) > t.cave:
        return PATH
    if simplex(grain, 2 * x / 3.0, y / 5 / 3.0, 7.0) > t.tunnel:
        return TUNNEL
    if simplex(grain, x / 5 / 3.0, 2 * y / 3.0, 7.0) > t.tunnel:
        return TUNNEL
    if _layer(grain, x, y, 1.0, 8.0) > t.coal_noise and rng.uniform(s.rng, rng.RESET, 0.0, 1.0) > 1.0 - t.coal_share:
        return COAL
    if _layer(grain, x, y, 2.0, 6.0) > t.iron_noise and rng.uniform(s.rng, rng.RESET, 0.0, 1.0) > 1.0 - t.iron_share:
        return IRON
    if mountain > INSIDE and rng.uniform(s.rng, rng.RESET, 0.0, 1.0) > 1.0 - t.diamond_share:
        return DIAMOND
    if mountain > DEEP and _layer(grain, x, y, 6.0, 5.0) > t.lava:
        return LAVA
    return STONE


@kernel
def _creature(s, p, x, y):
    """Kind of the creature that begins on a cell; 0 for none."""
    c, material = p.creatures, s.terrain[x, y]
    if material != GRASS and material != SAND and material != PATH and material != TUNNEL:
        return 0
    dx, dy = x - s.players[0].x, y - s.players[0].y
    away = dx * dx + dy * dy
    if away > 9 and material == GRASS and rng.uniform(s.rng, rng.RESET, 0.0, 1.0) > 1.0 - c.cow_share:
        return COW
    if away > 100 and rng.uniform(s.rng, rng.RESET, 0.0, 1.0) > 1.0 - c.zombie_share:
        return ZOMBIE
    if material == TUNNEL and rng.uniform(s.rng, rng.RESET, 0.0, 1.0) > 1.0 - c.skeleton_share:
        return SKELETON
    return 0


@kernel(apart=True)
def draw_world(s, p):
    """Draw the materials and creatures of an episode around the first player, whose place is set."""
    width, height = s.terrain.shape
    draw_permutation(s.rng, s.permutation)
    for x in range(width):
        for y in range(height):
            s.terrain[x, y] = _material(s, p.terrain, x, y)
    for x in range(width):
        for y in range(height):
            kind = _creature(s, p, x, y) if s.beings[x, y] == 0 else 0
            if kind != 0:
                add(s, p, kind, x, y, 0)
    for x in range(width):
        for y in range(height):
            if s.terrain[x, y] == TUNNEL:
                s.terrain[x, y] = PATH
