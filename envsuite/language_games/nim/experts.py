"""Players of Nim."""

import numpy as np

from envsuite.language_games.experts import TurnPlayers, Uniform, blocks, chosen
from envsuite.language_games.search import search_policy


class Largest:
    """Takes the whole of the largest heap."""

    def __init__(self, world):
        self._world = world

    def __call__(self, observations):
        """Probabilities, (m, choices)."""
        seen, p = blocks(self._world, observations), self._world.params[0]
        heap = seen["heaps"].argmax(axis=1)
        whole = (p["heap"] == heap[:, np.newaxis]) & (p["count"] == seen["heaps"].max(axis=1)[:, np.newaxis])
        return chosen(whole.argmax(axis=1), len(p["heap"]))


class Xor:
    """Leaves heaps whose exclusive or is 0, where it can; else takes one from the largest heap (Bouton, 1901)."""

    def __init__(self, world):
        self._world = world

    def __call__(self, observations):
        """Probabilities, (m, choices)."""
        seen, p = blocks(self._world, observations), self._world.params[0]
        heaps = seen["heaps"].astype(np.int64)
        left = heaps[:, p["heap"]] - p["count"]
        others = np.bitwise_xor.reduce(heaps, axis=1)[:, np.newaxis] ^ heaps[:, p["heap"]]
        legal = seen["action_mask"] != 0
        wins = legal & (others == left)
        slow = legal & (p["heap"] == heaps.argmax(axis=1)[:, np.newaxis]) & (p["count"] == 1)
        return chosen(np.where(wins.any(axis=1), wins.argmax(axis=1), slow.argmax(axis=1)), len(p["heap"]))


class NimPlayers(TurnPlayers):
    """From random to best play."""

    reference = "optimal"

    def policies(self):
        """Uniform, a rule, searches, and the closed form of best play."""
        return {
            "uniform": lambda: Uniform(self.world),
            "rule": lambda: Largest(self.world),
            "mcts-100": lambda: search_policy(self.world, 100),
            "mcts-1000": lambda: search_policy(self.world, 1000),
            "optimal": lambda: Xor(self.world),
        }
