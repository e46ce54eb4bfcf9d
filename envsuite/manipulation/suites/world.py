"""Suites of Meta-World as one world."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np

from envsuite.core import Between, Block, Reward, Vector, World
from envsuite.core.companions import Controls, Pictures, Players, Words, companion
from envsuite.manipulation.meta.controls import MetaControls
from envsuite.manipulation.meta.kernel import step
from envsuite.manipulation.meta.params import RewardName
from envsuite.manipulation.meta.render import MetaPictures
from envsuite.manipulation.meta.scenes.parts import SIZE
from envsuite.manipulation.meta.tasks import NAMES
from envsuite.manipulation.meta.wordings import COUNT
from envsuite.manipulation.meta.world import MetaWorld
from envsuite.manipulation.suites import trials
from envsuite.manipulation.suites.goals import MOST, SPLITS, freeze, load, save
from envsuite.manipulation.suites.kernel import draw_level, measure, observe, reset
from envsuite.manipulation.suites.lists import SUITES
from envsuite.manipulation.suites.params import Params
from envsuite.manipulation.suites.state import SEEN, Info, State
from envsuite.rigid.world import loops_of

TRIALS = loops_of(SIZE, trials.reset, trials.step, trials.observe, measure=trials.measure, draw_level=draw_level)


class MetaSuiteWorld(World):
    """Several of Meta-World's tasks, each with goals that are drawn once.

    The instance that is seeded with s begins with task s % tasks and goal (s // tasks) % goals, so that a batch of as
    many instances as tasks plays each, and seeds 0 to tasks * goals - 1 are each goal of each task once. Later
    episodes go on with the next task, and goals at random.

    Args:
        suite: which tasks; of ``MT1`` and ``ML1`` the one that `tasks` names.
        split: ``"train"``, or ``"test"``: other goals, and in ``ML10``, ``ML25`` and ``ML45`` other tasks.
        tasks: names of tasks, instead of those of the suite.
        num_goals: goals of each task.
        goal_seed: what they are drawn by.
        goals: path of a file of goals from `save_goals`, instead of drawn ones.
        episodes_per_goal: how many episodes in a row an instance has the same task and goal.
        fixed_task: whether an instance keeps its task, as in the original's vector environments.
        one_hot: whether the task's number is observed, as zeros and a one at the end.
        goal_observable: whether the goal is observed; by default in suites whose name begins with ``MT``.
        history: whether the last action, a tenth of the last reward, and whether an attempt begins are observed, at the
            end: what a policy with memory learns from within an episode (RL², Duan et al. 2016).
        attempt_steps: after so many steps everything is put back to its places, and the episode goes on with another
            attempt at the same task and goal; 0 for never. ``success`` and ``success_once`` are of the attempt then.
        reward: see `envsuite.manipulation.meta.world.MetaWorld`; likewise `wording`.

    Attributes:
        tasks: names of the tasks, by number.
        worlds: the tasks.

    Raises:
        ValueError: an unknown task, one twice, or none; a file that holds no goals of these tasks.
    """

    info_dtype = Info.dtype()
    reward = Reward(dtype=np.float64)
    loops = loops_of(SIZE, reset, step, observe, measure=measure, draw_level=draw_level)

    def __init__(
        self,
        *,
        suite: Literal["MT1", "MT10", "MT25", "MT50", "ML1", "ML10", "ML25", "ML45"] = "MT10",
        split: Literal["train", "test"] = "train",
        tasks: Sequence[str] | None = None,
        num_goals: Annotated[int, Between(1, MOST)] = 50,
        goal_seed: Annotated[int, Between(0, 2**32 - 1)] = 42,
        goals: str | None = None,
        episodes_per_goal: Annotated[int, Between(1, 1_000_000)] = 1,
        fixed_task: bool = False,
        one_hot: bool = False,
        goal_observable: bool | None = None,
        history: bool = False,
        attempt_steps: Annotated[int, Between(0, 1_000_000)] = 0,
        reward: RewardName = "v2",
        wording: Annotated[int, Between(0, COUNT)] = 1,
    ):
        self.tasks = SUITES[suite][SPLITS.index(split)] if tasks is None else _known(suite, tasks)
        shown = suite.startswith("MT") if goal_observable is None else goal_observable
        alike: dict[str, Any] = {"goal_observable": shown, "reward": reward, "wording": wording}
        self.worlds = tuple(MetaWorld(task=task, **alike) for task in self.tasks)
        if goals is None:
            self.goals = {one.task: freeze(one, seed=goal_seed, split=split, count=num_goals) for one in self.worlds}
        else:
            self.goals = load(goals, self.worlds)
        sizes = self.worlds[0].compiled.sizes
        state: Any = State
        if history or attempt_steps:
            state, self.info_dtype, self.loops = trials.TrialState, trials.TrialInfo.dtype(), TRIALS
        self.state_dtype = state.dtype(np.float64, **sizes)
        self.params = np.concatenate([self._params_of(one, sizes) for one in self.worlds])
        self.params["tasks"], self.params["episodes"] = len(self.tasks), episodes_per_goal
        self.params["fixed_task"], self.params["one_hot"] = fixed_task, one_hot
        self.params["history"], self.params["attempt_steps"] = history, attempt_steps
        one: Any = self.worlds[0]
        self.action = one.action
        number = (Block("task", len(self.tasks), 0, 1, meaning="1 in the task's place"),) if one_hot else ()
        blocks = (*one.observation.blocks, *number, *(trials.HISTORY if history else ()))
        self.observation = Vector(blocks, dtype=np.float64)

    def _params_of(self, world: MetaWorld, sizes: dict[str, int]) -> np.ndarray:
        made = np.zeros(1, Params.dtype(np.float64, **sizes))
        for name in world.params.dtype.names or ():
            made[name] = world.params[name]
        goals = self.goals[world.task]
        made[0]["goals"][: len(goals)], made["goal_count"] = goals, len(goals)
        return made

    def save_goals(self, path: str | Path) -> None:
        """Write the goals of all tasks as JSON, for the option ``goals``.

        Args:
            path: of the file.
        """
        save(path, self.goals)

    def world_of(self, state: np.void) -> MetaWorld:
        """The task that a record is in.

        Args:
            state: one record of the world's ``state_dtype``.
        """
        return self.worlds[int(state["level"])]


def _known(suite: str, tasks: Any) -> tuple[str, ...]:
    given = tuple(tasks) if isinstance(tasks, Sequence) and not isinstance(tasks, str) else ()
    if not given or len(set(given)) < len(given):
        raise ValueError(f"tasks is {tasks!r}, expected names of tasks, at least one, none twice")
    if unknown := [task for task in given if task not in NAMES]:
        raise ValueError(f"tasks has {unknown[0]!r}, expected names out of {', '.join(NAMES)}")
    if suite in ("MT1", "ML1") and len(given) > 1:
        raise ValueError(f"tasks is {tasks!r}, expected one name in {suite}")
    return given


class MetaSuitePictures(Pictures):
    """Those of the task."""

    size, views = MetaPictures.size, MetaPictures.views

    def __init__(self, world: Any):
        super().__init__(world)
        self.fps = companion(world.worlds[0], Pictures).fps

    def draw(self, state, size):
        """Draw what the task's own world does."""
        return self._of(self.world.world_of(state)).draw(state, size)

    def draw_many(self, states, form, out):
        """Draw the instances of each task together."""
        for level in np.unique(states["level"]):
            rows = np.flatnonzero(states["level"] == level)
            frames = np.empty((len(rows), *out.shape[1:]), np.uint8)
            self._of(self.world.worlds[level]).draw_many(states[rows], form, frames)
            out[rows] = frames

    def _of(self, world: MetaWorld) -> Pictures:
        pictures = companion(world, Pictures)
        pictures.view = self.view
        return pictures


class MetaSuiteWords(Words):
    """Those of the task."""

    def describe(self, state, agent=0):
        """What the task's own world says."""
        return companion(self.world.world_of(state), Words).describe(state, agent)

    def instructions(self, state, agent=0):
        """The task, and what an answer looks like."""
        return companion(self.world.world_of(state), Words).instructions(state, agent)

    def parse(self, text, state, agent=0):
        """As the task's own world reads it."""
        return companion(self.world.world_of(state), Words).parse(text, state, agent)


class MetaSuiteControls(Controls):
    """Keys for the hand, as in every task."""

    def keys(self):
        """Pressed keys to action."""
        return MetaControls(self.world).keys()


class Team:
    """Plays each instance with the player of its task.

    Args:
        players: one for each task.
    """

    def __init__(self, players: Sequence[Any]):
        self._players = players

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, float32 (n, 4)."""
        actions = np.zeros((len(observations), 4), np.float32)
        for level in np.unique(states["level"]):
            rows = np.flatnonzero(states["level"] == level)
            actions[rows] = self._players[level].act(observations[rows, :SEEN], states[rows])
        return actions


class MetaSuitePlayers(Players):
    """Those of the tasks."""

    def expert(self) -> Team:
        """The reference players."""
        return Team([companion(one, Players).expert() for one in self.world.worlds])

    def collector(self, name: str) -> Team:
        """See `envsuite.manipulation.meta.experts.MetaPlayers.collector`."""
        return Team([companion(one, Players).collector(name) for one in self.world.worlds])
