"""Players of tic-tac-toe."""

import numpy as np

from envsuite.language_games.experts import TurnPlayers, Uniform, blocks, chosen, first_begins
from envsuite.language_games.search import search_policy
from envsuite.language_games.solving.perfect import backward_induction
from envsuite.language_games.solving.tables import Table
from envsuite.language_games.solving.tree import unfold
from envsuite.language_games.tictactoe.world import CELLS, LINES

_LIKED = (4, 0, 2, 6, 8, 1, 3, 5, 7)
"""The middle, corners, sides."""


class Rule:
    """Wins where it can, else blocks where it must, else takes the middle, a corner, a side."""

    def __init__(self, world):
        self._world = world

    def __call__(self, observations):
        """Probabilities, (m, 9)."""
        seen = blocks(self._world, observations)
        worth = np.zeros((len(observations), CELLS))
        worth[:, _LIKED] = np.arange(CELLS, 0, -1)
        for line in LINES:
            for marks, bonus in (("own", 1000.0), ("other", 100.0)):
                two = seen[marks][:, line].sum(axis=1) == 2
                for cell in line:
                    worth[:, cell] = np.maximum(worth[:, cell], bonus * two)
        return chosen(np.where(seen["action_mask"] != 0, worth, -1).argmax(axis=1), CELLS)


class TicTacToePlayers(TurnPlayers):
    """From random to best play."""

    reference = "optimal"

    def policies(self):
        """Uniform, a rule, searches, and best play by backward induction."""
        return {
            "uniform": lambda: Uniform(self.world),
            "rule": lambda: Rule(self.world),
            "mcts-100": lambda: search_policy(self.world, 100),
            "mcts-1000": lambda: search_policy(self.world, 1000),
            "optimal": self._optimal,
        }

    def _optimal(self):
        tree = unfold(first_begins(self.world))
        return Table(tree.seen, backward_induction(tree).profile)
