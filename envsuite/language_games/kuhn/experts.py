"""Players of Kuhn poker."""

import numpy as np

from envsuite.language_games.experts import TurnPlayers, Uniform, blocks, chosen, regret_policy
from envsuite.language_games.kuhn.world import BETS, CALL, CHECK, FOLD, MOVES

THIRD = 1 / 3


class Equilibrium:
    """One of the equilibria (Kuhn, 1950): all of them, by how often who begins bets the jack.

    Args:
        world: the game.
        bluff: that probability, 0 to 1/3.

    Raises:
        ValueError: `bluff` is out of range.
    """

    def __init__(self, world, bluff: float = THIRD):
        if not 0 <= bluff <= THIRD:
            raise ValueError(f"bluff is {bluff!r}, expected a number from 0 to 1/3")
        self._world = world
        # for each line of moves and card, how often to bet or call: nothing, check, bet, check and bet
        self._active = np.array([[bluff, 0, 3 * bluff], [THIRD, 0, 1], [0, THIRD, 1], [0, bluff + THIRD, 1]])

    def __call__(self, observations):
        """Probabilities, (m, 4)."""
        seen = blocks(self._world, observations)
        line, card = seen["line"].argmax(axis=1), seen["card"].argmax(axis=1)
        active, answers = self._active[line, card], line > 1
        found = np.zeros((len(observations), len(MOVES)))
        rows = np.arange(len(found))
        found[rows, np.where(answers, CALL, BETS)] = active
        found[rows, np.where(answers, FOLD, CHECK)] = 1 - active
        return found


class Honest:
    """Bets with the king alone, and calls with the queen and the king."""

    def __init__(self, world):
        self._world = world

    def __call__(self, observations):
        """Probabilities, (m, 4)."""
        seen = blocks(self._world, observations)
        card, answers = seen["card"].argmax(axis=1), seen["line"].argmax(axis=1) > 1
        moves = np.where(answers, np.where(card > 0, CALL, FOLD), np.where(card == 2, BETS, CHECK))
        return chosen(moves, len(MOVES))


class KuhnPokerPlayers(TurnPlayers):
    """From random to an equilibrium."""

    def policies(self):
        """Uniform, a rule, iterations of CFR+, and the equilibrium in closed form."""
        return {
            "uniform": lambda: Uniform(self.world),
            "rule": lambda: Honest(self.world),
            "cfr-10": lambda: regret_policy(self.world, 10),
            "cfr-100": lambda: regret_policy(self.world, 100),
            "equilibrium": lambda: Equilibrium(self.world),
        }
