"""Monte Carlo tree search (UCT) in games where nothing is hidden, over their unfolded graphs.

Kocsis and Szepesvari (2006): the exploration constant 2 and one random game a simulation are those of the opponents of
MARSHAL (arXiv 2510.15414), which plays ten random games.
"""

import numpy as np

from envsuite.core import rng
from envsuite.core.jit import kernel, records
from envsuite.language_games.experts import first_begins
from envsuite.language_games.solving.tables import Table
from envsuite.language_games.solving.tree import OVER, Tree, unfold
from envsuite.language_games.turns import TurnWorld

EXPLORATION = 2.0
_DEEPEST = 256
_SEED = 0


@kernel(arrays=True)
def _search(start, child, gain, mover, root, simulations, stream):
    """The number of visits to each move of a node.

    Args:
        start: (nodes + 1,) first edge of each node.
        child: (e,) nodes.
        gain: (e,) of the first player.
        mover: (nodes,) 0 or 1, more where the game is over.
        root: the node.
        simulations: number.
        stream: record of random numbers.
    """
    visits, sums = np.zeros(len(child)), np.zeros(len(child))
    path = np.zeros(_DEEPEST, np.int64)
    for _ in range(simulations):
        node, length, total, inside = root, 0, 0.0, True
        while mover[node] < 2:
            first, count = start[node], start[node + 1] - start[node]
            edge = first + np.int64(rng.integers(stream, 3, count))
            if inside:
                fresh, seen = 0, 0.0
                for k in range(first, first + count):
                    fresh += visits[k] == 0
                    seen += visits[k]
                if fresh > 0:
                    skip = np.int64(rng.integers(stream, 3, fresh))
                    for k in range(first, first + count):
                        if visits[k] == 0:
                            if skip == 0:
                                edge = k
                            skip -= 1
                else:
                    best = -np.inf
                    side = 1.0 if mover[node] == 0 else -1.0
                    for k in range(first, first + count):
                        bound = side * sums[k] / visits[k] + EXPLORATION * np.sqrt(np.log(seen) / visits[k])
                        if bound > best:
                            best, edge = bound, k
                path[length] = edge
                length += 1
                inside = fresh == 0
            total += gain[edge]
            node = child[edge]
        for k in range(length):
            visits[path[k]] += 1
            sums[path[k]] += total
    return visits[start[root] : start[root + 1]]


def search_policy(world: TurnWorld, simulations: int) -> Table:
    """The policy of a search: in each position the move most visited, shared where several are.

    Searches in different positions draw from streams of their own, so the policy is one table, and its exploitability
    can be computed.

    Args:
        world: a game without cards and dice, small enough to be unfolded.
        simulations: in each position.
    """
    tree = unfold(first_begins(world))
    start, child, action, gain = _graph(tree)
    profile = np.zeros(tree.legal.shape)
    stream = records(np.zeros(1, rng.STREAM))
    for row, root in enumerate(_first_nodes(tree)):
        rng.begin(stream, [_SEED + row])
        visits = _search(start, child, gain, tree.mover, root, simulations, stream[0])
        best = visits == visits.max()
        profile[row, action[start[root] : start[root + 1]][best]] = 1 / best.sum()
    return Table(tree.seen, profile)


def _graph(tree: Tree):
    """Edges of all nodes, one node after another."""
    names = ("parent", "child", "action", "gain")
    parent, child, action, gain = (np.concatenate([getattr(one, name) for one in tree.levels]) for name in names)
    order = np.lexsort((action, parent))
    start = np.concatenate([[0], np.cumsum(np.bincount(parent, minlength=len(tree.mover)))])
    return start, child[order], action[order], gain[order]


def _first_nodes(tree: Tree) -> np.ndarray:
    """A node of each information set, (sets,)."""
    nodes = np.flatnonzero(tree.mover != OVER)
    found = np.zeros(len(tree.seen), np.int64)
    found[tree.info[nodes][::-1]] = nodes[::-1]
    return found
