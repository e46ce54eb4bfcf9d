"""Playing at random, but only what is allowed."""

from itertools import pairwise

import numpy as np

from envsuite.core.batch import Batch
from envsuite.tower_defense.kernel import BulwarkWorld

# first commands of the kinds in the site encoding: wait, build, upgrade, sell, rally, reinforce, hero, blaze, health
EDGES = np.array([0, 1, 49, 65, 81, 209, 249, 313, 314, 315])
WEIGHTS = np.array([4, 6, 3, 0.3, 1, 2, 2, 1, 0.3])


def pick(mask: np.ndarray, rng: np.random.Generator) -> int:
    """An allowed command: first its kind, then which."""
    options = [np.flatnonzero(mask[a:b]) + a for a, b in pairwise(EDGES)]
    weights = WEIGHTS * [len(some) > 0 for some in options]
    return int(rng.choice(options[rng.choice(len(options), p=weights / weights.sum())]))


def batch_of(n: int, first: int = 0, **options) -> Batch:
    """A batch that has just been reset."""
    batch = Batch(BulwarkWorld(**options), n, num_threads=1)
    batch.seed(range(first, first + n))
    batch.reset()
    return batch


def randomly(batch: Batch, decisions: int, rng: np.random.Generator):
    """Play on at random, and yield the output of every decision and the actions that led to it."""
    for _ in range(decisions):
        actions = np.array([pick(mask, rng) for mask in batch.last.info["action_mask"]])
        yield actions, batch.step(actions, batch.done)
