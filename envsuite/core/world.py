"""The contract between a simulator and everything that is built on it.

A `World` is a pure simulator: its whole state is one structured record an instance, and compiled batch loops move many
records at once. Front ends (`envsuite.core.single`, `vector`, `parallel`, `cuda`) turn a world into environments, and
companions (`envsuite.core.companions`) show it, speak for it and play it; no world knows of any of them.
"""

import importlib
import inspect
from dataclasses import dataclass
from typing import Any

import numpy as np

from envsuite.core.companions import Pictures, companion, companion_class
from envsuite.core.declare import check_options
from envsuite.core.jit import records
from envsuite.core.layout import Layout
from envsuite.core.loops import Loops, seen_by


@dataclass(frozen=True)
class Reward:
    """What a reward is made of.

    Attributes:
        objectives: names of its components, all to be maximised; empty for a scalar reward.
        low: least reward of one agent in one step, (objectives,); None where nobody knows.
        high: greatest, likewise.
        dtype: element type.
    """

    objectives: tuple[str, ...] = ()
    low: np.ndarray | None = None
    high: np.ndarray | None = None
    dtype: type = np.float32

    @property
    def shape(self) -> tuple[int, ...]:
        """() for scalar rewards, (objectives,) for vectors."""
        return (len(self.objectives),) if self.objectives else ()


class World:
    """A simulator over structured records.

    Attributes:
        state_dtype: aligned record with the fields ``clock`` (`envsuite.core.clock.CLOCK`) and ``rng``
            (`envsuite.core.rng.STREAM`). Agents that end one by one have fields ``terminated`` and ``truncated``
            (agents,); games of turns a field ``current_player``.
        params: array of shape (1,), or of one record a level: the constants that every instance shares.
        info_dtype: record of the metrics that each step reports, for each agent.
        observation: what one agent sees.
        action: what one agent may do.
        agents: names of the agents; empty for a single-agent world.
        reward: what rewards are made of.
        loops: the batch loops.
    """

    state_dtype: np.dtype
    params: np.ndarray
    info_dtype: np.dtype
    observation: Layout
    action: Layout
    agents: tuple[str, ...] = ()
    reward: Reward = Reward()
    loops: Loops

    def __init_subclass__(cls) -> None:
        if "__init__" in vars(cls):
            cls.__init__ = check_options(cls.__init__, super(cls, cls).__init__)  # ty: ignore[invalid-assignment]

    def close(self) -> None:
        """Free what the world holds outside Python's memory; it can still be used."""


def allocate(world: World, num_envs: int) -> np.ndarray:
    """Zeroed state records.

    Args:
        world: the simulator.
        num_envs: number of instances.

    Returns:
        Array of shape (num_envs,) of its ``state_dtype``; a record array where Numba is switched off, so that plain
        Python reads fields as attributes too.
    """
    return records(np.zeros(num_envs, world.state_dtype))


def lead_shape(world: World, num_envs: int) -> tuple[int, ...]:
    """(num_envs,) for a single agent, (num_envs, agents) for several."""
    return (num_envs, len(world.agents)) if world.agents else (num_envs,)


def ended_agents(world: World, state: np.void) -> np.ndarray:
    """Which agents' episodes have ended, (max(1, agents),) bool.

    Args:
        world: the simulator.
        state: one of its records.
    """
    over = np.full(max(1, len(world.agents)), bool(state["clock"]["done"]))
    names = [name for name in ("terminated", "truncated") if world.agents and name in (state.dtype.names or ())]
    return np.logical_or.reduce([over, *(state[name] != 0 for name in names)])


def observe(world: World, state: np.void) -> np.ndarray:
    """What is seen of a record, which stays as it is.

    Args:
        world: the simulator, with loops from `envsuite.core.loops.batch_loops`.
        state: one of its records.

    Returns:
        ([agents,] *O) of the observation's type.

    Raises:
        ValueError: the world writes its loops itself.
    """
    if world.loops.observe is None:
        raise ValueError(f"{type(world).__name__} observes in its steps only")
    lead = lead_shape(world, 1)
    seen = np.zeros(lead + world.observation.shape, world.observation.dtype)
    info = records(np.zeros(lead, world.info_dtype))
    copy = allocate(world, 1)
    copy[0] = state
    rows = records(seen_by(world.loops, world.observation, seen))
    world.loops.observe(copy, records(world.params), rows, info, 0, 1)
    return seen[0]


def make_world(world: "str | World", **options: Any) -> World:
    """Build a world from its import path.

    Args:
        world: ``"package.module:ClassName"``, or a world, which is returned as it is.
        **options: keyword arguments of the class; ``backend``, one of those of its family (`backends_of`); ``view``,
            one of its `Pictures.views`.

    Raises:
        TypeError: an option that the world does not have; the message names it and those it has.
        ValueError: the world does not run on this backend, or has no such view.
    """
    if isinstance(world, World):
        if options:
            raise TypeError(f"options {sorted(options)} come too late: the world exists already")
        return world
    cls, name = world_class(world), world.partition(":")[2]
    known = inspect.signature(cls).parameters
    pictures = companion_class(cls, Pictures)
    backend, view = options.pop("backend", None), options.pop("view", pictures.views[0])
    if unknown := sorted(set(options) - set(known)):
        raise TypeError(f"{name} has no option {unknown[0]!r}; its options are {sorted(known)}")
    if view not in pictures.views:
        raise ValueError(f"view is {view!r}, expected one of {', '.join(pictures.views)} for {name}")
    backends = backends_of(cls)
    if backend is not None and backend not in backends:
        raise ValueError(f"backend is {backend!r}, expected {' or '.join(map(repr, (None, *backends)))} for {name}")
    if backend is not None:
        cls = world_class(backends[backend])
    made = cls(**options)
    companion(made, Pictures).view = view
    return made


def world_class(path: str) -> type[World]:
    """The class behind ``"package.module:ClassName"``."""
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)


def backends_of(world: type[World]) -> dict[str, str]:
    """Other engines that run the same task, by name: ``"module:Class"`` of the world that uses them.

    A family lists them in its file ``backends.py``: ``BACKENDS[name][class of the world]``.

    Args:
        world: the class.
    """
    family = ".".join(world.__module__.split(".")[:2])
    try:
        listed = importlib.import_module(f"{family}.backends").BACKENDS
    except ModuleNotFoundError:
        return {}
    return {name: worlds[world.__name__] for name, worlds in listed.items() if world.__name__ in worlds}
