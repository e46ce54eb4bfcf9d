"""Perceptrons that kernels run: for rollouts without Python between their steps."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from envsuite.core import fmath
from envsuite.core.jit import kernel

ACTIVATIONS = ("tanh", "relu")
HALF_LOG_TWO_PI = np.float32(0.9189385332046727)


@dataclass(frozen=True)
class Perceptron:
    """A policy of linear layers with activations between them, on one flat observation.

    Attributes:
        layers: weights float32 (inputs, outputs) and biases (outputs,) of each layer.
        activation: ``"tanh"`` or ``"relu"``, after each layer but the last.
        shift: (inputs,) float32, subtracted from observations.
        scale: (inputs,) float32, by which they are multiplied then.
        limit: magnitude at which they are clipped then.
        log_std: (A,) float32, logarithm of the spread of normal actions; empty where actions are choices.
        heads: number of alternatives of each choice; empty where actions are numbers.

    Raises:
        ValueError: shapes that do not fit, or an activation that there is not.
    """

    layers: Sequence[tuple[np.ndarray, np.ndarray]]
    activation: str
    shift: np.ndarray
    scale: np.ndarray
    limit: float = math.inf
    log_std: np.ndarray = field(default_factory=lambda: np.zeros(0, np.float32))
    heads: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.activation not in ACTIVATIONS:
            raise ValueError(f"activation is {self.activation!r}, expected one of {', '.join(ACTIVATIONS)}")
        width = self.shift.size
        for weight, bias in self.layers:
            if weight.ndim != 2 or weight.shape[0] != width or bias.shape != weight.shape[1:]:
                raise ValueError(
                    f"a layer has weights {weight.shape} and biases {bias.shape}, expected ({width}, m) and (m,)"
                )
            width = weight.shape[1]
        expected = sum(self.heads) if self.heads else self.log_std.size
        if not self.layers or width != expected or self.scale.shape != self.shift.shape:
            raise ValueError(f"the last layer has {width} outputs, expected {expected}")

    def net(self, low: np.ndarray, high: np.ndarray) -> "Net":
        """As kernels take it.

        Args:
            low: (A,) least actions that are played.
            high: (A,) greatest.
        """
        numbers = np.concatenate([one.reshape(-1) for layer in self.layers for one in layer])
        return Net(
            np.array([self.shift.size, *(bias.size for _, bias in self.layers)], np.int64),
            numbers.astype(np.float32),
            self.activation == "relu",
            np.ascontiguousarray(self.shift, np.float32),
            np.ascontiguousarray(self.scale, np.float32),
            np.float32(self.limit),
            np.ascontiguousarray(self.log_std, np.float32),
            np.array(self.heads, np.int64),
            np.ascontiguousarray(low, np.float32).reshape(-1),
            np.ascontiguousarray(high, np.float32).reshape(-1),
        )


class Net(NamedTuple):
    """A perceptron as kernels take it.

    Attributes:
        sizes: (layers + 1,) int64, inputs, and outputs of each layer.
        weights: flat float32, weights and biases of each layer, one after the other.
        rectified: relu between the layers instead of tanh.
        shift: see `Perceptron`.
        scale: likewise.
        limit: likewise, float32.
        log_std: likewise.
        heads: likewise, int64.
        low: (A,) float32, least actions that are played.
        high: (A,) float32, greatest.
    """

    sizes: np.ndarray
    weights: np.ndarray
    rectified: bool
    shift: np.ndarray
    scale: np.ndarray
    limit: np.float32
    log_std: np.ndarray
    heads: np.ndarray
    low: np.ndarray
    high: np.ndarray


@kernel
def dense(x, weights, bias, out):
    """Out (n, m) = x (n, k) W (k, m) + b (m,); terms are added in the order of k.

    Two rows share what is read of W.
    """
    width, depth = out.shape[1], x.shape[1]
    fours, twos = depth - depth % 4, x.shape[0] - x.shape[0] % 2
    for i in range(x.shape[0]):
        for j in range(width):
            out[i, j] = bias[j]
    for i in range(0, twos, 2):
        for k in range(0, fours, 4):
            a, b, c, d = x[i, k], x[i, k + 1], x[i, k + 2], x[i, k + 3]
            e, f, g, h = x[i + 1, k], x[i + 1, k + 1], x[i + 1, k + 2], x[i + 1, k + 3]
            for j in range(width):
                u, v, y, z = weights[k, j], weights[k + 1, j], weights[k + 2, j], weights[k + 3, j]
                out[i, j] = (((out[i, j] + a * u) + b * v) + c * y) + d * z
                out[i + 1, j] = (((out[i + 1, j] + e * u) + f * v) + g * y) + h * z
        for k in range(fours, depth):
            for j in range(width):
                out[i, j] += x[i, k] * weights[k, j]
                out[i + 1, j] += x[i + 1, k] * weights[k, j]
    for i in range(twos, x.shape[0]):
        for k in range(depth):
            for j in range(width):
                out[i, j] += x[i, k] * weights[k, j]


@kernel
def see(net, observations, first, last, work):
    """Write rows [first, last) of `observations` into the beginning of `work`: shifted, scaled and clipped."""
    width, at = net.shift.shape[0], 0
    for i in range(first, last):
        for j in range(width):
            value = (np.float32(observations[i, j]) - net.shift[j]) * net.scale[j]
            work[at + j] = min(max(value, -net.limit), net.limit)
        at += width


@kernel
def rectify(x):
    """No element below 0."""
    for k in range(x.shape[0]):
        x[k] = max(x[k], np.float32(0.0))


@kernel
def squash(x):
    """Hyperbolic tangent of every element."""
    for k in range(x.shape[0]):
        x[k] = fmath.tanh(x[k])


@kernel
def forward(net, rows, work):
    """Run the layers on rows at the beginning of `work`, whose halves take turns; where in it the outputs begin."""
    at, here, room = 0, 0, work.shape[0] // 2
    layers = net.sizes.shape[0] - 1
    for layer in range(layers):
        inputs, outputs = net.sizes[layer], net.sizes[layer + 1]
        there, bias = room - here, at + inputs * outputs
        x, out = work[here : here + rows * inputs], work[there : there + rows * outputs]
        weights = net.weights[at:bias].reshape((inputs, outputs))
        dense(x.reshape((rows, inputs)), weights, net.weights[bias : bias + outputs], out.reshape((rows, outputs)))
        at, here = bias + outputs, there
        if layer < layers - 1 and net.rectified:
            rectify(out)
        elif layer < layers - 1:
            squash(out)
    return here


@kernel
def draw_normal(net, outputs, noise, first, last, raw, played, log_probs):
    """Actions of rows [first, last): mean + spread x noise, played within bounds; `outputs` are their means."""
    at, width = 0, net.log_std.shape[0]
    for i in range(first, last):
        log_prob = np.float32(0.0)
        for j in range(width):
            drawn = noise[i, j]
            value = outputs[at + j] + fmath.exp(net.log_std[j]) * drawn
            log_prob -= np.float32(0.5) * drawn * drawn + net.log_std[j] + HALF_LOG_TWO_PI
            raw[i, j] = value
            played[i, j] = min(max(value, net.low[j]), net.high[j])
        log_probs[i] = log_prob
        at += width


@kernel
def draw_choices(net, outputs, noise, first, last, raw, played, log_probs):
    """Choices of rows [first, last): of each head the greatest logit + noise of Gumbel; `outputs` are logits."""
    at, width = 0, noise.shape[1]
    for i in range(first, last):
        log_prob, start = np.float32(0.0), 0
        for head in range(net.heads.shape[0]):
            best, top = start, outputs[at + start]
            for k in range(start, start + net.heads[head]):
                top = max(top, outputs[at + k])
                if outputs[at + k] + noise[i, k] > outputs[at + best] + noise[i, best]:
                    best = k
            total = np.float32(0.0)
            for k in range(start, start + net.heads[head]):
                total += fmath.exp(outputs[at + k] - top)
            log_prob += outputs[at + best] - top - fmath.log(total)
            raw[i, head] = best - start
            played[i, head] = best - start
            start += net.heads[head]
        log_probs[i] = log_prob
        at += width
