"""Fights without agents, for measuring the balance: between computer players, and of simple scripts against them."""

import numpy as np

from envsuite.core import kernel, rng
from envsuite.core.clock import begin_episode
from envsuite.fighting.kernel import commands, rounds
from envsuite.fighting.kernel.loops import reset
from envsuite.fighting.params import BUTTON_CODES, MACRO_NAMES, QUEUE_FRAMES, UNIT, X_FORWARD, X_JUMP_F

NOTHING = len(MACRO_NAMES)  # what follows the last macro of a shorter cycle
MASH_FRAMES, HOLD_FRAMES = 4, 8
MASH, HOLD = NOTHING + 1, NOTHING + 2  # direction and button at random, for so many frames each
_LUCK = 18  # fourth word of the counter of the random numbers, plus the fighter's index


@kernel
def open_all(states, params, first, second, levels):
    """Begin a round in every record.

    Args:
        states: (n,) records with seeded streams.
        params: of the world.
        first: (n,) characters of the first fighters.
        second: (n,) likewise of the second.
        levels: (n, 2) their levels, 0 for a script.
    """
    for i in range(states.shape[0]):
        s = states[i]
        begin_episode(s.clock, s.rng)
        reset(s, params[0])
        s.fighters[0].character, s.fighters[1].character = first[i], second[i]
        for j in range(2):
            s.fighters[j].level = levels[i, j]
            s.fighters[j].meter = params[0].characters[s.fighters[j].character].start_meter
        rounds.begin_round(s, params[0])


@kernel
def fight_out(states, params, macros, reach):
    """Let every round be fought to its end.

    Args:
        states: (n,) records.
        params: of the world, with one frame a decision.
        macros: (n, 3) up to three macros that scripted fighters repeat in this order, `NOTHING` after the last; a walk
            or guard lasts eight frames. `MASH` in the first place draws a direction and a button every four frames
            and presses it in the first, `HOLD` every eight frames and keeps it.
        reach: px beyond which scripts walk up first; 0 for never.
    """
    p = params[0]
    for i in range(states.shape[0]):
        s = states[i]
        while not rounds.over(s):
            for j in range(2):
                f, o = s.fighters[j], s.fighters[1 - j]
                if f.level != 0:
                    continue
                if macros[i, 0] >= MASH:
                    _press(s, f, j, macros[i, 0])
                elif _begins_again(f, reach):
                    if reach > 0 and abs(f.x - o.x) > reach * UNIT:
                        commands.set_queue(f, X_FORWARD, NOTHING, NOTHING)
                    else:
                        commands.set_queue(f, macros[i, 0], macros[i, 1], macros[i, 2])
            rounds.decide(s, p)


@kernel
def _begins_again(f, reach):
    """Whether all macros of a script are over; who walks up looks at the distance in every frame."""
    if f.queue[0] >= 0 or f.macro >= X_JUMP_F:
        return False
    return f.macro < 0 or f.macro_frame >= QUEUE_FRAMES or (reach > 0 and f.macro == X_FORWARD)


@kernel
def _press(s, f, j, script):
    """What someone presses who presses anything."""
    frames = MASH_FRAMES if script == MASH else HOLD_FRAMES
    word, second, _, _ = rng.philox(
        np.uint64(s.frames // frames),
        np.uint64(rng.AGENT),
        np.uint64(s.rng.episode),
        np.uint64(_LUCK + j),
        np.uint64(s.rng.key[0]),
        np.uint64(s.rng.key[1]),
    )
    button = np.int64((second * np.uint64(len(BUTTON_CODES))) >> np.uint64(32))
    if script == MASH and s.frames % frames != 0:
        button = 0
    commands.set_pair(f, np.int64((word * np.uint64(9)) >> np.uint64(32)), button)
