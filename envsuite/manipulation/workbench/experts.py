"""Who plays the workbench's tasks for reference."""

import numpy as np

from envsuite.core import kernel
from envsuite.core.companions import Players
from envsuite.manipulation.panda.experts import AHEAD
from envsuite.manipulation.workbench.params import WIPE
from envsuite.manipulation.workbench.plans import plan


@kernel
def act_many(p, observations, actions):
    """Write the actions of a task's player for several instances.

    Args:
        p: record of the world's constants.
        observations: float64 (n, size).
        actions: float32 (n, 4 or 5), written.
    """
    for i in range(observations.shape[0]):
        o = observations[i]
        place, most, turn, grip = plan(p.task, o, p.opened, p.side, p.marks, p.force)
        for k in range(3):
            actions[i, k] = np.float32(min(max((place[k] - o[k] - AHEAD * o[3 + k]) / p.stride, -most), most))
        actions[i, 3] = np.float32(min(max(turn / p.twist, -1.0), 1.0))
        if p.task != WIPE:
            actions[i, 4] = np.float32(grip)


class Script:
    """The player of a task; it remembers nothing.

    Args:
        world: `envsuite.manipulation.workbench.world.WorkbenchWorld` whose hand is moved.

    Raises:
        ValueError: actions turn the joints.
    """

    def __init__(self, world):
        if world.params[0]["by_joints"]:
            raise ValueError("control is 'joints', expected 'ee' for the scripted player")
        self._world = world

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, float32 (n, 5); of wiping (n, 4)."""
        actions = np.zeros((len(observations), self._world.action.shape[0]), np.float32)
        act_many(self._world.params[0], np.array(observations, np.float64), actions)
        return actions


class WorkbenchPlayers(Players):
    """Scripted players, which move the hand."""

    def expert(self) -> Script:
        """The player of the task.

        Raises:
            ValueError: actions turn the joints.
        """
        return Script(self.world)
