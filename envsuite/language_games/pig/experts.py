"""Players of Pig."""

import numpy as np

from envsuite.language_games.experts import TurnPlayers, Uniform, blocks
from envsuite.language_games.solving import pig


class Holds:
    """Holds by a table of its own points, the other's and those of the turn.

    Args:
        world: the game.
        hold: (target, target, 2 target) probabilities, see `envsuite.language_games.solving.pig`.
    """

    def __init__(self, world, hold: np.ndarray):
        self._world, self._hold = world, hold

    def __call__(self, observations):
        """Probabilities, (m, 2)."""
        seen = blocks(self._world, observations)
        turn = np.minimum(seen["turn"][:, 0], self._hold.shape[2] - 1)
        held = self._hold[seen["own"][:, 0], seen["other"][:, 0], turn] * (turn > 0)
        return np.stack([1 - held, held], axis=1)


class PigPlayers(TurnPlayers):
    """From random to best play."""

    reference = "optimal"

    def policies(self):
        """Uniform, two rules, and best play by value iteration."""
        target = self.world.target
        return {
            "uniform": lambda: Uniform(self.world),
            "hold-at-10": lambda: Holds(self.world, pig.hold_at(10, target)),
            "hold-at-20": lambda: Holds(self.world, pig.hold_at(20, target)),
            "optimal": lambda: Holds(self.world, pig.best_play(target)[1]),
        }
