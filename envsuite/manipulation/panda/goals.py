"""Goals: how far an episode is from its own, and rewards of other places for other goals."""

import numpy as np

from envsuite.core import kernel
from envsuite.core.fmath import sqrt
from envsuite.core.goals import places
from envsuite.manipulation.panda.params import FLIP, REACH, STACK


@kernel
def _at(s, p, k):
    """A number of what is achieved, as it is observed."""
    sight = s.sight
    if p.task == REACH:
        return np.float64(np.float32(sight.hand[k]))
    if p.task == FLIP:
        return np.float64(np.float32(sight.turn[0, k]))
    return np.float64(np.float32(sight.place[k // 3, k % 3]))


@kernel
def judge(s, p):
    """How far an instance is from its goal, and whether that is near enough; in the precision of observations."""
    total = 0.0
    if p.task == FLIP:
        for k in range(4):
            total += _at(s, p, k) * np.float64(s.goal[k])
        total = 1.0 - total * total
    else:
        for k in range(6 if p.task == STACK else 3):
            way = _at(s, p, k) - np.float64(s.goal[k])
            total += way * way
        total = sqrt(total)
    return total, total < p.radius


@kernel
def pay(s, p):
    """The reward."""
    distance = judge(s, p)[0]
    if p.dense != 0:
        return -distance
    return -1.0 if distance > p.radius else 0.0


def distances(achieved, desired, task: int) -> np.ndarray:
    """How far goals are from what is achieved, as `judge` has it, to the last bit.

    Args:
        achieved: m, (..., k); of Flip quaternions (x, y, z, w).
        desired: likewise.
        task: number of the task, which says k: 4 for Flip, 6 for Stack, 3 for others.

    Returns:
        float64 (...), m; of Flip 1 - (q . g)^2.

    Raises:
        ValueError: arrays whose last axis is not of length k.
    """
    achieved, desired = places(achieved, desired, 4 if task == FLIP else 6 if task == STACK else 3)
    total = np.zeros(np.broadcast_shapes(achieved.shape, desired.shape)[:-1])
    for a, g in zip(np.moveaxis(achieved, -1, 0), np.moveaxis(desired, -1, 0), strict=True):
        total = total + (a * g if task == FLIP else (a - g) * (a - g))
    return 1.0 - total * total if task == FLIP else np.sqrt(total)
