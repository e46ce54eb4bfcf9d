"""Episodes on one record, by the form of actions."""

from typing import Any

import numpy as np

from envsuite.core import batch_loops, kernel, rng
from envsuite.fighting.kernel import commands, rounds, senses
from envsuite.fighting.params import FRAMES


@kernel
def reset(s, p):
    """Begin a match."""
    rounds.begin_match(s, p)
    senses.fill_looks(s, p)


@kernel
def obey_number(s, p, f, action):
    """Take an action that is one number."""
    if not _repeats(s, p):
        f.before = action
    if p.form == 2:
        commands.set_ladder(f, p.characters[f.character], f.before)
    else:
        commands.set_macro(f, f.before)


@kernel
def obey_row(s, p, f, action):
    """Take an action of several numbers: direction and button, or ten switches."""
    if _repeats(s, p):
        return
    if p.form == 0:
        commands.set_pair(f, action[0], action[1])
    elif p.form == 4:
        commands.set_queue(f, action[0], action[1], action[2])
    else:
        buttons = 0
        for k in range(6):
            buttons |= action[4 + k] << k
        commands.set_buttons(f, action[0], action[1], action[2], action[3], buttons)


@kernel
def _repeats(s, p):
    """Whether the action before sticks; never in an episode's first step."""
    if p.sticky == 0.0 or s.clock.step == 1:
        return False
    return rng.uniform(s.rng, rng.DYNAMICS, np.float32(0.0), np.float32(1.0)) < p.sticky


@kernel
def number_single(s, p, action):
    """A decision of the first fighter that is one number."""
    obey_number(s, p, s.fighters[0], action)
    if s.fighters[1].rival >= 0:
        obey_number(s, p, s.fighters[1], s.second[0])
    return _decide(s, p)


@kernel
def row_single(s, p, action):
    """A decision of the first fighter of several numbers."""
    obey_row(s, p, s.fighters[0], action)
    if s.fighters[1].rival >= 0:
        obey_row(s, p, s.fighters[1], s.second)
    return _decide(s, p)


@kernel
def _decide(s, p):
    rounds.decide(s, p)
    return s.earned[0], rounds.over(s)


@kernel
def observe_single(s, p, o, info):
    """Write what the first fighter sees, and its metrics."""
    senses.observe(s, p, 0, o)
    senses.measure(s, 0, info)


@kernel
def elapse(s, p, ticks):
    """Let frames pass in which the player guards, as long as the episode goes on."""
    s.earned[0] = 0.0
    if not s.clock.done:
        commands.stand_by(s.fighters[0])
        rounds.pass_frames(s, p, ticks)
    return s.earned[0], rounds.over(s)


@kernel
def number_versus(s, p, actions, rewards):
    """Decisions of both that are numbers."""
    for j in range(2):
        obey_number(s, p, s.fighters[j], actions[j])
    return _decide_both(s, p, rewards)


@kernel
def row_versus(s, p, actions, rewards):
    """Decisions of both of several numbers."""
    for j in range(2):
        obey_row(s, p, s.fighters[j], actions[j])
    return _decide_both(s, p, rewards)


@kernel
def _decide_both(s, p, rewards):
    rounds.decide(s, p)
    for j in range(2):
        rewards[j] = s.earned[j]
    return rounds.over(s)


@kernel
def observe_versus(s, p, o, info):
    """Write what both see, and their metrics."""
    for j in range(2):
        senses.observe(s, p, j, o[j])
        senses.measure(s, j, info[j])


@kernel
def see_second(states, params, mask, observations):
    """Write what the second fighter sees in every instance whose mask is set, if it were an agent."""
    for i in range(states.shape[0]):
        if mask[i]:
            senses.observe(states[i], params[0], 1, observations[i])


_CLOCK: Any = {"clock": (elapse, float(FRAMES)), "either": True}
SINGLE = {
    "number": batch_loops(reset, number_single, observe_single, **_CLOCK),
    "row": batch_loops(reset, row_single, observe_single, **_CLOCK),
}
"""Loops of a fight against a computer player, by the form of an action."""

VERSUS = {
    "number": batch_loops(reset, number_versus, observe_versus, either=True),
    "row": batch_loops(reset, row_versus, observe_versus, either=True),
}
"""Loops of a fight of two agents."""
