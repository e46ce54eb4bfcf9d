"""What players see, and the metrics."""

import numpy as np

from envsuite.core.jit import kernel
from envsuite.fighting.kernel.contact import unseizable, untouchable
from envsuite.fighting.params import (
    ATTACK,
    CHARACTERS,
    LOOKS,
    METER,
    MOVES,
    RING,
    ROUND,
    SHOTS,
    STAGE,
    UNIT,
)
from envsuite.fighting.state import DIRECTIONS_SEEN

_STATES, _PHASES = 20, 4


@kernel
def phase_of(f):
    """0 without a move, 1 in start-up, 2 active, 3 in recovery."""
    if f.state != ATTACK:
        return 0
    if f.frame < f.first:
        return 1
    return 2 if f.frame <= f.last else 3


@kernel
def look_at(f, ch, look):
    """Write down what can be seen of a fighter."""
    m = ch.moves[f.move]
    attacks = f.state == ATTACK
    look.hp, look.meter, look.x, look.y, look.facing = f.hp * 1000 // f.full, f.meter, f.x, f.y, f.facing
    look.vx, look.vy, look.stun, look.stop = f.vx + f.push, f.vy, f.stun, f.stop
    look.frame, look.left = f.frame if attacks else 0, min(f.total - f.frame, 90) if attacks else 0
    look.combo, look.juggle, look.stale, look.state, look.move = f.combo, f.juggle, f.stale, f.state, f.move
    look.phase = phase_of(f)
    look.safe, look.grab_safe = int(untouchable(f, ch)), int(unseizable(f, ch))
    look.armour = int(attacks and f.armour > 0 and m.armour_from <= f.frame <= m.armour_to)
    look.air = int(f.y > 0)
    for k in range(SHOTS):
        shot, seen = f.shots[k], look.shots[k]
        seen.on = shot.on
        if shot.on != 0:
            seen.x, seen.speed, seen.life, seen.mine = shot.x, shot.speed, shot.life, shot.mine


@kernel
def look_around(s, p):
    """Write down what is to be seen now, for those who see it later."""
    for i in range(2):
        f = s.fighters[i]
        look_at(f, p.characters[f.character], f.looks[s.frames % LOOKS])


@kernel
def fill_looks(s, p):
    """At the beginning of an episode all that was ever seen is what is to be seen now."""
    for i in range(2):
        f = s.fighters[i]
        for k in range(LOOKS):
            look_at(f, p.characters[f.character], f.looks[k])


@kernel
def _share(value, whole):
    """A quotient, bounded to [-2, 2]."""
    return min(max(np.float32(value) / np.float32(whole), np.float32(-2.0)), np.float32(2.0))


@kernel
def _put_fighter(out, at, look, character, half, sign):
    """Write a fighter's 82 numbers; where the next block begins."""
    x = look.x if sign > 0 else STAGE - look.x
    facing = look.facing * sign
    behind = x - half if facing > 0 else STAGE - half - x
    ahead = STAGE - half - x if facing > 0 else x - half
    out[at] = _share(look.hp, 1000)
    out[at + 1] = _share(look.meter, METER)
    out[at + 2] = _share(x, STAGE)
    out[at + 3] = _share(look.y, 128 * UNIT)
    out[at + 4] = _share(look.vx * sign, 8 * UNIT)
    out[at + 5] = _share(look.vy, 8 * UNIT)
    out[at + 6] = np.float32(facing)
    out[at + 7] = _share(behind, STAGE)
    out[at + 8] = _share(ahead, STAGE)
    out[at + 9] = _share(look.stun, 60)
    out[at + 10] = _share(look.stop, 12)
    out[at + 11] = _share(look.frame, 90)
    out[at + 12] = _share(look.left, 90)
    out[at + 13] = _share(look.combo, 10)
    out[at + 14] = _share(look.juggle, 3)
    out[at + 15] = _share(look.stale, 4)
    at += 16
    for k in range(_STATES + MOVES + _PHASES + 4 + CHARACTERS):
        out[at + k] = np.float32(0.0)
    out[at + look.state] = np.float32(1.0)
    at += _STATES
    if look.state == ATTACK:
        out[at + look.move] = np.float32(1.0)
    at += MOVES
    out[at + look.phase] = np.float32(1.0)
    at += _PHASES
    out[at], out[at + 1] = np.float32(look.safe), np.float32(look.grab_safe)
    out[at + 2], out[at + 3] = np.float32(look.armour), np.float32(look.air)
    at += 4
    out[at + character] = np.float32(1.0)
    return at + CHARACTERS


@kernel
def _put_shots(out, at, look, x, other_x, sign):
    """Write a fighter's projectiles; where the next block begins."""
    for k in range(SHOTS):
        shot = look.shots[k]
        for j in range(6):
            out[at + j] = np.float32(0.0)
        if shot.on != 0:
            out[at] = np.float32(1.0)
            out[at + 1] = _share((shot.x - x) * sign, STAGE)
            out[at + 2] = _share((shot.x - other_x) * sign, STAGE)
            out[at + 3] = _share(shot.speed * sign, 8 * UNIT)
            out[at + 4] = _share(shot.life, 240)
            out[at + 5] = np.float32(shot.mine)
        at += 6
    return at


@kernel
def observe(s, p, i, out):
    """Write the 202 numbers that player `i` sees, as if it faced right."""
    f, o = s.fighters[i], s.fighters[1 - i]
    ch, other = p.characters[f.character], p.characters[o.character]
    now = s.frames % LOOKS
    then = (s.frames - p.sight_delay) % LOOKS
    mine, theirs = f.looks[now], o.looks[then]
    sign = mine.facing
    at = _put_fighter(out, 0, mine, f.character, ch.half * UNIT, sign)
    at = _put_fighter(out, at, theirs, o.character, other.half * UNIT, sign)
    at = _put_shots(out, at, f.looks[then], mine.x, theirs.x, sign)
    at = _put_shots(out, at, theirs, mine.x, theirs.x, sign)
    out[at] = _share(s.left, ROUND)
    most = max(p.wins, 2)
    out[at + 1], out[at + 2] = _share(f.wins, most), _share(o.wins, most)
    out[at + 3] = np.float32(s.sudden)
    at += 4
    for k in range(DIRECTIONS_SEEN):
        # RING is a multiple of 16, so negative frames find the neutral directions of the beginning
        out[at + k] = np.float32(f.ring[(s.frames - 1 - k) % RING]) / np.float32(9.0)
    at += DIRECTIONS_SEEN
    out[at] = np.float32(max(f.charge_back, 0)) / np.float32(40.0)
    out[at + 1] = np.float32(max(f.charge_down, 0)) / np.float32(40.0)


@kernel
def measure(s, i, info):
    """Write player `i`'s metrics."""
    f, o = s.fighters[i], s.fighters[1 - i]
    info.is_success = s.outcome == i + 1
    info.won = np.int8(0)
    if s.outcome == 1 or s.outcome == 2:
        info.won = np.int8(1) if s.outcome == i + 1 else np.int8(-1)
    info.hp, info.other_hp, info.meter = f.hp, o.hp, f.meter
    info.rounds, info.other_rounds, info.stage, info.frames = f.wins, o.wins, s.stage, s.frames
    info.character, info.other_character, info.other_level = f.character, o.character, o.level
    info.other_policy = o.rival
    info.dealt, info.taken = f.dealt, o.dealt
    info.hits, info.blocked, info.whiffs, info.interrupted = f.hits, f.blocked, f.whiffs, f.interrupted
    info.throws, info.techs, info.idle_frames = f.throws, f.techs, f.idle_frames
