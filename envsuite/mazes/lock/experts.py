"""Who knows the combination."""

import numpy as np

from envsuite.core import Players
from envsuite.mazes.lock.world import DEAD, LANES, SYMBOLS, LockWorld


class Keeper:
    """Knows the combination, and reads lane and door from the observation.

    Args:
        world: the lock.
    """

    def __init__(self, world: LockWorld):
        self._params = world.params[0]
        size = world.observation.shape[0]
        matrix = np.ones((1, 1), dtype=np.float32)
        while len(matrix) < size:  # Sylvester's Hadamard matrix; its inverse is itself, divided by its size
            matrix = np.block([[matrix, matrix], [matrix, -matrix]])
        self._inverse = matrix / size

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """There is nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The preference 1 for the right symbol and 0 for the others, float32 (n, 10); any in the dead lane."""
        p = self._params
        lanes, doors = self.places(observations)
        symbols = p["code"][np.minimum(lanes, DEAD - 1), np.minimum(doors, p["doors"] - 1)]
        return np.eye(SYMBOLS, dtype=np.float32)[symbols]

    def places(self, observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where observations were made: the rotation undone, and the greatest numbers taken.

        Args:
            observations: (n, numbers).

        Returns:
            Lanes and doors passed, int64 (n,).
        """
        straight = observations @ self._inverse
        doors = straight[:, LANES : LANES + int(self._params["doors"]) + 1]
        return straight[:, :LANES].argmax(axis=1), doors.argmax(axis=1)


class LockPlayers(Players):
    """The keeper of the lock."""

    def expert(self):
        """See `Keeper`."""
        return Keeper(self.world)
