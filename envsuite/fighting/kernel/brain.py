"""Computer players: what they see, late, and how they answer it."""

import numpy as np

from envsuite.core import rng
from envsuite.core.jit import kernel
from envsuite.fighting.kernel import commands, tactics
from envsuite.fighting.kernel.inputs import NEUTRAL, doubles
from envsuite.fighting.kernel.tactics import READS, READS_SHOTS
from envsuite.fighting.params import (
    AIR,
    ATTACK,
    CROUCH,
    DUMMY,
    GRAB,
    HK,
    IDLE,
    LEVELS,
    LK,
    LP,
    OVERHEAD,
    REPEATS,
    RING,
    SHIFT,
    SHOT,
    SHOTS,
    STALE_MOST,
    STALE_SLOWER,
    SUPER,
    SUPER_COST,
    THROW,
    UNIT,
    X_JUMP_B,
    X_JUMP_F,
    X_SPECIAL,
    X_SUPER,
)

_MINE_NEAR, _MINE_FAR = 32, 49  # px between which a jump clears a mine
_RISEN, _FALLEN = 15, 24  # frames after which a jump has cleared a projectile, and until which it does
THINKING = 16  # fourth word of the counter of the random numbers, plus the fighter's index


@kernel
def remember(s, f):
    """Note what a fighter shows in this frame."""
    f.past[s.frames % RING] = f.state | f.move << 5 | min(f.frame, 127) << 10 | (f.serial & 1023) << 17


@kernel
def think(s, p, i):
    """The input code of a computer player in this frame."""
    f = s.fighters[i]
    code = _think(s, p, i)
    if f.macro < 0 and f.level < DUMMY and doubles(s, f, code & 15):  # to walk on is not to dash
        return code + (NEUTRAL - 6 if code & 15 == 6 else 1 - 4)
    return code


@kernel
def _think(s, p, i):
    """What a computer player wants to press."""
    f = s.fighters[i]
    ch, brain = p.characters[f.character], f.brain
    if f.level >= DUMMY:
        return _dummy(f)
    if X_JUMP_F <= f.macro <= X_JUMP_B and f.state == AIR:
        f.macro = -1
    if f.macro >= 0:
        code = commands.macro_code(f, ch)
        if f.macro >= 0:
            return code
    level = p.levels[min(f.level, LEVELS) - 1]
    o = s.fighters[1 - i]
    word, second, third, fourth = rng.philox(
        np.uint64(s.frames),
        np.uint64(rng.AGENT),
        np.uint64(s.rng.episode),
        np.uint64(THINKING + i),
        np.uint64(s.rng.key[0]),
        np.uint64(s.rng.key[1]),
    )
    luck, other, more, last = _percent(word), _percent(second), _percent(third), _percent(fourth)
    when = s.frames - level.reaction
    seen = o.past[when % RING] if when >= 0 else IDLE
    reading = f.level >= 4 and (o.stale >= 1 or o.repeats >= 3)
    block = max(level.block, min(70 + 4 * (f.level - 1), 100)) if reading else level.block
    punish = min(level.punish + 30, 100) if reading else level.punish
    anti_air = min(level.anti_air + 40, 100) if reading else level.anti_air
    aggression = level.aggression
    mood = READS if reading else 0
    if reading and p.characters[o.character].moves[o.special].type == SHOT:
        mood = READS_SHOTS
    elif reading:
        aggression //= 2
    gap = abs(o.x - f.x) // UNIT
    lag, slower = level.reaction, 0
    if reading and seen & 31 == ATTACK:
        slower = STALE_SLOWER * STALE_MOST if o.repeats > 2 * REPEATS - 1 else STALE_SLOWER
        seen, lag = _foreseen(p.characters[o.character].moves, seen, lag, slower), 0
    if f.state == ATTACK:
        return _follow_up(f, ch, level, luck, other)
    if f.state > CROUCH:
        return _while_busy(s, f, o, p, ch, brain, level, block, seen, gap, luck)
    if _leaps(f, o, ch, brain, punish, gap, other):
        return tactics.play(s, f, ch, X_JUMP_F)
    facing_threat = _threat(s, f, o, p, brain, block, punish, level, seen, lag, gap, luck, other)
    if facing_threat >= 0:
        return facing_threat
    if s.frames < brain.until:
        return brain.direction
    brain.until = 0
    if luck < level.noise:
        direction = 1 + other * 9 // 100
        return tactics.keep(s, brain, direction, 6, (1 << (last % 6)) if more < 30 else 0)
    lag -= slower
    return tactics.choose(s, f, o, p, ch, level, mood, anti_air, punish, aggression, lag, seen, gap, other, more, last)


@kernel
def _foreseen(moves, seen, lag, slower):
    """Where an attack that is seen late is by now, taking it to be repeated."""
    state, move, frame, serial = seen & 31, (seen >> 5) & 31, ((seen >> 10) & 127) + lag, seen >> 17
    m = moves[move]
    total = m.startup - 1 + m.active + m.recovery + slower
    if m.air == 0 and frame > total:
        frame, serial = frame - total, serial + 1
    return state | move << 5 | min(frame, 127) << 10 | serial << 17


@kernel
def _percent(word):
    """A number from 0 to 99 from 32 random bits."""
    return np.int64((word * np.uint64(100)) >> np.uint64(32))


@kernel
def _dummy(f):
    """Training dummies: stand, crouch, jump, block high, block low."""
    return (NEUTRAL, 2, 8, 4, 1)[f.level - DUMMY]


@kernel
def _follow_up(f, ch, level, luck, other):
    """A move of one's own has hit: cancel it, or not, once."""
    brain = f.brain
    if f.hit != 1 or brain.followed == f.serial or f.move >= SUPER:
        return NEUTRAL
    brain.followed = f.serial
    if luck >= level.combo or ch.moves[f.move].cancel == 0:
        return NEUTRAL
    if f.meter >= SUPER_COST and other < 30:
        f.macro, f.macro_frame = X_SUPER, 0
        return commands.macro_code(f, ch)
    kind = ch.moves[f.move].cancel
    if kind == 1 and tactics.possible(f, ch, ch.combos):
        f.macro, f.macro_frame = X_SPECIAL + ch.combos, 0
        return commands.macro_code(f, ch)
    if kind == 2:
        return 2 | LK << 4
    return NEUTRAL


@kernel
def _height(s, p, o, seen):
    """The direction that blocks what is seen: 4 standing against jumps and overheads, else 1."""
    state, move = seen & 31, (seen >> 5) & 31
    if o.y > 0 or state == AIR:
        return 4
    if state == ATTACK and p.characters[o.character].moves[move].height == OVERHEAD:
        return 4
    return 1


@kernel
def _while_busy(s, f, o, p, ch, brain, level, block, seen, gap, luck):
    """In the air an attack on the way down; otherwise hold back, or not, anew every eight frames."""
    if f.state == AIR:
        down = f.vy < 0 and f.y < 56 * UNIT and gap < 80
        return NEUTRAL | HK << 4 if down and luck < level.aggression else NEUTRAL
    if s.frames >= brain.until:
        brain.until = s.frames + 8
        brain.direction = _height(s, p, o, seen) if luck < block else NEUTRAL
    if brain.direction == 1 or brain.direction == 4:
        return _height(s, p, o, seen)
    return brain.direction


@kernel
def _leaps(f, o, ch, brain, percent, gap, luck):
    """Whether a projectile comes, or a mine lies, just so far ahead that a jump clears it; one draw for each."""
    if gap < 60:
        return False
    for k in range(SHOTS):
        shot = o.shots[k]
        if shot.on == 0:
            continue
        ahead, meets = (shot.x - f.x) * f.facing, ch.jump_x - shot.speed * f.facing
        if shot.mine != 0:
            clears = _MINE_NEAR * UNIT < ahead < _MINE_FAR * UNIT
        else:
            clears = shot.speed * f.facing < 0 and _RISEN * meets < ahead < _FALLEN * meets
        if clears:
            key = 1 + o.serial * SHOTS + k
            if brain.leapt != key:
                brain.leapt = key
                return luck < percent
    return False


@kernel
def _shot_near(f, o):
    """The number of a projectile that comes near, 0 for none."""
    for k in range(SHOTS):
        shot = o.shots[k]
        ahead = (f.x - shot.x) * (1 if shot.speed > 0 else -1)
        if shot.mine != 0:
            ahead = (shot.x - f.x) * f.facing
        near = (_MINE_NEAR if shot.mine != 0 else 70) * UNIT
        if shot.on != 0 and 0 < ahead < near:
            return k + 1
    return 0


@kernel
def _threat(s, f, o, p, brain, block, punish, level, seen, lag, gap, luck, other):
    """Answer an attack or a projectile that is seen coming; -1 where there is none, or where it is let come."""
    state, move, frame, serial = seen & 31, (seen >> 5) & 31, (seen >> 10) & 127, seen >> 17
    m = p.characters[o.character].moves[move]
    strikes = state == ATTACK and frame < m.startup + m.active and m.type != SHIFT and m.type != SHOT and gap < 95
    slow = m.armour_hits > 0 and frame + lag + p.characters[f.character].moves[THROW].startup < m.startup
    if strikes and f.level >= 5 and gap < 42 and slow and other < punish:
        return NEUTRAL | (LP | LK) << 4
    shot = _shot_near(f, o)
    # whoever guards keeps it up to the end of the attack that it sees, unless it strikes back
    after = state == ATTACK and not strikes and gap < 95 and brain.threat == 1 + serial and other >= punish
    if not strikes and shot == 0 and not after:
        brain.guards = brain.guards if state == ATTACK else 0
        return -1
    key = 1 + serial if strikes or after else 4096 + o.serial * 4 + shot
    if brain.threat != key:
        brain.threat = key
        brain.guards = 1 if luck < block else 0
        brain.until = 0
    if brain.guards == 0:
        return -1
    if strikes and m.height == GRAB and m.damage > 0 and move == 18:
        return -1
    return _height(s, p, o, seen)
