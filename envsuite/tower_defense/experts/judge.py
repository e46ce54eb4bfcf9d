"""Whole games of the scripted players without a front end, to judge levels by."""

import numpy as np

from envsuite.core import rng
from envsuite.core.clock import tick
from envsuite.core.jit import kernel, records
from envsuite.tower_defense.experts.plans import NO_PLAN, PATTERN, choose
from envsuite.tower_defense.kernel.loops import begin, decide
from envsuite.tower_defense.levels.level import Level
from envsuite.tower_defense.levels.record import parameters
from envsuite.tower_defense.params import WAIT
from envsuite.tower_defense.state import State

_DECISIONS = 600


@kernel
def play_out(states, params, style, pattern, plan):
    """Play every instance to its end; style 0 waits."""
    for i in range(states.shape[0]):
        s = states[i]
        begin(s, params)
        p = params[s.level]
        for _ in range(_DECISIONS):
            kind, site, x, y = np.int64(WAIT), np.int64(-1), np.int64(0), np.int64(0)
            if style > 0:
                kind, site, x, y = choose(s, p, style, pattern, plan, True)
            tick(s.clock)
            decide(s, p, kind, site, x, y)
            if s.outcome != 0:
                break


def lives_lost(level: Level, seeds: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Lives that waiting, and the player S2, lose.

    Args:
        level: to judge.
        seeds: one a game.

    Returns:
        Two int64 arrays (games,).
    """
    params = parameters([level])
    lost = []
    for style in (0, 2):
        states = records(np.zeros(len(seeds), State.dtype()))
        for k, seed in enumerate(seeds):
            states[k]["rng"]["key"] = rng.seed_key(seed)
        play_out(states, params, style, PATTERN, NO_PLAN)
        lost.append(level.life - states["life"].astype(np.int64))
    return lost[0], lost[1]
