"""Plays episodes by protocol: fixed seeds, one episode a slot, so that short episodes are not over-counted."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from envsuite.agents.policy import Policy
from envsuite.agents.random import RandomPolicy
from envsuite.cards import EnvCard, Score
from envsuite.core.actions import ActionChecker
from envsuite.core.batch import Batch
from envsuite.core.world import World, make_world

EVALUATION_SEED = 10**9
"""Seeds from here on are kept for evaluation; training uses smaller ones."""

_SLOTS = 512


@dataclass
class Episodes:
    """What happened in E episodes.

    Attributes:
        seeds: (E,) int64, the seed of each episode.
        returns: (E,) float64, or (E, k) for vector rewards; summed over agents.
        lengths: (E,) int64, steps.
        terminated: (E,) bool, ended by the task rather than by the length limit.
        metrics: info at the last step, by name, (E, ...); averaged over agents.
    """

    seeds: np.ndarray
    returns: np.ndarray
    lengths: np.ndarray
    terminated: np.ndarray
    metrics: dict[str, np.ndarray] = field(default_factory=dict)

    def score(self, policy: str) -> Score:
        """Mean return and its standard error, as a card holds them."""
        spread = self.returns.std(ddof=1) / np.sqrt(len(self.returns)) if len(self.returns) > 1 else np.inf
        return Score(float(self.returns.mean()), float(spread), len(self.returns), policy)


PolicyMaker = Callable[[World, int], Policy]
"""Makes a player for a world and a number of slots."""


def random_policy(world: World, slots: int) -> Policy:
    """The uniformly random policy."""
    return RandomPolicy(world.action, world.lead_shape(slots))


def expert_policy(world: World, slots: int) -> Policy:
    """The world's reference policy."""
    return world.expert()


def policy_maker(spec: str) -> PolicyMaker:
    """Read the name of a player, as the command line has it.

    Args:
        spec: ``"random"``, ``"expert"``, or the path of a saved policy or of a run folder that holds one.

    Raises:
        ValueError: neither a known name nor a policy; or, when it is made, a policy for another environment.
    """
    named = {"random": random_policy, "expert": expert_policy}
    if spec in named:
        return named[spec]
    from envsuite.agents.network import NetworkPolicy

    try:
        network = NetworkPolicy.load(spec)
    except FileNotFoundError as error:
        raise ValueError(f"policy {spec!r} is neither one of {sorted(named)} nor a file") from error

    def trained(world: World, slots: int) -> Policy:
        network.check(world.observation, world.action)
        return network

    return trained


def play(
    card: EnvCard,
    make_policy: PolicyMaker,
    episodes: int,
    *,
    first_seed: int = EVALUATION_SEED,
    num_threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Episodes:
    """Play episodes of an environment; results depend on the seeds and the policy alone.

    Args:
        card: the environment.
        make_policy: for example `random_policy` or `expert_policy`.
        episodes: how many, at least 1; episode ``i`` has the seed ``first_seed + i``.
        first_seed: see `episodes`.
        num_threads: threads that step the simulator.
        progress: called with the number of episodes finished so far.

    Raises:
        ValueError: no episodes asked for, or an environment that never ends.
    """
    if episodes < 1:
        raise ValueError(f"episodes is {episodes}, expected at least 1")
    if card.horizon is None:
        raise ValueError(f"{card.id} has no length limit: episodes might never end")
    world = make_world(card.world, **card.options)
    parts = []
    for first in range(0, episodes, _SLOTS):
        seeds = np.arange(first, min(first + _SLOTS, episodes)) + first_seed
        parts.append(_play_slots(world, make_policy, seeds, card.horizon, num_threads))
        if progress:
            progress(first + len(seeds))
    metrics = {name: np.concatenate([part.metrics[name] for part in parts]) for name in parts[0].metrics}
    columns = ("seeds", "returns", "lengths", "terminated")
    return Episodes(*(np.concatenate([getattr(part, name) for part in parts]) for name in columns), metrics)


def _play_slots(world: World, make_policy: PolicyMaker, seeds: np.ndarray, horizon: int, num_threads: int) -> Episodes:
    slots = len(seeds)
    batch = Batch(world, slots, num_threads=min(num_threads, slots), horizon=horizon)
    batch.seed([int(seed) for seed in seeds])
    output = batch.reset()
    check = ActionChecker(world.action, world.out_of_range, world.lead_shape(slots))
    policy = make_policy(world, slots)
    policy.reset(np.ones(slots, np.bool_), seeds)
    agents = bool(world.agents)
    returns = np.zeros((slots, *world.reward_shape))
    lengths = np.zeros(slots, np.int64)
    terminated = np.zeros(slots, np.bool_)
    metrics = np.zeros(world.lead_shape(slots), world.info_dtype)
    live = np.ones(slots, np.bool_)
    while live.any():
        output = batch.step(check(policy.act(output.observations, batch.states)), ~live)
        reward = output.rewards.sum(axis=1, dtype=np.float64) if agents else output.rewards
        returns[live] += reward[live]
        lengths[live] += 1
        metrics[live] = output.info[live]
        ended = live & batch.over
        by_task: Any = output.terminated.all(axis=1) if agents else output.terminated
        terminated[ended] = by_task[ended]
        live &= ~batch.over
    names = world.info_dtype.names or ()
    values = {name: metrics[name].mean(axis=1) if agents else metrics[name].copy() for name in names}
    return Episodes(seeds, returns, lengths, terminated, values)
