"""What the tests of this family share."""

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
    """The output of the last of some steps; each row holds the agents' actions, the same for all slots."""
    for row in rows:
        given = np.asarray(row, batch.world.action.dtype)
        output = batch.step(np.ascontiguousarray(np.broadcast_to(given, (batch.num_envs, *given.shape))))
    return output


def legal_paths(world: World, depth: int) -> list[int]:
    """How many sequences of 1, 2, ... legal moves there are in a game of turns; ended games are not continued."""
    first, counts = begun(world), []
    states, masks = first.states, first.last.info["action_mask"]
    for _ in range(depth):
        origin, moves = np.nonzero(masks[np.arange(len(states)), states["current_player"]])
        batch = Batch(world, len(moves), num_threads=1)
        batch.states[:] = states[origin]
        counts.append(len(moves))
        output = batch.step(np.repeat(moves[:, np.newaxis], 2, axis=1))
        going = ~output.terminated[:, 0]
        states, masks = batch.states[going], output.info["action_mask"][going]
    return counts
