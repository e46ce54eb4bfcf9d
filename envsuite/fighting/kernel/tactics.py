"""What a computer player does with its turn: which attack, guard or way fits the distance."""

from typing import NamedTuple

from envsuite.core import kernel
from envsuite.fighting.kernel import commands
from envsuite.fighting.kernel.acting import can_shoot
from envsuite.fighting.kernel.inputs import NEUTRAL, ready
from envsuite.fighting.params import (
    AIR,
    ATTACK,
    CONTEST_MARGIN,
    COUNTER,
    DASH_RANGE,
    FALLING_RANGE,
    FAR_RANGE,
    HIT_MARGIN,
    HK,
    HP,
    LK,
    LP,
    MIDDLE_RANGE,
    MK,
    MP,
    RISING_RANGE,
    SHIFT,
    SHOT,
    SPECIAL,
    STRIKE_RANGE,
    SUPER_COST,
    SUPER_RANGE,
    THROW_RANGE,
    X_DASH_F,
    X_JUMP_B,
    X_JUMP_F,
    X_JUMP_N,
    X_SPECIAL,
    X_SUPER,
)

READS, READS_MIX = 1, 2  # it sees through the other; one who shoots and jumps in by turns

_MEDIUM, _HEAVY, _SWING, _POKE = 1, 2, 5, 10  # moves: standing MP, HP, HK, crouching MK
_LOW_PUNCH, _LOW_MEDIUM, _LOW_KICK = 6, 7, 9  # crouching LP, MP, LK
# Blows into a recovery, the best first: move, direction, button, and whether there has to be time for its start-up.
_PUNISHMENTS = ((_HEAVY, NEUTRAL, HP, 1), (_MEDIUM, NEUTRAL, MP, 0), (_SWING, NEUTRAL, HK, 1), (_POKE, 2, MK, 0))
# Blows against whom one sees through, into a recovery that leaves time for them, the hardest first; they meet those who
# crouch, too.
_ANSWERS = (
    (_HEAVY, NEUTRAL, HP), (_LOW_MEDIUM, 2, MP), (_POKE, 2, MK), (_SWING, NEUTRAL, HK), (_LOW_KICK, 2, LK),
    (_LOW_PUNCH, 2, LP),
)  # fmt: skip


class Sight(NamedTuple):
    """The other fighter as a computer player sees it: late, or foreseen.

    Attributes:
        state: of the other.
        move: of the other; means something in an attack only, like the rest.
        frame: of that move.
        serial: number of that attack, modulo 1024.
        lag: frames that have passed since.
        expected: the attack that comes next, of whom one sees through.
        gap: px between the middles of both, now.
    """

    state: int
    move: int
    frame: int
    serial: int
    lag: int
    expected: int
    gap: int


class Temper(NamedTuple):
    """A computer player's level, as it is against this opponent: percentages as in `params.Level`.

    `reads` is `READS` or `READS_MIX` where it sees through what the other does, else 0.
    """

    block: int
    punish: int
    anti_air: int
    aggression: int
    special: int
    noise: int
    reads: int


class Dice(NamedTuple):
    """Four numbers from 0 to 99, drawn for one frame: whether to defend, whether to attack, by what, which special."""

    defend: int
    attack: int
    what: int
    special: int


@kernel
def keep(s, f, direction, frames, buttons):
    """Press buttons now, and keep a direction."""
    f.brain.direction, f.brain.until = direction, s.frames + frames
    return direction | buttons << 4


@kernel
def play(f, ch, macro):
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
def _drawn(f, ch, dice):
    """Whether the special that was drawn can come out, and is not for those who jump."""
    special = dice.special % 4
    return special != ch.rises and possible(f, ch, special)


@kernel
def _reaches(ch, move, gap):
    """Whether a blow reaches: to the far edge of its box, and half the other's body."""
    return gap < ch.moves[move].x1 + HIT_MARGIN


@kernel
def choose(s, f, o, ch, m, expected, sight, temper, dice):
    """Anti-air, whiff punish, or what the distance suggests.

    Args:
        s: the state.
        f: the fighter whose turn it is.
        o: the other.
        ch: the fighter's character.
        m: the move in which the other is seen.
        expected: the attack that comes next, of whom one sees through.
        sight: `Sight`.
        temper: `Temper`.
        dice: `Dice`.

    Returns:
        The input code.
    """
    gap = sight.gap
    if o.y > 0 and sight.state >= AIR and gap < (FALLING_RANGE if o.vy < 0 else RISING_RANGE):
        return _meet_jump(s, f, ch, temper, dice)
    if sight.state == ATTACK:
        code = _meet_attack(s, f, ch, m, sight, temper, dice)
        if code >= 0:
            return code
    if dice.attack >= temper.aggression:
        return _wait(s, f, ch, gap, dice)
    if temper.reads != 0:
        return _press_on(s, f, o, ch, expected, gap, temper, dice)
    if gap > FAR_RANGE:
        return _far(s, f, ch, temper, dice)
    return _middle(s, f, ch, gap, temper, dice) if gap > MIDDLE_RANGE else _close(s, f, ch, gap, dice)


@kernel
def _meet_jump(s, f, ch, temper, dice):
    """A special or a blow that meets who jumps in, or a standing guard."""
    if dice.attack >= temper.anti_air:
        return keep(s, f, 4, 6, 0)
    if dice.what < 60 and possible(f, ch, ch.rises):
        return play(f, ch, X_SPECIAL + ch.rises)
    return keep(s, f, 2, 4, HP)


@kernel
def _meet_attack(s, f, ch, m, sight, temper, dice):
    """Punish an attack that has gone past, or answer one that only the longest strikes reach; -1 for neither."""
    gap = sight.gap
    if is_open(m, sight, temper) and dice.attack < temper.punish:
        return _punish(s, f, ch, m, sight, temper, dice)
    if temper.reads != 0:
        return -1
    contests = m.type != SHOT and ch.moves[_POKE].x1 + HIT_MARGIN < gap < ch.moves[_SWING].x1 + CONTEST_MARGIN
    return keep(s, f, NEUTRAL, 4, HK) if contests and dice.what < 55 else -1  # a swing against a swing


@kernel
def _left(m, sight):
    """Frames until the attack that is seen is over."""
    return m.startup - 1 + m.active + m.recovery - sight.frame


@kernel
def is_open(m, sight, temper):
    """Whether an attack that is seen has gone past, and there is time to strike back."""
    if sight.state != ATTACK or sight.frame < m.startup + m.active or sight.gap >= STRIKE_RANGE:
        return False
    return _left(m, sight) > (0 if temper.reads != 0 else 12)


@kernel
def _punish(s, f, ch, m, sight, temper, dice):
    """Strike into a recovery with what reaches, the quicker the less time there is; or come closer."""
    if sight.gap < SUPER_RANGE and f.meter >= SUPER_COST and dice.what < 30:
        return play(f, ch, X_SUPER)
    left = _left(m, sight)
    if temper.reads != 0:
        for move, direction, button in _ANSWERS:
            if _reaches(ch, move, sight.gap) and left >= ch.moves[move].startup:
                return keep(s, f, direction, 2, button)
        return keep(s, f, 6, 2, 0)
    for move, direction, button, timed in _PUNISHMENTS:
        if _reaches(ch, move, sight.gap) and (timed == 0 or left >= ch.moves[move].startup):
            return keep(s, f, direction, 2, button)
    return keep(s, f, 6, 3, 0)


@kernel
def _press_on(s, f, o, ch, m, gap, temper, dice):
    """Against whom one sees through: walk up, which leaves time for a guard, and strike first with what reaches.

    Args:
        s: the state.
        f: the fighter whose turn it is.
        o: the other.
        ch: the fighter's character.
        m: the attack that is expected. One that wins against blows is waited for, a counter stance thrown; jumps are
            met with the tallest blow, projectiles not with a long one, and from afar one dashes towards them.
        gap: px between the middles of both.
        temper: `Temper`.
        dice: `Dice`.

    Returns:
        The input code.
    """
    counters = m.type == COUNTER
    if gap < THROW_RANGE and (counters or dice.what < 15):
        return keep(s, f, NEUTRAL, 2, LP | LK)
    if gap < STRIKE_RANGE and (m.armour_hits > 0 or m.safe_from > 0):
        return _guard(s, f, 2, dice)
    mixes, clear = temper.reads == READS_MIX, o.shots[0].on == 0 and o.shots[1].on == 0
    if clear and gap > DASH_RANGE and (mixes or m.type == SHOT):
        return play(f, ch, X_DASH_F)
    if counters:
        return keep(s, f, 6, 2, 0)
    if (mixes or m.air == 0) and _reaches(ch, _LOW_MEDIUM, gap):
        return keep(s, f, 2, 2, MP)
    if not mixes and m.air == 0 and _reaches(ch, _POKE, gap):
        return keep(s, f, 2, 2, MK)
    swings = clear and not mixes and m.type != SHOT
    return keep(s, f, NEUTRAL, 2, HK) if swings and _reaches(ch, _SWING, gap) else keep(s, f, 6, 2, 0)


@kernel
def _guard(s, f, frames, dice):
    """Hold a guard without having seen what comes, crouching more often than not."""
    return keep(s, f, 1 if dice.what < 60 else 4, frames, 0)


@kernel
def _wait(s, f, ch, gap, dice):
    """Stand off: crouch back to charge, guard within reach, else come nearer, crouch back or stand."""
    if ch.charge != 0:
        return keep(s, f, 1, 12, 0)
    if gap < STRIKE_RANGE:
        return _guard(s, f, 8, dice)
    if dice.what < 60:
        return keep(s, f, 6, 10, 0)
    return keep(s, f, 1 if dice.what < 75 else NEUTRAL, 8, 0)


@kernel
def _retreat(s, f, ch):
    """Walk back, or crouch back to charge."""
    return keep(s, f, 1 if ch.charge != 0 else 4, 10, 0)


@kernel
def _far(s, f, ch, temper, dice):
    """Out of reach: projectile or teleport, else walk or dash in, jump, retreat."""
    if dice.special < temper.special:
        if possible(f, ch, ch.shoots):
            second = ch.shoots + 1
            both = (ch.two_shots != 0 or ch.mine != 0) and dice.what < 50 and possible(f, ch, second)
            return play(f, ch, X_SPECIAL + (second if both else ch.shoots))
        if ch.closes >= 0 and ch.moves[SPECIAL + ch.closes].type == SHIFT:
            return play(f, ch, X_SPECIAL + ch.closes)
    if dice.what < 8:
        return play(f, ch, X_JUMP_F)
    if dice.what < 18:
        return _retreat(s, f, ch)
    return play(f, ch, X_DASH_F) if dice.what < 30 else keep(s, f, 6, 10, 0)


@kernel
def _middle(s, f, ch, gap, temper, dice):
    """Where long strikes reach: walk, pokes, a special that closes the gap, jumps, retreat."""
    what = dice.what
    if dice.special < temper.special and _drawn(f, ch, dice):
        return play(f, ch, X_SPECIAL + dice.special % 4)
    if what < 34 or (what < 66 and gap > ch.moves[_SWING].x1 + HIT_MARGIN):
        return keep(s, f, 6, 6, 0)
    if what < 52:
        return keep(s, f, 2, 4, MK) if _reaches(ch, _POKE, gap) else keep(s, f, 6, 6, 0)
    if what < 66:
        return keep(s, f, NEUTRAL, 4, HK)
    if what < 80:
        return play(f, ch, X_JUMP_F if what < 76 else X_JUMP_N)
    return _retreat(s, f, ch)


@kernel
def _close(s, f, ch, gap, dice):
    """Nearer than that: throw, low jab, mediums, a special, or guard."""
    what = dice.what
    if what < 18:
        return keep(s, f, NEUTRAL, 2, LP | LK) if gap < THROW_RANGE else keep(s, f, 6, 4, 0)
    if what < 40:
        return keep(s, f, 2, 2, LK)
    if what < 70:
        return keep(s, f, NEUTRAL if what < 58 else 2, 2, MP)
    if what < 80:
        return play(f, ch, X_SPECIAL + dice.special % 4) if _drawn(f, ch, dice) else keep(s, f, 2, 4, MK)
    return play(f, ch, X_JUMP_B) if what < 84 else keep(s, f, 1, 12, 0)
