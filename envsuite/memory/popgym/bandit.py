"""Slot machines that pay with different chances, new ones in every episode."""

from typing import Annotated

import numpy as np

from envsuite.core import Between, Block, Choice, Record, Reward, batch_loops, cut, field, kernel, rng
from envsuite.memory.popgym.base import NONE, PopState, PopWorld, before, clear, mark

MOST = 30
"""Arms that the record has."""


class Params(Record):
    """The options that kernels know."""

    arms = field(type=np.int32, meaning="number")
    steps = field(type=np.int32, meaning="of an episode")
    previous = field(type=np.int32, meaning="where the previous action is observed, -1 for nowhere")


class State(PopState):
    """The arms, and what came of them."""

    payout = field(type=np.int8, meaning="1 if the last arm paid")
    best = field(type=np.float32, meaning="highest chance of an arm")
    regret = field(type=np.float32, meaning="chances given away so far, against the best arm")
    chance = field(type=np.float32, shape=MOST, meaning="that an arm pays")
    pulls = field(type=np.int16, shape=MOST, meaning="of each arm")
    wins = field(type=np.int16, shape=MOST, meaning="of them, those that paid")


class Info(Record):
    """The metrics."""

    regret = field(type=np.float32, meaning="return given away so far against always taking the best arm, in the mean")
    best_pulls = field(type=np.int32, meaning="pulls of the best arm")


@kernel
def reset(s, p):
    """Draw the chances."""
    clear(s.chance)
    zero, one = np.float32(0.0), np.float32(1.0)
    s.best, s.regret, s.payout, s.last = zero, zero, 0, NONE
    for start in range(0, p.arms, 4):
        chances = rng.uniform4(s.rng, rng.RESET, zero, one)
        for k in range(min(4, p.arms - start)):
            s.chance[start + k] = chances[k]
            s.best = max(s.best, chances[k])
    clear(s.pulls)
    clear(s.wins)


@kernel
def step(s, p, action):
    """Pull an arm. Reward; an episode only ends by its length."""
    paid = rng.uniform(s.rng, rng.DYNAMICS, 0.0, 1.0) < s.chance[action]
    s.payout, s.last = paid, action
    s.pulls[action] += 1
    s.wins[action] += paid
    s.regret += s.best - s.chance[action]
    if s.clock.step >= p.steps:
        cut(s.clock)
    return (1.0 if paid else -1.0) / p.steps, False


@kernel
def observe(s, p, observation, info):
    """Write whether the arm paid, which one it was, and the metrics."""
    clear(observation)
    observation[0] = s.payout
    if p.previous >= 0:
        mark(observation, p.previous, s.last)
    info.regret, info.best_pulls = np.float32(2.0) * s.regret / np.float32(p.steps), 0
    for k in range(p.arms):
        if s.chance[k] == s.best:
            info.best_pulls += s.pulls[k]


@kernel
def tell(s, p, info):
    """Write the chances of the arms."""
    for k in range(p.arms):
        info.privileged[k] = s.chance[k]


class BanditWorld(PopWorld):
    """Pull one of several arms, which pay with chances that are uniform in [0, 1] and new in every episode.

    Args:
        arms: number.
        steps: of an episode.
        previous_action: the observation holds the arm pulled last.
        privileged: ``info["privileged"]`` holds the state for critics.
    """

    plain, full = batch_loops(reset, step, observe), batch_loops(reset, step, observe, tell)
    state_dtype = State.dtype()

    def __init__(
        self,
        *,
        arms: Annotated[int, Between(2, MOST)] = 10,
        steps: Annotated[int, Between(1, 10_000)] = 200,
        previous_action: bool = True,
        privileged: bool = False,
    ):
        self.arms, self.steps = arms, steps
        self.action = Choice(tuple(f"arm {k}" for k in range(1, arms + 1)))
        previous = self.sees(
            (Block("payout", 1, 0, 1, "", "1 if the last arm paid"),), before(arms) if previous_action else ()
        )
        self.reports(Info, arms if privileged else 0)
        self.reward = Reward(low=np.array(-1 / steps), high=np.array(1 / steps))
        self.params = Params.make(arms=arms, steps=steps, previous=previous)
