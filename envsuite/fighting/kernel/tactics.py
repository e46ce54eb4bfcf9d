"""What a computer player does with its turn: which attack, guard or way fits the distance."""

from envsuite.core.jit import kernel
from envsuite.fighting.kernel import commands
from envsuite.fighting.kernel.acting import can_shoot
from envsuite.fighting.kernel.inputs import NEUTRAL, ready
from envsuite.fighting.params import (
    AIR,
    ATTACK,
    HK,
    HP,
    LK,
    LP,
    MK,
    MP,
    SHIFT,
    SHOT,
    SPECIAL,
    SUPER_COST,
    X_DASH_F,
    X_JUMP_B,
    X_JUMP_F,
    X_JUMP_N,
    X_SPECIAL,
    X_SUPER,
)

_POKE, _SWING = 10, 5  # moves: crouching medium kick, standing heavy kick
READS, READS_SHOTS = 1, 2  # moods: it knows what the other repeats
_REACH = 95  # px within which strikes meet, with some walking
_WARY = 105  # px
_CONTEST = 55  # percent: a swing against a swing, from where only the longest strike reaches


@kernel
def keep(s, brain, direction, frames, buttons):
    """Press buttons now, and keep a direction."""
    brain.direction, brain.until = direction, s.frames + frames
    return direction | buttons << 4


@kernel
def play(s, f, ch, macro):
    """Begin a macro."""
    f.macro, f.macro_frame = macro, 0
    return commands.macro_code(f, ch)


@kernel
def possible(f, ch, special):
    """Whether a special can come out now."""
    if special < 0:
        return False
    if ch.charge != 0 and not ready(f.charge_back if special % 2 == 0 else f.charge_down):
        return False
    m = ch.moves[SPECIAL + special]
    return m.type != SHOT or can_shoot(f, ch, SPECIAL + special)


@kernel
def choose(s, f, o, p, ch, level, mood, anti_air, punish, aggression, lag, seen, gap, luck, more, last):
    """Anti-air, whiff punish, or what the distance suggests."""
    brain = f.brain
    state, move, frame = seen & 31, (seen >> 5) & 31, (seen >> 10) & 127
    if o.y > 0 and state >= AIR and gap < (70 if o.vy < 0 else 45):
        if luck < anti_air:
            if more < 60 and possible(f, ch, ch.rises):
                return play(s, f, ch, X_SPECIAL + ch.rises)
            return keep(s, brain, 2, 4, HP)
        return keep(s, brain, 4, 6, 0)
    m = p.characters[o.character].moves[move]
    # who repeats a move is struck as soon as it is one's turn again
    reading = mood == READS
    early = -6 if reading else 12
    left = m.startup - 1 + m.active + m.recovery - frame - (lag if reading else 0)
    if state == ATTACK and frame >= m.startup + m.active and left > early and gap < 95 and luck < punish:
        return _punish(s, f, ch, brain, left, gap, more, reading)
    swings = state == ATTACK and m.type != SHOT
    if swings and ch.moves[_POKE].x1 + 10 < gap < _WARY:
        if gap < ch.moves[_SWING].x1 + 12 and more < _CONTEST:
            return keep(s, brain, NEUTRAL, 4, HK)
        if mood == READS:
            return _guard(s, brain, more, 6)
    if mood == READS_SHOTS and gap > 58:
        clear = o.shots[0].on == 0 and o.shots[1].on == 0
        return play(s, f, ch, X_DASH_F) if clear and gap > 90 else keep(s, brain, 6, 4, 0)
    if luck >= aggression:
        return _wait(s, f, ch, brain, gap, more)
    if gap > 110:
        return _far(s, f, ch, level, brain, more, last)
    if gap > 58:
        return _middle(s, f, ch, level, brain, gap, more, last)
    return _close(s, f, ch, level, brain, gap, more, last)


@kernel
def _punish(s, f, ch, brain, left, gap, luck, reading):
    """Strike into a recovery with what reaches, the quicker the less time there is; or come closer.

    What is repeated out of reach is waited for.
    """
    if gap < 80 and f.meter >= SUPER_COST and luck < 30:
        return play(s, f, ch, X_SUPER)
    if gap < ch.moves[2].x1 + 10 and left >= ch.moves[2].startup:
        return keep(s, brain, NEUTRAL, 2, HP)
    if gap < ch.moves[1].x1 + 10:
        return keep(s, brain, NEUTRAL, 2, MP)
    if gap < ch.moves[_SWING].x1 + 10 and left >= ch.moves[_SWING].startup:
        return keep(s, brain, NEUTRAL, 2, HK)
    if gap < ch.moves[_POKE].x1 + 10:
        return keep(s, brain, 2, 2, MK)
    return keep(s, brain, 1 if reading and left < 12 else 6, 3, 0)


@kernel
def _guard(s, brain, luck, frames):
    """Hold a guard without having seen what comes, crouching more often than not."""
    return keep(s, brain, 1 if luck < 60 else 4, frames, 0)


@kernel
def _wait(s, f, ch, brain, gap, more):
    """Stand off: those who charge crouch back, the others guard within reach, else come nearer, step back or stand."""
    if ch.charge != 0:
        return keep(s, brain, 1, 12, 0)
    if gap < _REACH:
        return _guard(s, brain, more, 8)
    if more < 60:
        return keep(s, brain, 6, 10, 0)
    if more < 40:
        return keep(s, brain, 4, 8, 0)
    return keep(s, brain, 1 if more < 75 else NEUTRAL, 8, 0)


@kernel
def _far(s, f, ch, level, brain, luck, last):
    """Beyond 110 px: projectile or teleport, else walk or dash in, jump, retreat."""
    if last < level.special:
        if possible(f, ch, ch.shoots):
            second = ch.shoots + 1
            both = (ch.two_shots != 0 or ch.mine != 0) and luck < 50 and possible(f, ch, second)
            return play(s, f, ch, X_SPECIAL + (second if both else ch.shoots))
        if ch.closes >= 0 and ch.moves[SPECIAL + ch.closes].type == SHIFT:
            return play(s, f, ch, X_SPECIAL + ch.closes)
    if luck < 8:
        return play(s, f, ch, X_JUMP_F)
    if luck < 18:
        return keep(s, brain, 1 if ch.charge != 0 else 4, 10, 0)
    if luck < 30:
        return play(s, f, ch, X_DASH_F)
    return keep(s, brain, 6, 10, 0)


@kernel
def _middle(s, f, ch, level, brain, gap, luck, last):
    """From 58 to 110 px: walk, pokes, a special that closes the gap, jumps, retreat."""
    if last < level.special:
        special = last % 4
        if special != ch.rises and possible(f, ch, special):
            return play(s, f, ch, X_SPECIAL + special)
    # pokes only where they reach: to the far edge of the box, and half the other's body
    if luck < 34 or (luck < 66 and gap > ch.moves[_SWING].x1 + 10):
        return keep(s, brain, 6, 6, 0)
    if luck < 52:
        return keep(s, brain, 2, 4, MK) if gap < ch.moves[_POKE].x1 + 10 else keep(s, brain, 6, 6, 0)
    if luck < 66:
        return keep(s, brain, NEUTRAL, 4, HK)
    if luck < 76:
        return play(s, f, ch, X_JUMP_F)
    if luck < 80:
        return play(s, f, ch, X_JUMP_N)
    return keep(s, brain, 1 if ch.charge != 0 else 4, 10, 0)


@kernel
def _close(s, f, ch, level, brain, gap, luck, last):
    """Below 58 px: throw, low jab, mediums, a special, or guard."""
    if luck < 18:
        return keep(s, brain, NEUTRAL, 2, LP | LK) if gap < 42 else keep(s, brain, 6, 4, 0)
    if luck < 40:
        return keep(s, brain, 2, 2, LK)
    if luck < 58:
        return keep(s, brain, NEUTRAL, 2, MP)
    if luck < 70:
        return keep(s, brain, 2, 2, MP)
    if luck < 80:
        special = last % 4
        if special != ch.rises and possible(f, ch, special):
            return play(s, f, ch, X_SPECIAL + special)
        return keep(s, brain, 2, 4, MK)
    if luck < 84:
        return play(s, f, ch, X_JUMP_B)
    return keep(s, brain, 1, 12, 0)
