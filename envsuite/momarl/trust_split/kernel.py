"""The rules of Trust-and-Split on one record, the batch loops, and the world."""

from typing import Annotated

import numpy as np

from envsuite.core import Between, World, batch_loops, kernel, rng
from envsuite.core.layout import Layout
from envsuite.momarl.allocation import GOODS, allotted
from envsuite.momarl.trust_split.params import LOWER, UPPER, WORDS, Params
from envsuite.momarl.trust_split.state import ACTION, OBSERVATION, Info, State

SPOKEN, CHOICES = len(WORDS), len(ACTION.names)


@kernel
def deal(s, p):
    """Two different hands; silence."""
    first = rng.integers(s.rng, rng.DYNAMICS, 3)
    other = (first + 1 + rng.integers(s.rng, rng.DYNAMICS, 2)) % 3
    if p.alternating and s.played > 0 and wins(first, other) == (s.before[0, 0] > 0):
        first, other = other, first
    s.hand[0], s.hand[1] = first, other
    s.word[0], s.word[1] = 0, 0
    s.said = 0


@kernel
def wins(mine, other):
    """Whether a hand beats another: paper rock, scissors paper, rock scissors."""
    return (mine - other + 3) % 3 == 1


@kernel
def reset(s, p):
    """The first round; who speaks first is drawn."""
    s.played = 0
    s.first = rng.integers(s.rng, rng.RESET, 2)
    for n in range(2):
        s.total[n] = 0.0
        for k in range(4):
            s.before[n, k] = 0.0
    deal(s, p)


@kernel
def speaker(s, p):
    """Whose turn it is to speak; 2 where both split."""
    if s.said >= 2 * p.quota:
        return 2
    return (np.int64(s.first) + np.int64(s.said)) % 2


@kernel
def split(s, p, first, second, rewards):
    """Divide the coins by what both propose to keep. Whether it was the last time."""
    for n in range(2):
        upper = wins(np.int64(s.hand[n]), np.int64(s.hand[1 - n]))
        value = UPPER if upper else LOWER
        mine, other = (first, second) if n == 0 else (second, first)
        goods = allotted(mine, other, GOODS)
        rewards[n] = goods * value
        s.before[n, 0], s.before[n, 1] = upper, mine
        s.before[n, 2], s.before[n, 3] = goods, rewards[n]
        s.total[n] += rewards[n]
    s.played += 1
    s.first = 1 - s.first
    if s.played < p.rounds:
        deal(s, p)
        return False
    return True


@kernel
def step(s, p, actions, rewards):
    """A message, or the split. Whether it was the last split."""
    one = speaker(s, p)
    rewards[0], rewards[1] = 0.0, 0.0
    if one < 2:
        s.word[one] = actions[one] if actions[one] < SPOKEN else 0
        s.said += 1
        return False
    # a word asks for nothing
    return split(s, p, max(actions[0] - SPOKEN, 0), max(actions[1] - SPOKEN, 0), rewards)


@kernel
def observe(s, p, o, info):
    """Write what both agents see, and the metrics."""
    one = speaker(s, p)
    for n in range(2):
        observe_round(s, p, o[n], n)
        measure(s, info[n], n)
        for k in range(4):
            o[n].heard[k] = k == s.word[1 - n]
        for k in range(CHOICES):
            allowed = one == n if k < SPOKEN else one == 2
            o[n].action_mask[k], info[n].action_mask[k] = allowed, allowed


@kernel
def observe_round(s, p, o, n):
    """Write what an agent sees, whatever messages are."""
    one = speaker(s, p)
    for k in range(3):
        o.hand[k] = k == s.hand[n]
    o.to_speak, o.to_split = one == n, one == 2
    o.round = np.float32(s.played) / np.float32(p.rounds)
    o.before[0] = s.before[n, 0]
    o.before[1], o.before[2] = s.before[n, 1] / GOODS, s.before[1 - n, 1] / GOODS
    o.before[3] = s.before[n, 3] / (UPPER * GOODS)


@kernel
def measure(s, info, n):
    """Write an agent's metrics of the last round."""
    winner = 0 if s.before[0, 0] > 0 else 1
    info.upper = wins(np.int64(s.hand[n]), np.int64(s.hand[1 - n]))
    info.points = s.before[n, 3]
    info.efficiency = (s.before[0, 3] + s.before[1, 3]) / (UPPER * GOODS)
    info.kept_upper, info.kept_lower = s.before[winner, 1], s.before[1 - winner, 1]


class TrustSplitWorld(World):
    """Two agents with different hands talk, then both say how many of ten coins they keep.

    Args:
        rounds: of an episode.
        quota: messages of each agent in a round.
        alternating: who has the upper hand changes every round, rather than by chance.
    """

    state_dtype, info_dtype = State.dtype(), Info.dtype(np.float32)
    action: Layout = ACTION
    observation = OBSERVATION
    agents = ("agent_0", "agent_1")
    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        rounds: Annotated[int, Between(1, 10**6)] = 10,
        quota: Annotated[int, Between(0, 10)] = 1,
        alternating: bool = False,
    ):
        self.params = Params.make(rounds=rounds, quota=quota, alternating=alternating)

    def known_equilibrium(self) -> np.ndarray:
        """Proposals of a split that nobody can better alone, whatever was said: both keep all, (2,)."""
        return np.array([GOODS, GOODS])
