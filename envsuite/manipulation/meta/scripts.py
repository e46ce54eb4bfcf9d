"""The scripted players: the original's policies (metaworld 3.1.1, `metaworld/policies`) as one kernel."""

import numpy as np

from envsuite.core import kernel
from envsuite.manipulation.meta.choosing import one_of
from envsuite.manipulation.meta.finish import Ending, finish
from envsuite.manipulation.meta.state import GOAL
from envsuite.manipulation.meta.tasks import TASKS

plan = one_of("meta_plan", [task.player for task in TASKS.values()])
"""Kernel (task, observation) that returns a gain, a place and the action of the fingers."""


@kernel
def act(task, ending, observation, action):
    """Write a player's action, as the environment clips it.

    Args:
        task: its number.
        ending: record of type `envsuite.manipulation.meta.finish.Finish`.
        observation: (39,), goal included.
        action: (4,), written.
    """
    gain, place, grip = plan(task, observation)
    gain, place, grip = finish(ending, observation, gain, place, grip)
    for k in range(3):
        action[k] = np.float32(min(max(gain * (place[k] - observation[k]), -1.0), 1.0))
    action[3] = np.float32(min(max(grip, -1.0), 1.0))


@kernel
def act_many(task, endings, observations, actions):
    """`act` for several instances of a task."""
    for i in range(observations.shape[0]):
        act(task, endings[0], observations[i], actions[i])


class Script:
    """The player of a task; it remembers nothing, and knows the goal where it is not observed.

    Args:
        task: its number.
        ending: what it does differently from the original's player.
    """

    def __init__(self, task: int, ending: Ending):
        self._task, self._endings = task, ending.records()

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, float32 (n, 4)."""
        told = np.array(observations, np.float64)
        told[:, GOAL] = states["look"]["goal"]
        actions = np.zeros((len(told), 4), np.float32)
        act_many(self._task, self._endings, told, actions)
        return actions
