"""Gradients of perceptrons in compiled code.

This is for networks so small that PyTorch's own time between two operations is most of a training.
Weights are flat: of each layer (inputs, outputs), row by row, then its biases; the logarithms of the spread of normal
actions stand after the last layer. `envsuite.core.perceptron` has the forward pass of acting.
"""

from typing import NamedTuple

import numpy as np

from envsuite.core import fmath
from envsuite.core.jit import kernel
from envsuite.core.perceptron import dense, rectify, squash

BLOCK = 64
"""Rows that go through all layers before the next do, so that what they leave stays in the processor's caches."""
NARROW = 16
"""Outputs of a layer below which vector instructions run along its inputs."""


class Learner(NamedTuple):
    """A perceptron that learns.

    Attributes:
        sizes: (layers + 1,) int64, inputs, and outputs of each layer.
        heads: int64, alternatives of each choice; empty for numbers.
        rectified: relu between layers instead of tanh.
        weights: flat float32, see above.
        first: running mean of gradients, of Adam.
        second: running mean of their squares.
        count: (1,) int64, steps of Adam so far.
        gradient: as `weights`.
        turned: as `weights`, (outputs, inputs) of each layer.
        kept: (layers + 1, BLOCK * widest) float32, outputs of each layer.
        deltas: (2, BLOCK * widest) float32, gradients of them.
    """

    sizes: np.ndarray
    heads: np.ndarray
    rectified: bool
    weights: np.ndarray
    first: np.ndarray
    second: np.ndarray
    count: np.ndarray
    gradient: np.ndarray
    turned: np.ndarray
    kept: np.ndarray
    deltas: np.ndarray


class Rule(NamedTuple):
    """How it learns.

    Attributes:
        rate: step size of Adam.
        clip: range of the probability ratio.
        entropy: coefficient of the entropy bonus.
        max_gradient: norm at which gradients are clipped.
    """

    rate: float
    clip: float
    entropy: float
    max_gradient: float


@kernel
def products(x, d, out):
    """Out (k, m) += x (n, k) transposed, times d (n, m)."""
    fours = x.shape[0] - x.shape[0] % 4
    for i in range(0, fours, 4):
        for k in range(x.shape[1]):
            a, b, c, e = x[i, k], x[i + 1, k], x[i + 2, k], x[i + 3, k]
            for j in range(d.shape[1]):
                out[k, j] += ((a * d[i, j] + b * d[i + 1, j]) + c * d[i + 2, j]) + e * d[i + 3, j]
    for i in range(fours, x.shape[0]):
        for k in range(x.shape[1]):
            for j in range(d.shape[1]):
                out[k, j] += x[i, k] * d[i, j]


@kernel
def narrow(x, turned, bias, out):
    """`dense` for few outputs; `turned` is (m, k). Eight sums at once, for vector instructions."""
    eights = x.shape[1] - x.shape[1] % 8
    for i in range(x.shape[0]):
        for j in range(out.shape[1]):
            a = b = c = d = e = f = g = h = np.float32(0.0)
            for k in range(0, eights, 8):
                a += x[i, k] * turned[j, k]
                b += x[i, k + 1] * turned[j, k + 1]
                c += x[i, k + 2] * turned[j, k + 2]
                d += x[i, k + 3] * turned[j, k + 3]
                e += x[i, k + 4] * turned[j, k + 4]
                f += x[i, k + 5] * turned[j, k + 5]
                g += x[i, k + 6] * turned[j, k + 6]
                h += x[i, k + 7] * turned[j, k + 7]
            total = bias[j] + (((a + b) + (c + d)) + ((e + f) + (g + h)))
            for k in range(eights, x.shape[1]):
                total += x[i, k] * turned[j, k]
            out[i, j] = total


@kernel
def turn(net):
    """Write `turned`."""
    at = 0
    for layer in range(net.sizes.shape[0] - 1):
        inputs, outputs = net.sizes[layer], net.sizes[layer + 1]
        stop = at + inputs * outputs
        plain = net.weights[at:stop].reshape((inputs, outputs))
        turned = net.turned[at:stop].reshape((outputs, inputs))
        for k in range(inputs):
            for j in range(outputs):
                turned[j, k] = plain[k, j]
        at = stop + outputs


@kernel
def forward(net, rows):
    """Run the layers on `rows` rows in ``kept[0]``; keep what each gives."""
    at, layers = 0, net.sizes.shape[0] - 1
    for layer in range(layers):
        inputs, outputs = net.sizes[layer], net.sizes[layer + 1]
        stop = at + inputs * outputs
        x = net.kept[layer, : rows * inputs].reshape((rows, inputs))
        flat = net.kept[layer + 1, : rows * outputs]
        out, bias = flat.reshape((rows, outputs)), net.weights[stop : stop + outputs]
        if outputs < NARROW:
            narrow(x, net.turned[at:stop].reshape((outputs, inputs)), bias, out)
        else:
            dense(x, net.weights[at:stop].reshape((inputs, outputs)), bias, out)
        if layer < layers - 1 and net.rectified:
            rectify(flat)
        elif layer < layers - 1:
            squash(flat)
        at = stop + outputs


@kernel
def slopes(y, rectified, delta):
    """Multiply gradients of what an activation gave, y, by its slope there."""
    if rectified:
        for k in range(y.shape[0]):
            delta[k] = delta[k] if y[k] > np.float32(0.0) else np.float32(0.0)
    else:
        for k in range(y.shape[0]):
            delta[k] *= np.float32(1.0) - y[k] * y[k]


@kernel
def backward(net, rows, nothing):
    """Add to `gradient` what rows give whose gradients of the outputs stand in ``deltas[0]``."""
    layers = net.sizes.shape[0] - 1
    at = 0
    for layer in range(layers):
        at += (net.sizes[layer] + 1) * net.sizes[layer + 1]
    here = 0
    for back in range(layers):
        layer = layers - 1 - back
        inputs, outputs = net.sizes[layer], net.sizes[layer + 1]
        at -= (inputs + 1) * outputs
        stop = at + inputs * outputs
        x = net.kept[layer, : rows * inputs].reshape((rows, inputs))
        d = net.deltas[here, : rows * outputs].reshape((rows, outputs))
        bias = net.gradient[stop : stop + outputs]
        for i in range(rows):
            for j in range(outputs):
                bias[j] += d[i, j]
        if outputs < NARROW:  # its gradient is kept turned, see `unturn`
            products(d, x, net.gradient[at:stop].reshape((outputs, inputs)))
        else:
            products(x, d, net.gradient[at:stop].reshape((inputs, outputs)))
        if layer > 0:
            below = net.deltas[1 - here, : rows * inputs]
            dense(d, net.turned[at:stop].reshape((outputs, inputs)), nothing[:inputs], below.reshape((rows, inputs)))
            slopes(net.kept[layer, : rows * inputs], net.rectified, below)
        here = 1 - here


@kernel
def unturn(net, scratch):
    """Give gradients of narrow layers the form of their weights."""
    at = 0
    for layer in range(net.sizes.shape[0] - 1):
        inputs, outputs = net.sizes[layer], net.sizes[layer + 1]
        stop = at + inputs * outputs
        if outputs < NARROW:
            for k in range(at, stop):
                scratch[k - at] = net.gradient[k]
            turned = scratch[: stop - at].reshape((outputs, inputs))
            plain = net.gradient[at:stop].reshape((inputs, outputs))
            for k in range(inputs):
                for j in range(outputs):
                    plain[k, j] = turned[j, k]
        at = stop + outputs


@kernel
def step(net, rule):
    """A step of Adam (Kingma and Ba 2015) with the gradient clipped to a norm; the norm before that."""
    total = 0.0
    for k in range(net.gradient.shape[0]):
        total += float(net.gradient[k]) * float(net.gradient[k])
    norm = fmath.sqrt(total)
    scale = np.float32(min(1.0, rule.max_gradient / (norm + 1e-6)))
    net.count[0] += 1
    one, two = 1.0 - 0.9 ** net.count[0], 1.0 - 0.999 ** net.count[0]
    rate, spread = np.float32(rule.rate / one), np.float32(1.0 / fmath.sqrt(two))
    for k in range(net.weights.shape[0]):
        g = net.gradient[k] * scale
        net.first[k] = np.float32(0.9) * net.first[k] + np.float32(0.1) * g
        net.second[k] = np.float32(0.999) * net.second[k] + np.float32(0.001) * g * g
        net.weights[k] -= rate * net.first[k] / (fmath.sqrt(net.second[k]) * spread + np.float32(1e-5))
    return norm


@kernel
def gather(inputs, order, first, last, net):
    """Put rows of `inputs` into ``kept[0]``."""
    width = inputs.shape[1]
    x = net.kept[0, : (last - first) * width].reshape((last - first, width))
    for i in range(first, last):
        for k in range(width):
            x[i - first, k] = inputs[order[i], k]


@kernel
def evaluate(net, inputs, out):
    """Values (n,) of inputs (n, F)."""
    turn(net)
    for first in range(0, inputs.shape[0], BLOCK):
        last = min(first + BLOCK, inputs.shape[0])
        width = inputs.shape[1]
        x = net.kept[0, : (last - first) * width].reshape((last - first, width))
        for i in range(first, last):
            for k in range(width):
                x[i - first, k] = inputs[i, k]
        forward(net, last - first)
        for i in range(first, last):
            out[i] = net.kept[net.sizes.shape[0] - 1, i - first]
