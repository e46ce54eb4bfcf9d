"""Perceptrons that compiled code trains, and their inputs: what `backprop.py` works on."""

import itertools
from typing import Any

import numpy as np
import torch
from backprop import BLOCK, Learner, evaluate
from torch import nn

from envsuite.core import fmath
from envsuite.core.jit import kernel
from envsuite.core.layout import Vector

HISTORY = "action history"
"""Name of the block of old actions in observations."""


class Learned:
    """A network with what Adam remembers of it.

    Args:
        network: linear layers with activations of one kind between them.
        heads: number of alternatives of each choice that it makes; empty for none.
        log_std: (A,) logarithm of the spread of normal actions; empty for none.

    Attributes:
        learner: as kernels take it.
        room: zeros and scratch memory for them.
        outputs: of the last layer.
        activation: class of the activations.
        log_std: (A,) float32, a part of the weights.
    """

    def __init__(self, network: nn.Sequential, heads: tuple[int, ...] = (), log_std: Any = ()):
        linear = [layer for layer in network if isinstance(layer, nn.Linear)]
        self.activation = nn.ReLU if any(isinstance(layer, nn.ReLU) for layer in network) else nn.Tanh
        sizes = [linear[0].in_features, *(layer.out_features for layer in linear)]
        parts = [one.detach().numpy() for layer in linear for one in (layer.weight.T, layer.bias)]
        weights = np.concatenate([*(one.reshape(-1) for one in parts), np.asarray(log_std)]).astype(np.float32)
        self.outputs = sizes[-1]
        self.learner = Learner(
            np.array(sizes, np.int64),
            np.array(heads, np.int64),
            self.activation is nn.ReLU,
            weights,
            *(np.zeros_like(weights) for _ in range(2)),
            np.zeros(1, np.int64),
            *(np.zeros_like(weights) for _ in range(2)),
            np.zeros((len(sizes), BLOCK * max(sizes)), np.float32),
            np.zeros((2, BLOCK * max(sizes)), np.float32),
        )
        self.log_std = weights[len(weights) - len(log_std) :]
        self.room = np.zeros(max(sizes), np.float32), np.zeros(max(map(np.size, parts)), np.float32)

    def layers(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Copies of weights (inputs, outputs) and biases of each layer."""
        found, at = [], 0
        for inputs, outputs in itertools.pairwise(self.learner.sizes.tolist()):
            stop = at + inputs * outputs
            weight = self.learner.weights[at:stop].reshape(inputs, outputs).copy()
            found.append((weight, self.learner.weights[stop : stop + outputs].copy()))
            at = stop + outputs
        return found

    def values(self, inputs: np.ndarray) -> np.ndarray:
        """(n,) of inputs (n, F), of a network with one output."""
        out = np.empty(len(inputs), np.float32)
        evaluate(self.learner, inputs, out)
        return out

    def _remembered(self) -> dict[str, np.ndarray]:
        return {name: getattr(self.learner, name) for name in ("weights", "first", "second", "count")}

    def state_dict(self) -> dict[str, torch.Tensor]:
        """Weights and what Adam remembers."""
        return {name: torch.from_numpy(array.copy()) for name, array in self._remembered().items()}

    def load_state_dict(self, state: dict[str, torch.Tensor]) -> None:
        """Return to it."""
        for name, array in self._remembered().items():
            array[:] = state[name].numpy()


@kernel
def merge_moments(x, moments):
    """Merge rows x (n, k) into `moments` (3, k), float64: mean, sum of squared distances from it, number."""
    rows = float(x.shape[0])
    for k in range(x.shape[1]):
        total, squares = 0.0, 0.0
        for i in range(x.shape[0]):
            distance = float(x[i, k]) - moments[0, k]
            total += distance
            squares += distance * distance
        delta, whole = total / rows, moments[2, k] + rows
        moments[0, k] += delta * rows / whole
        moments[1, k] += squares - delta * delta * rows + delta * delta * moments[2, k] * rows / whole
        moments[2, k] = whole


@kernel
def normalise(x, moments, out):
    """Out (n, k): rows of x with mean 0 and variance 1."""
    for k in range(x.shape[1]):
        mean = np.float32(moments[0, k])
        scale = np.float32(1.0 / fmath.sqrt(moments[1, k] / moments[2, k] + 1e-8))
        for i in range(x.shape[0]):
            out[i, k] = (x[i, k] - mean) * scale


class Moments:
    """Running mean and variance of inputs.

    Args:
        size: numbers a row.
        active: False passes inputs on as they are.
    """

    def __init__(self, size: int, active: bool = True):
        self._moments, self._active = np.zeros((3, size)), active
        self._moments[1:] = 1e-4  # variance 1, of hardly anything

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        """(n, F), with mean 0 and variance 1."""
        if not self._active:
            return rows
        out = np.empty_like(rows)
        normalise(rows, self._moments, out)
        return out

    def update(self, rows: np.ndarray) -> None:
        """Merge in those of (n, F)."""
        if self._active:
            merge_moments(rows, self._moments)

    def normal(self) -> tuple[np.ndarray, np.ndarray]:
        """What is subtracted, (F,) float32, and what multiplies the rest."""
        if not self._active:
            return np.zeros(self._moments.shape[1], np.float32), np.ones(self._moments.shape[1], np.float32)
        variance = self._moments[1] / self._moments[2]
        return self._moments[0].astype(np.float32), (1.0 / np.sqrt(variance + 1e-8)).astype(np.float32)

    def state_dict(self) -> dict[str, torch.Tensor]:
        """The moments."""
        return {"moments": torch.from_numpy(self._moments.copy())}

    def load_state_dict(self, state: dict[str, torch.Tensor]) -> None:
        """Return to them."""
        self._moments[:] = state["moments"].numpy()


def averaging(observation: Vector, width: int, averages: tuple[float, ...]) -> np.ndarray:
    """What a network sees of a flat observation, as a matrix (numbers, inputs) float32.

    Args:
        observation: of the environment.
        width: numbers of an action.
        averages: time constants, in steps, of the exponential averages of old actions that stand for the block
            `HISTORY`, whose actions go from the oldest to the newest; at least one.

    Raises:
        ValueError: there is no such block, or a time constant is not positive.
    """
    size = sum(block.size for block in observation.blocks)
    if min(averages) <= 0:
        raise ValueError(f"averages is {averages}, expected positive time constants")
    found = [block for block in observation.blocks if block.name == HISTORY]
    if not found:
        names = [block.name for block in observation.blocks]
        raise ValueError(f"averages is {averages}, expected (): the observation has no block {HISTORY!r}, only {names}")
    start, stop = observation.offset(HISTORY), observation.offset(HISTORY) + found[0].size
    age = np.arange(found[0].size // width)[::-1]
    weights = np.exp(-age[:, np.newaxis] / np.array(averages))
    averaged = np.zeros((size, width * len(averages)))
    averaged[start:stop] = np.kron(weights / weights.sum(0), np.eye(width))
    kept = np.delete(np.eye(size), np.s_[start:stop], axis=1)
    return np.concatenate([kept, averaged], axis=1).astype(np.float32)
