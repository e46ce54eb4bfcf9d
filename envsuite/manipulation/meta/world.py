"""Meta-World's fifty tasks (McLean et al. 2025, metaworld 3.1.1) as a world."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import numpy as np

from envsuite.core import Between
from envsuite.core.jit import records
from envsuite.manipulation.meta.kernel import step, step_with_arm
from envsuite.manipulation.meta.original import as_original
from envsuite.manipulation.meta.params import REWARDS, SUBSTEPS, Params, RewardName
from envsuite.manipulation.meta.places import BY_TIPS, RADII, reward_of
from envsuite.manipulation.meta.scenes import sawyer
from envsuite.manipulation.meta.scenes.parts import SIZE
from envsuite.manipulation.meta.senses import measure, measure_varied, observe
from envsuite.manipulation.meta.sheets import sheet_of
from envsuite.manipulation.meta.starts import reset, reset_varied, reset_with_arm
from envsuite.manipulation.meta.state import ACTION, GOAL, OBSERVATION, SIGHT, Info, State, VariedState
from envsuite.manipulation.meta.tasks import NAMES, TASKS, Task
from envsuite.manipulation.meta.variation import TOLD, MetaRandom, draw_variant, sized
from envsuite.manipulation.meta.wordings import COUNT
from envsuite.rigid import Compiled, compile_scene, initial
from envsuite.rigid.sampler import chosen_ranges, with_privileged
from envsuite.rigid.world import BodiesWorld, loops_of

VARIED = loops_of(SIZE, reset_varied, step, observe, measure=measure_varied, draw_level=draw_variant)
WITH_ARM = loops_of(sawyer.SIZE, reset_with_arm, step_with_arm, observe, measure=measure)


def _complete(params: np.void, number: int, task: Task, compiled: Compiled, *, moved: bool = True) -> None:
    """Write what a task asks for.

    Args:
        params: record of `Params` with everything else.
        number: of the task.
        task: the task.
        compiled: its scene.
        moved: whether joints begin where the task has them, rather than after the arm has settled.
    """
    params["sheet"] = sheet_of(task, number, compiled)
    for joint, value in task.starts.items() if moved else ():
        params["start"]["qpos"][compiled.qposadr[joint]] = value


class MetaWorld(BodiesWorld):
    """A task of Meta-World: a hand with two fingers on a table.

    Args:
        task: its name.
        goal_observable: whether the goal is observed; zeros stand in its place otherwise, as in meta-learning suites.
        reward: ``"v2"``, from 0 to 10; ``"v1"``, that of the original's first version, see
            `envsuite.manipulation.meta.early`; ``"sparse"``, 1 in every step of success and else 0. Success stays as
            it is.
        compat: ``"metaworld"`` simulates the original's arm, furniture and starts, with what is wrong there (see
            README.md); None for the mended scenes without the arm.
        dynamics: ``"fixed"``; ``"training"`` draws sizes, masses, friction, damping and the place of the camera in
            every episode; ``"held_out"`` draws them from other ranges.
        ranges: (low, high), or (lowest, low, high, highest), by name, instead of those of `variation.MetaRandom`;
            training draws between low and high, held-out dynamics are beyond them.
        variants: where dynamics vary, how many sizes and cameras there are, of which each episode draws one.
        wording: which of the task's sentences agents are told, from 1; 0 for one that the seed chooses, and the next in
            each further episode.

    Raises:
        ValueError: an unknown range, or one that is none; dynamics that vary with ``compat``.
    """

    size = SIZE
    info_dtype = Info.dtype()
    loops = loops_of(SIZE, reset, step, observe, measure=measure)
    action = ACTION

    def __init__(
        self,
        *,
        task: Literal[NAMES] = "reach",  # ty: ignore[invalid-type-form]
        goal_observable: bool = True,
        reward: RewardName = "v2",
        compat: Literal["metaworld"] | None = None,
        dynamics: Literal["fixed", "training", "held_out"] = "fixed",
        ranges: Mapping[str, Sequence[float]] | None = None,
        variants: Annotated[int, Between(1, 1024)] = 32,
        wording: Annotated[int, Between(0, COUNT)] = 1,
    ):
        if compat and dynamics != "fixed":
            raise ValueError(f"dynamics is {dynamics!r}, expected 'fixed' where compat is {compat!r}")
        self.task, self.wording, chosen = task, wording, TASKS[task]
        if compat == "metaworld":
            chosen, self.size, self.loops = as_original(task), sawyer.SIZE, WITH_ARM
        values: dict[str, Any] = {
            "frame_skip": SUBSTEPS,
            "goal_hidden": not goal_observable,
            "reward": REWARDS.index(reward),
        }
        self.set_up(chosen.scene, Params, State if dynamics == "fixed" else VariedState, **values)
        self.action = ACTION  # of the hand, not of all actuators
        if dynamics == "fixed":
            chosen_ranges(dynamics, ranges, MetaRandom.fields, {})
            _complete(self.params[0], NAMES.index(task), chosen, self.compiled, moved=compat is None)
        else:
            self.loops, self.info_dtype = VARIED, with_privileged(self.info_dtype, len(TOLD))
            made = [
                self._variant(one, variation=record, **values)
                for one, record in sized(task, dynamics, ranges, variants)
            ]
            self.params = records(np.concatenate(made))
        self.observation = OBSERVATION

    def _variant(self, task: Task, **values: Any) -> np.ndarray:
        """The constants of a task of another size."""
        compiled = compile_scene(task.scene, size=SIZE)
        made = Params.make(sizes=compiled.sizes, model=compiled.model[0], start=initial(compiled)[0], **values)
        _complete(made[0], NAMES.index(self.task), task, compiled)
        return made

    def constants(self, state: np.void) -> np.void:
        """The constants that an instance's episode has.

        Args:
            state: one record of the world's ``state_dtype``.
        """
        return self.params[int(state["level"]) if len(self.params) > 1 else 0]

    def model_of(self, state: np.void) -> np.ndarray:
        """See `BodiesWorld.model_of`."""
        return records(np.array([self.constants(state)["model"]]))

    def _check_goals(self) -> None:
        if self.task not in RADII:
            raise ValueError(f"task is {self.task!r}, whose goal is no place; expected one of {', '.join(RADII)}")
        if (name := REWARDS[self.params[0]["reward"]]) != "sparse":
            raise ValueError(f"reward is {name!r}, expected 'sparse' for goals that change")
        if self.params[0]["goal_hidden"]:
            raise ValueError("goal_observable is False, expected True for goals that change")

    @property
    def goal_parts(self) -> dict[str, slice]:
        """Where the parts of a dictionary stand, see `envsuite.core.goals`.

        Raises:
            ValueError: the goal is no place, or is hidden, or rewards are not sparse.
        """
        self._check_goals()
        reached = slice(0, 3) if self.task in BY_TIPS else slice(4, 7)
        return {"observation": slice(0, 2 * SIGHT), "achieved_goal": reached, "desired_goal": GOAL}

    def achieved(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Where the object is, or in tasks of reaching the tips, which no observation holds; (..., 3), m.

        Args:
            observations: (..., 39).
            states: (...) records of the same moment.
        """
        return np.array(states["look"]["tcp"]) if self.task in BY_TIPS else observations[..., 4:7].copy()

    def compute_reward(self, achieved_goal, desired_goal, info=None) -> np.ndarray:
        """Sparse rewards of places for goals, for hindsight relabelling.

        Args:
            achieved_goal: m, (..., 3).
            desired_goal: m, (..., 3).
            info: not used.

        Returns:
            float64 (...).

        Raises:
            ValueError: see `goal_parts`; or places of another shape.
        """
        self._check_goals()
        return reward_of(achieved_goal, desired_goal, RADII[self.task])
