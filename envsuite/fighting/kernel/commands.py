"""What agents ask for, as input codes frame by frame: encodings of actions, and macros that play several inputs."""

from envsuite.core import kernel
from envsuite.fighting.kernel.inputs import NEUTRAL, SCREEN
from envsuite.fighting.params import (
    AIR,
    ATTACK,
    BUTTON_CODES,
    CROUCH,
    HK,
    HP,
    LK,
    LP,
    MACRO_NAMES,
    MK,
    MP,
    QUEUE_FRAMES,
    X_ANTI_AIR,
    X_CROUCH_BLOCK,
    X_DASH_B,
    X_DASH_F,
    X_EX,
    X_JUMP_B,
    X_JUMP_F,
    X_JUMP_IN,
    X_JUMP_N,
    X_SPECIAL,
    X_SUPER,
    X_THROW,
    X_WAIT,
)

MACROS = len(MACRO_NAMES)
_MOTION_FRAMES = 8
_PRESS = 6  # frame of a motion in which the button goes down
_MOTIONS = (
    (2, 2, 3, 3, 6, 6, 6, 6),
    (6, 6, 2, 2, 3, 3, 3, 3),
    (2, 2, 1, 1, 4, 4, 4, 4),
    (2, 2, 5, 5, 2, 2, 2, 2),
    (2, 3, 6, 2, 3, 6, 6, 6),
    (4, 4, 4, 4, 4, 4, 6, 6),  # charged
    (1, 1, 1, 1, 1, 1, 8, 8),
)  # fmt: skip
# Codes of macros that hold a direction, from X_IDLE on: idle, forward, back, stand and crouch block.
_HELD = (NEUTRAL, 6, 4, 4, 1)
# Codes of macros that are one press, from X_THROW on: throw, jab, low jab, poke, sweep, anti-air.
_PRESSED = (NEUTRAL | (LP | LK) << 4, NEUTRAL | LP << 4, 2 | LK << 4, NEUTRAL | MK << 4, 2 | HK << 4, 2 | HP << 4)
JUMP_IN_PRESS = 24  # frame of a jump in which its attack begins


@kernel
def set_pair(f, direction, button):
    """A direction from 0 (down-back) to 8 and one of ten buttons or pairs of buttons."""
    f.code, f.macro = (direction + 1) | BUTTON_CODES[button] << 4, -1


@kernel
def set_buttons(f, up, down, left, right, buttons):
    """Ten switches of a pad; opposite directions cancel out."""
    f.code = (5 + right - left + 3 * (up - down)) | buttons << 4 | SCREEN
    f.macro = -1


@kernel
def set_ladder(f, ch, number):
    """One of 22: nine directions, nothing, six buttons, throw, four specials, super; a macro under way goes on."""
    if f.macro >= 0:
        return
    f.macro, f.macro_frame = -1, 0
    if number < 9:
        f.code = number + 1
    elif number < 16:
        f.code = NEUTRAL | ((1 << (number - 10)) << 4 if number > 9 else 0)
    elif number == 16:
        f.code = NEUTRAL | (LP | LK) << 4
    else:
        f.macro = X_SPECIAL + number - 17


@kernel
def set_macro(f, number):
    """One of the macros from its beginning; jumps, dashes and attacks under way go on."""
    if f.macro >= X_JUMP_F:
        return
    f.macro, f.macro_frame = number, 0


@kernel
def set_queue(f, first, second, third):
    """Up to three macros in a row; jumps, dashes and attacks under way go on, and what waited behind is forgotten."""
    if f.macro >= X_JUMP_F:
        f.queue[0], f.queue[1] = first, second if second < MACROS else -1
        return
    f.macro, f.macro_frame = first, 0
    f.queue[0], f.queue[1] = (second, third) if second < MACROS else (third, -1)
    for k in range(2):
        if f.queue[k] >= MACROS:
            f.queue[k] = -1


@kernel
def _go_on(f):
    """Take the next macro of the queue, where there is one and the present one is over or may end."""
    held = f.macro >= 0 and (f.macro >= X_JUMP_F or f.macro_frame < QUEUE_FRAMES)
    if f.queue[0] >= 0 and not held:
        f.macro, f.macro_frame = f.queue[0], 0
        f.queue[0], f.queue[1] = f.queue[1], -1


@kernel
def stand_by(f):
    """Guard standing, once attacks, jumps and dashes under way are over."""
    if f.macro < X_JUMP_F:
        f.macro = -1
    f.code, f.queue[0], f.queue[1] = 4, -1, -1


@kernel
def _special(f, ch, number):
    """The special that a macro plays: 0 to 3, 4 for the super."""
    if number == X_SUPER:
        return 4
    return ch.combos if number == X_EX else number - X_SPECIAL


@kernel
def _motion_code(f, ch, number, t):
    special = _special(f, ch, number)
    row = special
    if ch.charge != 0 and special < 4:
        row = 5 if special % 2 == 0 else 6
    code = _MOTIONS[row][t]
    if t == _PRESS:
        kicks = ch.charge != 0 and (special == 2 or special == 3)
        if number == X_EX:
            code |= (LK | MK if kicks else LP | MP) << 4
        else:
            code |= (HK if kicks else HP) << 4
    return code


@kernel
def macro_code(f, ch):
    """The input code of a macro's present frame, and one frame on; sets `macro` to -1 when it is over."""
    number, t = f.macro, f.macro_frame
    f.macro_frame = t + 1
    busy = f.state > CROUCH
    if number <= X_CROUCH_BLOCK:
        return _HELD[number]
    if X_JUMP_F <= number <= X_JUMP_B or number == X_JUMP_IN:
        return _jump_code(f, number, t, busy)
    if number in (X_DASH_F, X_DASH_B):
        way = 6 if number == X_DASH_F else 4
        if t > 3 and not busy:
            return _over(f)
        return way if t == 1 or t == 3 else NEUTRAL
    if number == X_WAIT:
        return NEUTRAL if t < 8 else _over(f)
    if X_THROW <= number <= X_ANTI_AIR:
        if t >= 2 and f.state != ATTACK:
            return _over(f)
        return _PRESSED[number - X_THROW] if t == 0 else NEUTRAL
    if t < _MOTION_FRAMES:
        return _motion_code(f, ch, number, t)
    return NEUTRAL if f.state == ATTACK else _over(f)


@kernel
def _jump_code(f, number, t, busy):
    if number == X_JUMP_IN and (f.state == AIR or t > 4):
        press = t == 0 or t == JUMP_IN_PRESS
        if press and f.state == AIR:
            return NEUTRAL | HK << 4
        return NEUTRAL if busy else _over(f)
    if t < 4:
        return 8 if number == X_JUMP_N else (7 if number == X_JUMP_B else 9)
    return NEUTRAL if busy else _over(f)


@kernel
def _over(f):
    """The macro is over: what follows is a standing block."""
    f.macro = -1
    f.code = 4
    return 4


@kernel
def agent_code(f, ch, t, hold):
    """The input code of an agent in frame `t` of a decision."""
    _go_on(f)
    if f.macro >= 0:
        return macro_code(f, ch)
    return f.code if t == 0 or hold != 0 else f.code & (15 | SCREEN)
