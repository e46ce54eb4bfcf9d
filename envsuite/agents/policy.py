"""What every player of a batch of environments offers."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np


class Policy(Protocol):
    """Chooses actions for a whole batch of slots; each slot runs one episode after another.

    A policy that can tell how it draws its actions has a method ``probabilities`` too: observations (m, *O) of one
    agent each to (m, choices) float64.
    """

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Forget the past of some slots, because new episodes begin there.

        Args:
            mask: (n,) bool, the slots that begin anew.
            seeds: (n,) int64, a seed for each slot's own randomness.
        """

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Choose an action for every slot.

        Args:
            observations: (n, [a,] *O) as the environment gives them.
            states: (n,) records of the simulator; privileged, for reference policies only.

        Returns:
            (n, [a,] *A) actions.
        """


class Rule:
    """A player that follows a rule and remembers nothing.

    Args:
        rule: observations (n, [a,] *O) to what becomes the actions.
        dtype: of actions.
    """

    def __init__(self, rule: Callable[[np.ndarray], Any], dtype: type = np.float32):
        self._rule, self._dtype = rule, dtype

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """What the rule says."""
        return np.asarray(self._rule(observations)).astype(self._dtype)
