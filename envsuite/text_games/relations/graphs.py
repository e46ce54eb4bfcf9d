"""Random graphs, and what their relations are."""

import numpy as np

from envsuite.core import Record, field, kernel, rng
from envsuite.text_games.relations.bits import clear, count, get, product, put

MOST = 64
"""Nodes of a graph at most."""
WORDS = 1
RELATIONS = ("connectivity", "out_degree", "adjacent_to_red", "path_distance")
UNARY = ("out_degree", "adjacent_to_red")
COLOURS, RED = 4, 0
"""As in NLM's scripts: a quarter of the nodes is red."""
FARTHEST = 5
"""Greatest distance that is asked for or walked; NLM's paths are of 1 to 5 steps."""


class Room(Record):
    """Intermediate results of a graph and of its relations."""

    x = field(shape=MOST)
    y = field(shape=MOST)
    taken = field(type=np.uint8, shape=MOST)
    reach = field(type=np.uint64, shape=(MOST, WORDS))
    before = field(type=np.uint64, shape=(MOST, WORDS))


@kernel
def draw_edges(s, p, w):
    """Draw the edges of ``s.n`` nodes: by chance (Erdős and Rényi), or to the nearest of points in a square (DNC)."""
    n = s.n
    clear(s.edges)
    if p.nearest:
        for i in range(n):
            w.x[i], w.y[i] = rng.uniform(s.rng, rng.RESET, 0.0, 1.0), rng.uniform(s.rng, rng.RESET, 0.0, 1.0)
        most = min(max(np.int64(n * p.density + 1e-9), 1), n - 1)
        for i in range(n):
            join_nearest(s, w, i, 1 + rng.integers(s.rng, rng.RESET, most))
    else:
        chance = rng.uniform(s.rng, rng.RESET, 0.0, p.density)
        for i in range(n):
            for j in range(n):
                if i != j and rng.uniform(s.rng, rng.RESET, 0.0, 1.0) < chance:
                    put(s.edges, i, j)
    if not p.directed:
        for i in range(n):
            for j in range(n):
                if get(s.edges, i, j):
                    put(s.edges, j, i)


@kernel
def join_nearest(s, w, i, degree):
    """Edges from a node to the nearest ones."""
    for j in range(s.n):
        w.taken[j] = j == i
    for _ in range(degree):
        best, nearest = 4.0, -1
        for j in range(s.n):
            away = (w.x[i] - w.x[j]) ** 2 + (w.y[i] - w.y[j]) ** 2
            if w.taken[j] == 0 and away < best:
                best, nearest = away, j
        w.taken[nearest] = 1
        put(s.edges, i, nearest)


@kernel
def reach_within(s, distance, w):
    """Write who is reached in at most so many steps to `w.reach`, and in one step less to `w.before`."""
    for i in range(s.n):
        for k in range(s.edges.shape[1]):
            w.reach[i, k], w.before[i, k] = s.edges[i, k], 0
        put(w.before, i, i)
    for _ in range(distance - 1):
        for i in range(s.n):
            for k in range(s.edges.shape[1]):
                w.before[i, k] |= w.reach[i, k]
        product(w.before, s.edges, w.reach, s.n)
        for i in range(s.n):
            for k in range(s.edges.shape[1]):
                w.reach[i, k] |= w.before[i, k]


@kernel
def label(s, p, w):
    """Write the truth of a relation as bits: (x, x) where it is of one node x, (x, y) where it is of two."""
    n = s.n
    clear(s.labels)
    if p.relation == 1:
        for x in range(n):
            if count(s.edges, x, n) == s.k:
                put(s.labels, x, x)
    elif p.relation == 2:
        for x in range(n):
            if p.itself and s.colour[x] == RED:
                put(s.labels, x, x)
            for y in range(n):
                if s.colour[y] == RED and get(s.edges, x, y):
                    put(s.labels, x, x)
    else:
        reach_within(s, np.int64(s.k), w)
        exact = p.relation == 3
        for x in range(n):
            for y in range(n):
                if x != y and get(w.reach, x, y) and not (exact and get(w.before, x, y)):
                    put(s.labels, x, y)
