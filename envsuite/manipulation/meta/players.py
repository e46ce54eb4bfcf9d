"""The fifty scripted players as one kernel."""

import numpy as np

from envsuite.core import kernel
from envsuite.manipulation.meta.choosing import one_of
from envsuite.manipulation.meta.tasks import TASKS

plan = one_of("meta_plan", [task.player for task in TASKS.values()])
"""Kernel (task, observation) that returns a gain, a place and the action of the fingers."""


@kernel
def act(task, observation, action):
    """Write a player's action, as the environment clips it.

    Args:
        task: its number.
        observation: (39,).
        action: (4,), written.
    """
    gain, place, grip = plan(task, observation)
    for k in range(3):
        action[k] = np.float32(min(max(gain * (place[k] - observation[k]), -1.0), 1.0))
    action[3] = np.float32(min(max(grip, -1.0), 1.0))


@kernel
def act_many(task, observations, actions):
    """`act` for several instances of a task."""
    for i in range(observations.shape[0]):
        act(task, observations[i], actions[i])
