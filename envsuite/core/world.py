"""The contract between a simulator and everything that is built on it.

A `World` is a pure simulator: its whole state is one structured record an instance, and two compiled batch loops move
many records at once. Front ends (`envsuite.core.single`, `vector`, `parallel`, `cuda`) turn a world into environments;
no world knows of any of them.
"""

import importlib
import inspect
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from envsuite.core.jit import kernel, records
from envsuite.core.layout import Layout

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from envsuite.agents.audit import Auditor
    from envsuite.agents.policy import Policy
    from envsuite.core.language import Refusal

PIXELS = (84, 84, 3)
"""Height, width and channels of pixel observations; the usual size since Mnih et al. (2015), Nature 518."""

CLOCK = np.dtype([("step", np.uint32), ("over", np.uint8)], align=True)
"""Steps taken in this episode, and whether it has ended. Every state record has a field ``clock`` of this type."""


@kernel
def begin_episode(clock, stream):
    """Start the clock and move the random streams to the next episode.

    Args:
        clock: record of type `CLOCK`.
        stream: record of type `envsuite.core.rng.STREAM`.
    """
    clock.step = np.uint32(0)
    clock.over = np.uint8(0)
    stream.episode += np.uint32(1)
    for purpose in range(4):
        stream.counter[purpose] = np.uint32(0)


@kernel
def tick(clock):
    """Count a step."""
    clock.step += np.uint32(1)


@kernel
def out_of_time(clock, horizon):
    """Whether the episode has reached its length limit; a horizon of 0 is no limit."""
    return horizon > 0 and np.int64(clock.step) >= horizon


class World(ABC):
    """A simulator over structured records.

    Attributes:
        state_dtype: aligned record with the fields ``clock`` (`CLOCK`) and ``rng`` (`envsuite.core.rng.STREAM`).
        params: array of shape (1,), the constants that every instance shares.
        info_dtype: record of the metrics that each step reports, for each agent.
        observation: what one agent sees.
        action: what one agent may do.
        agents: names of the agents; empty for a single-agent world.
        objectives: names of the reward's components; empty for a scalar reward. All are to be maximised.
        reward_bounds: least and greatest reward of one agent in one step, (objectives,) each; None where nobody
            knows.
        comparable: names of options by which scores stay comparable, such as forms of observations and actions.
        rivals: one agent's gain is another's loss: scores are those of the first agent, against uniformly random ones.
        out_of_range: what happens to numbers outside the action's bounds: clipped, refused, or passed on.
        reward_dtype: element type of rewards.
        render_size: (width, height) of frames in pixels.
        fps: frames a second at which episodes play in real time.
        tick_rate: ticks a second of a clock that may run while a player thinks; 0 where time stands still until the
            next action.
        pixel_forms: pixel observations by the name that ``obs_type`` takes: (height, width, channels); uint8.
        views: ways to look at it in pictures, the default first.
        view: the one that `render` uses.
        backends: other engines that run the same task: by name, ``"module:Class"`` of the world that uses them.
    """

    state_dtype: np.dtype
    params: np.ndarray
    info_dtype: np.dtype
    observation: Layout
    action: Layout
    agents: tuple[str, ...] = ()
    objectives: tuple[str, ...] = ()
    reward_bounds: tuple[np.ndarray, np.ndarray] | None = None
    comparable: ClassVar[frozenset[str]] = frozenset()
    rivals: bool = False
    out_of_range: Literal["clip", "refuse", "pass"] = "refuse"
    reward_dtype: type = np.float32
    render_size: tuple[int, int] = (480, 360)
    fps: int = 30
    tick_rate: float = 0.0
    pixel_forms: ClassVar[Mapping[str, tuple[int, int, int]]] = {"pixels": PIXELS}
    views: ClassVar[tuple[str, ...]] = ("fixed",)
    view: str = "fixed"
    backends: ClassVar[Mapping[str, str]] = {}

    reset_batch: ClassVar[Any]
    """``(states, params, mask, observations, info, start, stop)``: begins an episode where ``mask`` is set."""
    step_batch: ClassVar[Any]
    """``(states, params, actions, restart, horizon, observations, rewards, terminated, truncated, info, start,
    stop)``: one step of the instances in [start, stop); where ``restart`` is set, a new episode instead."""

    prepare: Any = None
    """``(states, restart)``: what a world does with all instances before each step outside its loops, such as asking
    players inside it for their actions, which it writes into the records; None for nothing."""

    elapse_batch: ClassVar[Any] = None
    """``(states, params, ticks, observations, rewards, terminated, truncated, info, start, stop)``: lets ticks of the
    world's clock pass without an action, no longer than the episode; only worlds with a `tick_rate` have it."""

    @abstractmethod
    def render(self, state: np.void, size: tuple[int, int]) -> np.ndarray:
        """Draw one instance for people.

        Args:
            state: one record of ``state_dtype``.
            size: (width, height) in pixels.

        Returns:
            uint8 array of shape (height, width, 3).
        """

    def draw_pixels(self, states: np.ndarray, form: str, out: np.ndarray) -> None:
        """Draw many instances for agents that see: frames of `render`, unless a world knows better.

        Args:
            states: (n,) state records.
            form: one of `pixel_forms`.
            out: uint8 (n, [a,] height, width, channels), written.
        """
        height, width, _ = self.pixel_forms[form]
        for i, state in enumerate(states):
            out[i] = self.render(state, (width, height))

    @abstractmethod
    def describe(self, state: np.void, agent: int = 0) -> str:
        """Say in words and numbers what an agent can know of its situation.

        Args:
            state: one record of ``state_dtype``.
            agent: index of the agent.
        """

    def instructions(self, state: np.void, agent: int = 0) -> str:
        """Say what stays the same all through an episode: the rules, and what answers may look like.

        Players who see pictures instead of descriptions are told this.

        Args:
            state: one record of ``state_dtype``.
            agent: index of the agent.
        """
        from envsuite.core.language import wanted

        return f"Answer with {wanted(self.action)}."

    @abstractmethod
    def parse(self, text: str, state: np.void, agent: int = 0) -> "np.ndarray | int | Refusal":
        """Turn a text into an action.

        Args:
            text: what a language agent (or a person) answered.
            state: the record in which the action is to be taken.
            agent: index of the agent.

        Returns:
            The action, or a `Refusal` that says which kind of invalid the text is, and why.
        """

    @abstractmethod
    def expert(self) -> "Policy":
        """The reference policy: scripted, planned, solved or trained."""

    def auditor(self) -> "Auditor | None":
        """What judges how an episode is played, beyond its return and metrics; None where a world has none."""
        return None

    def seconds(self, state: np.void) -> float:
        """Time of the world's clock that has passed in the episode, s; nan where it has none.

        Args:
            state: one record of ``state_dtype``.
        """
        return float("nan")

    def met(self, metrics: Mapping[str, Any]) -> tuple[str, float] | None:
        """Whom an episode of one agent was played against, and the agent's share of points; None where nobody.

        Args:
            metrics: info of its last step.

        Returns:
            A name that is the same for the same opponent in every episode, and 1 for a win, 1/2 for a draw, 0.
        """
        return None

    def collector(self, name: str) -> "Policy":
        """A player made for collecting data, which need not care for the episode's own goal.

        Args:
            name: as recipes of datasets have it.

        Raises:
            ValueError: there is none of this name.
        """
        raise ValueError(f"{type(self).__name__} has no collector {name!r}")

    def ended_agents(self, state: np.void) -> np.ndarray:
        """Which agents' episodes have ended, (agents,) bool; worlds of several agents keep it in their record.

        Args:
            state: one record of ``state_dtype``.
        """
        if self.agents:
            raise NotImplementedError(f"{type(self).__name__} has several agents and must say which have ended")
        return np.array([bool(state["clock"]["over"])])

    def mover(self, state: np.void) -> int | None:
        """Whose turn it is: an agent's index; None where all agents act at once.

        In a game of turns only the mover's action counts, and only its ``action_mask`` has ones.

        Args:
            state: one record of ``state_dtype``.
        """
        return None

    def keys_to_action(self) -> dict[tuple[str, ...], Any]:
        """Keyboard control: pressed keys to action. Empty where a person cannot steer with keys."""
        return {}

    def shared_keys(self) -> tuple[dict[tuple[str, ...], Any], ...]:
        """Keyboard control for several people at one keyboard: keys to action, one table an agent from the first on."""
        return ()

    def point_to_action(self, place: tuple[float, float], held: set[str], state: np.void) -> Any:
        """Mouse control: the action of a click, or None where it means nothing.

        Args:
            place: across and down a frame of `render_size`, as shares of its width and height.
            held: names of the keys held down.
            state: the record in which the action is to be taken.
        """
        return None

    def allocate(self, num_envs: int) -> np.ndarray:
        """Zeroed state records.

        Args:
            num_envs: number of instances.

        Returns:
            Array of shape (num_envs,) of ``state_dtype``; a record array where Numba is switched off, so that plain
            Python reads fields as attributes too.
        """
        return records(np.zeros(num_envs, self.state_dtype))

    def lead_shape(self, num_envs: int) -> tuple[int, ...]:
        """(num_envs,) for a single agent, (num_envs, agents) for several."""
        return (num_envs, len(self.agents)) if self.agents else (num_envs,)

    def telemetry(self, state: np.void) -> dict[str, np.ndarray]:
        """Physical quantities for a log: by name (with a unit in the world's documentation), each (agents or 1,).

        Args:
            state: one record of ``state_dtype``.

        Raises:
            ValueError: the world keeps none.
        """
        raise ValueError(f"{type(self).__name__} keeps no log of physical quantities")

    def figure(self, columns: Mapping[str, np.ndarray], state: np.void) -> "Figure":
        """Draw an episode as curves.

        Args:
            columns: of an episode's log, as `envsuite.evaluation.trajectories.Trajectory` has them.
            state: the last state record.

        Raises:
            ValueError: the world has no such figure.
        """
        raise ValueError(f"{type(self).__name__} has no figure of episodes")

    def close(self) -> None:  # noqa: B027 (most worlds hold nothing)
        """Free what the world holds outside Python's memory; it can still be used."""

    @property
    def reward_shape(self) -> tuple[int, ...]:
        """() for scalar rewards, (objectives,) for vectors."""
        return (len(self.objectives),) if self.objectives else ()


def make_world(world: "str | World", **options: Any) -> World:
    """Build a world from its import path.

    Args:
        world: ``"package.module:ClassName"``, or a world, which is returned as it is.
        **options: keyword arguments of the class; ``backend``, one of its `World.backends`; ``view``, one of its
            `World.views`.

    Raises:
        TypeError: an option that the world does not have; the message names it and those it has.
        ValueError: the world does not run on this backend, or has no such view.
    """
    if isinstance(world, World):
        if options:
            raise TypeError(f"options {sorted(options)} come too late: the world exists already")
        return world
    module, _, name = world.partition(":")
    cls = getattr(importlib.import_module(module), name)
    known = inspect.signature(cls).parameters
    backend, view = options.pop("backend", None), options.pop("view", cls.views[0])
    if unknown := sorted(set(options) - set(known)):
        raise TypeError(f"{name} has no option {unknown[0]!r}; its options are {sorted(known)}")
    if view not in cls.views:
        raise ValueError(f"view is {view!r}, expected one of {', '.join(cls.views)} for {name}")
    if backend is not None and backend not in cls.backends:
        raise ValueError(f"backend is {backend!r}, expected {' or '.join(map(repr, (None, *cls.backends)))} for {name}")
    if backend is not None:
        module, _, name = cls.backends[backend].partition(":")
        cls = getattr(importlib.import_module(module), name)
    made = cls(**options)
    made.view = view
    return made
