"""The clock of an episode, which every state record holds."""

import numpy as np

from envsuite.core.jit import kernel

CLOCK = np.dtype([("step", np.uint32), ("done", np.uint8)], align=True)
"""Steps taken in this episode, and whether it has ended. Every state record has a field ``clock`` of this type."""


@kernel
def begin_episode(clock, stream):
    """Start the clock and move the random streams to the next episode.

    Args:
        clock: record of type `CLOCK`.
        stream: record of type `envsuite.core.rng.STREAM`.
    """
    clock.step = np.uint32(0)
    clock.done = np.uint8(0)
    stream.episode += np.uint32(1)
    for purpose in range(4):
        stream.counter[purpose] = np.uint32(0)


@kernel
def tick(clock):
    """Count a step."""
    clock.step += np.uint32(1)


@kernel
def cut(clock):
    """Cut the episode off at the end of this step: the task has no end, its time has."""
    clock.done = np.uint8(1)


@kernel
def out_of_time(clock, horizon):
    """Whether the episode has reached its length limit; a horizon of 0 is no limit."""
    return horizon > 0 and np.int64(clock.step) >= horizon
