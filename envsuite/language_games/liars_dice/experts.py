"""Players of liar's dice."""

from math import comb
from pathlib import Path

import numpy as np

from envsuite.language_games.experts import TurnPlayers, Uniform, blocks, chosen, regret_policy
from envsuite.language_games.liars_dice.world import FACES
from envsuite.language_games.solving.tables import load_table

EQUILIBRIUM = Path(__file__).with_name("equilibrium.npz")
"""For a die each; made by CFR+, see ``benchmarks/language_games_tables.py``; its exploitability is in the README."""


class Odds:
    """Makes the likeliest legal bid by its own dice, or doubts where the other's bid is likelier to be false.

    Args:
        world: the game.
    """

    def __init__(self, world):
        self._world = world

    def __call__(self, observations):
        """Probabilities, (m, choices)."""
        seen = blocks(self._world, observations)
        bids = len(self._world.action.names) - 1
        pairs = zip(seen["dice"], seen["other_left"], strict=True)
        likely = np.array([self._likely(dice, int(other[0])) for dice, other in pairs])
        legal = seen["action_mask"][:, :bids] != 0
        best = np.where(legal, likely, -1.0).argmax(axis=1)
        made = seen["other_bids"] != 0
        last = np.where(made.any(axis=1), bids - 1 - made[:, ::-1].argmax(axis=1), 0)
        rows = np.arange(len(best))
        doubts = made.any(axis=1) & (~legal.any(axis=1) | (1 - likely[rows, last] > likely[rows, best]))
        return chosen(np.where(doubts, bids, best), bids + 1)

    def _likely(self, dice: np.ndarray, hidden: int) -> np.ndarray:
        """Chance of each bid to hold, by one's own dice and the number of the other's, (bids,)."""
        found = []
        for bid in range(len(self._world.action.names) - 1):
            face = bid % FACES
            wild = self._world.wild and face < FACES - 1
            wanted = bid // FACES + 1 - int(dice[face]) - (int(dice[-1]) if wild else 0)
            p = (1 + wild) / FACES
            enough = range(max(0, wanted), hidden + 1)
            found.append(sum(comb(hidden, k) * p**k * (1 - p) ** (hidden - k) for k in enough))
        return np.array(found)


class LiarsDicePlayers(TurnPlayers):
    """From random to an equilibrium, which is known for a die each."""

    def policies(self):
        """Uniform, a rule, iterations of CFR+, and an equilibrium from a file."""
        simple = {"uniform": lambda: Uniform(self.world), "rule": lambda: Odds(self.world)}
        if self.world.dice > 1 or self.world.wild:
            return simple
        return simple | {
            "cfr-10": lambda: regret_policy(self.world, 10),
            "cfr-100": lambda: regret_policy(self.world, 100),
            "equilibrium": lambda: load_table(EQUILIBRIUM),
        }
