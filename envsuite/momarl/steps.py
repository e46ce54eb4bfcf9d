"""Beginnings and ends of steps, for worlds whose agents all end together."""

import numpy as np

from envsuite.core.jit import kernel
from envsuite.core.world import out_of_time


@kernel
def clear(rewards, terminated, truncated):
    """No rewards and no ends, for one instance.

    Args:
        rewards: (a, k).
        terminated: (a,) bool.
        truncated: (a,) bool.
    """
    for i in range(rewards.shape[0]):
        terminated[i] = False
        truncated[i] = False
        for k in range(rewards.shape[1]):
            rewards[i, k] = np.float32(0.0)


@kernel
def close(s, finished, late, horizon, terminated, truncated):
    """Write the flags of one instance, and whether its episode is over.

    Args:
        s: the state record.
        finished: the task has come to its end.
        late: the task's own time is up, which is no end of the task.
        horizon: length limit of the front end, 0 for none.
        terminated: (a,) bool.
        truncated: (a,) bool.
    """
    cut = late or out_of_time(s.clock, horizon)
    for i in range(terminated.shape[0]):
        terminated[i] = finished
        truncated[i] = cut
    s.clock.over = np.uint8(finished or cut)
