"""Actions that take effect some control steps after they are chosen."""

from envsuite.core.jit import kernel

LONGEST = 3
"""Most control steps of delay."""


@kernel
def forget(ring):
    """Fill a ring of past actions, float32 (LONGEST + 1, 4), with zeros."""
    for i in range(ring.shape[0]):
        for k in range(4):
            ring[i, k] = 0.0


@kernel
def push(ring, action):
    """Put an action of up to four numbers in front; the oldest goes."""
    for i in range(ring.shape[0] - 1, 0, -1):
        for k in range(4):
            ring[i, k] = ring[i - 1, k]
    for k in range(action.shape[0]):
        ring[0, k] = action[k]
