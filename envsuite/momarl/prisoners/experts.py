"""Scripted players of the iterated prisoner's dilemma."""

import numpy as np

from envsuite.core.companions import Players
from envsuite.momarl.world import one_of

STRATEGIES = ("cooperate", "defect", "tit-for-tat", "grim")


class Fixed:
    """One of `STRATEGIES`, for both players; tit-for-tat (Axelrod 1984) repeats what the other did last.

    Args:
        strategy: its name; ``"grim"`` cooperates until the other has defected once.

    Raises:
        ValueError: unknown strategy.
    """

    def __init__(self, strategy: str):
        one_of("strategy", strategy, STRATEGIES)
        self._strategy = strategy
        self._betrayed = np.zeros((0, 2), np.bool_)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Forget betrayals."""
        if len(self._betrayed) != len(mask):
            self._betrayed = np.zeros((len(mask), 2), np.bool_)
        self._betrayed[mask] = False

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Choices of both players."""
        defected = observations[:, :, 2] == 1
        if self._strategy == "grim":
            self._betrayed |= defected
            return self._betrayed.astype(np.int64)
        if self._strategy == "tit-for-tat":
            return defected.astype(np.int64)
        return np.full(defected.shape, STRATEGIES.index(self._strategy), np.int64)


class PrisonersPlayers(Players):
    """Strategies that are told beforehand."""

    def expert(self):
        """Always defects, the equilibrium's strategy; see `experts` for others."""
        return Fixed("defect")
