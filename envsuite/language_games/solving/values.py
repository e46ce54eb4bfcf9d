"""What a profile of mixed moves is worth, and how much a best answer to it wins: exact, over a whole tree.

A profile is an array (sets, choices) of probabilities, one row an information set of the tree.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from envsuite.language_games.solving.tree import CHANCE, Edges, Tree

_TOLERANCE = 1e-6


def check_profile(tree: Tree, profile: Any) -> np.ndarray:
    """A profile as float64, with rows that add up to 1.

    Args:
        tree: the game.
        profile: (sets, choices) probabilities.

    Raises:
        ValueError: naming the first row that is no distribution over legal moves, and what was expected.
    """
    found = np.asarray(profile, np.float64)
    if found.shape != tree.legal.shape:
        raise ValueError(f"profile has the shape {found.shape}, expected {tree.legal.shape}, a row each set")
    right = np.isfinite(found) & (found >= 0) & (tree.legal | (found == 0))
    rows = right.all(axis=1) & (np.abs(np.where(right, found, 0).sum(axis=1) - 1) <= _TOLERANCE)
    if not rows.all():
        row = int(np.argmin(rows))
        legal = np.flatnonzero(tree.legal[row]).tolist()
        raise ValueError(
            f"profile has {found[row].tolist()} in information set {row}, expected probabilities that add up to 1 over "
            f"the legal moves {legal}"
        )
    return found / found.sum(axis=1, keepdims=True)


def profile_of(tree: Tree, policy: Callable[[np.ndarray], Any]) -> np.ndarray:
    """The profile of a policy.

    Args:
        tree: the game.
        policy: observations (sets, *O) of players to move to probabilities (sets, choices).

    Returns:
        (sets, choices) float64.

    Raises:
        ValueError: see `check_profile`.
    """
    return check_profile(tree, policy(tree.seen.copy()))


def meeting(tree: Tree, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The profile of two players at one table.

    Args:
        tree: a game that one agent always begins, so that each information set is one player's.
        first: (sets, choices), of which the first player's rows count.
        second: (sets, choices), of which the second player's rows count.

    Raises:
        ValueError: the tree has two beginnings.
    """
    if len(tree.roots) > 1:
        raise ValueError('the game has 2 beginnings, expected one: starter="first" or "second"')
    owner = np.zeros(len(tree.seen), np.int64)
    nodes = tree.info >= 0
    owner[tree.info[nodes]] = tree.mover[nodes]
    return np.where((owner == 0)[:, np.newaxis], first, second)


def chances(tree: Tree, edges: Edges, profile: np.ndarray, without: int = CHANCE) -> np.ndarray:
    """Probability of each edge once its parent is reached.

    Args:
        tree: the game.
        edges: of one level.
        profile: (sets, choices).
        without: a player whose own moves count as certain; none by default.

    Returns:
        (e,) float64.
    """
    mover = tree.mover[edges.parent]
    moved = profile[tree.info[edges.parent], edges.action]
    return np.where((mover == CHANCE) | (mover == without), edges.chance, moved)


def reach(tree: Tree, profile: np.ndarray, without: int = CHANCE) -> np.ndarray:
    """Probability of reaching each node, (nodes,); see `chances`."""
    found = np.zeros(len(tree.mover))
    for node, chance in tree.roots:
        found[node] = chance
    for edges in tree.levels:
        arriving = found[edges.parent] * chances(tree, edges, profile, without)
        add_at(found, edges.child, arriving)
    return found


def add_at(total: np.ndarray, index: np.ndarray, amounts: np.ndarray) -> None:
    """Add amounts to the elements of an array that an index names, those of one level of a tree.

    Args:
        total: (n,) float64, written.
        index: (m,) elements, which lie close together and may come more than once.
        amounts: (m,).
    """
    first = int(index.min())
    sums = np.bincount(index - first, amounts)
    total[first : first + len(sums)] += sums


def value(tree: Tree, profile: Any) -> float:
    """What the first player gains on average if both follow a profile.

    Args:
        tree: the game.
        profile: (sets, choices).
    """
    profile = check_profile(tree, profile)
    worth = np.zeros(len(tree.mover))
    for edges in reversed(tree.levels):
        shares = chances(tree, edges, profile) * (edges.gain + worth[edges.child])
        add_at(worth, edges.parent, shares)
    return _at_roots(tree, worth)


def payoff(tree: Tree, profile: np.ndarray, other: np.ndarray) -> float:
    """What a player gains on average over both seats.

    Args:
        tree: a game that one agent always begins.
        profile: of the player, (sets, choices).
        other: of whom it plays against.
    """
    return (value(tree, meeting(tree, profile, other)) - value(tree, meeting(tree, other, profile))) / 2


def best_response(tree: Tree, profile: Any, player: int) -> tuple[float, np.ndarray]:
    """The most that a player can gain on average against a profile of the other.

    Args:
        tree: the game.
        profile: (sets, choices), of which only the other player's rows count.
        player: 0 or 1.

    Returns:
        The gain, and the profile with the player's rows replaced by what gains it.
    """
    profile = check_profile(tree, profile)
    answer, side = profile.copy(), 1.0 if player == 0 else -1.0
    others = reach(tree, profile, without=player)
    worth = np.zeros(len(tree.mover))
    for edges in reversed(tree.levels):
        gained = side * edges.gain + worth[edges.child]
        own = tree.mover[edges.parent] == player
        if own.any():
            _answer(tree, answer, edges, own, gained * others[edges.parent])
        shares = np.where(own, 0.0, chances(tree, edges, profile)) * gained
        shares[own] = answer[tree.info[edges.parent[own]], edges.action[own]] * gained[own]
        add_at(worth, edges.parent, shares)
    return _at_roots(tree, worth), answer


def _answer(tree: Tree, answer: np.ndarray, edges: Edges, own: np.ndarray, weighted: np.ndarray) -> None:
    """Write the best moves in the information sets of one level."""
    sets, choices = answer.shape
    cells = tree.info[edges.parent[own]] * choices + edges.action[own]
    total = np.bincount(cells, weighted[own], sets * choices).reshape(sets, choices)
    rows = np.unique(tree.info[edges.parent[own]])
    best = np.where(tree.legal[rows], total[rows], -np.inf).argmax(axis=1)
    answer[rows] = 0.0
    answer[rows, best] = 1.0


def _at_roots(tree: Tree, worth: np.ndarray) -> float:
    return float(sum(chance * worth[node] for node, chance in tree.roots))


def exploitability(tree: Tree, profile: Any) -> float:
    """How much best answers gain over a profile, half of NashConv: 0 for an equilibrium, and for nothing else.

    Args:
        tree: the game.
        profile: (sets, choices).
    """
    return (best_response(tree, profile, 0)[0] + best_response(tree, profile, 1)[0]) / 2
