"""Which task and goal an episode of a suite has."""

import numpy as np

from envsuite.core import kernel, rng
from envsuite.manipulation.meta import senses
from envsuite.manipulation.meta.starts import place
from envsuite.manipulation.suites.state import SEEN


@kernel
def draw_level(s, params):
    """Choose a task and a goal: the first ones by the seed, so that consecutive seeds go through all."""
    p = params[0]
    trial = np.int64(s.rng.episode - 1) // p.episodes
    if trial * p.episodes != np.int64(s.rng.episode - 1):
        return
    s.level = (s.seed + (0 if p.fixed_task != 0 else trial)) % p.tasks
    if trial == 0:
        s.goal_number = (s.seed // p.tasks) % p.goal_count
    else:
        s.goal_number = rng.integers(s.rng, rng.RESET, p.goal_count)


@kernel
def reset(s, p, w):
    """Put everything to the places of the goal."""
    for i in range(2):
        for k in range(3):
            s.drawn[i, k] = p.goals[s.goal_number, i, k]
    place(s, p, w)


@kernel
def observe(s, p, observation):
    """What the task shows, and which it is."""
    senses.observe(s, p, observation)
    if p.one_hot != 0:
        for k in range(p.tasks):
            observation[SEEN + k] = 1.0 if k == s.level else 0.0


@kernel
def measure(s, info):
    """Write the metrics."""
    senses.measure(s, info)
    info.task, info.goal = s.level, s.goal_number
