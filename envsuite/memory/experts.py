"""Players made of a compiled function, with a record of what each slot remembers."""

from collections.abc import Callable

import numpy as np

from envsuite.core import rng
from envsuite.core.jit import records

NOTHING = np.dtype([("nothing", np.int8)])
"""What a player remembers that remembers nothing."""


class KernelPlayer:
    """Decides by a kernel, all slots at once.

    Args:
        world: the simulator.
        decide: kernel ``(states, params, memory, streams, actions)`` that writes the actions. Of the states it reads
            only what an agent may see; all else that it knows is in its own records.
        memory: record of what it remembers in each slot, all zeros where an episode begins.
    """

    def __init__(self, world, decide: Callable[..., None], memory: np.dtype = NOTHING):
        self._params, self._decide, self._action = records(world.params), decide, world.action
        self._kept, self._streams = records(np.zeros(0, memory)), records(np.zeros(0, rng.STREAM))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Forget the masked slots, and start their random numbers from their seeds."""
        if len(self._kept) != len(mask):
            self._kept = records(np.zeros(len(mask), self._kept.dtype))
            self._streams = records(np.zeros(len(mask), rng.STREAM))
        self._kept[mask] = np.zeros((), self._kept.dtype)
        rng.begin(self._streams, seeds, mask)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, (n, *A)."""
        actions = np.zeros((len(states), *self._action.shape), self._action.dtype)
        self._decide(records(states), self._params, self._kept, self._streams, actions)
        return actions
