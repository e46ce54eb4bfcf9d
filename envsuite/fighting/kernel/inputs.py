"""From buttons to intentions: input history, buffered presses, motions, charges, double taps.

An input code is a numpad direction (facing right) plus sixteen times the buttons; `SCREEN` marks directions of the
screen.
"""

from envsuite.core import kernel
from envsuite.fighting.params import (
    BUFFER,
    CHARGE,
    CHARGE_KEPT,
    KICKS,
    LOOKS,
    M22,
    M214,
    M236,
    M623,
    M236236,
    MERGE,
    MOTION_LATE,
    MOTION_WINDOW,
    PUNCHES,
    RING,
    SUPER_WINDOW,
    TAP_WINDOW,
)

SCREEN = 1 << 12
NEUTRAL = 5


@kernel
def mirrored(direction):
    """The direction as seen by someone who faces the other way."""
    return (0, 3, 2, 1, 6, 5, 4, 9, 8, 7)[direction]


@kernel
def delayed(s, f, code, delay):
    """Put a code on its way, and take the one that arrives; neutral before the first."""
    if delay == 0:
        return code
    f.delayed[s.frames % LOOKS] = code
    return f.delayed[(s.frames - delay) % LOOKS] if s.frames >= delay else NEUTRAL


@kernel
def read(s, f, charge, code):
    """Take in one frame's input.

    Args:
        s: the state.
        f: the fighter.
        charge: whether its specials are charged.
        code: the input code.
    """
    direction, buttons = code & 15, (code >> 4) & 63
    if code & SCREEN and f.facing < 0:
        direction = mirrored(direction)
    edges = buttons & ~f.buttons
    _tap(s, f, direction)
    f.ring[s.frames % RING] = direction
    f.direction, f.buttons = direction, buttons
    f.charge_back = _charged(f.charge_back, direction == 1 or direction == 4 or direction == 7)
    f.charge_down = _charged(f.charge_down, direction <= 3)
    if edges != 0:
        f.pressed = edges | f.pressed if f.pressed_age <= MERGE else edges
        f.pressed_age = 0
        f.motion = _charged_motion(f) if charge != 0 else _motion(s, f)
        if _found(s, f, SUPER_WINDOW, (2, 3, 6, 2, 3, 6), 6):
            f.motion |= M236236
    elif f.stop == 0:
        f.pressed_age += 1
        if f.pressed_age > BUFFER:
            f.pressed, f.motion = 0, 0


@kernel
def _tap(s, f, direction):
    """Notice a direction pressed twice, back or forward: `tap` is 1 for forward, 2 for back."""
    f.tap_age += 1
    if f.tap_age > BUFFER:
        f.tap = 0
    if doubles(s, f, direction):
        f.tap, f.tap_age = 1 if direction == 6 else 2, 0


@kernel
def doubles(s, f, direction):
    """Whether a direction, pressed now, is pressed for the second time within a short while, back or forward."""
    if (direction != 6 and direction != 4) or f.direction == direction:
        return False
    for k in range(2, TAP_WINDOW + 1):
        if k > s.frames:
            return False
        if f.ring[(s.frames - k) % RING] == direction:
            return True
    return False


@kernel
def _charged(charge, held):
    """The next value of a charge: up to `CHARGE` while held, then negative as long as it can be used."""
    if held:
        return min(max(charge, 0) + 1, CHARGE)
    if charge == CHARGE:
        return -CHARGE_KEPT
    return charge + 1 if charge < 0 else 0


@kernel
def ready(charge):
    """Whether a charge can be used."""
    return charge == CHARGE or charge < 0


@kernel
def _charged_motion(f):
    """Motions of characters that charge: back to forward and down to up, with punches or kicks."""
    if ready(f.charge_down) and f.direction >= 7:
        return M623 if f.pressed & PUNCHES else M22
    if ready(f.charge_back) and (f.direction == 6 or f.direction == 3):
        return M236 if f.pressed & PUNCHES else M214
    return 0


@kernel
def _motion(s, f):
    """All motions that end in this frame, as bits."""
    found = 0
    if _found(s, f, MOTION_WINDOW, (2, 3, 6, 0, 0, 0), 3):
        found |= M236
    if f.direction == 3 and _found(s, f, MOTION_WINDOW, (6, 2, 3, 0, 0, 0), 3):
        found |= M623
    if _found(s, f, MOTION_WINDOW, (2, 1, 4, 0, 0, 0), 3):
        found |= M214
    if _found(s, f, MOTION_WINDOW, (2, 5, 2, 0, 0, 0), 3):
        found |= M22
    return found


@kernel(inline=True)  # with each motion's constants in it, 3 % of a fight
def _found(s, f, window, motion, length):
    """Whether the directions of a motion appear in order, the last one at most a few frames ago."""
    wanted = length - 1
    for k in range(window):
        if k > s.frames or (wanted == length - 1 and k > MOTION_LATE):
            return False
        if f.ring[(s.frames - k) % RING] == motion[wanted]:
            wanted -= 1
            if wanted < 0:
                return True
    return False


@kernel
def forget(f):
    """Take a press as used."""
    f.pressed, f.motion = 0, 0


@kernel
def holds_throw(buttons):
    """Whether the buttons of a throw are among them."""
    return buttons & 9 == 9


@kernel
def doubled(buttons):
    """Whether two punches or two kicks are among them."""
    punches, kicks = buttons & PUNCHES, (buttons & KICKS) >> 3
    return punches & (punches - 1) != 0 or kicks & (kicks - 1) != 0
