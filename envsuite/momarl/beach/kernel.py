"""The rules of the beach on one record, the batch loops, and the world."""

from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between, Reward, World, batch_loops, fmath, kernel, rng
from envsuite.momarl.beach.params import MOST_SECTIONS, MOST_TYPES, Params, edges
from envsuite.momarl.beach.state import ACTION, Info, State, observation_layout
from envsuite.momarl.world import named, shares


@kernel
def reset(s, p):
    """Draw types and sections; two visitors from one block of random words."""
    count = len(s.type)
    for i in range(0, count, 2):
        u = rng.uniform4(s.rng, rng.RESET, 0.0, 1.0)
        for j in range(i, min(i + 2, count)):
            first, second = (u[0], u[1]) if j == i else (u[2], u[3])
            s.type[j], s.section[j] = 0, 0
            if p.exact:
                first = (np.float64(j) + 0.5) / np.float64(count)
            while first >= p.type_edges[s.type[j]]:
                s.type[j] += 1
            while second >= p.section_edges[s.section[j]]:
                s.section[j] += 1
    if p.exact:
        rng.shuffle(s.rng, rng.RESET, s.type)
    count_visitors(s, p)


@kernel
def count_visitors(s, p):
    """Count visitors by section and type."""
    for k in range(p.sections):
        for t in range(p.types):
            s.count[k, t] = 0
    for i in range(len(s.type)):
        s.count[s.section[i], s.type[i]] += 1


@kernel
def worth(s, p, section):
    """Local rewards of a section: capacity x exp(-x / psi), and the share of its rarest type."""
    visitors, rarest = 0, 2147483647
    for t in range(p.types):
        visitors += s.count[section, t]
        rarest = min(rarest, s.count[section, t])
    if visitors == 0:
        return 0.0, 0.0
    x = np.float64(visitors)
    return x * fmath.exp(-x / p.capacity), np.float64(rarest) / x


@kernel
def team_worth(s, p):
    """Sum of the sections' capacity rewards, mean of their mixture rewards."""
    capacity, mixture = 0.0, 0.0
    for k in range(p.sections):
        one, other = worth(s, p, k)
        capacity += one
        mixture += other
    return capacity, mixture / np.float64(p.sections)


@kernel
def step(s, p, actions, rewards):
    """Move all visitors at once; rewards come with the last step."""
    for i in range(len(s.type)):
        target = np.int64(s.section[i]) + actions[i] - 1
        s.section[i] = min(max(target, 0), np.int64(p.sections) - 1)
    count_visitors(s, p)
    last = s.clock.step >= p.steps
    if last and p.team:
        capacity, mixture = team_worth(s, p)
        for i in range(len(s.type)):
            rewards[i, 0], rewards[i, 1] = capacity, mixture
    elif last:
        for k in range(p.sections):
            capacity, mixture = worth(s, p, k)
            for i in range(len(s.type)):
                if s.section[i] == k:
                    rewards[i, 0], rewards[i, 1] = capacity, mixture
    return last


@kernel
def observe(s, p, o, info):
    """Write what each visitor sees, and the metrics."""
    capacity, mixture = team_worth(s, p)
    for i in range(len(s.type)):
        here, visitors = s.section[i], 0
        for t in range(p.types):
            visitors += s.count[here, t]
        o[i].type, o[i].section, o[i].capacity, o[i].visitors = s.type[i], here, p.capacity, visitors
        o[i].own_share = np.float32(s.count[here, s.type[i]]) / np.float32(visitors)
        info[i].team_capacity, info[i].team_mixture = capacity, mixture


class BeachWorld(World):
    """Visitors of several types spread over the sections of a beach.

    Args:
        num_timesteps: steps of an episode; the reward comes with the last.
        num_agents: visitors.
        reward_mode: ``"individual"``: what one's own section is worth; ``"team"``: the whole beach.
        sections: of the beach.
        capacity: visitors at which a section is worth most, psi.
        type_distribution: probability of each type, 2 to 4 of them.
        position_distribution: probability of each section at the start; None for equal ones.
        type_counts: ``"drawn"``: each visitor's type is drawn; ``"exact"``: numbers in proportion, dealt out anew.

    Raises:
        ValueError: probabilities do not add up to 1, or there are too many types.
    """

    info_dtype = Info.dtype(np.float32)
    action = ACTION
    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        num_timesteps: Annotated[int, Between(1, 10**6)] = 1,
        num_agents: Annotated[int, Between(2, 1000)] = 100,
        reward_mode: Literal["individual", "team"] = "individual",
        sections: Annotated[int, Between(2, MOST_SECTIONS)] = 6,
        capacity: Annotated[float, Between(1e-3, 1e6)] = 7,
        type_distribution: Sequence[float] = (0.3, 0.7),
        position_distribution: Sequence[float] | None = None,
        type_counts: Literal["drawn", "exact"] = "drawn",
    ):
        kinds = len(type_distribution)
        if not 2 <= kinds <= MOST_TYPES:
            raise ValueError(f"type_distribution has {kinds} types, expected 2 to {MOST_TYPES}")
        self.type_distribution = shares("type_distribution", type_distribution, kinds)
        positions = shares("position_distribution", position_distribution, sections)
        self.params = Params.make(
            sections=sections,
            types=kinds,
            steps=num_timesteps,
            capacity=capacity,
            team=reward_mode == "team",
            exact=type_counts == "exact",
            type_edges=edges(self.type_distribution, MOST_TYPES),
            section_edges=edges(positions, MOST_SECTIONS),
        )
        self.agents = named("agent", num_agents)
        self.state_dtype = State.dtype(agents=num_agents)
        self.observation = observation_layout(num_agents, sections, kinds, float(capacity))
        # both modes: no reward is below 0, and none beyond what full sections and the rest are worth
        self.reward = Reward(
            ("capacity", "mixture"), np.zeros(2), np.array([sections * float(capacity) / np.e, 1 / kinds])
        )

    def type_numbers(self) -> tuple[int, ...]:
        """Visitors of each type, in proportion to their probabilities, as ``type_counts="exact"`` has them."""
        places = (np.arange(len(self.agents)) + 0.5) / len(self.agents)
        kinds = np.searchsorted(self.params[0]["type_edges"], places, side="right")
        return tuple(int((kinds == t).sum()) for t in range(len(self.type_distribution)))

    def normalisers(self) -> np.ndarray:
        """What rewards are divided by in published results: their greatest values, (2,); see `experts.normalisers`."""
        from envsuite.momarl.beach.experts import normalisers

        return normalisers(self)

    def known_front(self) -> np.ndarray:
        """The exact Pareto front of the team's vector for `type_numbers`, (points, 2); see `experts.known_front`."""
        from envsuite.momarl.beach.experts import known_front

        p = self.params[0]
        return known_front(self.type_numbers(), int(p["sections"]), float(p["capacity"]))
