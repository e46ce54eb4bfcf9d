"""The uniformly random policy, whose actions depend on a slot's seed alone, not on the batch around it."""

import numpy as np

from envsuite.core import rng
from envsuite.core.jit import kernel, records
from envsuite.core.layout import Layout, Vector, mask_of

_BLOCK = 32


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


@kernel
def _counted(row, start, stop):
    allowed = 0
    for k in range(start, stop):
        allowed += row[k] != 0
    return allowed


@kernel
def _draw_allowed(streams, observations, first, choices, out):
    last = first + choices
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            row = observations[i, j]
            allowed = _counted(row, first, last)
            left = rng.integers(streams[i], 3, max(allowed, 1))
            out[i, j] = 0
            if allowed == 0:
                continue
            k = first
            while k + _BLOCK <= last:  # a loop that counts is many times as fast as one that may end anywhere
                block = _counted(row, k, k + _BLOCK)
                if left < block:
                    break
                left -= block
                k += _BLOCK
            while row[k] == 0 or left > 0:
                left -= row[k] != 0
                k += 1
            out[i, j] = k - first


class RandomPolicy:
    """Uniform over the action space, or over what the observation's block ``action_mask`` allows.

    Args:
        layout: what one agent may do.
        lead: (n,) slots, or (n, a) with agents.
        observation: what one agent sees; None ignores masks.
    """

    def __init__(self, layout: Layout, lead: tuple[int, ...], observation: Layout | None = None):
        self._numbers = isinstance(layout, Vector)
        self._low = np.ascontiguousarray(layout.low.reshape(-1))
        self._high = np.ascontiguousarray(layout.high.reshape(-1))
        self._actions = np.zeros(lead + layout.shape, layout.dtype)
        self._streams = records(np.zeros(lead[0], rng.STREAM))
        self._mask = slice(0, 0) if observation is None else mask_of(observation, layout)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Start each masked slot's stream from its seed."""
        rng.begin(self._streams, seeds, mask)

    def probabilities(self, observations: np.ndarray) -> np.ndarray:
        """Of each of the choices that the mask allows, (m, choices).

        Args:
            observations: (m, *O) of one agent each.

        Raises:
            ValueError: actions are no choice among alternatives.
        """
        if self._numbers or self._high.size != 1:
            raise ValueError(f"actions have the bounds {self._low} to {self._high}, expected one choice")
        legal = np.ones((len(observations), int(self._high[0]) + 1))
        if self._mask.stop:
            legal = (observations.reshape(len(observations), -1)[:, self._mask] != 0).astype(np.float64)
        return legal / legal.sum(axis=1, keepdims=True)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Draw an action for every slot."""
        rows = self._actions.reshape(len(self._streams), -1)
        if self._mask.stop:
            seen = observations.reshape(*rows.shape, -1)
            _draw_allowed(self._streams, seen, self._mask.start, self._mask.stop - self._mask.start, rows)
        elif self._numbers:
            _draw_numbers(self._streams, self._low, self._high, rows)
        else:
            _draw_integers(self._streams, self._high, rows)
        return self._actions
