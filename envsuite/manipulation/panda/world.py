"""panda-gym's tasks (Gallouédec et al. 2021) as a world."""

from typing import Literal

import numpy as np

from envsuite.core import batch_loops
from envsuite.manipulation.panda.goals import distances
from envsuite.manipulation.panda.kernel import step
from envsuite.manipulation.panda.params import FLIP, PICK_AND_PLACE, REACH, SLIDE, STACK, TASKS, Params, TaskName
from envsuite.manipulation.panda.scenes import CUBE, JOINTS, NEUTRAL, PUCK, SUBSTEPS, scene
from envsuite.manipulation.panda.senses import measure, observe
from envsuite.manipulation.panda.starts import ABOVE, reset
from envsuite.manipulation.panda.state import Info, Room, State, achieved_at, action_of, observation_of
from envsuite.rigid.layout import CLASSES
from envsuite.rigid.world import BodiesWorld

_CUBE = (("cube", 1.0),)
SCENES = (
    scene("reach", ()),
    scene("push", _CUBE),
    scene("slide", (("puck", 1.0),), table=(-0.1, 1.4)),
    scene("pick-and-place", _CUBE),
    scene("stack", (("cube", 2.0), ("cube", 1.0))),
    scene("flip", _CUBE),
)
"""By number of the task; masses in kg (panda-gym 3.0.7)."""

RADII = (0.05, 0.05, 0.05, 0.05, 0.1, 0.2)
"""Distances below which goals are met, m; of Flip a pure number (panda-gym 3.0.7)."""

SIZES = ("medium", "medium", "medium-rims", "medium", "large", "medium")
"""Size classes by number of the task."""

_LOOPS = {
    size: batch_loops(reset, step, observe, measure=measure, work=Room.dtype(np.float64, **CLASSES[size].sizes))
    for size in dict.fromkeys(SIZES)
}


class PandaWorld(BodiesWorld):
    """A Panda arm on a table, with a goal.

    Args:
        task: its name.
        reward: ``"sparse"``, 0 where the goal is met and -1 elsewhere; ``"dense"``, minus the distance from it.
        control: ``"ee"`` moves the hand, which points down; ``"joints"`` turns the seven joints.
        compat: ``"panda-gym"`` keeps what is wrong in the original's episodes (see README.md); None for mended ones.
    """

    info_dtype = Info.dtype()

    def __init__(
        self,
        *,
        task: TaskName = "reach",
        reward: Literal["sparse", "dense"] = "sparse",
        control: Literal["ee", "joints"] = "ee",
        compat: Literal["panda-gym"] | None = None,
    ):
        number = TASKS.index(task)
        self.task, self.size = task, SIZES[number]
        self.loops = _LOOPS[self.size]
        grips = number in (PICK_AND_PLACE, STACK, FLIP)
        things = 0 if number == REACH else 2 if number == STACK else 1
        height = CUBE if number != SLIDE else PUCK[1] if compat is None else ABOVE
        low, high = _goals(number, height)
        self.set_up(
            SCENES[number],
            Params,
            State,
            frame_skip=SUBSTEPS,
            task=number,
            things=things,
            grips=grips,
            by_joints=control == "joints",
            dense=reward == "dense",
            original=compat is not None,
            radius=RADII[number],
            goal_low=low,
            goal_high=high,
            lying=0.3,
            height=height,
        )
        self.params[0]["start"]["qpos"][:JOINTS] = NEUTRAL
        self.observation = observation_of(number, things, grips)
        self.action = action_of(grips, control == "joints")

    @property
    def goal_parts(self) -> dict[str, slice]:
        """Where the parts of a dictionary stand, see `envsuite.core.goals`; for `achieved_goal` see `achieved`."""
        where = self._achieved_at()
        size = self.observation.shape[0]
        return {
            "observation": slice(0, size - len(where)),
            "achieved_goal": slice(where[0], where[0] + len(where)),
            "desired_goal": slice(size - len(where), size),
        }

    def _achieved_at(self) -> tuple[int, ...]:
        p = self.params[0]
        return achieved_at(int(p["task"]), bool(p["grips"]))

    def achieved(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """What is achieved: places (..., 3), of Stack (..., 6), m; of Flip a quaternion (..., 4).

        Args:
            observations: (..., n).
            states: not used.
        """
        return observations[..., self._achieved_at()]

    def compute_reward(self, achieved_goal, desired_goal, info=None) -> np.ndarray:
        """Rewards of what is achieved for goals, those of a step to the last bit.

        Args:
            achieved_goal: (..., k), see `achieved`.
            desired_goal: likewise.
            info: not used.

        Returns:
            float64 (...).

        Raises:
            ValueError: arrays whose last axis is not of length k.
        """
        p = self.params[0]
        found = distances(achieved_goal, desired_goal, int(p["task"]))
        return -found if p["dense"] else np.where(found > p["radius"], -1.0, 0.0)


def _goals(number: int, height: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Least and greatest goal of a task, m (panda-gym 3.0.7); of Flip, whose goal is a turn, zeros."""
    wide, ahead = 0.15, 0.4 if number == SLIDE else 0.0
    if number == FLIP:
        return (0, 0, 0), (0, 0, 0)
    low, high = (0.0, 0.3) if number == REACH else (height, height)
    if number == PICK_AND_PLACE:
        high += 0.2
    return (ahead - wide, -wide, low), (ahead + wide, wide, high)
