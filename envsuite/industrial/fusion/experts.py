"""Players that plan with the plant's network."""

import numpy as np

from envsuite.core.jit import records
from envsuite.industrial.experts import PlantPlayers
from envsuite.industrial.fusion.planning import ROOM, plan_batch
from envsuite.industrial.fusion.world import SETTINGS


class Planner:
    """Looks for the set values by which the plant's network comes nearest to what is wanted in the next step.

    Args:
        rounds: steps of the search from each start.
        starts: how many starts, 1 to 5.
    """

    def __init__(self, rounds: int, starts: int):
        self._rounds, self._starts = rounds, starts
        self._rooms = records(np.zeros(1, ROOM))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, float32 (n, 6)."""
        actions = np.zeros((len(states), SETTINGS), np.float32)
        plan_batch(records(states), self._rooms, self._rounds, self._starts, actions)
        return actions


class FusionPlayers(PlantPlayers):
    """The planner."""

    collectors = {"designer": {"rounds": 1, "starts": 1}}

    def expert(self):
        """It searches from five starts."""
        return Planner(rounds=15, starts=5)

    def make(self, numbers):
        """One step of the search from the middle of all ranges, near the target but seldom at it."""
        return Planner(**numbers)
