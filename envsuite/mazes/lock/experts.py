"""Who knows the combination."""

import numpy as np

from envsuite.core import Players
from envsuite.mazes.lock.world import DEAD, SYMBOLS, LockWorld


class Keeper:
    """Knows the combination, and reads lane and door from the observation.

    Args:
        world: the lock.
    """

    def __init__(self, world: LockWorld):
        self._world = world

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """There is nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The preference 1 for the right symbol and 0 for the others, float32 (n, 10); any in the dead lane."""
        p = self._world.params[0]
        lanes, doors = self._world.places(observations)
        symbols = p["code"][np.minimum(lanes, DEAD - 1), np.minimum(doors, p["doors"] - 1)]
        return np.eye(SYMBOLS, dtype=np.float32)[symbols]


class LockPlayers(Players):
    """The keeper of the lock."""

    def expert(self):
        """See `Keeper`."""
        return Keeper(self.world)
