"""Who plays the arm's tasks for reference."""

import numpy as np

from envsuite.core import Record, field, kernel
from envsuite.core.companions import Players
from envsuite.core.jit import records
from envsuite.manipulation.panda.arm import AHEAD as HEADING
from envsuite.manipulation.panda.arm import aim
from envsuite.manipulation.panda.params import FLIP
from envsuite.manipulation.panda.plans import plan
from envsuite.manipulation.panda.scenes import ARM, JOINTS
from envsuite.manipulation.panda.state import Chain

AHEAD = 0.012
"""Time for which the hand goes on as it moves, s, before it does as it is told."""

HAND = 0.05
"""Way of the hand that is aimed at by turning joints, m: as that of a full action where the hand is moved."""


class _Search(Record):
    """Room to look for joints."""

    chain = field(type=Chain)
    wanted = field(shape=JOINTS, meaning="joints that are looked for, rad")


@kernel
def _way(task, o, stride):
    """How a task's player moves the hand, in strides of it along each axis, and what it does with the fingers."""
    place, most, grip = plan(task, o)
    x = min(max((place[0] - o[0] - AHEAD * o[3]) / stride, -most), most)
    y = min(max((place[1] - o[1] - AHEAD * o[4]) / stride, -most), most)
    z = min(max((place[2] - o[2] - AHEAD * o[5]) / stride, -most), most)
    return x, y, z, grip


@kernel
def move_hands(task, grips, stride, observations, actions):
    """Write the actions of a task's player for several instances whose hand is moved.

    Args:
        task: its number.
        grips: whether the fingers are told what to do.
        stride: of the hand at a full action, m.
        observations: float64 (n, size).
        actions: float32 (n, 3 or 4), written.
    """
    for i in range(observations.shape[0]):
        x, y, z, grip = _way(task, observations[i], stride)
        actions[i, 0], actions[i, 1], actions[i, 2] = np.float32(x), np.float32(y), np.float32(z)
        if grips:
            actions[i, 3] = np.float32(grip)


@kernel
def turn_arms(task, grips, stride, searches, states, observations, actions):
    """Write the actions of a task's player for several instances whose joints are turned: those that move the hand.

    Args:
        task: its number.
        grips: whether the fingers are told what to do.
        stride: of a joint at a full action, rad.
        searches: one record to look for joints in, written.
        states: of the instances.
        observations: float64 (n, size).
        actions: float32 (n, 7 or 8), written.
    """
    wanted = searches[0].wanted
    for i in range(observations.shape[0]):
        o, qpos = observations[i], states[i].body.qpos
        x, y, z, grip = _way(task, o, HAND)
        place = o[0] + HAND * x, o[1] + HAND * y, max(o[2] + HAND * z, 0.0)
        aim(searches[0].chain, qpos, place, HEADING, wanted)
        most = stride
        for j in range(ARM):
            most = max(most, abs(wanted[j] - qpos[j]))
        for j in range(ARM):
            actions[i, j] = np.float32((wanted[j] - qpos[j]) / most)
        if grips:
            actions[i, ARM] = np.float32(grip)


class Script:
    """The player of a task; it remembers nothing.

    Args:
        world: `envsuite.manipulation.panda.world.PandaWorld`.

    Raises:
        ValueError: the task is Flip, which has no player.
    """

    def __init__(self, world):
        p = world.params[0]
        if p["task"] == FLIP:
            raise ValueError("task is 'flip', which has no scripted player")
        self._task, self._grips, self._stride = int(p["task"]), bool(p["grips"]), float(p["stride"])
        self._search = records(np.zeros(1, _Search.dtype())) if p["by_joints"] else None
        self._size = world.action.shape[0]

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, float32 (n, A). Where joints are turned it reads their angles from the states."""
        actions = np.zeros((len(observations), self._size), np.float32)
        seen = np.array(observations, np.float64)
        if self._search is None:
            move_hands(self._task, self._grips, self._stride, seen, actions)
        else:
            turn_arms(self._task, self._grips, self._stride, self._search, records(states), seen, actions)
        return actions


class PandaPlayers(Players):
    """Scripted players, which move the hand or turn the joints."""

    def expert(self) -> Script:
        """The player of the task.

        Raises:
            ValueError: the task is Flip, which has no player.
        """
        return Script(self.world)
