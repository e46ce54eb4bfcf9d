"""Gradients of perceptrons in compiled code, and PPO's losses on them.

This is for networks so small that PyTorch's own time between two operations is most of a training.
Weights are flat: of each layer (inputs, outputs), row by row, then its biases; the logarithms of the spread of normal
actions stand after the last layer. `envsuite.core.perceptron` has the forward pass of acting.
"""

from typing import NamedTuple

import numpy as np

from envsuite.core import fmath
from envsuite.core.jit import kernel
from envsuite.core.perceptron import HALF_LOG_TWO_PI, dense, rectify, squash

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
def standard(advantages, order, first, last):
    """Mean and spread of the advantages of a part."""
    total, squares = 0.0, 0.0
    for i in range(first, last):
        total += float(advantages[order[i]])
    mean = total / (last - first)
    for i in range(first, last):
        squares += (float(advantages[order[i]]) - mean) ** 2
    return np.float32(mean), np.float32(fmath.sqrt(squares / max(1, last - first - 1)) + 1e-8)


@kernel
def normal_deltas(net, order, first, last, actions, log_probs, advantages, mean, spread, clip, share):
    """Gradients of the clipped objective in the outputs, means of normal actions; how many ratios were clipped."""
    width, at, clipped = actions.shape[1], net.weights.shape[0] - actions.shape[1], 0
    out = net.kept[net.sizes.shape[0] - 1, : (last - first) * width].reshape((last - first, width))
    delta = net.deltas[0, : (last - first) * width].reshape((last - first, width))
    for i in range(first, last):
        row, log_prob = order[i], np.float32(0.0)
        for j in range(width):
            z = (actions[row, j] - out[i - first, j]) * fmath.exp(-net.weights[at + j])
            log_prob -= np.float32(0.5) * z * z + net.weights[at + j] + HALF_LOG_TWO_PI
        ratio = fmath.exp(log_prob - log_probs[row])
        advantage = (advantages[row] - mean) / spread
        bound = min(max(ratio, np.float32(1.0) - clip), np.float32(1.0) + clip)
        clipped += int(bound != ratio)
        pull = -advantage * ratio * share if ratio * advantage <= bound * advantage else np.float32(0.0)
        for j in range(width):
            inverse = fmath.exp(-net.weights[at + j])
            z = (actions[row, j] - out[i - first, j]) * inverse
            delta[i - first, j] = pull * z * inverse
            net.gradient[at + j] += pull * (z * z - np.float32(1.0))
    return clipped


@kernel
def choice_deltas(net, order, first, last, actions, log_probs, advantages, mean, spread, clip, share, entropy):
    """The same for choices, whose outputs are logits; with the gradient of the entropy bonus."""
    width, clipped = net.sizes[net.sizes.shape[0] - 1], 0
    out = net.kept[net.sizes.shape[0] - 1, : (last - first) * width].reshape((last - first, width))
    delta = net.deltas[0, : (last - first) * width].reshape((last - first, width))
    for i in range(first, last):
        row, log_prob, start = order[i], np.float32(0.0), 0
        for head in range(net.heads.shape[0]):  # logits become logarithms of probabilities
            stop = start + net.heads[head]
            top, total = out[i - first, start], np.float32(0.0)
            for k in range(start, stop):
                top = max(top, out[i - first, k])
            for k in range(start, stop):
                total += fmath.exp(out[i - first, k] - top)
            top += fmath.log(total)
            for k in range(start, stop):
                out[i - first, k] -= top
            log_prob += out[i - first, start + actions[row, head]]
            start = stop
        ratio = fmath.exp(log_prob - log_probs[row])
        advantage = (advantages[row] - mean) / spread
        bound = min(max(ratio, np.float32(1.0) - clip), np.float32(1.0) + clip)
        clipped += int(bound != ratio)
        pull = -advantage * ratio * share if ratio * advantage <= bound * advantage else np.float32(0.0)
        start = 0
        for head in range(net.heads.shape[0]):
            stop, disorder = start + net.heads[head], np.float32(0.0)
            for k in range(start, stop):
                disorder -= fmath.exp(out[i - first, k]) * out[i - first, k]
            for k in range(start, stop):
                p = fmath.exp(out[i - first, k])
                delta[i - first, k] = -pull * p + entropy * share * p * (out[i - first, k] + disorder)
            delta[i - first, start + actions[row, head]] += pull
            start = stop
    return clipped


@kernel
def learn_actor(net, rule, inputs, numbers, choices, log_probs, advantages, order, parts, nothing, scratch):
    """Pass over a batch in shuffled parts; the share of ratios that were clipped.

    Args:
        net: a `Learner`.
        rule: a `Rule`.
        inputs: (n, F) float32.
        numbers: (n, A) float32, actions; without columns where they are choices.
        choices: (n, heads) int64; likewise.
        log_probs: (n,) float32, of the actions when they were drawn.
        advantages: (n,) float32.
        order: (epochs, n) int64, indices of rows.
        parts: that each pass is cut into.
        nothing: zeros, as many as the widest layer has outputs.
        scratch: as large as the largest layer's weights.
    """
    clipped = 0
    for epoch in range(order.shape[0]):
        for part in range(parts):
            begin, end = part * order.shape[1] // parts, (part + 1) * order.shape[1] // parts
            mean, spread = standard(advantages, order[epoch], begin, end)
            share, clip, entropy = np.float32(1.0 / (end - begin)), np.float32(rule.clip), np.float32(rule.entropy)
            net.gradient[:] = np.float32(0.0)
            turn(net)
            for first in range(begin, end, BLOCK):
                last = min(first + BLOCK, end)
                gather(inputs, order[epoch], first, last, net)
                forward(net, last - first)
                if net.heads.shape[0] > 0:
                    clipped += choice_deltas(
                        net,
                        order[epoch],
                        first,
                        last,
                        choices,
                        log_probs,
                        advantages,
                        mean,
                        spread,
                        clip,
                        share,
                        entropy,
                    )
                else:
                    clipped += normal_deltas(
                        net, order[epoch], first, last, numbers, log_probs, advantages, mean, spread, clip, share
                    )
                backward(net, last - first, nothing)
            if net.heads.shape[0] == 0:
                for j in range(net.weights.shape[0] - numbers.shape[1], net.weights.shape[0]):
                    net.gradient[j] -= entropy
            unturn(net, scratch)
            step(net, rule)
    return clipped / (order.shape[0] * order.shape[1])


@kernel
def learn_critic(net, rule, inputs, targets, order, parts, nothing, scratch):
    """The same for values, whose squared errors fall; half the mean squared error on the way."""
    loss = 0.0
    for epoch in range(order.shape[0]):
        for part in range(parts):
            begin, end = part * order.shape[1] // parts, (part + 1) * order.shape[1] // parts
            share = np.float32(1.0 / (end - begin))
            net.gradient[:] = np.float32(0.0)
            turn(net)
            for first in range(begin, end, BLOCK):
                last = min(first + BLOCK, end)
                gather(inputs, order[epoch], first, last, net)
                forward(net, last - first)
                for i in range(first, last):
                    error = net.kept[net.sizes.shape[0] - 1, i - first] - targets[order[epoch, i]]
                    net.deltas[0, i - first] = error * share
                    loss += 0.5 * float(error) * float(error)
                backward(net, last - first, nothing)
            unturn(net, scratch)
            step(net, rule)
    return loss / (order.shape[0] * order.shape[1])


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


@kernel
def advantages_of(
    rewards, done, bootstrap, values, following, discount, decay, running, moments, scaled, advantages, targets
):
    """Generalised advantage estimates (Schulman et al. 2016, equation 16) of rewards in units of their returns' spread.

    Args:
        rewards: (t, n).
        done: (t, n) bool.
        bootstrap: (t, n), what the future counts for where an episode ended.
        values: (t, n).
        following: (n,), values of what comes after the last step.
        discount: of the future.
        decay: lambda.
        running: (n,) float32, discounted returns so far.
        moments: (3,) float64, mean, variance and number of the discounted returns seen so far.
        scaled: whether rewards are divided by that spread, and clipped to 10.
        advantages: (t, n), to be written.
        targets: (t, n), to be written: what values are to be.
    """
    steps, n = rewards.shape
    if scaled:
        total, squares = 0.0, 0.0
        for t in range(steps):
            for i in range(n):
                running[i] = running[i] * np.float32(discount) + rewards[t, i]
                total += float(running[i]) - moments[0]
                squares += (float(running[i]) - moments[0]) ** 2
                if done[t, i]:
                    running[i] = np.float32(0.0)
        count = float(steps * n)
        delta = total / count
        variance, whole = squares / count - delta * delta, moments[2] + count
        moments[1] = (moments[1] * moments[2] + variance * count + delta * delta * moments[2] * count / whole) / whole
        moments[0] += delta * count / whole
        moments[2] = whole
    unit = np.float32(1.0 / fmath.sqrt(moments[1] + 1e-8)) if scaled else np.float32(1.0)
    bound = np.float32(10.0) if scaled else np.float32(np.inf)
    gamma, shrink = np.float32(discount), np.float32(discount * decay)
    for i in range(n):
        after, advantage = following[i], np.float32(0.0)
        for back in range(steps):
            t = steps - 1 - back
            if done[t, i]:
                after, advantage = bootstrap[t, i], np.float32(0.0)
            reward = min(max(rewards[t, i] * unit, -bound), bound)
            advantage = reward + gamma * after - values[t, i] + shrink * advantage
            advantages[t, i] = advantage
            targets[t, i] = advantage + values[t, i]
            after = values[t, i]


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
