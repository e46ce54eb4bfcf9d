"""The rules of gem mining on one record, the batch loops, and the world."""

from typing import Literal

import numpy as np

from envsuite.core import rng
from envsuite.core.jit import kernel
from envsuite.core.layout import Choice
from envsuite.core.loops import batch_loops
from envsuite.core.world import Reward, World
from envsuite.momarl.gem_mining.params import (
    MOST_AGENTS,
    MOST_CONNECTIVITY,
    MOST_OBJECTIVES,
    MOST_WORKERS,
    draw_instance,
    params_dtype,
)
from envsuite.momarl.gem_mining.state import action_layout, info_dtype, observation_layout, state_dtype
from envsuite.momarl.world import COMPAT, named, number, one_of, whole


@kernel
def reset(s):
    """All workers are at home."""
    for i in range(len(s.target)):
        s.target[i] = -1
    for m in range(len(s.working)):
        s.working[m] = 0
        for k in range(s.gems.shape[1]):
            s.gems[m, k] = 0


@kernel
def chance(s, p, m, k):
    """Probability that a mine in which someone works yields a gem of kind k."""
    found = p.chance[m, k]
    for _ in range(s.working[m] - p.first):
        found *= p.bonus
    return min(found, p.ceiling)


@kernel
def step(s, p, actions, rewards):
    """Send the workers; every village gets the gems that all have found together."""
    reset(s)
    for i in range(len(s.target)):
        if actions[i] < np.int64(p.reach[i]):  # beyond their reach they stay at home
            s.target[i] = i + actions[i]
            s.working[s.target[i]] += p.workers[i]
    for k in range(s.gems.shape[1]):
        total = np.int32(0)
        for m in range(len(s.working)):
            if s.working[m] > 0 and rng.uniform(s.rng, rng.DYNAMICS, 0.0, 1.0) < chance(s, p, m, k):
                s.gems[m, k] = 1
                total += np.int32(1)
        for i in range(len(s.target)):
            rewards[i, k] = total
    return True


@kernel
def observe(s, p, observations, info):
    """Write what each village knows, and the metrics."""
    expected = 0.0
    for m in range(len(s.working)):
        for k in range(s.gems.shape[1]):
            if s.working[m] > 0:
                expected += chance(s, p, m, k)
    expected /= np.float64(s.gems.shape[1])
    for i in range(len(s.target)):
        observations[i, 0] = p.workers[i]
        observations[i, 1] = p.reach[i]
        info[i].expected = expected
        for j in range(observations.shape[1] - 2):
            allowed = j < p.reach[i]
            observations[i, 2 + j] = allowed
            info[i].action_mask[j] = allowed


class GemMiningWorld(World):
    """Villages in a row send all their workers to a mine near them, once; mines yield gems of several kinds.

    Args:
        num_agents: villages, 2 to 200.
        num_objectives: kinds of gems, 1 to 8.
        min_connectivity: least number of mines in a village's reach.
        max_connectivity: greatest number, up to 6; there are ``num_agents + max_connectivity - 1`` mines.
        min_workers: least number of workers of a village.
        max_workers: greatest number, up to 30.
        min_prob: least chance that a mine yields a gem to one worker.
        max_prob: greatest chance.
        trunc_probability: greatest chance to any number of workers.
        w_bonus: factor on the chance for every worker beyond the first.
        correlated_objectives: a mine that is good for one kind is bad for others.
        instance_seed: of the villages and mines, which are the same in all episodes.
        compat: ``"momaland-0.2"`` counts the bonus for the first worker too, as its code does.

    Raises:
        ValueError: an option's value is unknown or out of range.
    """

    action: Choice  # ty: ignore[incompatible-mutable-override]
    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        num_agents: int = 20,
        num_objectives: int = 2,
        min_connectivity: int = 2,
        max_connectivity: int = 4,
        min_workers: int = 1,
        max_workers: int = 5,
        min_prob: float = 0.01,
        max_prob: float = 0.5,
        trunc_probability: float = 0.9,
        w_bonus: float = 1.03,
        correlated_objectives: bool = True,
        instance_seed: int = 42,
        compat: Literal["momaland-0.2"] | None = None,
    ):
        count = whole("num_agents", num_agents, 2, MOST_AGENTS)
        kinds = whole("num_objectives", num_objectives, 1, MOST_OBJECTIVES)
        choices = whole("max_connectivity", max_connectivity, 2, MOST_CONNECTIVITY)
        most = whole("max_workers", max_workers, 1, MOST_WORKERS)
        reaches = (whole("min_connectivity", min_connectivity, 1, choices), choices)
        workers = (whole("min_workers", min_workers, 1, most), most)
        chances = (number("min_prob", min_prob, 0, 1), number("max_prob", max_prob, min_prob, 1))
        seed = whole("instance_seed", instance_seed, 0, 2**63 - 1)
        mines = count + choices - 1
        self.params = np.zeros(1, params_dtype(count, mines, kinds))
        p = self.params[0]
        p["workers"], p["reach"], p["chance"] = draw_instance(
            seed, count, kinds, reaches, workers, chances, bool(correlated_objectives)
        )
        p["ceiling"] = number("trunc_probability", trunc_probability, 0, 1)
        p["bonus"] = number("w_bonus", w_bonus, 0, 10)
        p["first"] = 1 - one_of("compat", compat, (None, COMPAT))
        self.agents = named("village", count)
        names = tuple(f"gems_{k}" for k in range(kinds))
        self.reward = Reward(names, np.zeros(kinds), np.full(kinds, float(min(mines, count))))
        self.state_dtype = state_dtype(count, mines, kinds)
        self.info_dtype = info_dtype(choices)
        self.action = action_layout(choices)
        self.observation = observation_layout(choices, most)

    def known_front(self) -> np.ndarray:
        """The exact Pareto front of expected gems, (points, objectives); see `experts.known_front`."""
        from envsuite.momarl.gem_mining.experts import known_front

        return known_front(self.params[0])[0]
