"""Family trees: how they grow, and what their relations are."""

import numpy as np

from envsuite.core import Record, field, kernel, rng
from envsuite.text_games.relations.bits import clear, get, product, put, transpose

MOST = 100
"""People of a tree at most."""
WORDS = 2
RELATIONS = ("has_father", "has_sister", "is_grandparent", "is_uncle", "is_mg_uncle")
UNARY = ("has_father", "has_sister")
MARRIAGE = 0.8
"""Probability that two people marry after a birth, if there are two who may; Dong et al. (2019), NLM's generator."""


class Room(Record):
    """Intermediate results of a tree and of its relations."""

    order = field(type=np.int16, shape=MOST)
    men = field(type=np.int16, shape=MOST)
    women = field(type=np.int16, shape=MOST)
    husbands = field(type=np.int16, shape=MOST)
    wives = field(type=np.int16, shape=MOST)
    father = field(type=np.uint64, shape=(MOST, WORDS))
    mother = field(type=np.uint64, shape=(MOST, WORDS))
    parent = field(type=np.uint64, shape=(MOST, WORDS))
    son = field(type=np.uint64, shape=(MOST, WORDS))
    daughter = field(type=np.uint64, shape=(MOST, WORDS))
    first = field(type=np.uint64, shape=(MOST, WORDS))
    second = field(type=np.uint64, shape=(MOST, WORDS))


@kernel
def siblings(s, a, b):
    """Whether two people, either of whom may be -1 for nobody, have a father in common."""
    return a >= 0 and b >= 0 and s.father[a] >= 0 and s.father[a] == s.father[b]


@kernel
def may_marry(s, man, woman):
    """Whether they are neither siblings nor cousins, nor one the sibling of a parent of the other."""
    if s.father[man] < 0 or s.father[woman] < 0:
        return True
    f, m = np.int64(s.father[man]), np.int64(s.mother[man])
    g, h = np.int64(s.father[woman]), np.int64(s.mother[woman])
    near = siblings(s, man, woman) or siblings(s, man, g) or siblings(s, man, h)
    near = near or siblings(s, woman, f) or siblings(s, woman, m)
    near = near or siblings(s, f, g) or siblings(s, f, h) or siblings(s, m, g) or siblings(s, m, h)
    return not near


@kernel
def grow(s, w):
    """Draw a tree of ``s.n`` people: births in a random order, each to a couple or to nobody, and marriages between."""
    for k in range(s.father.shape[0]):
        s.father[k], s.mother[k], s.male[k] = -1, -1, 0
    for k in range(s.n):
        w.order[k] = k
    for k in range(s.n - 1, 0, -1):
        j = rng.integers(s.rng, rng.RESET, k + 1)
        w.order[k], w.order[j] = w.order[j], w.order[k]
    men, women, couples = 0, 0, 0
    for k in range(s.n):
        child = w.order[k]
        s.male[child] = rng.integers(s.rng, rng.RESET, 2)
        couple = rng.integers(s.rng, rng.RESET, couples + 1)
        if s.male[child] != 0:
            w.men[men] = child
            men += 1
        else:
            w.women[women] = child
            women += 1
        if couple < couples:
            s.father[child], s.mother[child] = w.husbands[couple], w.wives[couple]
        if rng.uniform(s.rng, rng.RESET, 0.0, 1.0) < MARRIAGE and men > 0 and women > 0:
            i, j = rng.integers(s.rng, rng.RESET, men), rng.integers(s.rng, rng.RESET, women)
            man, woman = np.int64(w.men[i]), np.int64(w.women[j])
            if may_marry(s, man, woman):
                w.husbands[couples], w.wives[couples] = man, woman
                couples += 1
                men, women = men - 1, women - 1
                w.men[i], w.women[j] = w.men[men], w.women[women]


@kernel
def lay_out(s, w):
    """Write the four relations of the tree, and parents, as bits."""
    clear(w.father)
    clear(w.mother)
    clear(w.parent)
    clear(w.son)
    clear(w.daughter)
    for x in range(s.n):
        if s.father[x] < 0:
            continue
        f, m = np.int64(s.father[x]), np.int64(s.mother[x])
        put(w.father, x, f)
        put(w.mother, x, m)
        put(w.parent, x, f)
        put(w.parent, x, m)
        if s.male[x] != 0:
            put(w.son, f, x)
            put(w.son, m, x)
        else:
            put(w.daughter, f, x)
            put(w.daughter, m, x)


@kernel
def label(s, relation, w):
    """Write the truth of a relation as bits: (x, x) where it is of one person x, (x, y) where it is of two."""
    n = s.n
    lay_out(s, w)
    clear(s.labels)
    if relation == 0:
        for x in range(n):
            if s.father[x] >= 0:
                put(s.labels, x, x)
    elif relation == 1:
        product(w.father, w.daughter, w.first, n)
        for x in range(n):
            for y in range(n):
                if y != x and get(w.first, x, y):
                    put(s.labels, x, x)
    elif relation == 2:
        product(w.parent, w.parent, w.first, n)
        transpose(w.first, s.labels, n)
    elif relation == 3:
        product(w.parent, w.parent, w.first, n)
        product(w.first, w.son, w.second, n)
        for y in range(n):
            for k in range(s.labels.shape[1]):
                w.second[y, k] &= ~w.father[y, k]
        transpose(w.second, s.labels, n)
    else:
        product(w.parent, w.mother, w.first, n)
        product(w.first, w.mother, w.second, n)
        product(w.second, w.son, w.first, n)
        transpose(w.first, s.labels, n)
