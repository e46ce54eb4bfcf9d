"""Families and graphs with exact labels, many at once, for people who train on labels instead of rewards."""

from dataclasses import dataclass

import numpy as np

from envsuite.core import kernel, rng
from envsuite.core.jit import records
from envsuite.core.workspace import workspace
from envsuite.core.world import allocate
from envsuite.text_games.relations import family, graphs
from envsuite.text_games.relations.bits import unpacked
from envsuite.text_games.relations.world import FamilyWorld, GraphWorld, draw_family, draw_graph, draw_number

_FAMILY_ROOM, _GRAPH_ROOM = family.Room.dtype(), graphs.Room.dtype()


@dataclass(frozen=True)
class Structures:
    """Structures and the truth of a relation in them.

    Attributes:
        relations: what is known, uint8 (count, things, things, kinds): of a family 4 kinds, father, mother, son and
            daughter (1 in row x and column y if y is the father of x, and so on); of a graph 1, its edges.
        red: of a graph, 1 for red nodes, uint8 (count, things); zeros for families.
        numbers: the number in the question, int64 (count,); zeros for families.
        sizes: how many things each structure has, int64 (count,); rows and columns beyond are zeros.
        labels: the truth, uint8: (count, things) for relations of one thing, (count, things, things) for those of two.
    """

    relations: np.ndarray
    red: np.ndarray
    numbers: np.ndarray
    sizes: np.ndarray
    labels: np.ndarray


@kernel
def _draw_families(states, params):
    w = workspace(_FAMILY_ROOM)  # ty: ignore[missing-argument]
    for i in range(states.shape[0]):
        draw_family(states[i], params[0], w)


@kernel
def _draw_graphs(states, params):
    w = workspace(_GRAPH_ROOM)  # ty: ignore[missing-argument]
    for i in range(states.shape[0]):
        draw_number(states[i], params[0])
        draw_graph(states[i], params[0], w)


def make_structures(world: FamilyWorld | GraphWorld, count: int, *, seed: int = 0) -> Structures:
    """Draw structures as an environment does, but without looking at what their labels are.

    Args:
        world: says which relation, generator and sizes.
        count: how many.
        seed: of the first; the others have the seeds after it, so a longer batch begins as a shorter one.

    Returns:
        Dense arrays.

    Raises:
        ValueError: `count` is less than 1, or `seed` less than 0.
    """
    if count < 1 or seed < 0:
        raise ValueError(f"count is {count} and seed is {seed}, expected at least 1 and at least 0")
    states = allocate(world, count)
    rng.begin(states["rng"], np.arange(seed, seed + count))
    params, things = records(world.params), states["labels"].shape[1]
    red, numbers = np.zeros((count, things), np.uint8), np.zeros(count, np.int64)
    if isinstance(world, FamilyWorld):
        _draw_families(states, params)
        relations = _family_matrices(states)
    else:
        _draw_graphs(states, params)
        relations = unpacked(states["edges"], things)[..., None]
        inside = np.arange(things) < states["n"][:, None]
        red[:] = inside & (states["colour"] == graphs.RED)
        numbers[:] = states["k"]
    labels = unpacked(states["labels"], things)
    if params[0]["unary"]:
        labels = labels.diagonal(axis1=1, axis2=2).copy()
    return Structures(relations, red, numbers, states["n"].astype(np.int64), labels)


def _family_matrices(states: np.ndarray) -> np.ndarray:
    count, people = states["father"].shape
    found = np.zeros((count, people, people, 4), np.uint8)
    trees, children = np.nonzero(states["father"] >= 0)
    child = np.where(states["male"][trees, children] != 0, 2, 3)
    for kind, name in enumerate(("father", "mother")):
        parents = states[name][trees, children]
        found[trees, children, parents, kind] = 1
        found[trees, parents, children, child] = 1
    return found
