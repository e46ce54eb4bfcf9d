"""Who plays the arm's tasks for reference."""

import numpy as np

from envsuite.core import kernel
from envsuite.core.companions import Players
from envsuite.manipulation.panda.params import FLIP
from envsuite.manipulation.panda.plans import plan

AHEAD = 0.012
"""Time for which the hand goes on as it moves, s, before it does as it is told."""


@kernel
def act_many(task, grips, stride, observations, actions):
    """Write the actions of a task's player for several instances.

    Args:
        task: its number.
        grips: whether the fingers are told what to do.
        stride: of the hand at a full action, m.
        observations: float64 (n, size).
        actions: float32 (n, 3 or 4), written.
    """
    for i in range(observations.shape[0]):
        o = observations[i]
        place, most, grip = plan(task, o)
        for k in range(3):
            actions[i, k] = np.float32(min(max((place[k] - o[k] - AHEAD * o[3 + k]) / stride, -most), most))
        if grips:
            actions[i, 3] = np.float32(grip)


class Script:
    """The player of a task; it remembers nothing.

    Args:
        world: `envsuite.manipulation.panda.world.PandaWorld` whose hand is moved.

    Raises:
        ValueError: actions turn the joints; or the task is Flip, which has no player.
    """

    def __init__(self, world):
        p = world.params[0]
        if p["by_joints"]:
            raise ValueError("control is 'joints', expected 'ee' for the scripted player")
        if p["task"] == FLIP:
            raise ValueError("task is 'flip', which has no scripted player")
        self._task, self._grips, self._stride = int(p["task"]), bool(p["grips"]), float(p["stride"])

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, float32 (n, 3), or (n, 4) with the fingers'."""
        actions = np.zeros((len(observations), 4 if self._grips else 3), np.float32)
        act_many(self._task, self._grips, self._stride, np.array(observations, np.float64), actions)
        return actions


class PandaPlayers(Players):
    """Scripted players, which move the hand."""

    def expert(self) -> Script:
        """The player of the task.

        Raises:
            ValueError: actions turn the joints; or the task is Flip, which has no player.
        """
        return Script(self.world)
