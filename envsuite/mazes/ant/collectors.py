"""What OGBench's antmaze data were collected by: the collectors of its point mazes, whose moves an ant walks."""

import numpy as np

from envsuite.mazes.ant.walkers import Walker
from envsuite.mazes.ogbench.collectors import Roamer


class RoamingAnt:
    """Walks to goals of its own, whatever the episode's goal; does not know of teleporters.

    Args:
        world: a `envsuite.mazes.ant.ogbench.OgbenchAntMazeWorld`.
        kind: ``"navigate"``, ``"stitch"`` or ``"explore"``, see `envsuite.mazes.ogbench.collectors.Roamer`.
    """

    def __init__(self, world, kind: str):
        self._roamer, self._walker = Roamer(world, kind), Walker(world.ant)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Forget the goals of some slots."""
        self._roamer.reset(mask, seeds)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Torques, float32 (n, 8)."""
        return self._walker.act(states, self._roamer.act(observations, states).astype(np.float64))
