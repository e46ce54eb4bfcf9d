"""Episodes on one record, and the batch loops."""

import numpy as np

from envsuite.core import rng
from envsuite.core.jit import kernel
from envsuite.core.world import begin_episode, out_of_time, tick
from envsuite.fighting.kernel import commands, rounds, senses


@kernel
def begin(s, p):
    """Begin an episode."""
    begin_episode(s.clock, s.rng)
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
    if p.sticky == np.float32(0.0) or s.clock.step == 1:
        return False
    return rng.uniform(s.rng, rng.DYNAMICS, np.float32(0.0), np.float32(1.0)) < p.sticky


@kernel
def _finish(s, horizon):
    """Whether the episode ended, by the rules and by the clock."""
    terminated = rounds.over(s)
    truncated = out_of_time(s.clock, horizon) and not terminated
    s.clock.over = terminated or truncated
    return terminated, truncated


@kernel
def reset_single(states, params, mask, observations, info, start, stop):
    """Begin a new episode in every instance of [start, stop) whose mask is set."""
    p = params[0]
    for i in range(start, stop):
        if mask[i]:
            s = states[i]
            begin(s, p)
            senses.observe(s, p, 0, observations[i])
            senses.measure(s, 0, info[i])


@kernel
def reset_versus(states, params, mask, observations, info, start, stop):
    """Begin a new episode in every instance of [start, stop) whose mask is set."""
    p = params[0]
    for i in range(start, stop):
        if mask[i]:
            s = states[i]
            begin(s, p)
            for j in range(2):
                senses.observe(s, p, j, observations[i, j])
                senses.measure(s, j, info[i, j])


@kernel
def _single(s, p, restart, horizon, observation, info):
    """A decision of the first fighter, or a new episode; reward, terminated, truncated."""
    reward, terminated, truncated = np.float32(0.0), False, False
    if restart:
        begin(s, p)
    else:
        rounds.decide(s, p)
        reward = s.earned[0]
        terminated, truncated = _finish(s, horizon)
    senses.observe(s, p, 0, observation)
    senses.measure(s, 0, info)
    return reward, terminated, truncated


@kernel
def _versus(s, p, restart, horizon, observations, rewards, terminated, truncated, info):
    """A decision of both fighters, or a new episode."""
    ended, late = False, False
    if restart:
        begin(s, p)
    else:
        rounds.decide(s, p)
        ended, late = _finish(s, horizon)
    for j in range(2):
        rewards[j] = np.float32(0.0) if restart else s.earned[j]
        terminated[j], truncated[j] = ended, late
        senses.observe(s, p, j, observations[j])
        senses.measure(s, j, info[j])


@kernel
def single_numbers(
    states, params, actions, restart, horizon, observations, rewards, terminated, truncated, info, start, stop
):
    """Step every instance of [start, stop) by actions that are numbers, or begin where `restart` is set."""
    p = params[0]
    for i in range(start, stop):
        s = states[i]
        if not restart[i]:
            tick(s.clock)
            obey_number(s, p, s.fighters[0], actions[i])
            if s.fighters[1].rival >= 0:
                obey_number(s, p, s.fighters[1], s.second[0])
        rewards[i], terminated[i], truncated[i] = _single(s, p, restart[i], horizon, observations[i], info[i])


@kernel
def single_rows(
    states, params, actions, restart, horizon, observations, rewards, terminated, truncated, info, start, stop
):
    """Step every instance of [start, stop) by actions of several numbers, or begin where `restart` is set."""
    p = params[0]
    for i in range(start, stop):
        s = states[i]
        if not restart[i]:
            tick(s.clock)
            obey_row(s, p, s.fighters[0], actions[i])
            if s.fighters[1].rival >= 0:
                obey_row(s, p, s.fighters[1], s.second)
        rewards[i], terminated[i], truncated[i] = _single(s, p, restart[i], horizon, observations[i], info[i])


@kernel
def elapse_single(states, params, ticks, observations, rewards, terminated, truncated, info, start, stop):
    """Let frames pass in which the player of every instance of [start, stop) guards, as long as its episode goes on."""
    p = params[0]
    for i in range(start, stop):
        s = states[i]
        s.earned[0] = np.float32(0.0)
        if not s.clock.over:
            commands.stand_by(s.fighters[0])
            rounds.pass_frames(s, p, ticks)
        rewards[i], terminated[i], truncated[i] = s.earned[0], rounds.over(s), False
        s.clock.over = s.clock.over or rounds.over(s)
        senses.observe(s, p, 0, observations[i])
        senses.measure(s, 0, info[i])


@kernel
def see_second(states, params, mask, observations):
    """Write what the second fighter sees in every instance whose mask is set, if it were an agent."""
    for i in range(states.shape[0]):
        if mask[i]:
            senses.observe(states[i], params[0], 1, observations[i])


@kernel
def versus_numbers(
    states, params, actions, restart, horizon, observations, rewards, terminated, truncated, info, start, stop
):
    """Step both fighters of every instance of [start, stop) by numbers, or begin where `restart` is set."""
    p = params[0]
    for i in range(start, stop):
        s = states[i]
        if not restart[i]:
            tick(s.clock)
            for j in range(2):
                obey_number(s, p, s.fighters[j], actions[i, j])
        _versus(s, p, restart[i], horizon, observations[i], rewards[i], terminated[i], truncated[i], info[i])


@kernel
def versus_rows(
    states, params, actions, restart, horizon, observations, rewards, terminated, truncated, info, start, stop
):
    """Step both fighters of every instance of [start, stop) by rows, or begin where `restart` is set."""
    p = params[0]
    for i in range(start, stop):
        s = states[i]
        if not restart[i]:
            tick(s.clock)
            for j in range(2):
                obey_row(s, p, s.fighters[j], actions[i, j])
        _versus(s, p, restart[i], horizon, observations[i], rewards[i], terminated[i], truncated[i], info[i])
