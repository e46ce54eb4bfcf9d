"""Players of Leduc poker."""

from pathlib import Path

import numpy as np

from envsuite.language_games.experts import TurnPlayers, Uniform, blocks, chosen, regret_policy
from envsuite.language_games.leduc.world import CALL, CHECK, FOLD, MOVES, RAISE
from envsuite.language_games.solving.tables import load_table

EQUILIBRIUM = Path(__file__).with_name("equilibrium.npz")
"""Made by CFR+, see ``benchmarks/language_games_tables.py``; its exploitability is in the README."""


class Honest:
    """Raises with a pair, and with a king before the card for both; folds a jack without a pair; else calls."""

    def __init__(self, world):
        self._world = world

    def __call__(self, observations):
        """Probabilities, (m, 4)."""
        seen = blocks(self._world, observations)
        card, legal = seen["card"].argmax(axis=1), seen["action_mask"] != 0
        public = seen["public"].any(axis=1)
        pair = (seen["card"] * seen["public"]).any(axis=1)
        strong = pair | (~public & (card == 2))
        calm = np.where(legal[:, CHECK], CHECK, np.where((card == 0) & ~pair, FOLD, CALL))
        return chosen(np.where(strong, np.where(legal[:, RAISE], RAISE, CALL), calm), len(MOVES))


class LeducPokerPlayers(TurnPlayers):
    """From random to an equilibrium."""

    def policies(self):
        """Uniform, a rule, iterations of CFR+, and an equilibrium from a file."""
        return {
            "uniform": lambda: Uniform(self.world),
            "rule": lambda: Honest(self.world),
            "cfr-10": lambda: regret_policy(self.world, 10),
            "cfr-100": lambda: regret_policy(self.world, 100),
            "equilibrium": lambda: load_table(EQUILIBRIUM),
        }
