"""The reference player of pistonball."""

import numpy as np

from envsuite.core.companions import Players
from envsuite.momarl.pistonball.params import LOWEST, POSITIONS, STROKE, WALL


class Slope:
    """Pistons under the ball make a slope, higher to the right; those to its left make way.

    Args:
        world: a `PistonballWorld`.
        rise: of a piston over its left neighbour, px.
        ahead: where the slope begins, px to the left of the ball's centre.
    """

    def __init__(self, world, rise: float = 24.0, ahead: float = 40.0):
        self._middles = WALL * (np.arange(len(world.agents)) + 1.5)
        self._rise, self._ahead = rise, ahead
        self._shape = world.action.shape

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Pushes, or choices, of all pistons."""
        right = self._middles - states["place"][:, :1] + self._ahead
        wanted = np.clip(self._rise * right / WALL, 0.0, STROKE * POSITIONS)
        push = np.clip((wanted - (LOWEST - states["height"])) / STROKE, -1.0, 1.0)
        if self._shape:
            return push[:, :, np.newaxis].astype(np.float32)
        return 1 + np.rint(push).astype(np.int64)


class PistonballPlayers(Players):
    """Pistons that raise behind the ball."""

    def expert(self):
        """A slope under the ball; see `experts.Slope`."""
        return Slope(self.world)
