"""The uniformly random policy, whose actions depend on a slot's seed alone, not on the batch around it."""

import numpy as np

from envsuite.core import rng
from envsuite.core.jit import kernel, records
from envsuite.core.layout import Layout, Vector


@kernel
def _draw_numbers(streams, low, high, out):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            column = j % low.shape[0]
            out[i, j] = rng.uniform(streams[i], 3, low[column], high[column])


@kernel
def _draw_integers(streams, high, out):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = rng.integers(streams[i], 3, high[j % high.shape[0]] + 1)


class RandomPolicy:
    """Uniform over the action space.

    Args:
        layout: what one agent may do.
        lead: (n,) slots, or (n, a) with agents.
    """

    def __init__(self, layout: Layout, lead: tuple[int, ...]):
        self._numbers = isinstance(layout, Vector)
        self._low = np.ascontiguousarray(layout.low.reshape(-1))
        self._high = np.ascontiguousarray(layout.high.reshape(-1))
        self._actions = np.zeros(lead + layout.shape, layout.dtype)
        self._streams = records(np.zeros(lead[0], rng.STREAM))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Start each masked slot's stream from its seed."""
        for i in np.flatnonzero(mask):
            self._streams[i] = np.zeros((), rng.STREAM)
            self._streams[i]["key"] = rng.seed_key(int(seeds[i]))

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Draw an action for every slot."""
        rows = self._actions.reshape(len(self._streams), -1)
        if self._numbers:
            _draw_numbers(self._streams, self._low, self._high, rows)
        else:
            _draw_integers(self._streams, self._high, rows)
        return self._actions
