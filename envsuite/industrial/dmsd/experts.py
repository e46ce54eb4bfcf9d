"""Players of the two masses: feed-forward with the quickest way to the target, and PID controllers."""

from collections.abc import Sequence

import numpy as np

from envsuite.core import kernel
from envsuite.core.jit import records
from envsuite.industrial.dmsd.world import inner_force, target
from envsuite.industrial.experts import PlantPlayers


@kernel
def pace(gap, decline, dt):
    """The greatest velocity, m/s, at a distance from the target from which one can still stop at it.

    Args:
        gap: m, signed.
        decline: m/s, by which each step can lower the velocity.
        dt: s, a step.
    """
    size = abs(gap) / dt
    steps = 1.0
    # after k steps of slowing down the way is k v - k (k - 1) / 2 declines
    while size > 0.5 * steps * (steps + 1.0) * decline and steps < 1000.0:
        steps += 1.0
    fast = size / steps + 0.5 * (steps - 1.0) * decline
    return fast if gap > 0.0 else -fast


@kernel
def steer(states, params, share, actions):
    """Write the actions of all instances.

    Args:
        states: (n,) records.
        params: (1,) record.
        share: of the force that springs leave, with which it counts on slowing down.
        actions: float32 (n, 2), written.
    """
    p = params[0]
    for k in range(states.shape[0]):
        s = states[k]
        for i in range(2):
            goal, other = target(s, i), target(s, 1 - i)
            held = abs(p.stiffness * (2.0 * goal - other))
            decline = max(share * (p.force - held), 0.05 * p.force) * p.dt / p.mass
            wanted = pace(goal - (s.x[i] + p.dt * s.v[i]), decline, p.dt)
            push = p.mass * (wanted - s.v[i]) / p.dt - inner_force(s, p, i)
            actions[k, i] = min(max(push / p.force, -1.0), 1.0)


class FeedForward:
    """Knows masses, springs and dampers, takes their forces into account, and slows down in time.

    Args:
        params: parameter record of the world, (1,).
        share: of the force that springs at rest leave, with which it counts on slowing down; more than 1, since
            dampers help (of 1.0 to 2.0 it scored best).
    """

    def __init__(self, params: np.ndarray, share: float = 1.3):
        self._params, self._share = params, share

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, float32 (n, 2)."""
        actions = np.zeros((len(states), 2), np.float32)
        steer(states, records(self._params), self._share, actions)
        return actions


class PID:
    """Two PID controllers, one a mass.

    Args:
        p: proportional gains, action a metre.
        i: integral gains, action a metre and second.
        d: derivative gains, action a metre and per second.
        dt: s, a step.
    """

    def __init__(self, p: Sequence[float], i: Sequence[float], d: Sequence[float], dt: float):
        self._p, self._i, self._d, self._dt = np.array(p), np.array(i), np.array(d), dt
        self._sum = self._before = np.zeros((0, 2))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Forget sums and last errors; the error before the first is taken for 0, as in the original."""
        if len(self._sum) != len(mask):
            self._sum, self._before = np.zeros((len(mask), 2)), np.zeros((len(mask), 2))
        self._sum[mask] = self._before[mask] = 0.0

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, float32 (n, 2)."""
        seen = observations.astype(np.float64)
        error = seen[:, 4:6] - seen[:, :2]
        self._sum += self._dt * error
        slope = (error - self._before) / self._dt
        self._before = error
        return np.clip(self._p * error + self._i * self._sum + self._d * slope, -1.0, 1.0).astype(np.float32)


_GAINS = {
    "pid": ((4.604382, 1.522097), (0.751080, 0.810271), (4.977206, 2.827866)),
    "pid-validation": ((3.641579, 3.604074), (0.0, 0.0), (4.024896, 3.921175)),
}
"""Proportional, integral and derivative gains of both masses with which NeoRL-2's data were collected."""


class DMSDPlayers(PlantPlayers):
    """The controller that knows the masses, and those of NeoRL-2's data."""

    collectors = _GAINS

    def expert(self):
        """Feed-forward, which knows the true constants."""
        return FeedForward(self.world.params)

    def make(self, numbers):
        """A PID controller."""
        return PID(*numbers, dt=float(self.world.params[0]["dt"]))
