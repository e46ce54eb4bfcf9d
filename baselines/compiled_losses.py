"""PPO's losses on perceptrons in compiled code, and advantages."""

import numpy as np
from backprop import BLOCK, backward, forward, gather, step, turn, unturn

from envsuite.core import fmath
from envsuite.core.jit import kernel
from envsuite.core.perceptron import HALF_LOG_TWO_PI


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
