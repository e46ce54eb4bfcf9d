"""Many instances of one world: their arrays, threads and automatic resets. Every front end stands on this."""

import functools
import itertools
import math
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded

from envsuite.core import rng
from envsuite.core.companions import Pictures, Words, companion
from envsuite.core.compiling import interpreted
from envsuite.core.jit import canonical, records
from envsuite.core.loops import seen_by
from envsuite.core.notice import NOTICE
from envsuite.core.state import tell_seeds
from envsuite.core.workers import Workers
from envsuite.core.world import World, allocate, lead_shape

_INSTANCES_PER_THREAD = 1024  # below this, handing a slice to another thread costs more than stepping it
_PARTS_PER_THREAD = 8  # the finer a step is cut, the less one thread waits for another that was held up...
_SECONDS_PER_PART, _INSTANCES_PER_PART = 2e-4, 16  # ... but each part costs some microseconds of Python


def over_agents(operation: np.ufunc, array: np.ndarray) -> np.ndarray:
    """Combine the agents of every instance.

    Column by column: reducing a short axis of a long array costs NumPy some fifteen times as much, and the order of
    summation is the same for every number of instances.

    Args:
        operation: for example `numpy.add`.
        array: (n, a, ...).

    Returns:
        (n, ...) of the operation's type.
    """
    return functools.reduce(operation, (array[:, j] for j in range(array.shape[1])))


def all_ended(terminated: np.ndarray, truncated: np.ndarray, together: bool) -> np.ndarray:
    """Which instances' episodes are over.

    Args:
        terminated: (n, [a]) bool.
        truncated: likewise.
        together: agents end at once, so one tells it of all.

    Returns:
        (n,) bool, True where every agent has ended.
    """
    if terminated.ndim == 1:
        return terminated | truncated
    if together:
        return terminated[:, 0] | truncated[:, 0]
    return over_agents(np.logical_and, terminated | truncated)


@dataclass(slots=True)
class Output:
    """The arrays of one step; n instances, a agents (axis absent for one agent), k objectives (likewise).

    Attributes:
        observations: (n, [a,] *O) of the observation's type.
        rewards: (n, [a,] [k]) of the world's reward type.
        terminated: (n, [a]) bool.
        truncated: (n, [a]) bool.
        info: (n, [a]) records of the world's ``info_dtype``.
    """

    observations: np.ndarray
    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    info: np.ndarray

    @classmethod
    def empty(cls, world: World, num_envs: int, before: tuple[int, ...] = ()) -> "Output":
        """Uninitialised arrays for ``num_envs`` instances, with axes ``before`` theirs."""
        lead = before + lead_shape(world, num_envs)
        return cls(
            np.empty(lead + world.observation.shape, world.observation.dtype),
            np.empty(lead + world.reward.shape, world.reward.dtype),
            np.empty(lead, np.bool_),
            np.empty(lead, np.bool_),
            records(np.empty(lead, world.info_dtype)),
        )


@dataclass(frozen=True)
class Snapshot:
    """An exact copy of a batch at one moment.

    Attributes:
        states: (n,) state records.
        observations: the observations last given out.
        done: (n,) bool, which episodes have ended.
    """

    states: np.ndarray
    observations: np.ndarray
    done: np.ndarray


def check_whole(name: str, value: Any, least: int, meaning: str = "") -> None:
    """Refuse what is no whole number, or too small a one.

    Args:
        name: of the argument.
        value: of the argument.
        least: the smallest allowed.
        meaning: more about what is expected.

    Raises:
        ValueError: naming the value and what was expected.
    """
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
        more = f", {meaning}" if meaning else ""
        raise ValueError(f"{name} is {value!r}, expected a whole number of at least {least}{more}")


def check_size(world: World, num_envs: Any) -> None:
    """Refuse a number of instances that the machine has no memory for, before anything is allocated.

    Args:
        world: the simulator.
        num_envs: number of instances.

    Raises:
        ValueError: no whole number, or too many; the message says how many fit.
    """
    check_whole("num_envs", num_envs, 1)
    lead = lead_shape(world, 1)
    shown = math.prod(lead + world.observation.shape) * np.dtype(world.observation.dtype).itemsize
    each = world.state_dtype.itemsize + shown
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 2**50
    if num_envs * each > memory:
        needed, there = (f"{amount / 2**30:.3g} GiB" for amount in (num_envs * each, memory))
        raise ValueError(
            f"num_envs is {num_envs}: states and observations need {needed}, this machine has {there}; expected at "
            f"most {memory // each}"
        )


class Batch:
    """`num_envs` instances of a world, stepped together.

    Args:
        world: the simulator.
        num_envs: number of instances, at least 1.
        num_threads: threads to cut the batch among; None takes the processors at hand where the batch is large
            enough to pay. Results do not depend on it.
        horizon: episode length limit in steps, 0 for none.
        reuse: write every step into the same arrays instead of fresh ones.

    Attributes:
        whole: whether all instances are at the end of the same call. An interrupt (Ctrl-C, or an error of the world) in
            the midst of one leaves some ahead of others; `reset` of all and `set_state` make the batch whole again.

    Raises:
        ValueError: a number out of range.
    """

    def __init__(
        self,
        world: World,
        num_envs: int,
        *,
        num_threads: int | None = None,
        horizon: int = 0,
        reuse: bool = False,
    ):
        check_size(world, num_envs)
        if num_threads is not None:
            check_whole("num_threads", num_threads, 1)
        check_whole("horizon", horizon, 0, "the longest episode in steps, or 0 for no limit")
        self.world = world
        self.num_envs = num_envs
        self.horizon = horizon
        self.title = type(world).__name__
        self.states = allocate(world, num_envs)
        self.done: np.ndarray = np.ones(num_envs, np.bool_)
        self.seeded = False
        self.whole = True
        self.last = Output.empty(world, num_envs)
        self._reused = self.last if reuse else None
        self._layout = [(array.shape, array.dtype) for array in self._arrays(self.last)]
        self._actions = lead_shape(world, num_envs) + world.action.shape, world.action.dtype
        self._interpreted = interpreted()
        self._params = records(world.params)
        self._loops = world.loops
        self._nobody, self._everybody = np.zeros(num_envs, np.bool_), np.ones(num_envs, np.bool_)
        if num_threads is None:
            processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
            num_threads = max(1, min(processors or 1, num_envs // _INSTANCES_PER_THREAD))
        self.num_threads = min(num_threads, num_envs)
        self._parts = self.num_threads
        self._workers: Workers | None = None
        self._workers_process = -1

    def seed(self, seeds: Sequence[int] | np.ndarray, mask: np.ndarray | None = None) -> None:
        """Give every instance its own seed; its next episode is its first.

        Args:
            seeds: one non-negative integer an instance; an array is taken much faster than a list.
            mask: (n,) bool, the instances to seed; all by default.

        Raises:
            ValueError: a seed is not a non-negative integer, or there are more or fewer than instances; all stays as
                it was.
        """
        streams = self.states["rng"].copy()
        rng.begin(streams, seeds, mask)
        self.seeded = False
        self.states[slice(None) if mask is None else mask] = np.zeros((), self.world.state_dtype)
        self.states["rng"] = streams
        tell_seeds(self.states, seeds, mask)
        self.seeded = True

    def reset(self, mask: np.ndarray | None = None) -> Output:
        """Begin new episodes.

        Args:
            mask: (n,) bool, the instances to reset; all by default. The others keep their observation and info.

        Returns:
            The arrays; rewards are 0 and flags False.

        Raises:
            gymnasium.error.ResetNeeded: some instances only, after an interrupt.
        """
        if mask is not None:
            self.check_whole()
        self.whole = False
        output = self._output()
        if mask is not None and output is not self.last:
            output.observations[:] = self.last.observations
            output.info[:] = self.last.info
        for array in (output.rewards, output.terminated, output.truncated):
            array.fill(0)
        if mask is None:  # by the loop that steps, so that most users have one loop to compile
            self._advance(np.zeros(*self._actions), self._everybody, output)
        else:
            self._begin(mask, output)
        self.done = self._nobody.copy() if mask is None else self.done & ~mask
        self.last = output
        self.whole = True
        return output

    def check_whole(self) -> None:
        """Refuse to go on after an interrupt.

        Raises:
            gymnasium.error.ResetNeeded: some instances are ahead of others.
        """
        if not self.whole:
            raise ResetNeeded("the last call was interrupted: call reset() for all instances, or set_state(), first")

    @staticmethod
    def _arrays(output: Output) -> tuple[np.ndarray, ...]:
        return output.observations, output.rewards, output.terminated, output.truncated, output.info

    def _output(self) -> Output:
        """Arrays to write into: fresh ones, which nobody else holds, or always the same."""
        if self._reused is not None:
            return self._reused
        *arrays, info = [np.empty(shape, dtype) for shape, dtype in self._layout]
        return Output(*arrays, info.view(np.recarray) if self._interpreted else info)

    def _seen(self, output: Output) -> np.ndarray:
        return records(seen_by(self._loops, self.world.observation, output.observations))

    def _begin(self, mask: np.ndarray, output: Output) -> None:
        """Reset the masked instances into existing arrays."""
        self.run(self._loops.reset, self.states, self._params, mask, self._seen(output), output.info)

    def step(self, actions: np.ndarray, restart: np.ndarray | None = None, into: Output | None = None) -> Output:
        """Advance every instance by one step.

        Args:
            actions: (n, [a,] *A), checked by `envsuite.core.actions.ActionChecker`.
            restart: (n,) bool, the instances that begin a new episode instead; their action is ignored, their
                reward is 0.
            into: contiguous arrays to write, such as a place in a longer record; fresh ones by default.

        Returns:
            The arrays of this step.

        Raises:
            gymnasium.error.ResetNeeded: the call before was interrupted.
        """
        self.check_whole()
        self.whole = False
        restart = self._nobody if restart is None else restart
        if self._loops.prepare is not None:
            self._loops.prepare(self.states, restart)
        output = self._output() if into is None else into
        self._advance(actions, restart, output)
        self.done = all_ended(output.terminated, output.truncated, self._loops.together)
        self.last = output
        self.whole = True
        return output

    @property
    def step_loop(self) -> Any:
        """The world's loop of steps that is the quickest for so many instances a thread."""
        return self._loops.step_for(self.num_envs // self.num_threads)

    def _advance(self, actions: np.ndarray, restart: np.ndarray, output: Output) -> None:
        """Step or restart every instance into existing arrays."""
        flags = output.terminated, output.truncated
        arrays = self._seen(output), output.rewards, *flags, output.info
        given = self.step_loop, self.states, self._params, actions, restart, self.horizon, *arrays
        if self.num_threads == 1:
            self.run(*given)
            return
        start = time.perf_counter()
        self.run(*given, parts=self._parts)
        long = int((time.perf_counter() - start) / _SECONDS_PER_PART)
        large = self.num_envs // self.num_threads // _INSTANCES_PER_PART
        self._parts = self.num_threads * max(1, min(_PARTS_PER_THREAD, long, large))

    def sensed(self, form: str, instances: np.ndarray | None = None) -> np.ndarray:
        """Observations of another form than the world's own.

        Args:
            form: ``"text"``, one of `Words.token_forms` or one of `Pictures.forms`.
            instances: indices; all by default.

        Returns:
            Object array (n,) of `str`, int32 (n, tokens), or see `pixels`.
        """
        if form in companion(self.world, Pictures).forms:
            return self.pixels(form, instances)
        states, words = self.states if instances is None else self.states[instances], companion(self.world, Words)
        if form == "text":
            texts = np.empty(len(states), object)
            texts[:] = words.write(states)
            return texts
        tokens = np.empty((len(states), words.token_forms[form]), np.int32)
        words.write_tokens(states, tokens)
        return tokens

    def pixels(self, form: str, instances: np.ndarray | None = None) -> np.ndarray:
        """Draw pixel observations.

        Args:
            form: one of `Pictures.forms`.
            instances: indices; all by default.

        Returns:
            uint8 (n, [a,] height, width, channels).
        """
        states = self.states if instances is None else self.states[instances]
        out = np.empty(lead_shape(self.world, len(states)) + companion(self.world, Pictures).forms[form], np.uint8)
        pictures = companion(self.world, Pictures)
        # what draws with Pillow or an engine may not be called by several threads at once, and gains nothing from it
        if instances is None and type(pictures).draw_many is not Pictures.draw_many:
            self.run(lambda start, stop: pictures.draw_many(states[start:stop], form, out[start:stop]))
        else:
            pictures.draw_many(states, form, out)
        return out

    def elapse(self, ticks: int) -> Output:
        """Let time pass in which nobody acts; the clock of steps does not move.

        Args:
            ticks: of the world's clock, see `envsuite.core.loops.Loops.tick_rate`; at least 0.

        Returns:
            The arrays, with the rewards of that time.

        Raises:
            ValueError: a negative number of ticks, or a world in which time stands still between actions.
            gymnasium.error.ResetNeeded: the call before was interrupted.
        """
        if ticks < 0:
            raise ValueError(f"ticks is {ticks}, expected at least 0")
        if self._loops.elapse is None:
            raise ValueError(f"{type(self.world).__name__} has no clock that runs between actions")
        self.check_whole()
        self.whole = False
        output = self._output()
        _, *arrays = self._arrays(output)
        self.run(self._loops.elapse, self.states, self._params, ticks, self._seen(output), *arrays)
        self.done = self.done | all_ended(output.terminated, output.truncated, self._loops.together)
        self.last = output
        self.whole = True
        return output

    def restart_ended(self) -> None:
        """Begin new episodes where the last step ended one, in the arrays of that step (flags and rewards stay)."""
        self.check_whole()
        self.whole = False
        self._begin(self.done, self.last)
        self.done = np.zeros(self.num_envs, np.bool_)
        self.whole = True

    def get_state(self) -> Snapshot:
        """An exact copy of everything that the future depends on.

        Raises:
            gymnasium.error.ResetNeeded: the call before was interrupted.
        """
        self.check_whole()
        states = records(record_bytes(self.states).reshape(-1).view(self.states.dtype))
        return Snapshot(states, self.last.observations.copy(), self.done.copy())

    def set_state(self, snapshot: Snapshot) -> np.ndarray:
        """Return to a moment.

        Args:
            snapshot: from `get_state` of a batch of the same world and size.

        Returns:
            The observations of that moment, (n, [a,] *O).

        Raises:
            TypeError: it is no snapshot.
            ValueError: the snapshot comes from another world or batch size.
        """
        if not isinstance(snapshot, Snapshot):
            raise TypeError(f"snapshot is a {type(snapshot).__name__}, expected what get_state() returned")
        if snapshot.states.dtype != self.states.dtype or snapshot.states.shape != self.states.shape:
            raise ValueError(
                f"snapshot holds {snapshot.states.shape} records of {snapshot.states.dtype.itemsize} bytes, "
                f"expected {self.states.shape} of {self.states.dtype.itemsize}, of the same world"
            )
        self.whole = False
        self.states[:] = snapshot.states
        self.done = snapshot.done.copy()
        self.seeded = True
        self.last = replace(self.last, observations=snapshot.observations.copy())
        self.whole = True
        return snapshot.observations.copy()

    def run(self, loop: Any, *arguments: Any, parts: int = 0) -> None:
        """Run a loop over all instances, cut among the threads.

        Args:
            loop: takes the arguments, then where to start and where to stop.
            *arguments: arrays of all instances, and whatever else it takes.
            parts: that instances are cut into; 0 for as many as there are threads.
        """
        NOTICE.subject = self.title
        if self.num_threads == 1:
            loop(*arguments, 0, self.num_envs)
            return
        if self._workers is None or self._workers_process != os.getpid():  # threads do not survive a fork
            self._workers, self._workers_process = Workers(self.num_threads - 1), os.getpid()
        parts = parts or self.num_threads
        cuts = [self.num_envs * k // parts for k in range(parts + 1)]
        self._workers.run([(*arguments, *ends) for ends in itertools.pairwise(cuts)], loop)

    def close(self) -> None:
        """Stop the threads and close the world; the batch can still be used, and starts them again."""
        self.world.close()
        if self._workers is not None:
            self._workers.close()
            self._workers = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_workers": None, "_loops": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.states, self._params = records(self.states), records(self._params)
        self._loops = self.world.loops
        self._layout = [(shape, canonical(dtype)) for shape, dtype in self._layout]


@functools.cache
def _padding(dtype: np.dtype) -> np.ndarray:
    """Indices of the bytes of a record that belong to no field."""
    used = np.zeros(dtype.itemsize, np.bool_)
    _mark(dtype, used)
    return np.flatnonzero(~used)


def _mark(dtype: np.dtype, used: np.ndarray) -> None:
    if dtype.names is None and dtype.subdtype is None:
        used[:] = True
    elif dtype.subdtype is not None:
        for part in used.reshape(-1, dtype.base.itemsize):
            _mark(dtype.base, part)
    else:
        for kind, start, *_ in (dtype.fields or {}).values():
            _mark(kind, used[start : start + kind.itemsize])


def state_bytes(states: np.ndarray) -> np.ndarray:
    """State records as bytes, (n, size) uint8, the same memory."""
    return states.view(np.ndarray).view(np.uint8).reshape(len(states), states.dtype.itemsize)


def record_bytes(states: np.ndarray, which: np.ndarray | slice = slice(None)) -> np.ndarray:
    """The bytes of state records, a copy that depends on the fields alone.

    NumPy's own copies leave whatever the memory held in the padding between fields; here it is zero.

    Args:
        states: (n,) records.
        which: (m,) indices of those wanted; all by default.

    Returns:
        (m, size) uint8.
    """
    rows = np.array(state_bytes(np.ascontiguousarray(states))[which])
    rows[:, _padding(states.dtype)] = 0
    return rows


def digest(states: np.ndarray) -> str:
    """A fingerprint of state records.

    Args:
        states: (n,) structured array.

    Returns:
        32 hexadecimal digits, equal exactly when all fields are, bit for bit.
    """
    import hashlib

    return hashlib.blake2b(record_bytes(states).tobytes(), digest_size=16).hexdigest()
