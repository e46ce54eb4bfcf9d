"""Plays episodes and keeps everything: the columns of a dataset, in the order of the episodes.

A slot whose episode ends begins the next one at once, so that short episodes leave no slot idle; what an episode holds
depends on its seed and the policy alone.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from envsuite.agents.policy import Policy
from envsuite.core.actions import ActionChecker
from envsuite.core.batch import Batch, Output
from envsuite.core.companions import Words, companion
from envsuite.core.frontend import joint_pixels
from envsuite.core.world import World, lead_shape

SLOTS = 256

Observe = Callable[[Batch, Output, "np.ndarray | None"], np.ndarray]
"""Observations of the slots (m,) that are given, (m, ...), in memory of their own; of all slots without them."""


@dataclass(frozen=True)
class Plan:
    """What is to be played.

    Attributes:
        seeds: (E,) int64, of the environment.
        horizon: length limit in steps, 0 for none.
        slots: episodes played at once, at most.
        observation: ``"state"``, ``"pixels"`` or ``"text"``.
        infos: names of the infos that are kept.
        policy_seeds: (E,) int64, what the policy's slots are reset with; the environment's seeds by default.
        num_threads: threads that step the simulator.
    """

    seeds: np.ndarray
    horizon: int
    slots: int = SLOTS
    observation: str = "state"
    infos: tuple[str, ...] = ()
    policy_seeds: np.ndarray | None = None
    num_threads: int = 1


def collect(world: World, make_policy: Callable[[World, int], Policy], plan: Plan) -> dict[str, np.ndarray]:
    """Play episodes.

    Args:
        world: the simulator.
        make_policy: as for `envsuite.evaluation.rollout.play`.
        plan: what is to be played.

    Returns:
        The columns ``observations``, ``actions``, ``rewards``, ``terminated``, ``truncated``, ``infos.*`` (N rows),
        ``seeds``, ``final_observations`` (E rows) and ``offsets`` (E + 1). An agent's episode is truncated only where
        it is not terminated as well.
    """
    run = _Run(world, make_policy, plan)
    while run.busy.any():
        run.step()
    return run.columns()


class _Run:
    def __init__(self, world: World, make_policy: Callable[[World, int], Policy], plan: Plan):
        count = len(plan.seeds)
        self._plan, self._world = plan, world
        self._slots = min(plan.slots, count)
        self._policy_seeds = plan.seeds if plan.policy_seeds is None else plan.policy_seeds
        self._observe = observer(world, plan.observation)
        self._batch = Batch(world, self._slots, num_threads=min(plan.num_threads, self._slots), horizon=plan.horizon)
        self._check = ActionChecker(world.action, lead_shape(world, self._slots))
        self._policy = make_policy(world, self._slots)
        self._episode = np.arange(self._slots)
        self._begun = np.zeros(self._slots, np.int64)
        self._next = self._slots
        self.busy = np.ones(self._slots, np.bool_)
        self._spans = np.zeros((count, 3), np.int64)  # slot, first step, step after the last
        self._finals: list[np.ndarray | None] = [None] * count
        self._kept: list[list[np.ndarray]] = [[] for _ in range(5 + len(plan.infos))]
        self._batch.seed(plan.seeds[: self._slots])
        self._output = self._batch.reset()
        self._policy.reset(self.busy.copy(), self._policy_seeds[: self._slots])

    def step(self) -> None:
        """One step of all slots."""
        self._kept[0].append(self._observe(self._batch, self._output, None))
        actions = self._check(self._policy.act(self._output.observations, self._batch.states))
        output = self._output = self._batch.step(actions)
        infos = [output.info[name].copy() for name in self._plan.infos]
        kept = (actions.copy(), output.rewards, output.terminated, output.truncated & ~output.terminated, *infos)
        for column, values in zip(self._kept[1:], kept, strict=True):
            column.append(values)
        if self._batch.done.any():
            self._end(np.flatnonzero(self._batch.done))

    def _end(self, over: np.ndarray) -> None:
        """Put away the episodes that are over, and begin others in their slots."""
        time = len(self._kept[0])
        finals = self._observe(self._batch, self._output, over)
        seeds = np.zeros(self._slots, np.int64)
        policy_seeds = np.zeros(self._slots, np.int64)
        for slot, final in zip(over, finals, strict=True):
            if self.busy[slot]:
                episode = self._episode[slot]
                self._spans[episode] = slot, self._begun[slot], time
                self._finals[episode] = final
            self._episode[slot], self._begun[slot] = self._next, time
            self.busy[slot] = self._next < len(self._plan.seeds)
            if self.busy[slot]:
                seeds[slot], policy_seeds[slot] = self._plan.seeds[self._next], self._policy_seeds[self._next]
                self._next += 1
        mask = np.zeros(self._slots, np.bool_)
        mask[over] = True  # slots without work play on, to no effect
        self._batch.seed(seeds, mask)
        self._batch.restart_ended()
        self._policy.reset(mask, policy_seeds)

    def columns(self) -> dict[str, np.ndarray]:
        """Everything that was kept, episode by episode."""
        self._batch.close()
        slot, first, after = self._spans.T
        lengths = after - first
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        time = np.arange(offsets[-1]) - np.repeat(offsets[:-1] - first, lengths)
        where = (time, np.repeat(slot, lengths))
        names = ("observations", "actions", "rewards", "terminated", "truncated")
        found = {}
        for name in (*names, *(f"infos.{name}" for name in self._plan.infos)):
            steps = self._kept.pop(0)
            found[name] = np.stack(steps)[where]
            steps.clear()
        found["offsets"] = offsets
        found["seeds"] = np.asarray(self._plan.seeds, np.int64)
        found["final_observations"] = np.stack([one for one in self._finals if one is not None])
        if self._plan.observation == "text" and self._world.agents:  # one column an agent
            for name in ("observations", "final_observations"):
                texts = found.pop(name)
                found |= {f"{name}._index_{k}": texts[:, k] for k in range(len(self._world.agents))}
        return found


def observer(world: World, kind: str) -> Observe:
    """How observations are taken.

    Args:
        world: the simulator.
        kind: ``"state"``: what the simulator gives, (m, [a,] *O); ``"pixels"``: uint8 frames (m, 84, 84, 3);
            ``"text"``: descriptions as UTF-8 bytes, (m, [a]).

    Raises:
        ValueError: another kind.
    """
    if kind == "state":
        return lambda batch, output, slots: output.observations if slots is None else output.observations[slots]
    if kind == "pixels":
        return lambda batch, output, slots: joint_pixels(world, batch.pixels(kind, slots))
    if kind == "text":
        agents = range(max(1, len(world.agents)))

        def texts(batch: Batch, output: Output, slots: np.ndarray | None) -> np.ndarray:
            which = range(batch.num_envs) if slots is None else slots
            said = [
                [companion(world, Words).describe(batch.states[i], agent).encode() for agent in agents] for i in which
            ]
            found = np.array(said, np.bytes_)
            return found if world.agents else found[:, 0]

        return texts
    raise ValueError(f"observation is {kind!r}, expected 'state', 'pixels' or 'text'")
