"""Swings the pendulum up: value iteration for the torque, and a swarm of guesses for the speed where there is noise."""

import math
from functools import lru_cache

import numpy as np

from envsuite.core import fmath, kernel, rng
from envsuite.core.jit import records

ANGLES, SPEEDS, TORQUES = 160, 81, 9
"""The grid of the value iteration."""
DISCOUNT, SWEEPS = 0.99, 300
GUESSES = 256
"""Of each instance where there is noise; an even number."""
JITTER = 0.035
"""Greatest shift, in rad and rad/s, that a step gives each guess, so that the swarm does not become one."""


@kernel
def place(theta, speed, fastest):
    """Where a state lies on the grid: two cells and the shares of the upper ones."""
    turn = theta / (2.0 * np.pi)
    a = (turn - math.floor(turn)) * ANGLES
    b = (speed / fastest + 1.0) * 0.5 * (SPEEDS - 1)
    i, j = min(np.int64(a), ANGLES - 1), min(np.int64(b), SPEEDS - 2)
    return i, j, a - i, b - j


@kernel
def worth(values, theta, speed, fastest):
    """The value of a state, between those of the grid."""
    i, j, u, v = place(theta, speed, fastest)
    k = (i + 1) % ANGLES
    low = (1.0 - v) * values[i, j] + v * values[i, j + 1]
    high = (1.0 - v) * values[k, j] + v * values[k, j + 1]
    return (1.0 - u) * low + u * high


@kernel
def ahead(p, theta, speed, torque):
    """Cost of a step, and angle and speed after it."""
    turn = theta / (2.0 * np.pi) + 0.5
    angle = (turn - math.floor(turn) - 0.5) * 2.0 * np.pi
    cost = angle * angle + 0.1 * speed * speed + 0.001 * torque * torque
    pull = 1.5 * p.gravity / p.length * fmath.sin(theta) + 3.0 / (p.mass * p.length * p.length) * torque
    after = min(max(speed + pull * p.dt, -p.fastest), p.fastest)
    return cost, theta + after * p.dt, after


@kernel
def sweep(p, values, better):
    """One sweep of value iteration over costs; the largest change."""
    change = 0.0
    for i in range(ANGLES):
        for j in range(SPEEDS):
            theta, speed = i * 2.0 * np.pi / ANGLES, (2.0 * j / (SPEEDS - 1) - 1.0) * p.fastest
            least = 1e9
            for k in range(TORQUES):
                cost, angle, after = ahead(p, theta, speed, (2.0 * k / (TORQUES - 1) - 1.0) * p.torque)
                least = min(least, cost + DISCOUNT * worth(values, angle, after, p.fastest))
            better[i, j] = least
            change = max(change, abs(least - values[i, j]))
    return change


@lru_cache(maxsize=1)
def solved(constants: bytes, kind: np.dtype) -> np.ndarray:
    """Costs to come of each state of the grid.

    Args:
        constants: the parameter record, as bytes.
        kind: its type.
    """
    p = records(np.frombuffer(constants, kind))[0]
    values, better = np.zeros((ANGLES, SPEEDS)), np.zeros((ANGLES, SPEEDS))
    for _ in range(SWEEPS):
        change = sweep(p, values, better)
        values, better = better, values
        if change < 1e-3:
            break
    return values


@kernel
def turn_batch(p, values, states, actions):
    """The torque with the least cost of each state (n, 2) of angle and speed."""
    many = 4 * (TORQUES - 1)
    for n in range(states.shape[0]):
        least = 1e18
        for k in range(many + 1):
            torque = (2.0 * k / many - 1.0) * p.torque
            cost, angle, after = ahead(p, states[n, 0], states[n, 1], torque)
            cost += DISCOUNT * worth(values, angle, after, p.fastest)
            if cost < least:
                least = cost
                actions[n, 0] = torque


@kernel
def scatter(stream, guesses, spin):
    """Guesses before anything is seen: any angle, evenly, and speeds as episodes begin with."""
    for g in range(guesses.shape[0]):
        guesses[g, 0] = 2.0 * np.pi * g / guesses.shape[0]
        guesses[g, 1] = rng.uniform(stream, rng.AGENT, -spin, spin)


@kernel
def likelihood(seen, true, noise):
    """Logarithm of the density of a number seen with noise; at a bound roughly that of being beyond."""
    gap = (seen - true) / noise
    if abs(seen) >= 1.0 and gap * seen < 0.0:
        gap *= 0.5
    return -0.5 * gap * gap


@kernel
def push(p, guess, torque, angle, speed):
    """Move a guess by one step, and shift it a little."""
    _, guess[0], guess[1] = ahead(p, guess[0], guess[1], torque)
    guess[0] += angle
    guess[1] = min(max(guess[1] + speed, -p.fastest), p.fastest)


@kernel
def weigh(p, stream, guesses, weights, spare, seen, torque, first):
    """Move all guesses, weigh them by what is seen, and draw them anew where few count."""
    count, most, total, squares = guesses.shape[0], -1e18, 0.0, 0.0
    for g in range(0, count, 2):
        if not first:
            first_angle, first_speed, second_angle, second_speed = rng.uniform4(stream, rng.AGENT, -JITTER, JITTER)
            push(p, guesses[g], torque, first_angle, first_speed)
            push(p, guesses[g + 1], torque, second_angle, second_speed)
    for g in range(count):
        sine, cosine = fmath.sincos(guesses[g, 0])
        spare[g, 0] = likelihood(seen[0], cosine, p.noise) + likelihood(seen[1], sine, p.noise)
        most = max(most, spare[g, 0])
    for g in range(count):
        weights[g] *= fmath.exp(spare[g, 0] - most)
        total += weights[g]
    for g in range(count):
        weights[g] /= total
        squares += weights[g] * weights[g]
    if squares * count > 2.0:
        reached, k = 0.0, 0
        start = rng.uniform(stream, rng.AGENT, 0.0, 1.0 / count)
        for g in range(count):
            spare[g, 0], spare[g, 1] = guesses[g, 0], guesses[g, 1]
        reached = weights[0]
        for g in range(count):
            mark = start + g / count
            while reached < mark and k < count - 1:
                k += 1
                reached += weights[k]
            guesses[g, 0], guesses[g, 1] = spare[k, 0], spare[k, 1]
        for g in range(count):
            weights[g] = 1.0 / count


@kernel
def weigh_batch(p, streams, guesses, weights, spare, seen, torques, first):
    """All instances' guesses after one more observation."""
    for n in range(guesses.shape[0]):
        weigh(p, streams[n], guesses[n], weights[n], spare, seen[n], torques[n, 0], first[n])


@kernel
def circle(angles, sines, cosines):
    """Sines and cosines of all guesses, (n, `GUESSES`)."""
    for n in range(angles.shape[0]):
        for g in range(angles.shape[1]):
            sines[n, g], cosines[n, g] = fmath.sincos(angles[n, g])


class Swinger:
    """Knows angle and speed from the last two observations, or from a swarm of guesses where there is noise.

    Args:
        world: a `envsuite.memory.popgym.pendulum.PendulumWorld`.
    """

    def __init__(self, world):
        self._p, self._noisy = records(world.params)[0], world.noise > 0
        plain = world.params.copy()
        for name in ("steps", "noise", "previous"):  # the motion is the same
            plain[name] = 0
        self._values = solved(plain.tobytes(), plain.dtype)
        self._begin(0)

    def _begin(self, slots: int) -> None:
        self._first, self._angle = np.ones(slots, np.bool_), np.zeros(slots)
        self._torque = np.zeros((slots, 1), np.float32)
        self._streams, self._spare = records(np.zeros(slots, rng.STREAM)), np.zeros((GUESSES, 2))
        self._guesses, self._weights = np.zeros((slots, GUESSES, 2)), np.zeros((slots, GUESSES))
        self._sines, self._cosines = np.zeros((slots, GUESSES)), np.zeros((slots, GUESSES))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Forget; the guesses of each masked slot come from its seed."""
        if len(self._first) != len(mask):
            self._begin(len(mask))
        self._first[mask] = True
        if self._noisy:
            rng.begin(self._streams, seeds, mask)
            self._weights[mask] = 1 / GUESSES
            for n in np.flatnonzero(mask):
                scatter(self._streams[n], self._guesses[n], float(self._p["spin"]))

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The torque, float32 (n, 1)."""
        seen = observations[:, :2].astype(np.float64)
        if self._noisy:
            weigh_batch(
                self._p, self._streams, self._guesses, self._weights, self._spare, seen, self._torque, self._first
            )
            angles, speeds = self._guesses[..., 0], (self._weights * self._guesses[..., 1]).sum(1)
            circle(angles, self._sines, self._cosines)
            sine, cosine = ((self._weights * one).sum(1) for one in (self._sines, self._cosines))
            angle = fmath.atan2(sine, cosine)
        else:
            angle = fmath.atan2(seen[:, 1], seen[:, 0])
            moved = (angle - self._angle + np.pi) % (2 * np.pi) - np.pi
            speeds = np.where(self._first, 0.0, moved / self._p["dt"])
            self._angle = angle
        self._first[:] = False
        turn_batch(self._p, self._values, np.stack([angle, speeds], 1), self._torque)
        return self._torque.copy()
