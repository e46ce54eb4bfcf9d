"""Plays episodes by protocol: fixed seeds, each played to its end, so that short episodes are not over-counted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from envsuite.agents.policy import Policy
from envsuite.agents.random import RandomPolicy
from envsuite.cards import EnvCard, Score
from envsuite.core.actions import ActionChecker
from envsuite.core.batch import Batch, Output, over_agents
from envsuite.core.companions import Players, Referee, companion
from envsuite.core.world import World, lead_shape, make_world
from envsuite.evaluation.episodes import EpisodeLog
from envsuite.evaluation.recorder import Recorder

if TYPE_CHECKING:
    from envsuite.agents.onnx import OnnxPolicy

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
        terminated: (E,) bool, ended by the task rather than by the length limit (for all agents).
        truncated: (E,) bool, reached the length limit (for any agent).
        metrics: info at the last step, by name, (E, ...); averaged over agents.
        log: the record that replays them, where one was asked for.
    """

    seeds: np.ndarray
    returns: np.ndarray
    lengths: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    metrics: dict[str, np.ndarray] = field(default_factory=dict)
    log: EpisodeLog | None = None

    @classmethod
    def join(cls, parts: "Sequence[Episodes]") -> "Episodes":
        """Several sets of episodes as one, without their logs.

        Args:
            parts: at least one, all of the same environment.
        """
        names = ("seeds", "returns", "lengths", "terminated", "truncated")
        columns: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
        metrics = {name: np.concatenate([part.metrics[name] for part in parts]) for name in parts[0].metrics}
        return cls(**columns, metrics=metrics)

    def score(self, policy: str, weights: Sequence[float] = ()) -> Score:
        """Mean return and its standard error, as a card holds them.

        Args:
            policy: what played.
            weights: on the objectives, see `envsuite.cards.EnvCard.weights`.
        """
        returns = weighted(self.returns, weights)
        spread = returns.std(ddof=1) / np.sqrt(len(returns)) if len(returns) > 1 else np.inf
        return Score(float(returns.mean()), float(spread), len(returns), policy)


def weighted(returns: np.ndarray, weights: Sequence[float] = ()) -> np.ndarray:
    """One number for each return.

    Args:
        returns: (E,) or (E, k).
        weights: on the k objectives; empty for equal weights that add up to 1.

    Returns:
        (E,) float64; scalar returns as they are.
    """
    if returns.ndim == 1:
        return returns
    mix = np.asarray(weights, np.float64) if len(weights) else np.full(returns.shape[1], 1 / returns.shape[1])
    return sum((returns[:, k] * mix[k] for k in range(len(mix))), np.zeros(len(returns)))


def one_number(card: EnvCard, episodes: Episodes) -> Episodes:
    """The same episodes with returns weighted as the card has it, and each objective's return among the metrics.

    Args:
        card: of the environment.
        episodes: as `play` or a replay gives them.
    """
    if episodes.returns.ndim == 1:
        return episodes
    objectives = {f"return_{name}": episodes.returns[:, k] for k, name in enumerate(card.objectives)}
    returns = weighted(episodes.returns, card.weights)
    return replace(episodes, returns=returns, metrics=episodes.metrics | objectives)


PolicyMaker = Callable[[World, int], Policy]
"""Makes a player for a world and a number of slots."""


def random_policy(world: World, slots: int) -> Policy:
    """The uniformly random policy."""
    return RandomPolicy(world.action, lead_shape(world, slots), world.observation)


def expert_policy(world: World, slots: int) -> Policy:
    """The world's reference policy."""
    return companion(world, Players).expert()


def named_player(name: str) -> PolicyMaker:
    """One of the players that a world knows by name.

    Args:
        name: see `envsuite.core.companions.Players.collector`.
    """

    def known(world: World, slots: int) -> Policy:
        return companion(world, Players).collector(name)

    return known


def policy_maker(spec: str) -> PolicyMaker:
    """Read the name of a player, as the command line has it.

    Args:
        spec: ``"random"``, ``"expert"``, a frozen policy such as ``"ppo/QuadHover"``
            (`envsuite.evaluation.frozen`), or the path of an ``.onnx`` file or of a run folder that holds one.

    Raises:
        ValueError: neither a known name nor a policy; or, when it is made, a policy for another environment.
    """
    named = {"random": random_policy, "expert": expert_policy}
    if spec in named:
        return named[spec]
    from envsuite.agents import onnx
    from envsuite.evaluation.frozen import find_frozen

    if frozen := find_frozen(spec):
        return onnx_player(frozen.load())
    try:
        network = onnx.load(spec)
    except OSError as error:
        hint = "" if error.filename is None or Path(spec).exists() else "; `envsuite baselines list` names frozen ones"
        raise ValueError(f"policy {spec!r} is neither one of {sorted(named)} nor a file: {error}{hint}") from error

    return onnx_player(network)


def onnx_player(network: "OnnxPolicy") -> PolicyMaker:
    """Plays a trained network; one that was trained on frames or words is given those of the state.

    Args:
        network: from `envsuite.agents.onnx.load`.
    """

    def trained(world: World, slots: int) -> Policy:
        from envsuite.agents.sensed import SensedPolicy

        if SensedPolicy.takes(network, world):
            return SensedPolicy(network.fresh(), world)
        network.check(world.observation, world.action, len(world.agents))
        return network.fresh()

    return trained


def play(
    card: EnvCard,
    make_policy: PolicyMaker,
    episodes: int,
    *,
    first_seed: int = EVALUATION_SEED,
    seeds: Sequence[int] | None = None,
    slots: int = _SLOTS,
    num_threads: int = 1,
    record: bool = False,
    progress: Callable[[int], None] | None = None,
    against: PolicyMaker | None = None,
    others: PolicyMaker = random_policy,
) -> Episodes:
    """Play episodes of an environment; results depend on the seeds and the policy alone.

    With n slots the first ceil(episodes / n) episodes of each slot count, and their seeds are dealt out beforehand: no
    episode is left out because others were shorter.

    Args:
        card: the environment.
        make_policy: for example `random_policy` or `expert_policy`.
        episodes: how many, at least 1; episode ``i`` has the seed ``first_seed + i``.
        first_seed: see `episodes`.
        seeds: one for each episode, instead of those from `first_seed` on.
        slots: episodes played at once, at most.
        num_threads: threads that step the simulator.
        record: keep an `EpisodeLog`.
        progress: called with the number of episodes finished so far.
        against: who plays the other one of two agents. The policy is the first in episodes of even seeds, the second
            in the others; returns and metrics are then its own, and the metric ``win_share`` says whether its return
            was the higher one (1; 0.5 for a draw).
        others: without `against`, who sits on the other seats where agents are rivals; the policy is the first agent.

    Raises:
        ValueError: no episodes asked for, another number of seeds, an environment that never ends, an opponent
            where there are not two agents with one reward each, or others where agents are no rivals.
    """
    if episodes < 1:
        raise ValueError(f"episodes is {episodes}, expected at least 1")
    if slots < 1:
        raise ValueError(f"slots is {slots}, expected at least 1")
    if card.horizon is None:
        raise ValueError(f"{card.id} has no length limit: episodes might never end")
    if seeds is not None and len(seeds) != episodes:
        raise ValueError(f"{len(seeds)} seeds are given, expected {episodes}, one for each episode")
    world = make_world(card.world, **card.options)
    if against is not None and (len(world.agents) != 2 or world.reward.objectives):
        found = f"{max(1, len(world.agents))} agents and {len(world.reward.objectives) or 1} objectives"
        raise ValueError(f"{card.id} has {found}, expected 2 agents and 1 objective for a policy and its opponent")
    dealt = np.arange(episodes) + first_seed if seeds is None else np.asarray(seeds, np.int64)
    recorder = Recorder(card, world) if record else None
    parts = []
    for first in range(0, episodes, slots):
        chunk = dealt[first : first + slots]
        parts.append(_play_slots(world, make_policy, chunk, card.horizon, num_threads, recorder, against, others))
        if progress:
            progress(first + len(chunk))
    whole = Episodes.join(parts)
    return replace(whole, log=recorder.log()) if recorder else whole


class _Seated:
    """A player in the first seat, another one in all others."""

    def __init__(self, first: Policy, others: Policy):
        self._players = first, others

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """See `envsuite.agents.policy.Policy.reset`."""
        for player in self._players:
            player.reset(mask, seeds)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Each seat's action by its player."""
        first, others = (np.array(player.act(observations, states)) for player in self._players)
        others[:, 0] = first[:, 0]
        return others


class Versus:
    """Two players at one table: the first sits on the side that the episode's seed says, odd seeds on the second.

    Args:
        first: player.
        second: player.

    Attributes:
        sides: (n,) int64, the first player's side in each slot.
    """

    def __init__(self, first: Policy, second: Policy):
        self._players = first, second
        self.sides = np.zeros(0, np.int64)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """See `envsuite.agents.policy.Policy.reset`."""
        self.sides = np.where(mask, seeds % 2, self.sides) if len(self.sides) else seeds % 2
        for player in self._players:
            player.reset(mask, seeds)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Each side's action by its player."""
        first, second = (np.array(player.act(observations, states)) for player in self._players)
        rows = np.arange(len(first))
        second[rows, self.sides] = first[rows, self.sides]
        return second


def seated(world: World, policy: Policy, slots: int, others: PolicyMaker = random_policy) -> Policy:
    """The policy, or where agents are rivals (`Referee.zero_sum`) the policy as the first agent against others.

    Args:
        world: the simulator.
        policy: who plays.
        slots: episodes played at once.
        others: on the other seats, uniformly random by default.

    Raises:
        ValueError: others are given, and the agents are no rivals.
    """
    if companion(world, Referee).zero_sum:
        return _Seated(policy, others(world, slots))
    if others is not random_policy:
        raise ValueError(f"an opponent is given, but {type(world).__name__} is no game of rivals")
    return policy


def summed_rewards(rewards: np.ndarray, several: bool, rivals: bool = False) -> np.ndarray:
    """Rewards of a step, summed over agents in double precision.

    Args:
        rewards: (n, [a,] [k]).
        several: there is an axis of agents.
        rivals: the first agent's alone count, see `Referee.zero_sum`.
    """
    if rivals:
        return rewards[:, 0].astype(np.float64)
    return over_agents(np.add, rewards.astype(np.float64)) if several else rewards


def flags_at_end(output: Output, several: bool) -> tuple[np.ndarray, np.ndarray]:
    """How episodes that are over ended.

    Args:
        output: of the step.
        several: flags have an axis of agents.

    Returns:
        (n,) bool, terminated for all agents; (n,) bool, truncated for any.
    """
    if several:
        return over_agents(np.logical_and, output.terminated), over_agents(np.logical_or, output.truncated)
    return output.terminated, output.truncated


def final_metrics(info: np.ndarray, several: bool) -> dict[str, np.ndarray]:
    """Info records as arrays by name, averaged over agents.

    Args:
        info: (E, [a]) records.
        several: there is an axis of agents.
    """
    return {name: info[name].mean(axis=1) if several else info[name].copy() for name in info.dtype.names or ()}


def _play_slots(
    world: World,
    make_policy: PolicyMaker,
    seeds: np.ndarray,
    horizon: int,
    num_threads: int,
    recorder: Recorder | None,
    against: PolicyMaker | None,
    others: PolicyMaker,
) -> Episodes:
    slots = len(seeds)
    batch = Batch(world, slots, num_threads=min(num_threads, slots), horizon=horizon)
    batch.seed(seeds)
    output = batch.reset()
    check = ActionChecker(world.action, lead_shape(world, slots))
    versus = against is not None
    policy = make_policy(world, slots)
    policy = Versus(policy, against(world, slots)) if against is not None else seated(world, policy, slots, others)
    sides = np.stack([seeds % 2, 1 - seeds % 2], axis=1)  # own, the other's
    policy.reset(np.ones(slots, np.bool_), seeds)
    if recorder:
        recorder.begin(slots)
    several = bool(world.agents)
    returns = np.zeros((slots, 2) if versus else (slots, *world.reward.shape))
    lengths = np.zeros(slots, np.int64)
    flags = np.zeros((2, slots), np.bool_)
    metrics = np.zeros(lead_shape(world, slots), world.info_dtype)
    live = np.ones(slots, np.bool_)
    while live.any():
        actions = check(policy.act(output.observations, batch.states))
        again = (
            batch.done.copy()
        )  # who has ended plays one more episode, since beginning anew in each step may take long
        output = batch.step(actions, again)
        if again.any():
            policy.reset(again, seeds)
        if recorder:
            recorder.step(actions, output.rewards, batch, live)
        if versus:
            reward = np.take_along_axis(output.rewards.astype(np.float64), sides, axis=1)
        else:
            reward = summed_rewards(output.rewards, several, companion(world, Referee).zero_sum)
        returns[live] += reward[live]
        lengths[live] += 1
        metrics[live] = output.info[live]
        ended = live & batch.done
        flags[:, ended] = np.stack(flags_at_end(output, several))[:, ended]
        live &= ~batch.done
    batch.close()
    if recorder:
        recorder.end(seeds, lengths, flags)
    if versus:
        own, other = returns.T
        found = final_metrics(metrics[np.arange(slots), sides[:, 0]], False)
        found["win_share"] = np.where(own > other, 1.0, np.where(own < other, 0.0, 0.5))
        return Episodes(seeds, own, lengths, flags[0], flags[1], found)
    return Episodes(seeds, returns, lengths, flags[0], flags[1], final_metrics(metrics, several))
