"""Computer players: what they see, late, and what they press."""

import numpy as np

from envsuite.core import rng
from envsuite.core.jit import kernel
from envsuite.fighting.kernel import commands
from envsuite.fighting.kernel.acting import can_shoot
from envsuite.fighting.kernel.inputs import NEUTRAL, doubles, ready
from envsuite.fighting.params import (
    AIR,
    ATTACK,
    CROUCH,
    DUMMY,
    GRAB,
    HK,
    HP,
    IDLE,
    LEVELS,
    LK,
    LP,
    MK,
    MP,
    OVERHEAD,
    REPEATS,
    RING,
    SHIFT,
    SHOT,
    SHOTS,
    SPECIAL,
    STALE_MOST,
    STALE_SLOWER,
    SUPER,
    SUPER_COST,
    THROW,
    UNIT,
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
        return _play(s, f, ch, X_JUMP_F)
    facing_threat = _threat(s, f, o, p, brain, block, punish, level, seen, lag, gap, luck, other)
    if facing_threat >= 0:
        return facing_threat
    if s.frames < brain.until:
        return brain.direction
    brain.until = 0
    if luck < level.noise:
        direction = 1 + other * 9 // 100
        return _keep(s, brain, direction, 6, (1 << (last % 6)) if more < 30 else 0)
    lag -= slower
    return _choose(s, f, o, p, ch, level, mood, anti_air, punish, aggression, lag, seen, gap, other, more, last)


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
def _keep(s, brain, direction, frames, buttons):
    """Press buttons now, and keep a direction."""
    brain.direction, brain.until = direction, s.frames + frames
    return direction | buttons << 4


@kernel
def _play(s, f, ch, macro):
    """Begin a macro."""
    f.macro, f.macro_frame = macro, 0
    return commands.macro_code(f, ch)


@kernel
def _possible(f, ch, special):
    """Whether a special can come out now."""
    if special < 0:
        return False
    if ch.charge != 0 and not ready(f.charge_back if special % 2 == 0 else f.charge_down):
        return False
    m = ch.moves[SPECIAL + special]
    return m.type != SHOT or can_shoot(f, ch, SPECIAL + special)


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
    if kind == 1 and _possible(f, ch, ch.combos):
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


@kernel
def _choose(s, f, o, p, ch, level, mood, anti_air, punish, aggression, lag, seen, gap, luck, more, last):
    """Anti-air, whiff punish, or what the distance suggests."""
    brain = f.brain
    state, move, frame = seen & 31, (seen >> 5) & 31, (seen >> 10) & 127
    if o.y > 0 and state >= AIR and gap < (70 if o.vy < 0 else 45):
        if luck < anti_air:
            if more < 60 and _possible(f, ch, ch.rises):
                return _play(s, f, ch, X_SPECIAL + ch.rises)
            return _keep(s, brain, 2, 4, HP)
        return _keep(s, brain, 4, 6, 0)
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
            return _keep(s, brain, NEUTRAL, 4, HK)
        if mood == READS:
            return _guard(s, brain, more, 6)
    if mood == READS_SHOTS and gap > 58:
        clear = o.shots[0].on == 0 and o.shots[1].on == 0
        return _play(s, f, ch, X_DASH_F) if clear and gap > 90 else _keep(s, brain, 6, 4, 0)
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
        return _play(s, f, ch, X_SUPER)
    if gap < ch.moves[2].x1 + 10 and left >= ch.moves[2].startup:
        return _keep(s, brain, NEUTRAL, 2, HP)
    if gap < ch.moves[1].x1 + 10:
        return _keep(s, brain, NEUTRAL, 2, MP)
    if gap < ch.moves[_SWING].x1 + 10 and left >= ch.moves[_SWING].startup:
        return _keep(s, brain, NEUTRAL, 2, HK)
    if gap < ch.moves[_POKE].x1 + 10:
        return _keep(s, brain, 2, 2, MK)
    return _keep(s, brain, 1 if reading and left < 12 else 6, 3, 0)


@kernel
def _guard(s, brain, luck, frames):
    """Hold a guard without having seen what comes, crouching more often than not."""
    return _keep(s, brain, 1 if luck < 60 else 4, frames, 0)


@kernel
def _wait(s, f, ch, brain, gap, more):
    """Stand off: those who charge crouch back, the others guard within reach, else come nearer, step back or stand."""
    if ch.charge != 0:
        return _keep(s, brain, 1, 12, 0)
    if gap < _REACH:
        return _guard(s, brain, more, 8)
    if more < 60:
        return _keep(s, brain, 6, 10, 0)
    if more < 40:
        return _keep(s, brain, 4, 8, 0)
    return _keep(s, brain, 1 if more < 75 else NEUTRAL, 8, 0)


@kernel
def _far(s, f, ch, level, brain, luck, last):
    """Beyond 110 px: projectile or teleport, else walk or dash in, jump, retreat."""
    if last < level.special:
        if _possible(f, ch, ch.shoots):
            second = ch.shoots + 1
            both = (ch.two_shots != 0 or ch.mine != 0) and luck < 50 and _possible(f, ch, second)
            return _play(s, f, ch, X_SPECIAL + (second if both else ch.shoots))
        if ch.closes >= 0 and ch.moves[SPECIAL + ch.closes].type == SHIFT:
            return _play(s, f, ch, X_SPECIAL + ch.closes)
    if luck < 8:
        return _play(s, f, ch, X_JUMP_F)
    if luck < 18:
        return _keep(s, brain, 1 if ch.charge != 0 else 4, 10, 0)
    if luck < 30:
        return _play(s, f, ch, X_DASH_F)
    return _keep(s, brain, 6, 10, 0)


@kernel
def _middle(s, f, ch, level, brain, gap, luck, last):
    """From 58 to 110 px: walk, pokes, a special that closes the gap, jumps, retreat."""
    if last < level.special:
        special = last % 4
        if special != ch.rises and _possible(f, ch, special):
            return _play(s, f, ch, X_SPECIAL + special)
    # pokes only where they reach: to the far edge of the box, and half the other's body
    if luck < 34 or (luck < 66 and gap > ch.moves[_SWING].x1 + 10):
        return _keep(s, brain, 6, 6, 0)
    if luck < 52:
        return _keep(s, brain, 2, 4, MK) if gap < ch.moves[_POKE].x1 + 10 else _keep(s, brain, 6, 6, 0)
    if luck < 66:
        return _keep(s, brain, NEUTRAL, 4, HK)
    if luck < 76:
        return _play(s, f, ch, X_JUMP_F)
    if luck < 80:
        return _play(s, f, ch, X_JUMP_N)
    return _keep(s, brain, 1 if ch.charge != 0 else 4, 10, 0)


@kernel
def _close(s, f, ch, level, brain, gap, luck, last):
    """Below 58 px: throw, low jab, mediums, a special, or guard."""
    if luck < 18:
        return _keep(s, brain, NEUTRAL, 2, LP | LK) if gap < 42 else _keep(s, brain, 6, 4, 0)
    if luck < 40:
        return _keep(s, brain, 2, 2, LK)
    if luck < 58:
        return _keep(s, brain, NEUTRAL, 2, MP)
    if luck < 70:
        return _keep(s, brain, 2, 2, MP)
    if luck < 80:
        special = last % 4
        if special != ch.rises and _possible(f, ch, special):
            return _play(s, f, ch, X_SPECIAL + special)
        return _keep(s, brain, 2, 4, MK)
    if luck < 84:
        return _play(s, f, ch, X_JUMP_B)
    return _keep(s, brain, 1, 12, 0)
