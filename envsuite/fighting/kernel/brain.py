"""Computer players: what they see, late, and how they answer it."""

import numpy as np

from envsuite.core import kernel, rng
from envsuite.fighting.kernel import commands, tactics
from envsuite.fighting.kernel.inputs import NEUTRAL, doubles
from envsuite.fighting.kernel.tactics import READS, READS_MIX, Dice, Sight, Temper
from envsuite.fighting.params import (
    AIR,
    AIR_HEIGHT,
    AIR_RANGE,
    ATTACK,
    CROUCH,
    DUMMY,
    GRAB,
    GRAB_MARGIN,
    HABIT_AGGRESSION,
    HABIT_CYCLE,
    HABIT_REPEATS,
    HABIT_STALE,
    HABIT_SURE,
    HABIT_SURE_LEVEL,
    HK,
    IDLE,
    LEAP_RANGE,
    LEVELS,
    LK,
    LONGEST,
    LP,
    MEMORY,
    MINE_FAR,
    MINE_NEAR,
    NO_MOVE,
    OVERHEAD,
    READS_FROM,
    RING,
    SHIFT,
    SHOT,
    SHOT_FALLEN,
    SHOT_NEAR,
    SHOT_RISEN,
    SHOTS,
    STRIKE_RANGE,
    SUPER,
    SUPER_COST,
    THROW,
    THROW_RANGE,
    THROWS_FROM,
    UNIT,
    X_JUMP_B,
    X_JUMP_F,
    X_JUMP_N,
    X_SPECIAL,
    X_SUPER,
)

THINKING = 16  # fourth word of the counter of the random numbers, plus the fighter's index

_DUMMIES = (NEUTRAL, 2, 8, 4, 1)  # what training dummies hold: stand, crouch, jump, block high, block low
_LAST_FRAME, _SERIALS = 127, 1023  # greatest numbers in `Fighter.past`
_SHOT_KEYS = 4096  # from it on the numbers of threats are those of projectiles


@kernel
def remember(s, f):
    """Note what a fighter shows in this frame; `_recalled` reads it."""
    f.past[s.frames % RING] = f.state | f.move << 5 | min(f.frame, _LAST_FRAME) << 10 | (f.serial & _SERIALS) << 17


@kernel
def _recalled(s, o, ago):
    """What a fighter showed some frames ago: state, move, frame and number of attack; idle before the first frame."""
    word = np.int64(o.past[(s.frames - ago) % RING]) if s.frames >= ago else IDLE
    return word & 31, (word >> 5) & 31, (word >> 10) & _LAST_FRAME, word >> 17


@kernel
def think(s, p, i):
    """The input code of a computer player in this frame."""
    f = s.fighters[i]
    code = _wish(s, p, i)
    if f.macro < 0 and f.level < DUMMY and doubles(s, f, code & 15):  # to walk on is not to dash
        return code + (NEUTRAL - 6 if code & 15 == 6 else 1 - 4)
    return code


@kernel
def _wish(s, p, i):
    """What a computer player wants to press."""
    f, o = s.fighters[i], s.fighters[1 - i]
    ch, other = p.characters[f.character], p.characters[o.character]
    if f.level >= DUMMY:
        return _DUMMIES[f.level - DUMMY]
    level = p.levels[f.level - 1]
    if f.level >= READS_FROM:
        _note(s, f, o, other, level)
    if X_JUMP_F <= f.macro <= X_JUMP_B and f.state == AIR:
        f.macro = -1
    if f.macro >= 0:
        code = commands.macro_code(f, ch)
        if f.macro >= 0:
            return code
    gap = abs(o.x - f.x) // UNIT
    if f.state == ATTACK:
        return _follow_up(s, f, ch, level, i)
    if f.state == AIR:
        return _come_down(s, f, level, gap, i)
    temper = _temper(f, o, level)
    sight = _look(s, f, o, level, temper.reads, gap)
    m, expected = other.moves[sight.move], other.moves[sight.expected]
    return _decide(s, f, o, ch, m, expected, sight, temper, i)


@kernel
def _decide(s, f, o, ch, m, expected, sight, temper, i):
    """On the ground: answer what is seen, go on with what was begun, or choose; for arguments see `tactics.choose`."""
    brain = f.brain
    if f.state > CROUCH:
        return _hold_back(s, f, o, m, sight, temper, i)
    dice = _dice(s, i)
    if sight.gap >= LEAP_RANGE and _leaps(f, o, ch) and dice.attack < temper.punish:
        return tactics.play(f, ch, X_JUMP_F)
    answer = _answer(f, o, ch, m, sight, temper, dice)
    if answer >= 0:
        return answer
    if s.frames < brain.until and not (temper.reads != 0 and tactics.is_open(m, sight, temper)):
        return np.int64(brain.direction)
    brain.until = 0
    if dice.defend < temper.noise:
        button = 1 << (dice.special % 6) if dice.what < 30 else 0
        return tactics.keep(s, f, 1 + dice.attack * 9 // 100, 6, button)
    return tactics.choose(s, f, o, ch, m, expected, sight, temper, dice)


@kernel
def _soon(f, level):
    """Frames after which a level sees what it expects."""
    return min(level.reaction, 1 + (LEVELS - f.level) // 3)


@kernel
def _note(s, f, o, other, level):
    """Remember an attack that the other has begun, and what it means."""
    b = f.brain
    if b.noted == o.serial & _SERIALS:
        return
    _, move, _, serial = _recalled(s, o, _soon(f, level))
    if b.noted == serial:
        return
    b.noted = serial
    if move != NO_MOVE:
        for k in range(MEMORY - 1, 0, -1):
            b.moves[k] = b.moves[k - 1]
        b.moves[0] = move + 1
        b.cycles, b.expected = _cycles(b, other), _expected(b, other)


@kernel
def _cycles(b, other):
    """`READS` where nearly all of the other's latest attacks were among the three before them, or `READS_MIX`."""
    found, shoots, flies = 0, False, False
    for k in range(LONGEST):
        m = other.moves[b.moves[k] - 1]
        shoots, flies = shoots or m.type == SHOT, flies or m.air != 0
    for k in range(MEMORY - LONGEST):
        move = b.moves[k]
        if move != 0 and (move == b.moves[k + 1] or move == b.moves[k + 2] or move == b.moves[k + 3]):
            found += 1
    if found < HABIT_CYCLE:
        return 0
    return READS_MIX if shoots and flies else READS


@kernel
def _fits(b, period):
    """How many of the other's latest attacks were the same as so many attacks before."""
    found = 0
    for k in range(MEMORY - LONGEST):
        found += 1 if b.moves[k] == b.moves[k + period] else 0
    return found


@kernel
def _expected(b, other):
    """The attack that comes next if the other goes on with the cycle that fits its latest attacks best.

    One with armour, against which a blow is a mistake, is expected all the time.
    """
    for k in range(LONGEST):
        if other.moves[b.moves[k] - 1].armour_hits > 0:
            return b.moves[k] - 1
    best, most = 1, _fits(b, 1)
    for period in range(2, LONGEST + 1):
        fits = _fits(b, period)
        if fits > most:
            best, most = period, fits
    return b.moves[best - 1] - 1


@kernel
def _known(b, move):
    """Whether an attack, the other's latest, is one that is remembered."""
    found = False
    for k in range(1, MEMORY):
        found = found or b.moves[k] == move + 1
    return found


@kernel
def _temper(f, o, level):
    """What a level does, percent; nearly always what it could against whom it sees through."""
    block, punish, anti_air = level.block, level.punish, level.anti_air
    aggression, noise, reads = level.aggression, level.noise, 0
    if f.level >= READS_FROM and (f.brain.cycles != 0 or o.stale >= HABIT_STALE or o.repeats >= HABIT_REPEATS):
        sure = HABIT_SURE + HABIT_SURE_LEVEL * f.level
        block, punish, anti_air = max(block, sure), max(punish, sure), max(anti_air, sure)
        aggression, noise, reads = HABIT_AGGRESSION, 0, max(f.brain.cycles, READS)
    return Temper(block, punish, anti_air, aggression, level.special, noise, reads)


@kernel
def _look(s, f, o, level, reads, gap):
    """See the other as it was a reaction time ago; hardly later than it is where it does what was to be expected."""
    lag = level.reaction
    state, move, frame, serial = _recalled(s, o, lag)
    if reads != 0:
        soon = _soon(f, level)
        now, begun, passed, number = _recalled(s, o, soon)
        if now != ATTACK or _known(f.brain, begun):
            state, move, frame, serial, lag = now, begun, min(passed + soon - 1, _LAST_FRAME), number, 1
    return Sight(state, move, frame, serial, lag, f.brain.expected, gap)


@kernel
def _dice(s, i):
    """The numbers that this frame's decisions hang on."""
    first, second, third, fourth = rng.philox(
        np.uint64(s.frames),
        np.uint64(rng.AGENT),
        np.uint64(s.rng.episode),
        np.uint64(THINKING + i),
        np.uint64(s.rng.key[0]),
        np.uint64(s.rng.key[1]),
    )
    return Dice(_percent(first), _percent(second), _percent(third), _percent(fourth))


@kernel
def _percent(word):
    """A number from 0 to 99 from 32 random bits."""
    return np.int64((word * np.uint64(100)) >> np.uint64(32))


@kernel
def _follow_up(s, f, ch, level, i):
    """A move of one's own has hit: cancel it, or not, once."""
    brain = f.brain
    if f.hit != 1 or brain.followed == f.serial or f.move >= SUPER:
        return NEUTRAL
    brain.followed = f.serial
    dice, kind = _dice(s, i), ch.moves[f.move].cancel
    if dice.defend >= level.combo or kind == 0:
        return NEUTRAL
    if f.meter >= SUPER_COST and dice.attack < 30:
        return tactics.play(f, ch, X_SUPER)
    if kind == 1 and tactics.possible(f, ch, ch.combos):
        return tactics.play(f, ch, X_SPECIAL + ch.combos)
    return 2 | LK << 4 if kind == 2 else NEUTRAL


@kernel
def _height(o, m, sight):
    """The direction that blocks what is seen: 4 standing against jumps and overheads, else 1."""
    if o.y > 0 or sight.state == AIR:
        return 4
    return 4 if sight.state == ATTACK and m.height == OVERHEAD else 1


@kernel
def _come_down(s, f, level, gap, i):
    """In the air an attack on the way down."""
    near = f.vy < 0 and f.y < AIR_HEIGHT * UNIT and gap < AIR_RANGE
    return NEUTRAL | HK << 4 if near and _dice(s, i).defend < level.aggression else NEUTRAL


@kernel
def _hold_back(s, f, o, m, sight, temper, i):
    """While nothing can be done, hold a guard, or not, anew every eight frames."""
    brain = f.brain
    height = _height(o, m, sight)
    if s.frames >= brain.until:
        brain.until = s.frames + 8
        brain.direction = height if _dice(s, i).defend < temper.block else NEUTRAL
    return height if brain.direction == 1 or brain.direction == 4 else np.int64(brain.direction)


@kernel
def _leaps(f, o, ch):
    """Whether a projectile comes, or a mine lies, just so far ahead that a jump clears it; once for each."""
    for k in range(SHOTS):
        shot = o.shots[k]
        if shot.on == 0:
            continue
        ahead, meets = (shot.x - f.x) * f.facing, ch.jump_x - shot.speed * f.facing
        if shot.mine != 0:
            clears = MINE_NEAR * UNIT < ahead < MINE_FAR * UNIT
        else:
            clears = shot.speed * f.facing < 0 and SHOT_RISEN * meets < ahead < SHOT_FALLEN * meets
        key = 1 + o.serial * SHOTS + k
        if clears and f.brain.leapt != key:
            f.brain.leapt = key
            return True
    return False


@kernel
def _shot_near(f, o):
    """The number of a projectile that comes near, 0 for none."""
    for k in range(SHOTS):
        shot = o.shots[k]
        if shot.mine != 0:
            ahead, near = (shot.x - f.x) * f.facing, MINE_NEAR * UNIT
        else:
            ahead, near = (f.x - shot.x) * (1 if shot.speed > 0 else -1), SHOT_NEAR * UNIT
        if shot.on != 0 and 0 < ahead < near:
            return k + 1
    return 0


@kernel
def _threat(f, o, strikes, sight, temper, dice):
    """The number of the attack or projectile that is seen coming; 0 for none, and no guard is up any more.

    Whoever guards keeps it up to the end of the attack that it sees, unless it strikes back.
    """
    attacks, key = sight.state == ATTACK, 1 + sight.serial
    if strikes or (attacks and sight.gap < STRIKE_RANGE and f.brain.threat == key and dice.attack >= temper.punish):
        return key
    shot = _shot_near(f, o)
    if shot != 0:
        return _SHOT_KEYS + o.serial * 4 + shot
    if not attacks:
        f.brain.guards = 0
    return 0


@kernel
def _throws(f, ch, m, sight):
    """Whether a throw ends an attack with armour before it can strike."""
    if f.level < THROWS_FROM or sight.gap >= THROW_RANGE or m.armour_hits <= 0:
        return False
    return sight.frame + sight.lag + ch.moves[THROW].startup < m.startup


@kernel
def _answer(f, o, ch, m, sight, temper, dice):
    """Answer an attack or a projectile that is seen coming; -1 where there is none, or where it is let come."""
    brain = f.brain
    strikes = sight.state == ATTACK and sight.frame < m.startup + m.active and sight.gap < STRIKE_RANGE
    strikes = strikes and m.type != SHIFT and m.type != SHOT
    if strikes and _throws(f, ch, m, sight) and dice.attack < temper.punish:
        return NEUTRAL | (LP | LK) << 4
    grabs = strikes and m.height == GRAB and sight.gap < m.x1 + GRAB_MARGIN
    if grabs and temper.reads != 0 and dice.defend < temper.block:
        return tactics.play(f, ch, X_JUMP_N)
    key = _threat(f, o, strikes, sight, temper, dice)
    if key == 0:
        return -1
    if brain.threat != key:
        brain.threat = key
        brain.guards = 1 if dice.defend < temper.block else 0
        brain.until = 0
    seizes = strikes and sight.move == THROW and m.height == GRAB and m.damage > 0
    return -1 if brain.guards == 0 or seizes else _height(o, m, sight)
