"""Best play where nothing is hidden: backward induction over a whole tree."""

from dataclasses import dataclass

import numpy as np

from envsuite.language_games.solving.tree import Tree
from envsuite.language_games.solving.values import add_at, chances

_EQUAL = 1e-12


@dataclass(frozen=True)
class Solved:
    """Best play.

    Attributes:
        value: of the game for the first player.
        worth: (nodes,) of each node for the first player.
        profile: (sets, choices), one best move in each: of equally good ones that which gains most against random
            moves of the other, and of these the first.
    """

    value: float
    worth: np.ndarray
    profile: np.ndarray


def backward_induction(tree: Tree) -> Solved:
    """Solve a game in which each information set is one state.

    Args:
        tree: the game.

    Raises:
        ValueError: something is hidden or drawn: an information set holds nodes of different worth, or chance decides.
    """
    sets, choices = tree.legal.shape
    worth, uniform = np.zeros(len(tree.mover)), tree.uniform
    # gains of each player while the other moves at random
    luck = [np.zeros(len(tree.mover)), np.zeros(len(tree.mover))]
    profile = np.zeros((sets, choices))
    for edges in reversed(tree.levels):
        if (edges.action < 0).any():
            raise ValueError("chance decides in this game, expected one without cards and dice")
        rows, after = tree.info[edges.parent], edges.gain + worth[edges.child]
        for player, side in ((0, 1.0), (1, -1.0)):
            own = tree.mover[edges.parent] == player
            mine = side * edges.gain + luck[player][edges.child]
            gained = np.full((sets, choices), -np.inf)
            gained[rows[own], edges.action[own]] = side * after[own]
            best = gained >= gained.max(axis=1, keepdims=True) - _EQUAL
            second = np.full((sets, choices), -np.inf)
            second[rows[own], edges.action[own]] = mine[own]
            chosen = np.where(best, second, -np.inf).argmax(axis=1)
            touched = np.unique(rows[own])
            profile[touched] = 0.0
            profile[touched, chosen[touched]] = 1.0
            taken = np.where(own, profile[rows, edges.action], chances(tree, edges, uniform))
            add_at(luck[player], edges.parent, taken * mine)
        add_at(worth, edges.parent, profile[rows, edges.action] * after)
    _check_open(tree, worth)
    return Solved(float(sum(chance * worth[node] for node, chance in tree.roots)), worth, profile)


def _check_open(tree: Tree, worth: np.ndarray) -> None:
    nodes = np.flatnonzero(tree.info >= 0)
    side = np.where(tree.mover[nodes] == 0, 1.0, -1.0) * worth[nodes]
    low, high = np.full(len(tree.legal), np.inf), np.full(len(tree.legal), -np.inf)
    np.minimum.at(low, tree.info[nodes], side)
    np.maximum.at(high, tree.info[nodes], side)
    if (high - low > _EQUAL).any():
        raise ValueError("one information set holds states of different worth, expected a game without secrets")
