"""Balances the pole from what is seen: a Kalman filter of the linear equations, and a linear rule for the push."""

import numpy as np

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
    weights, cost = np.diag([0.01, 0.01, 10.0, 0.1]), 0.01
    value = weights
    for _ in range(2000):
        gain = (b @ value @ a) / (cost + b @ value @ b)
        value = weights + a.T @ value @ (a - np.outer(b, gain))
    return -gain


def gains(p: np.void, seen: tuple[int, int], first: tuple[int, int], steps: int, start: float) -> np.ndarray:
    """What the filter adds to its guess for each number that comes out other than expected.

    Args:
        p: parameters of the world.
        seen: indices of the numbers that are observed.
        first: the same for the first observation.
        steps: observations.
        start: first numbers are uniform within this.

    Returns:
        (steps, 4, 2).
    """
    a, _ = linear(p)
    noise = np.eye(2) * (float(p["noise"]) ** 2 + STILL)
    spread, found = np.eye(4) * start**2 / 3, np.zeros((steps, 4, 2))
    for t in range(steps):
        c = np.eye(4)[list(seen if t else first)]
        found[t] = spread @ c.T @ np.linalg.inv(c @ spread @ c.T + noise)
        spread = (np.eye(4) - found[t] @ c) @ spread
        spread = a @ spread @ a.T + RATE * np.eye(4)
    return found


def moved(p: np.void, s: np.ndarray, force: np.ndarray) -> np.ndarray:
    """States (n, 4) after one step, by the full equations.

    Args:
        p: parameters of the world.
        s: (n, 4).
        force: (n,) N.
    """
    x, speed, angle, spin = s.T
    mass, moment = p["cart"] + p["pole"], p["pole"] * p["half"]
    push = (force + moment * spin**2 * np.sin(angle)) / mass
    inertia = p["half"] * (4 / 3 - p["pole"] * np.cos(angle) ** 2 / mass)
    turn = (p["gravity"] * np.sin(angle) - np.cos(angle) * push) / inertia
    pull = push - moment * turn * np.cos(angle) / mass
    return np.stack([x + p["dt"] * speed, speed + p["dt"] * pull, angle + p["dt"] * spin, spin + p["dt"] * turn], 1)


class Balancer:
    """Guesses positions and velocities from observations and its own pushes alone.

    Args:
        world: a `envsuite.memory.popgym.cartpole.CartPoleWorld`.
        start: first numbers are uniform within this.
    """

    def __init__(self, world, start: float):
        self._p, p = world.params[0], world.params[0]
        seen, first = ((1, 3) if p["moving"] else (0, 2)), ((1, 3) if p["opening"] else (0, 2))
        self._seen, self._first = list(seen), list(first)
        self._gains, self._rule = gains(p, seen, first, world.steps + 1, start), rule(p)
        self._guess, self._pushed, self._time = np.zeros((0, 4)), np.zeros(0), np.zeros(0, np.int64)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Forget."""
        if len(self._time) != len(mask):
            self._guess, self._pushed = np.zeros((len(mask), 4)), np.zeros(len(mask))
            self._time = np.zeros(len(mask), np.int64)
        self._guess[mask], self._time[mask] = 0.0, 0

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The push, (n,)."""
        later = self._time > 0
        self._guess[later] = moved(self._p, self._guess[later], self._pushed[later])
        expected = np.where(later[:, None], self._guess[:, self._seen], self._guess[:, self._first])
        gain = self._gains[np.minimum(self._time, len(self._gains) - 1)]
        self._guess += np.einsum("nij,nj->ni", gain, observations[:, :2] - expected)
        actions = (self._guess @ self._rule > 0).astype(np.int64)
        self._pushed = np.where(actions == 1, self._p["force"], -self._p["force"])
        self._time += 1
        return actions
