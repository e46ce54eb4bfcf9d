"""Tasks of Meta-World, played by their scripted players or with given actions."""

from typing import Any

import numpy as np

from envsuite.core.batch import Batch
from envsuite.core.companions import Players, companion
from envsuite.manipulation.meta.world import MetaWorld

HORIZON = 500


def begun(task: str, count: int = 1, seed: int = 0, **options: Any) -> Batch:
    """Instances of a task at the beginning of an episode."""
    batch = Batch(MetaWorld(task=task, **options), count, num_threads=1, horizon=HORIZON)
    batch.seed(np.arange(seed, seed + count))
    batch.reset()
    return batch


def moved(batch: Batch, action: Any, steps: int) -> np.ndarray:
    """What is observed after some steps with the same action, for all instances or for each."""
    actions = np.ascontiguousarray(np.broadcast_to(np.asarray(action, np.float32), (batch.num_envs, 4)))
    for _ in range(steps):
        batch.step(actions)
    return batch.last.observations


def played(task: str, count: int, steps: int = HORIZON, original: bool = True, **options: Any) -> Batch:
    """After some steps of a scripted player: metaworld's as it is, or the reference."""
    batch = begun(task, count, **options)
    players = companion(batch.world, Players)
    player = players.collector("original") if original else players.expert()
    for _ in range(steps):
        batch.step(player.act(batch.last.observations, batch.states))
    return batch
