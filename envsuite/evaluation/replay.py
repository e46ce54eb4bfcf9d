"""Plays recorded episodes again, all together, and compares every step bit for bit."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from envsuite.cards import EnvCard
from envsuite.core.batch import Batch, state_bytes
from envsuite.core.companions import Referee, companion
from envsuite.core.layout import Vector
from envsuite.core.world import World, lead_shape, make_world
from envsuite.evaluation.episodes import EpisodeLog, check_card, state_digests
from envsuite.evaluation.rollout import Episodes, final_metrics, flags_at_end, summed_rewards

_BLOCK = 1024  # episodes replayed at once; bounds memory


@dataclass(frozen=True)
class Divergence:
    """The first step at which a replay departs from its record.

    Attributes:
        episode: index in the log.
        seed: of that episode.
        step: index in the episode, from 0.
        what: ``"action"``, ``"reward"``, ``"length"``, ``"terminated"``, ``"truncated"`` or ``"state"``.
        expected: what the record has.
        found: what the replay gave; for an action, why it cannot have been taken.
    """

    episode: int
    seed: int
    step: int
    what: str
    expected: str
    found: str

    def __str__(self) -> str:
        place = f"episode {self.episode} (seed {self.seed}), step {self.step}"
        return f"{place}: the {self.what} is {self.found}, recorded was {self.expected}"


def replay(log: EpisodeLog, card: EnvCard, num_threads: int = 1) -> Divergence | None:
    """Check a record; see `replayed`."""
    return replayed(log, card, num_threads)[0]


def replayed(log: EpisodeLog, card: EnvCard, num_threads: int = 1) -> tuple[Divergence | None, Episodes]:
    """Play all recorded episodes again in one batch and compare rewards, flags, lengths and states bit for bit.

    Args:
        log: the record.
        card: its environment, with its options.
        num_threads: threads that step the simulator.

    Returns:
        The first departure, that of the lowest episode (None where all agrees), and what the replay measured, which
        is complete only without a departure.

    Raises:
        ValueError: the log is of another environment, or its arrays do not fit the environment's.
    """
    check_card(log, card)
    world = make_world(card.world, **card.options)
    lead = lead_shape(world, 1)[1:]
    for name, array, shape, dtype in (
        ("actions", log.actions, (*lead, *world.action.shape), np.dtype(world.action.dtype)),
        ("rewards", log.rewards, (*lead, *world.reward.shape), np.dtype(world.reward.dtype)),
    ):
        if array.shape[1:] != shape or array.dtype != dtype:
            raise ValueError(f"{name} are {array.dtype} (T, {array.shape[1:]}), expected {dtype} (T, {shape})")
    parts, first = [], None
    for start in range(0, len(log.seeds), _BLOCK):
        block = log.part(start, min(start + _BLOCK, len(log.seeds)))
        run = _Run(block, world, card.horizon or 0, num_threads)
        first = first or run.first(start)
        parts.append(run.episodes())
        if first:
            break
    return first, Episodes.join(parts)


class _Run:
    """The state of a replay: a batch that shrinks as episodes end, and the first fault of each episode."""

    def __init__(self, log: EpisodeLog, world: World, horizon: int, num_threads: int):
        count = len(log.seeds)
        self._log, self._world, self._threads = log, world, num_threads
        self._lengths = log.lengths
        self._several = bool(world.agents)
        self._rewards = _bits(log.rewards)
        self._actions, self._bad = _possible(log.actions, world)
        self._faults: dict[int, tuple[int, str, str, str]] = {}  # by episode: step, what, expected, found
        self._returns = np.zeros((count, *world.reward.shape))
        self._steps = np.zeros(count, np.int64)
        self._flags = np.zeros((2, count), np.bool_)
        self._info = np.zeros(lead_shape(world, count), world.info_dtype)
        self._time = 0
        self._rows = np.arange(count)  # episode of each slot
        self.live = np.arange(count)  # slots still running
        self._batch = Batch(world, count, num_threads=min(num_threads, count), horizon=horizon, reuse=True)
        self._batch.seed(log.seeds)
        self._batch.reset()
        while self.live.size:
            self._step()
        self._batch.close()

    def _step(self) -> None:
        """One step of all episodes that still run; those whose record or play ends are put aside."""
        time, live, whole = self._time, self.live, self.live.size == len(self._rows)
        episodes = self._rows if whole else self._rows[live]
        at = self._log.offsets[self._rows] + np.minimum(time, self._lengths[self._rows] - 1)
        resting = None
        if not whole:
            resting = np.ones(len(self._rows), np.bool_)
            resting[live] = False
        output = self._batch.step(self._actions[at], resting)
        rewards = output.rewards if whole else output.rewards[live]
        at = at if whole else at[live]
        differs = (_bits(rewards) != self._rewards[at]).reshape(len(live), -1).any(axis=1)
        self._note(episodes, self._bad[at], "action", at, lambda k: "none that the environment can have taken")
        self._note(episodes, differs, "reward", at, lambda k: str(rewards[k]))
        self._returns[episodes] += summed_rewards(rewards, self._several, companion(self._world, Referee).zero_sum)
        self._time = time + 1
        over = self._batch.done if whole else self._batch.done[live]
        last = self._lengths[episodes] == self._time
        if (over | last).any():
            self._end(episodes, live, over, last, at)
        check = last | (self._time % self._log.interval == 0)
        if check.any():
            self._compare_states(episodes[check], live[check], at[check])
        self._keep(live[~(over | last)])

    def _end(self, episodes: np.ndarray, live: np.ndarray, over: np.ndarray, last: np.ndarray, at: np.ndarray) -> None:
        self._note(episodes, over != last, "length", at, lambda k: f"{self._time}" if over[k] else "longer")
        ended = over & last
        flags = np.stack(flags_at_end(self._batch.last, self._several))[:, live[ended]]
        which = episodes[ended]
        for name, mine, theirs in (
            ("terminated", flags[0], self._log.terminated[which]),
            ("truncated", flags[1], self._log.truncated[which]),
        ):
            self._note(which, mine != theirs, name, at[ended], lambda k, mine=mine: str(mine[k]))
        self._flags[:, which] = flags
        self._info[which] = self._batch.last.info[live[ended]]
        self._steps[which] = self._time

    def _compare_states(self, episodes: np.ndarray, slots: np.ndarray, at: np.ndarray) -> None:
        index = self._log.digest_offsets[episodes] + (self._time - 1) // self._log.interval
        found = state_digests(self._batch.states, slots)
        self._note(episodes, found != self._log.digests[index], "state", at, lambda k: f"{found[k]:016x}")

    def _note(self, episodes: np.ndarray, wrong: np.ndarray, what: str, at: np.ndarray, found: Any) -> None:
        """Keep the first fault of each episode where `wrong` is set; later ones are consequences."""
        if not wrong.any():
            return
        time = self._time if what in ("action", "reward") else self._time - 1
        for k in np.flatnonzero(wrong):
            episode = int(episodes[k])
            if episode not in self._faults:
                self._faults[episode] = (time, what, self._recorded(what, episode, int(at[k])), found(k))

    def _recorded(self, what: str, episode: int, at: int) -> str:
        log = self._log
        if what == "length":
            return str(self._lengths[episode])
        if what == "state":
            return f"{log.digests[log.digest_offsets[episode] + (self._time - 1) // log.interval]:016x}"
        array = {"action": log.actions, "reward": log.rewards}.get(what)
        return str(array[at] if array is not None else getattr(log, what)[episode])

    def _keep(self, live: np.ndarray) -> None:
        """Go on with these slots; faults end the episodes after them too, for only the first one is asked for."""
        if self._faults:
            live = live[self._rows[live] < min(self._faults)]
        if 0 < live.size <= len(self._rows) // 2:  # a smaller batch costs less than the slots that rest
            old = self._batch
            self._batch = Batch(
                self._world,
                live.size,
                num_threads=min(self._threads, live.size),
                horizon=old.horizon,
                reuse=True,
            )
            state_bytes(self._batch.states)[:] = state_bytes(old.states)[live]
            old.close()
            self._rows = self._rows[live]
            live = np.arange(live.size)
        self.live = live

    def first(self, start: int) -> Divergence | None:
        """The departure of the lowest episode, counted from `start`."""
        if not self._faults:
            return None
        episode = min(self._faults)
        step, *fault = self._faults[episode]
        return Divergence(start + episode, int(self._log.seeds[episode]), step, *fault)

    def episodes(self) -> Episodes:
        """What was measured."""
        metrics = final_metrics(self._info, self._several)
        return Episodes(self._log.seeds, self._returns, self._steps, self._flags[0], self._flags[1], metrics)


def _bits(array: np.ndarray) -> np.ndarray:
    """Numbers as unsigned integers, so that equal means equal bits (-0 and nan included)."""
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")


def _possible(actions: np.ndarray, world: World) -> tuple[np.ndarray, np.ndarray]:
    """Actions with impossible ones replaced, and (T,) bool, which steps those are."""
    low, high = world.action.low, world.action.high
    fine: Any = np.isfinite(actions) if actions.dtype.kind == "f" else np.ones(actions.shape, np.bool_)
    if world.action.out_of_range != "pass" or not isinstance(world.action, Vector):
        fine &= (actions >= low) & (actions <= high)
    bad = ~fine.reshape(len(actions), -1).all(axis=1)
    if bad.any():
        actions = actions.copy()
        actions[bad] = low
    return actions, bad
