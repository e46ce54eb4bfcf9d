"""What the tests of this family share."""

import numpy as np

from envsuite.core.batch import Batch
from envsuite.core.world import World

from ..batches import begun


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
