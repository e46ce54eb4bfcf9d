"""Scripted players of the tasks in which furniture moves; places and gains as in metaworld 3.1.1's policies.

Each takes an observation (39,) and returns a gain, a place and the action of the fingers.
"""

from envsuite.core import kernel
from envsuite.core.fmath import sqrt
from envsuite.manipulation.meta.shaping import flat, plus
from envsuite.manipulation.meta.skills import DESCEND, THERE, TRAVEL, approach, beside, goal_of, hand_of, over, thing_of


@kernel
def reach(o):
    """To the goal."""
    return 5.0, goal_of(o, 0.0, 0.0, 0.0), 0.0


@kernel
def reach_wall(o):
    """Up where the wall is in the way."""
    h = hand_of(o)
    low = over(h, -0.1, 0.3, 0.6, 0.8) and h[2] < 0.25
    return 5.0, goal_of(o, 0.0, 0.0, 1.0 if low else 0.0), 0.0


@kernel
def button_topdown(o):
    """Over the button, down."""
    _, to = approach(hand_of(o), thing_of(o, 0.0, 0.0, 0.0), 0.04, 0.1, 0.0)
    return 25.0, to, 1.0


@kernel
def button_topdown_wall(o):
    """The same beside the wall."""
    _, to = approach(hand_of(o), thing_of(o, 0.0, -0.06, 0.0), 0.04, 0.1, 0.0)
    return 25.0, to, -1.0


@kernel
def button_press(o):
    """In front of the button, against it; the tests of nearness are relative to where it is, as NumPy's `isclose`."""
    h, a = hand_of(o), thing_of(o, 0.0, 0.0, -0.07)
    aside = abs(h[0] - a[0]) > 0.02 + 1e-5 * abs(a[0]) or abs(h[2] - a[2]) > 0.02 + 1e-5 * abs(a[2])
    return 25.0, (a[0], h[1] - 0.1 if aside else a[1] + 0.02, a[2]), 0.0


@kernel
def button_press_wall(o):
    """Before the button at the wall's height, over it, down, against the button."""
    h, a = hand_of(o), thing_of(o, 0.0, 0.0, 0.04)
    if abs(h[0] - a[0]) > 0.02:
        return 15.0, (a[0], h[1], 0.3), 1.0
    if a[1] - h[1] > 0.09:
        return 15.0, (a[0], a[1], 0.3), 1.0
    high = abs(h[2] - a[2]) > 0.02
    return 15.0, plus(a, 0.0, -0.05 if high else -0.02, 0.0), 1.0 if high else -1.0


@kernel
def coffee_button(o):
    """In front of the button, against it."""
    h, a = hand_of(o), thing_of(o, 0.0, 0.0, -0.07)
    x, z = h[0] - a[0], h[2] - a[2]
    return 10.0, (a[0], h[1] if sqrt(x * x + z * z) > 0.02 else a[1] + 0.2, a[2]), -1.0


@kernel
def dial_turn(o):
    """Beside the handle, against it."""
    a = thing_of(o, 0.05, 0.02, 0.09)
    phase, to = approach(hand_of(o), a, 0.02, 0.0, 0.02)
    if phase == TRAVEL:
        to = (a[0], a[1], 0.2)
    elif phase == THERE:
        to = plus(a, -0.05, 0.005, 0.0)
    return 10.0, to, 1.0


@kernel
def door_close(o):
    """Up and over the door if it is on this side, down behind it, to the goal."""
    h, a = hand_of(o), thing_of(o, 0.05, 0.12, 0.1)
    if h[0] > a[0]:
        low = h[2] < a[2] + 0.2
        return 25.0, (h[0], h[1], a[2] + 0.25) if low else (a[0] - 0.02, a[1], h[2]), 1.0
    return 25.0, plus(a, -0.02, 0.0, 0.0) if abs(h[2] - a[2]) > 0.04 else goal_of(o, 0.0, 0.0, 0.0), 1.0


@kernel
def door_open(o):
    """Behind the handle, pull."""
    a = thing_of(o, -0.05, 0.0, 0.0)
    phase, to = approach(hand_of(o), a, 0.12, 0.2, 0.04)
    return 25.0, to if phase == THERE else plus(to, 0.06, 0.02, 0.0), 1.0


@kernel
def door_lock(o):
    """Over the lever, down, turn."""
    h, a = hand_of(o), thing_of(o, -0.02, -0.02, 0.0)
    phase, to = approach(h, a, 0.02, 0.3, 0.02)
    if phase == TRAVEL and h[2] < 0.25:
        to = plus(h, 0.0, -0.1, 0.1)
    elif phase == THERE:
        to = plus(a, -0.1, 0.0, -0.1)
    return 25.0, to, -1.0


@kernel
def door_unlock(o):
    """Under the lever, turn."""
    h, a = hand_of(o), thing_of(o, -0.04, -0.02, -0.03)
    to = plus(a, 0.1, 0.0, 0.01)
    if flat(h, a) > 0.02:
        to = plus(h, 0.0, -0.1, -0.1) if h[2] > 0.15 else a
    return 25.0, to, 1.0


@kernel
def drawer_close(o):
    """In front of the drawer, against it."""
    h, a = hand_of(o), thing_of(o, 0.0, 0.0, -0.02)
    if h[1] > a[1]:
        low = h[2] < a[2] + 0.23
        return 25.0, (h[0], h[1], a[2] + 0.5) if low else plus(a, 0.0, -0.075, 0.23), 1.0
    return 25.0, plus(a, 0.0, -0.075, 0.0) if abs(h[2] - a[2]) > 0.04 else a, 1.0


@kernel
def drawer_open(o):
    """Into the handle, pull quickly."""
    phase, to = approach(hand_of(o), thing_of(o, 0.0, 0.0, -0.02), 0.06, 0.3, 0.04)
    return (50.0, plus(to, 0.0, -0.06, 0.0), -1.0) if phase == THERE else (4.0, to, -1.0)


@kernel
def faucet_open(o):
    """Beside the handle, against it."""
    return _sideways(o, thing_of(o, -0.04, 0.0, 0.03), (0.04, 0.1, 0.04), (0.1, 0.05))


@kernel
def faucet_close(o):
    """From the other side."""
    return _sideways(o, thing_of(o, 0.04, 0.0, 0.03), (0.04, 0.1, 0.04), (-0.1, 0.05))


@kernel
def window_open(o):
    """Beside the handle, against it."""
    return _sideways(o, thing_of(o, -0.03, -0.03, -0.08), (0.04, 0.3, 0.02), (0.1, 0.0))


@kernel
def window_close(o):
    """From the other side."""
    return _sideways(o, thing_of(o, 0.03, -0.03, -0.08), (0.04, 0.25, 0.02), (-0.1, 0.0))


@kernel
def _sideways(o, a, sizes, way):
    phase, to = approach(hand_of(o), a, sizes[0], sizes[1], sizes[2])
    return 25.0, plus(a, way[0], way[1], 0.0) if phase == THERE else to, 1.0


@kernel
def handle_press(o):
    """Over the handle, down."""
    return _down(o, thing_of(o, 0.0, -0.02, 0.0), -1.0)


@kernel
def handle_press_side(o):
    """The same from the side."""
    return _down(o, thing_of(o, 0.0, 0.0, 0.0), 1.0)


@kernel
def _down(o, a, grip):
    phase, to = approach(hand_of(o), a, 0.02, 0.2, 0.0)
    return 25.0, to if phase == TRAVEL else plus(a, 0.0, 0.0, -0.5), grip


@kernel
def handle_pull(o):
    """Under the handle, up; on the way to its height the original heads for that height along all axes."""
    h, a = hand_of(o), thing_of(o, 0.0, -0.04, 0.0)
    phase, to = approach(h, a, 0.02, 0.0, 0.02)
    if phase == DESCEND:
        to = (a[2], a[2], a[2])
    elif phase == THERE:
        to = plus(a, 0.0, 0.0, 0.1)
    return 25.0, to, 1.0


@kernel
def handle_pull_side(o):
    """Around the handle, up."""
    h, a = hand_of(o), thing_of(o, 0.0, 0.0, 0.0)
    phase, to = approach(h, a, 0.04, 0.1, 0.03)
    return 25.0, plus(a, 0.0, 0.0, 1.0) if phase == THERE else to, 0.6 if beside(h, a, 0.04, 0.04) else 0.0


@kernel
def lever_pull(o):
    """Under the lever, up."""
    a = thing_of(o, 0.0, -0.055, 0.0)
    phase, to = approach(hand_of(o), a, 0.02, -0.1, 0.02)
    return 25.0, plus(a, 0.0, 0.08, 0.02) if phase == THERE else to, 1.0
