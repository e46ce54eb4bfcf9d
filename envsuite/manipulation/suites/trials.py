"""Trials: several attempts at one task and goal in an episode, and what a policy with memory learns from.

The last action, the last reward and where an attempt begins are observed, as in RL² (Duan et al. 2016, section 2.2).
"""

import numpy as np

from envsuite.core import Block, Record, field, kernel
from envsuite.manipulation.meta import kernel as task
from envsuite.manipulation.meta.starts import place
from envsuite.manipulation.suites import kernel as suite
from envsuite.manipulation.suites.state import SEEN, Info, State

HIGHEST = 10.0
"""Most that a step pays under the reward "v2"; observed rewards are divided by it."""

HISTORY = (
    Block("last action", 4, -1, 1),
    Block("last reward", 1, -np.inf, np.inf, meaning="a tenth of it"),
    Block("attempt begins", 1, 0, 1, meaning="1 before the first step of an attempt"),
)


class _Attempt(Record):
    """How far the episode has come; it stands first, since no record may be the beginning of another."""

    attempt = field(type=np.int64, meaning="number of the attempt, from 1")
    begins = field(type=np.bool_, meaning="whether an attempt's first step comes next")
    last_action = field(shape=4)
    last_reward = field()


class TrialState(_Attempt, State):
    """One instance."""


class _Which(Record):
    """Which attempt it was."""

    attempt = field(type=np.int64, meaning="number of the attempt, from 1; successes are those of this attempt")


class TrialInfo(_Which, Info):
    """The metrics."""


@kernel
def reset(s, p, w):
    """As in a suite; nothing was done before."""
    suite.reset(s, p, w)
    s.attempt, s.begins = 1, True
    for i in range(4):
        s.last_action[i] = 0.0
    s.last_reward = 0.0


@kernel
def step(s, p, w, action):
    """A step of the task; after the last one of an attempt everything is put back."""
    first = s.begins
    if first and s.clock.step > 1:
        s.attempt += 1
        s.success_once = False
    task.move(s, p, w, action)
    reward, terminated = task.judged(s, p, w, first)
    for i in range(4):
        s.last_action[i] = action[i]
    s.last_reward = reward
    s.begins = p.attempt_steps != 0 and s.clock.step % p.attempt_steps == 0
    if s.begins:
        success, once = s.success, s.success_once  # info is of the step that was
        place(s, p, w)
        s.success, s.success_once = success, once
    return reward, terminated


@kernel
def observe(s, p, observation):
    """As in a suite, with what was done last."""
    suite.observe(s, p, observation)
    if p.history != 0:
        at = SEEN + (p.tasks if p.one_hot != 0 else 0)
        for i in range(4):
            observation[at + i] = s.last_action[i]
        observation[at + 4] = s.last_reward / HIGHEST
        observation[at + 5] = 1.0 if s.begins else 0.0


@kernel
def measure(s, info):
    """As in a suite, with the attempt."""
    suite.measure(s, info)
    info.attempt = s.attempt
