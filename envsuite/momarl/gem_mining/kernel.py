"""The rules of gem mining on one record, the batch loops, and the world."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between, Reward, World, batch_loops, kernel, rng
from envsuite.momarl.gem_mining.params import Params, draw_chances
from envsuite.momarl.gem_mining.state import Info, State, action_layout, observation_layout
from envsuite.momarl.world import named


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
        total = 0
        for m in range(len(s.working)):
            if s.working[m] > 0 and rng.uniform(s.rng, rng.DYNAMICS, 0.0, 1.0) < chance(s, p, m, k):
                s.gems[m, k] = 1
                total += 1
        for i in range(len(s.target)):
            rewards[i, k] = total
    return True


@kernel
def observe(s, p, o, info):
    """Write what each village knows, and the metrics."""
    expected = 0.0
    for m in range(len(s.working)):
        for k in range(s.gems.shape[1]):
            if s.working[m] > 0:
                expected += chance(s, p, m, k)
    expected /= np.float64(s.gems.shape[1])
    for i in range(len(s.target)):
        o[i].workers, o[i].reach, info[i].expected = p.workers[i], p.reach[i], expected
        for j in range(len(o[i].action_mask)):
            o[i].action_mask[j], info[i].action_mask[j] = j < p.reach[i], j < p.reach[i]


class GemMiningWorld(World):
    """Villages in a row send all their workers to a mine near them, once; mines yield gems of several kinds.

    Args:
        num_agents: villages.
        num_objectives: kinds of gems.
        min_connectivity: least number of mines in a village's reach.
        max_connectivity: greatest number; there are ``num_agents + max_connectivity - 1`` mines.
        min_workers: least number of workers of a village.
        max_workers: greatest number.
        min_prob: least chance that a mine yields a gem to one worker.
        max_prob: greatest chance.
        trunc_probability: greatest chance to any number of workers.
        w_bonus: factor on the chance for every worker beyond the first.
        correlated_objectives: a mine that is good for one kind is bad for others.
        instance_seed: of the villages and mines, which are the same in all episodes.
        compat: ``"momaland-0.2"`` counts the bonus for the first worker too, as its code does.

    Raises:
        ValueError: a least number is above its greatest.
    """

    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        num_agents: Annotated[int, Between(2, 200)] = 20,
        num_objectives: Annotated[int, Between(1, 8)] = 2,
        min_connectivity: Annotated[int, Between(1, 6)] = 2,
        max_connectivity: Annotated[int, Between(2, 6)] = 4,
        min_workers: Annotated[int, Between(1, 30)] = 1,
        max_workers: Annotated[int, Between(1, 30)] = 5,
        min_prob: Annotated[float, Between(0, 1)] = 0.01,
        max_prob: Annotated[float, Between(0, 1)] = 0.5,
        trunc_probability: Annotated[float, Between(0, 1)] = 0.9,
        w_bonus: Annotated[float, Between(0, 10)] = 1.03,
        correlated_objectives: bool = True,
        instance_seed: Annotated[int, Between(0, 2**63 - 1)] = 42,
        compat: Literal["momaland-0.2"] | None = None,
    ):
        ranges = {
            "connectivity": (min_connectivity, max_connectivity),
            "workers": (min_workers, max_workers),
            "prob": (min_prob, max_prob),
        }
        for name, (least, most) in ranges.items():
            if least > most:
                raise ValueError(f"min_{name} is {least}, expected at most max_{name}, {most}")
        draws = np.random.Generator(np.random.Philox(instance_seed))
        sizes = {
            "villages": num_agents,
            "mines": num_agents + max_connectivity - 1,
            "objectives": num_objectives,
        }
        self.params = Params.make(
            sizes=sizes,
            workers=draws.integers(min_workers, max_workers + 1, num_agents),
            reach=draws.integers(min_connectivity, max_connectivity + 1, num_agents),
            chance=draw_chances(draws, sizes["mines"], num_objectives, ranges["prob"], correlated_objectives),
            ceiling=trunc_probability,
            bonus=w_bonus,
            first=0 if compat else 1,
        )
        self.agents = named("village", num_agents)
        names = tuple(f"gems_{k}" for k in range(num_objectives))
        most = float(min(sizes["mines"], num_agents))
        self.reward = Reward(names, np.zeros(num_objectives), np.full(num_objectives, most))
        self.state_dtype = State.dtype(villages=num_agents, mines=sizes["mines"], objectives=num_objectives)
        self.info_dtype = Info.dtype(choices=max_connectivity)
        self.action = action_layout(max_connectivity)
        self.observation = observation_layout(max_connectivity, max_workers)

    def known_front(self) -> np.ndarray:
        """The exact Pareto front of expected gems, (points, objectives); see `experts.known_front`."""
        from envsuite.momarl.gem_mining.experts import known_front

        return known_front(self.params[0])[0]
