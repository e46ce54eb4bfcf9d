"""What players see, and the metrics."""

import numpy as np

from envsuite.core import kernel
from envsuite.fighting.kernel.contact import unseizable, untouchable
from envsuite.fighting.params import ATTACK, LOOKS, METER, RING, ROUND, SHOTS, STAGE, UNIT
from envsuite.fighting.state import DIRECTIONS_SEEN, PER_SHOT


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
    return min(max(np.float32(value) / np.float32(whole), -2.0), 2.0)


@kernel
def _put_numbers(own, look, half, sign):
    """Write the 16 numbers of a fighter."""
    x = look.x if sign > 0 else STAGE - look.x
    facing = look.facing * sign
    behind = x - half if facing > 0 else STAGE - half - x
    ahead = STAGE - half - x if facing > 0 else x - half
    own[0], own[1] = _share(look.hp, 1000), _share(look.meter, METER)
    own[2], own[3] = _share(x, STAGE), _share(look.y, 128 * UNIT)
    own[4], own[5] = _share(look.vx * sign, 8 * UNIT), _share(look.vy, 8 * UNIT)
    own[6], own[7], own[8] = facing, _share(behind, STAGE), _share(ahead, STAGE)
    own[9], own[10] = _share(look.stun, 60), _share(look.stop, 12)
    own[11], own[12] = _share(look.frame, 90), _share(look.left, 90)
    own[13], own[14], own[15] = _share(look.combo, 10), _share(look.juggle, 3), _share(look.stale, 4)


@kernel
def _put_kinds(state, move, phase, flags, who, look, character):
    """Write what a fighter does and who it is."""
    state[:], move[:], phase[:], who[:] = 0.0, 0.0, 0.0, 0.0
    state[look.state], phase[look.phase], who[character] = 1.0, 1.0, 1.0
    if look.state == ATTACK:
        move[look.move] = 1.0
    flags[0], flags[1], flags[2], flags[3] = look.safe, look.grab_safe, look.armour, look.air


@kernel
def _put_shots(out, first, look, x, other_x, sign):
    """Write a fighter's projectiles into rows of six numbers, from the row `first` on."""
    for k in range(SHOTS):
        shot, at = look.shots[k], PER_SHOT * (first + k)
        out[at : at + PER_SHOT] = 0.0
        if shot.on != 0:
            out[at] = 1.0
            out[at + 1], out[at + 2] = _share((shot.x - x) * sign, STAGE), _share((shot.x - other_x) * sign, STAGE)
            out[at + 3], out[at + 4] = _share(shot.speed * sign, 8 * UNIT), _share(shot.life, 240)
            out[at + 5] = shot.mine


@kernel
def observe(s, p, i, o):
    """Write what player `i` sees, as if it faced right."""
    f, other = s.fighters[i], s.fighters[1 - i]
    now, then = s.frames % LOOKS, (s.frames - p.sight_delay) % LOOKS
    mine, theirs = f.looks[now], other.looks[then]
    sign = mine.facing
    _put_numbers(o.own, mine, p.characters[f.character].half * UNIT, sign)
    _put_kinds(o.own_state, o.own_move, o.own_phase, o.own_flags, o.own_character, mine, f.character)
    _put_numbers(o.other, theirs, p.characters[other.character].half * UNIT, sign)
    _put_kinds(o.other_state, o.other_move, o.other_phase, o.other_flags, o.other_character, theirs, other.character)
    _put_shots(o.shots, 0, f.looks[then], mine.x, theirs.x, sign)
    _put_shots(o.shots, SHOTS, theirs, mine.x, theirs.x, sign)
    most = max(p.wins, 2)
    o.match[0], o.match[1], o.match[2] = _share(s.left, ROUND), _share(f.wins, most), _share(other.wins, most)
    o.match[3] = s.sudden
    for k in range(DIRECTIONS_SEEN):
        # RING is a multiple of 16, so negative frames find the neutral directions of the beginning
        o.directions[k] = np.float32(f.ring[(s.frames - 1 - k) % RING]) / 9.0
    o.charges[0] = np.float32(max(f.charge_back, 0)) / 40.0
    o.charges[1] = np.float32(max(f.charge_down, 0)) / 40.0


@kernel
def measure(s, i, info):
    """Write player `i`'s metrics."""
    f, o = s.fighters[i], s.fighters[1 - i]
    info.is_success = s.outcome == i + 1
    info.won = 0
    if s.outcome == 1 or s.outcome == 2:
        info.won = 1 if s.outcome == i + 1 else -1
    info.hp, info.other_hp, info.meter = f.hp, o.hp, f.meter
    info.rounds, info.other_rounds, info.stage, info.frames = f.wins, o.wins, s.stage, s.frames
    info.character, info.other_character, info.other_level = f.character, o.character, o.level
    info.other_policy = o.rival
    info.dealt, info.taken = f.dealt, o.dealt
    info.hits, info.blocked, info.whiffs, info.interrupted = f.hits, f.blocked, f.whiffs, f.interrupted
    info.throws, info.techs, info.idle_frames = f.throws, f.techs, f.idle_frames
