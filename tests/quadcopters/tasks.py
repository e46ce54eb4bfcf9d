"""What the tests of the tasks share."""

import numpy as np
from scipy.spatial.transform import Rotation

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.companions import Players, companion
from envsuite.core.world import make_world


def started(name, count=50, seed=0, **options) -> Batch:
    """Instances of a task after their first reset."""
    card = envsuite.card(name)
    batch = Batch(
        make_world(card.world, **{**card.options, **options}), count, num_threads=1, horizon=card.horizon or 0
    )
    batch.seed(range(seed, seed + count))
    batch.reset()
    return batch


def rotations(craft) -> np.ndarray:
    """Rotation matrices of attitudes."""
    w, x, y, z = np.moveaxis(craft["attitude"].astype(np.float64), -1, 0)
    return Rotation.from_quat(np.stack([x, y, z, w], axis=-1)).as_matrix()


def fly_expert(batch, steps, watch=lambda batch, output: None):
    """Let the expert fly; `watch` is called after each step, and the episodes that ended begin anew."""
    policy, over = companion(batch.world, Players).expert(), np.zeros(len(batch.states), bool)
    output = batch.last
    for _ in range(steps):
        output = batch.step(policy.act(output.observations, batch.states), over)
        watch(batch, output)
        over = batch.done.copy()
    return output
