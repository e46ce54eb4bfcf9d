"""How Craftax-Classic draws a world: Perlin noise, thresholds, ores by chance (its world_gen.py and noise.py)."""

import math

from envsuite.core import Record, fmath, kernel, rng
from envsuite.core import field as declare
from envsuite.crafting.crafter.things import (
    COAL,
    DIAMOND,
    GRASS,
    IRON,
    LAVA,
    PATH,
    SAND,
    STONE,
    TREE,
    WATER,
)

SIDE = 64
"""Of the world, cells."""
COARSE, LONG, BROAD, FINE = SIDE // 16, SIDE // 8, SIDE // 2, SIDE // 4
"""Cells of noise along a side of the world: of lakes and mountains, along and across tunnels, of trees."""
NODES = (LONG + 1) * (BROAD + 1)
"""Most corners of cells of noise."""


class Noise(Record):
    """Room for the noise of a world, each layer from 0 to 1, by row and column."""

    water = declare(shape=(SIDE, SIDE))
    mountain = declare(shape=(SIDE, SIDE))
    tunnel = declare(shape=(SIDE, SIDE))
    tree = declare(shape=(SIDE, SIDE))
    sine = declare(shape=NODES, meaning="of the gradient's direction at each corner")
    cosine = declare(shape=NODES, meaning="likewise")


@kernel
def _smooth(t):
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0)


@kernel
def _draw(s):
    return rng.uniform(s.rng, rng.RESET, 0.0, 1.0)


@kernel
def _fill(s, w, layer, rows, columns):
    """Perlin noise with a random unit gradient at each corner, then stretched to reach from 0 to 1."""
    width = columns + 1
    for k in range((rows + 1) * width):
        w.sine[k], w.cosine[k] = fmath.sincos(2.0 * math.pi * _draw(s))
    least, most = 1e9, -1e9
    for y in range(SIDE):
        for x in range(SIDE):
            i, j = y * rows // SIDE, x * columns // SIDE
            v, u = y * rows / SIDE - i, x * columns / SIDE - j
            k = i * width + j
            down, right, across = k + width, k + 1, k + width + 1
            near = v * w.cosine[k] + u * w.sine[k]
            below = (v - 1.0) * w.cosine[down] + u * w.sine[down]
            beside = v * w.cosine[right] + (u - 1.0) * w.sine[right]
            far = (v - 1.0) * w.cosine[across] + (u - 1.0) * w.sine[across]
            a, b = _smooth(v), _smooth(u)
            value = (1.0 - b) * ((1.0 - a) * near + a * below) + b * ((1.0 - a) * beside + a * far)
            layer[y, x] = value
            least, most = min(least, value), max(most, value)
    for y in range(SIDE):
        for x in range(SIDE):
            layer[y, x] = (layer[y, x] - least) / (most - least)


@kernel
def _material(s, w, x, y):
    near = min(1.0, (abs(x - SIDE // 2) + abs(y - SIDE // 2)) / 5.0) - 1.0
    water, mountain, tree = w.water[y, x] + near, w.mountain[y, x] + 0.05 + near, w.tree[y, x]
    if mountain > 0.85 and tree > 0.7:
        return LAVA
    if mountain <= 0.7:
        if water > 0.7:
            return WATER
        if water > 0.6:
            return SAND
        return TREE if tree > 0.5 and _draw(s) > 0.8 else GRASS
    if w.tunnel[y, x] > 0.8 or w.tunnel[x, y] > 0.8 or (mountain > 0.85 and water > 0.4):
        return PATH
    if _draw(s) < 0.04:
        return COAL
    if _draw(s) < 0.03:
        return IRON
    return DIAMOND if mountain > 0.8 and _draw(s) < 0.005 else STONE


@kernel(apart=True)
def draw_world(s, w):
    """Draw the materials of an episode; there are no creatures at first, and one diamond at least."""
    _fill(s, w, w.water, COARSE, COARSE)
    _fill(s, w, w.mountain, COARSE, COARSE)
    _fill(s, w, w.tunnel, LONG, BROAD)
    _fill(s, w, w.tree, FINE, FINE)
    stones = 0
    for x in range(SIDE):
        for y in range(SIDE):
            s.terrain[x, y] = _material(s, w, x, y)
    s.terrain[SIDE // 2, SIDE // 2] = GRASS
    for x in range(SIDE):
        for y in range(SIDE):
            stones += s.terrain[x, y] == STONE
    if stones == 0:
        return
    number = rng.integers(s.rng, rng.RESET, stones)
    for x in range(SIDE):
        for y in range(SIDE):
            if s.terrain[x, y] == STONE:
                if number == 0:
                    s.terrain[x, y] = DIAMOND
                    return
                number -= 1
