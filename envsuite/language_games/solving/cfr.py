"""Equilibria of games with hidden cards: counterfactual regret minimisation (CFR+).

Tammelin (2014), arXiv 1407.5042: regrets are cut off at zero, players are updated in turn, and averages weigh later
strategies more.
"""

from dataclasses import dataclass

import numpy as np

from envsuite.language_games.solving.tree import Tree
from envsuite.language_games.solving.values import add_at, chances, exploitability, reach


@dataclass(frozen=True)
class Solution:
    """What CFR+ has found.

    Attributes:
        profile: (sets, choices), the average strategies.
        iterations: made.
        exploitability: of the profile.
    """

    profile: np.ndarray
    iterations: int
    exploitability: float


def solve(tree: Tree, iterations: int = 1000, target: float = 0.0, look: int = 50) -> Solution:
    """Look for an equilibrium.

    Args:
        tree: a game in which one agent always begins, and no two histories share a node.
        iterations: at most.
        target: exploitability at which it stops.
        look: iterations between looks at the exploitability.

    Raises:
        ValueError: the tree has two beginnings.
    """
    if len(tree.roots) > 1:
        raise ValueError('the game has 2 beginnings, expected one: starter="first" or "second"')
    regrets, total = np.zeros(tree.legal.shape), np.zeros(tree.legal.shape)
    for k in range(1, iterations + 1):
        for player in (0, 1):
            _update(tree, regrets, total, player, k)
        if k % look == 0 or k == iterations:
            profile = matched(tree, total)
            left = exploitability(tree, profile)
            if left <= target or k == iterations:
                break
    return Solution(profile, k, left)


def matched(tree: Tree, regrets: np.ndarray) -> np.ndarray:
    """The profile in proportion to positive regrets; uniform where there are none.

    Args:
        tree: the game.
        regrets: (sets, choices), none of them negative.
    """
    sums = regrets.sum(axis=1, keepdims=True)
    return np.where(sums > 0, regrets / np.where(sums > 0, sums, 1.0), tree.uniform)


def _update(tree: Tree, regrets: np.ndarray, total: np.ndarray, player: int, weight: int) -> None:
    """One player's regrets of one iteration, and its part of the average."""
    sets, choices = regrets.shape
    profile, side = matched(tree, regrets), 1.0 if player == 0 else -1.0
    others, own = reach(tree, profile, without=player), _own_reach(tree, profile, player)
    worth, cells, amounts = np.zeros(len(tree.mover)), [], []
    for edges in reversed(tree.levels):
        gained = side * edges.gain + worth[edges.child]
        add_at(worth, edges.parent, chances(tree, edges, profile) * gained)
        mine = tree.mover[edges.parent] == player
        cells.append(tree.info[edges.parent[mine]] * choices + edges.action[mine])
        amounts.append((others[edges.parent] * gained)[mine])
    gains = np.bincount(np.concatenate(cells), np.concatenate(amounts), sets * choices)
    nodes = np.flatnonzero(tree.mover == player)
    owned = np.unique(tree.info[nodes])
    average = np.bincount(tree.info[nodes], others[nodes] * worth[nodes], sets)
    change = np.where(tree.legal, gains.reshape(sets, choices) - average[:, np.newaxis], 0.0)
    regrets[owned] = np.maximum(regrets[owned] + change[owned], 0.0)
    first = np.zeros(sets)
    first[tree.info[nodes]] = own[nodes]  # the same at all nodes of a set: a player remembers its own moves
    total[owned] += weight * (first[:, np.newaxis] * profile)[owned]


def _own_reach(tree: Tree, profile: np.ndarray, player: int) -> np.ndarray:
    """Product of a player's own probabilities on the way to each node, (nodes,)."""
    found = np.zeros(len(tree.mover))
    for node, _ in tree.roots:
        found[node] = 1.0
    for edges in tree.levels:
        own = tree.mover[edges.parent] == player
        moved = np.where(own, profile[tree.info[edges.parent], edges.action], 1.0)
        found[edges.child] = found[edges.parent] * moved
    return found
