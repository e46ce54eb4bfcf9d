r"""Batch loops, made from a world's kernels on one record.

A kernel takes what it needs, by name:

=================  ====================================================================
``s``              the state record of one instance
``p``              the parameter record (that of the episode's level, where there are several)
``params``         all parameter records
``action``         of the agent; ``actions``, of several agents, (a, *A)
``observation``    to be written, (\\*O); ``observations``, of several agents, (a, *O)
``rewards``        to be written where there are several, (a,), (k,) or (a, k); all 0 before
``info``           the record of metrics, (a,) records for several agents
``ticks``          of a clock that runs without actions
``w``              the workspace, a record for intermediate results; what an earlier call left in it is not to be read
=================  ====================================================================
"""

import hashlib
import inspect
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from envsuite.core.clock import begin_episode, out_of_time, tick
from envsuite.core.compiling import interpreted
from envsuite.core.jit import canonical, kernel, kernel_of
from envsuite.core.workspace import workspace

_NAMES = {
    "s": "s",
    "p": "p",
    "params": "params",
    "action": "actions[i]",
    "actions": "actions[i]",
    "o": "observations[i]",
    "observation": "observations[i]",
    "observations": "observations[i]",
    "rewards": "rewards[i]",
    "info": "info[i]",
    "ticks": "ticks",
    "w": "w",
}


_STEP_ARRAYS = "observations, rewards, terminated, truncated, info, start, stop"


@dataclass(frozen=True)
class Loops:
    """The compiled loops over the instances [start, stop) of a batch.

    Attributes:
        reset: ``(states, params, mask, observations, info, start, stop)`` begins an episode where ``mask`` is set.
        step: ``(states, params, actions, restart, horizon, observations, rewards, terminated, truncated, info, start,
            stop)`` takes a step, or begins a new episode where ``restart`` is set.
        elapse: ``(states, params, ticks, observations, rewards, terminated, truncated, info, start, stop)`` lets ticks
            of the world's clock pass without an action; None where time stands still between actions.
        tick_rate: ticks a second of that clock; 0 without one.
        observe: ``(states, params, observations, info, start, stop)`` writes what is seen of records as they are; None
            where a world writes its loops itself.
        prepare: ``(states, restart)``, what a world does with all instances before each step outside its loops, such as
            asking players inside it for their actions, which it writes into the records; None for nothing.
        together: the agents of an instance end at once.
        by_name: observations are given to the loops as records, see `seen_by`.
        step_abreast: does what `step` does with the same results, `width` instances at a time; None where there is no
            such loop.
        width: see there.
    """

    reset: Any
    step: Any
    elapse: Any = None
    tick_rate: float = 0.0
    observe: Any = None
    prepare: Any = None
    together: bool = False
    by_name: bool = False
    step_abreast: Any = None
    width: int = 1

    def step_for(self, count: int) -> Any:
        """The quickest loop of steps.

        Args:
            count: number of instances.
        """
        places = -(-count // self.width) * self.width
        worth = self.step_abreast is not None and 4 * places <= 5 * count  # empty places cost as much as others
        return self.step_abreast if worth else self.step


@dataclass(frozen=True)
class Stages:
    """What comes before `step` in a step, where instances go through a part of it together.

    Attributes:
        act: kernel that takes the action.
        move: kernel that goes on from there.
        move_together: kernel ``(states, first, last, p, room)``, does what `move` does for a few instances in a row.
        room: type of its workspace, whose field ``one`` has the workspaces of as many instances as fit.
    """

    act: Any
    move: Any
    move_together: Any
    room: np.dtype

    @property
    def width(self) -> int:
        """How many instances go together."""
        return self.room["one"].shape[0]


@kernel
def clear(rewards):
    """No rewards."""
    for i in range(rewards.shape[0]):
        if rewards.ndim == 1:
            rewards[i] = 0.0
        else:
            for k in range(rewards.shape[1]):
                rewards[i, k] = 0.0


@kernel
def end_together(s, ended, horizon, either, terminated, truncated):
    """Write the flags of agents whose episode is one."""
    cut = (s.clock.done != 0 or out_of_time(s.clock, horizon)) and not (either and ended)
    for n in range(terminated.shape[0]):
        terminated[n] = ended
        truncated[n] = cut
    s.clock.done = ended or cut


@kernel
def end_apart(s, horizon, terminated, truncated):
    """Write the flags of agents that end one by one, which the record holds as ``terminated`` and ``truncated``."""
    late, over = out_of_time(s.clock, horizon), True
    for n in range(terminated.shape[0]):
        if late and s.terminated[n] == 0:
            s.truncated[n] = np.uint8(1)
        terminated[n] = s.terminated[n] != 0
        truncated[n] = s.truncated[n] != 0
        over = over and (terminated[n] or truncated[n])
    s.clock.done = over


@kernel
def end_none(terminated, truncated):
    """No flags, at the beginning of an episode."""
    for n in range(terminated.shape[0]):
        terminated[n] = False
        truncated[n] = False


def batch_loops(
    reset: Any,
    step: Any,
    observe: Any,
    measure: Any = None,
    *,
    open_info: Any = None,
    after_step: Any = None,
    draw_level: Any = None,
    clock: tuple[Any, float] | None = None,
    ends: Literal["together", "apart"] = "together",
    either: bool = False,
    work: np.dtype | None = None,
    stages: Stages | None = None,
) -> Loops:
    """Make the loops of a world.

    Args:
        reset: kernel that begins an episode; the clock and the random streams are begun before it.
        step: kernel of one step. With ``action`` it returns the reward and whether the episode terminated, or only the
            latter where it takes ``rewards``. With ``actions`` and ``rewards`` it returns whether the episode
            terminated for all, or nothing where agents end apart. It may cut the episode off by
            `envsuite.core.clock.cut`.
        observe: kernel that writes what agents see, and may write ``info``.
        measure: kernel that writes ``info`` after it.
        open_info: kernel that writes ``info`` in an episode's beginning, where steps write it themselves.
        after_step: kernel that changes the record when a step has been observed.
        draw_level: kernel that sets ``s.level``, the index of the episode's parameter record, before `reset`.
        clock: that runs without actions: kernel that lets ``ticks`` pass and returns what `step` does, ticks a second.
        ends: of several agents: all at once, or by the fields ``terminated`` and ``truncated`` (a,) of the record.
        either: an episode that terminates in its last step is not truncated as well.
        work: type of the workspace ``w``, where kernels ask for one.
        stages: what comes before `step`, which takes no action then. For worlds of one agent and one parameter record.

    Returns:
        The loops; Numba compiles them when they are first run.

    Raises:
        ValueError: a kernel asks for something that there is not; stages where levels are drawn or agents are several.
    """
    elapse, tick_rate = clock or (None, 0.0)
    kernels = {
        "reset": reset,
        "step": step,
        "observe": observe,
        "measure": measure,
        "open_info": open_info,
        "after_step": after_step,
        "draw_level": draw_level,
        "elapse": elapse,
        "act": stages and stages.act,
        "move": stages and stages.move,
    }
    maker = _Maker({name: one for name, one in kernels.items() if one is not None}, ends, either, work)
    if stages and (draw_level is not None or maker.several):
        raise ValueError("stages are for worlds of one agent and one parameter record, got several")
    return Loops(
        maker.make("reset_batch", maker.reset_lines()),
        maker.make("step_batch", maker.step_lines()),
        None if elapse is None else maker.make("elapse_batch", maker.elapse_lines()),
        tick_rate,
        maker.make("observe_batch", maker.observe_lines()),
        together=ends == "together",
        by_name="o" in maker._parameters("observe"),
        step_abreast=maker.make_abreast(stages) if stages and not interpreted() else None,
        width=stages.width if stages else 1,
    )


def seen_by(loops: Loops, layout: Any, observations: Any) -> Any:
    """Observations as loops take them.

    Args:
        loops: of a world.
        layout: its observation.
        observations: (n, [a,] *O), contiguous.

    Returns:
        The same memory: as it is, or as records (n, [a]).
    """
    if not loops.by_name:
        return observations
    lead = observations.shape[: observations.ndim - len(layout.shape)]
    return observations.reshape(*lead, -1).view(canonical(layout.record)).reshape(lead)


def reset_loop(reset: Any, observe: Any, measure: Any = None) -> Any:
    """The first of `batch_loops` alone, for worlds that have a reason to write the other themselves."""
    kernels = {"reset": reset, "observe": observe} | ({} if measure is None else {"measure": measure})
    maker = _Maker(kernels, "together", False)
    return maker.make("reset_batch", maker.reset_lines())


class _Maker:
    """Writes the loops as Python, as one would by hand."""

    def __init__(self, kernels: dict[str, Any], ends: str, either: bool, work: np.dtype | None = None):
        self.kernels, self.work = kernels, work
        self.either = either
        self.apart = ends == "apart"
        self.several = "step" in kernels and "actions" in self._parameters("step")
        self.p = "params[s.level]" if "draw_level" in kernels else "params[0]"

    def _parameters(self, name: str) -> list[str]:
        function = self.kernels[name]
        return list(inspect.signature(getattr(function, "py_func", function)).parameters)

    def call(self, name: str) -> str:
        """The call of a kernel, with what it asks for."""
        asked = self._parameters(name)
        if "w" in asked and self.work is None:
            raise ValueError(
                f"kernel {name} asks for 'w', expected the type of a workspace: batch_loops(..., work=...)"
            )
        if unknown := [one for one in asked if one not in _NAMES]:
            raise ValueError(f"kernel {name} asks for {unknown[0]!r}, expected some of {', '.join(_NAMES)}")
        return f"{name}({', '.join(_NAMES[one] for one in asked)})"

    def calls(self, *names: str) -> list[str]:
        """Calls of those kernels that there are."""
        return [self.call(name) for name in names if name in self.kernels]

    def begin(self) -> list[str]:
        lines = ["begin_episode(s.clock, s.rng)", *self.calls("draw_level")]
        return [*lines, *([f"p = {self.p}"] if "draw_level" in self.kernels else []), *self.calls("reset", "open_info")]

    def reset_lines(self) -> list[str]:
        lines = [*self._head("states, params, mask, observations, info, start, stop"), "        if mask[i]:"]
        body = [f"s = states[i]; p = {self.p}", *self.begin(), *self.calls("observe", "measure")]
        return [*lines, *("            " + line for line in body)]

    def advance(self, name: str) -> list[str]:
        """One step of one instance, and its flags."""
        flags = "terminated[i], truncated[i]"
        if self.several and self.apart:
            return [self.call(name), f"end_apart(s, horizon, {flags})"]
        if self.several:
            return [f"end_together(s, {self.call(name)}, horizon, {self.either}, {flags})"]
        reward = "" if "rewards" in self._parameters(name) else "rewards[i], "
        late = "s.clock.done != 0 or out_of_time(s.clock, horizon)"
        return [
            f"{reward}terminated[i] = {self.call(name)}",
            f"truncated[i] = ({late}) and not terminated[i]" if self.either else f"truncated[i] = {late}",
            "s.clock.done = terminated[i] or truncated[i]",
        ]

    def clear(self) -> list[str]:
        several = self.several or "rewards" in self._parameters("step")
        return ["clear(rewards[i])" if several else "rewards[i] = 0.0"]

    def step_lines(self) -> list[str]:
        lines = self._head(f"states, params, actions, restart, horizon, {_STEP_ARRAYS}")
        return [*lines, *self._step_of_one(["tick(s.clock)", *self.calls("act", "move")])]

    def abreast_lines(self, width: int) -> list[str]:
        """Steps of several instances at a time.

        Args:
            width: how many.
        """
        each, record = "for i in range(first, last):", f"s = states[i]; p = {self.p}; w = room.one[i - first]"
        head = [f"def loop(states, params, actions, restart, horizon, {_STEP_ARRAYS}):", "    room = workspace(ROOM)"]
        head += [f"    for first in range(start, stop, {width}):", f"        last = min(first + {width}, stop)"]
        before = ["        " + each, "            if not restart[i]:"]
        before += ["                " + line for line in (record, "tick(s.clock)", self.call("act"))]
        together = f"        move_together(states, first, last, {self.p}, room)"
        after = ["    " + line for line in self._step_of_one([])]
        return [*head, *before, together, "        " + each, "            w = room.one[i - first]", *after]

    def _step_of_one(self, begin: list[str]) -> list[str]:
        """The body of a loop over instances, which takes a step or restarts.

        Args:
            begin: what comes first in a step.
        """
        flags = "end_none(terminated[i], truncated[i])" if self.several else "terminated[i] = truncated[i] = False"
        always = self.clear() if "rewards" in self._parameters("step") else []
        seldom = [] if always else self.clear()
        lines = ["        " + line for line in (f"s = states[i]; p = {self.p}", *always, "if restart[i]:")]
        lines += ["            " + line for line in (*self.begin(), *seldom, flags)]
        lines += ["        else:"]
        lines += ["            " + line for line in (*begin, *self.advance("step"))]
        lines += ["        " + line for line in self.calls("observe", "measure")]
        if "after_step" in self.kernels:
            lines += ["        if not restart[i]:", "            " + self.call("after_step")]
        return lines

    def observe_lines(self) -> list[str]:
        body = [f"s = states[i]; p = {self.p}", *self.calls("observe", "measure")]
        return [*self._head("states, params, observations, info, start, stop"), *("        " + line for line in body)]

    def elapse_lines(self) -> list[str]:
        body = [
            f"s = states[i]; p = {self.p}",
            "was_over = s.clock.done != 0",
            f"rewards[i], terminated[i] = {self.call('elapse')}",
            "truncated[i] = False",
            "s.clock.done = was_over or terminated[i]",
            *self.calls("observe", "measure"),
        ]
        return [*self._head(f"states, params, ticks, {_STEP_ARRAYS}"), *("        " + line for line in body)]

    def _head(self, arguments: str) -> list[str]:
        room = [] if self.work is None else ["    w = workspace(WORK)"]
        return [f"def loop({arguments}):", *room, "    for i in range(start, stop):"]

    def make_abreast(self, stages: Stages) -> Any:
        """Compile the loop that takes several instances at a time."""
        lines = self.abreast_lines(stages.width)
        return self.make("step_abreast", lines, move_together=stages.move_together, ROOM=stages.room)

    def make(self, name: str, lines: list[str], **more: Any) -> Any:
        """Compile the source of a loop.

        Args:
            name: of the loop.
            lines: of its source.
            **more: that the source uses.
        """
        tools = (begin_episode, tick, out_of_time, clear, end_together, end_apart, end_none)
        home = self.kernels["reset"]
        scope = {"__name__": __name__, **{_name(tool): tool for tool in tools}, **self.kernels}
        scope |= {"workspace": workspace, "WORK": self.work, **more}
        exec("\n".join(lines), scope)
        made: Any = scope["loop"]
        made.__doc__ = f"A batch loop, see `Loops`; made from {', '.join(map(_place, self.kernels.values()))}."
        whole = " ".join(map(_place, self.kernels.values())) + ("" if self.work is None else str(self.work))
        return kernel_of(made, home, f"{name}_{hashlib.sha256(whole.encode()).hexdigest()[:12]}", apart=True)


def _name(function: Any) -> str:
    return getattr(function, "py_func", function).__name__


def _place(function: Any) -> str:
    plain = getattr(function, "py_func", function)
    return f"{plain.__module__}.{plain.__qualname__}"
