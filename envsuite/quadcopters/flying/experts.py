"""The shell of reference policies that a kernel flies."""

from typing import Any

import numpy as np

from envsuite.core.jit import records
from envsuite.core.world import lead_shape


class KernelPolicy:
    """A policy without memory that a kernel computes from the true state.

    Args:
        world: whose drones it flies.
        act: kernel ``(states, params, actions)`` that writes the actions.
    """

    def __init__(self, world: Any, act: Any):
        self._world = world
        self._act = act

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, float32 (n, [a,] A)."""
        actions = np.zeros((*lead_shape(self._world, len(states)), *self._world.action.shape), np.float32)
        self._act(states, records(self._world.params), actions)
        return actions
