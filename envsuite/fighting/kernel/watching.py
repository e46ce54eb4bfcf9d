"""Fights without agents, for measuring the balance: between computer players, and of one-trick scripts against them."""

from envsuite.core.jit import kernel
from envsuite.fighting.kernel import commands, rounds
from envsuite.fighting.kernel.loops import begin
from envsuite.fighting.params import UNIT, X_FORWARD


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
        begin(s, params[0])
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
        macros: (n,) macros that scripted fighters repeat.
        reach: px beyond which scripts walk up first; 0 for never.
    """
    p = params[0]
    for i in range(states.shape[0]):
        s = states[i]
        while not rounds.over(s):
            for j in range(2):
                f, o = s.fighters[j], s.fighters[1 - j]
                if f.level == 0 and f.macro <= X_FORWARD:
                    far = reach > 0 and abs(f.x - o.x) > reach * UNIT
                    f.macro = -1
                    commands.set_macro(f, X_FORWARD if far else macros[i])
            rounds.decide(s, p)
