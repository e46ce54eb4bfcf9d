"""Balances the pole from what is seen: a Kalman filter of the linear equations, and a linear rule for the push."""

import numpy as np

from envsuite.core import kernel
from envsuite.core.jit import records
from envsuite.core.matrices import product
from envsuite.memory.popgym.cartpole import START, move

RATE = 1e-8
"""Variance that a step adds to each number in the filter's eyes: for what the linear equations leave out."""
STILL = 1e-8
"""Variance that the filter assumes of observations without noise."""


def linear(p: np.void) -> tuple[np.ndarray, np.ndarray]:
    """The equations near upright: the next state is A s + B force, s being (x, x', theta, theta').

    Args:
        p: parameters of the world.

    Returns:
        A (4, 4) and B (4,).
    """
    mass, moment = p["cart"] + p["pole"], p["pole"] * p["half"]
    inertia = p["half"] * (4 / 3 - p["pole"] / mass)
    a, b = np.zeros((4, 4)), np.zeros(4)
    a[0, 1] = a[2, 3] = 1.0
    a[3, 2], b[3] = p["gravity"] / inertia, -1 / mass / inertia
    a[1, 2], b[1] = -moment * a[3, 2] / mass, (1 - moment * b[3]) / mass
    return np.eye(4) + p["dt"] * a, p["dt"] * b


def rule(p: np.void) -> np.ndarray:
    """Gains (4,) of the linear-quadratic regulator, whose sign decides the push.

    Args:
        p: parameters of the world.
    """
    a, b = linear(p)
    column = b[:, np.newaxis]
    weights, cost = np.diag([0.01, 0.01, 10.0, 0.1]), 0.01
    value = weights
    for _ in range(2000):
        back = product(column.T, value)
        gain = product(back, a) / (cost + product(back, column))
        value = weights + product(product(a.T, value), a - column * gain)
    return -gain[0]


def inverse(matrix: np.ndarray) -> np.ndarray:
    """Of 2 x 2 numbers."""
    (a, b), (c, d) = matrix
    return np.array([[d, -b], [-c, a]]) / (a * d - b * c)


def gains(p: np.void, seen: tuple[int, int], first: tuple[int, int], steps: int) -> np.ndarray:
    """What the filter adds to its guess for each number that comes out other than expected.

    Args:
        p: parameters of the world.
        seen: indices of the numbers that are observed.
        first: the same for the first observation.
        steps: observations.

    Returns:
        (steps, 4, 2).
    """
    a, _ = linear(p)
    noise = np.eye(2) * (float(p["noise"]) ** 2 + STILL)
    spread, found = np.eye(4) * START**2 / 3, np.zeros((steps, 4, 2))  # first numbers are uniform
    for t in range(steps):
        c = np.eye(4)[list(seen if t else first)]
        seen_with = product(spread, c.T)
        found[t] = product(seen_with, inverse(product(c, seen_with) + noise))
        spread = product(np.eye(4) - product(found[t], c), spread)
        spread = product(product(a, spread), a.T) + RATE * np.eye(4)
    return found


GUESS = np.dtype([("x", np.float64), ("x_dot", np.float64), ("theta", np.float64), ("theta_dot", np.float64)])


@kernel
def balance(guess, params, pushed, time, added, rule, observations, actions):
    """Where all should be after the last push, corrected by what is seen; then the push that the rule wants.

    Args:
        guess: (n,) of type `GUESS`, written.
        params: (1,) parameters of the world.
        pushed: (n,) the last force, N, written.
        time: (n,) observations so far, written.
        added: (steps, 4, 2), see `gains`.
        rule: (4,), see `rule`.
        observations: (n, 2 or more).
        actions: (n,), written.
    """
    p = params[0]
    for i in range(guess.shape[0]):
        g, now = guess[i], added[min(time[i], added.shape[0] - 1)]
        if time[i] > 0:
            move(g, p, pushed[i])
        speeds = p.moving != 0 if time[i] > 0 else p.opening != 0
        across = observations[i, 0] - (g.x_dot if speeds else g.x)
        around = observations[i, 1] - (g.theta_dot if speeds else g.theta)
        g.x += now[0, 0] * across + now[0, 1] * around
        g.x_dot += now[1, 0] * across + now[1, 1] * around
        g.theta += now[2, 0] * across + now[2, 1] * around
        g.theta_dot += now[3, 0] * across + now[3, 1] * around
        push = rule[0] * g.x + rule[1] * g.x_dot + rule[2] * g.theta + rule[3] * g.theta_dot > 0
        actions[i], pushed[i] = push, p.force if push else -p.force
        time[i] += 1


class Balancer:
    """Guesses positions and velocities from observations and its own pushes alone.

    Args:
        world: a `envsuite.memory.popgym.cartpole.CartPoleWorld`.
    """

    def __init__(self, world):
        self._params, p = records(world.params), world.params[0]
        seen, first = ((1, 3) if p["moving"] else (0, 2)), ((1, 3) if p["opening"] else (0, 2))
        self._gains, self._rule = gains(p, seen, first, world.steps + 1), rule(p)
        self._guess, self._pushed, self._time = records(np.zeros(0, GUESS)), np.zeros(0), np.zeros(0, np.int64)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Forget."""
        if len(self._time) != len(mask):
            self._guess, self._pushed = records(np.zeros(len(mask), GUESS)), np.zeros(len(mask))
            self._time = np.zeros(len(mask), np.int64)
        self._guess[mask], self._time[mask] = np.zeros((), GUESS), 0

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The push, (n,)."""
        actions = np.zeros(len(self._time), np.int64)
        balance(self._guess, self._params, self._pushed, self._time, self._gains, self._rule, observations, actions)
        return actions
