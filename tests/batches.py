"""Batches as tests play them."""

from typing import Any

import numpy as np

from envsuite.core.batch import Batch, Output
from envsuite.core.world import World


def begun(world: World, slots: int = 1, seed: int = 0) -> Batch:
    """A batch at the start of its episodes."""
    batch = Batch(world, slots, num_threads=1)
    batch.seed(range(seed, seed + slots))
    batch.reset()
    return batch


def played(batch: Batch, *rows: Any) -> Output:
    """The output of the last of some steps; each row holds an action, or all agents', the same for all slots."""
    for row in rows:
        given = np.asarray(row, batch.world.action.dtype)
        output = batch.step(np.ascontiguousarray(np.broadcast_to(given, (batch.num_envs, *given.shape))))
    return output
