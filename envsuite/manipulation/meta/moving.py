"""Rewards of tasks in which furniture is pressed, turned, pulled or opened, or the hand only reaches a place.

Numbers and order as in metaworld 3.1.1.
"""

import math

from envsuite.core import kernel
from envsuite.manipulation.meta.shaping import (
    above,
    apart,
    both,
    close,
    flat,
    funnel,
    grasped,
    near,
    plus,
    point,
    scaled,
    tolerance,
)

TRAVEL = 0.0935
"""Of the four buttons, m, as the original measures it at reset."""


@kernel
def reach(k):
    """The goal with the tips of the fingers."""
    d = apart(point(k.tcp), point(k.goal))
    return 10.0 * near(d, 0.05, apart(point(k.hand0), point(k.goal))), d <= 0.05


@kernel
def button_topdown(k):
    """A button from above, with closed fingers."""
    return _topdown(k, 1.0 - k.opening)


@kernel
def button_topdown_wall(k):
    """A button from above behind a wall, with open fingers."""
    return _topdown(k, k.opening)


@kernel
def _topdown(k, fingers):
    o, c = point(k.obj), point(k.tcp)
    there, d = apart(o, c), abs(k.goal[2] - o[2])
    reward = 5.0 * both(fingers, near(there, 0.01, apart(o, point(k.tcp0))))
    if there <= 0.03:
        reward += 5.0 * near(d, 0.005, TRAVEL)
    return reward, d <= 0.024


@kernel
def button_press(k):
    """A button from the front."""
    return _front(k, TRAVEL, 0.02)


@kernel
def coffee_button(k):
    """The button of the coffee machine."""
    return _front(k, 0.03, 0.02)


@kernel
def _front(k, travel, enough):
    o = point(k.obj)
    there, d = apart(o, point(k.tcp)), abs(k.goal[1] - o[1])
    reward = 2.0 * both(k.opening, near(there, 0.05, apart(o, point(k.tcp0))))
    if there <= 0.05:
        reward += 8.0 * near(d, 0.005, travel)
    return reward, d <= enough


@kernel
def button_press_wall(k):
    """A button from the front, over a wall."""
    o = point(k.obj)
    there, d = apart(o, point(k.tcp)), abs(k.goal[1] - o[1])
    if there > 0.07:
        reward = 2.0 * both(0.5 * (1.0 - k.opening), near(there, 0.01, apart(o, point(k.tcp0))))
    else:
        press = near(d, 0.005, TRAVEL)
        reward = 4.0 + 2.0 * k.opening + 4.0 * press * press
    return reward, d <= 0.03


@kernel
def dial_turn(k):
    """A dial; `mark` is where its handle was at the beginning, by which it is pushed."""
    o, t = point(k.obj), point(k.goal)
    p, p0 = plus(o, 0.05, 0.02, 0.09), point(k.mark)
    d = apart(o, t)
    place = near(d, 0.07, abs(apart(p0, t) - 0.07))
    there = close(apart(p, point(k.tcp)), 0.005, abs(apart(p0, point(k.tcp0)) - 0.005))
    return 10.0 * both(both(there, min(max(k.grip, 0.0), 1.0)), place), d <= 0.07


@kernel
def door_close(k):
    """A door from wide open."""
    o, t, door = point(k.obj), point(k.goal), point(k.obj0)
    d = apart(o, t)
    hand = close(apart(point(k.tcp), t), 0.0125, apart(point(k.hand0), o) + 0.1)
    reward = 3.0 * hand + 6.0 * close(d, 0.05, apart(door, t))
    return 10.0 if d < 0.05 else reward, d <= 0.08


@kernel
def door_open(k):
    """A door; `angle` is its hinge's."""
    o, h, t = point(k.obj), point(k.hand), point(k.goal)
    door = plus(o, -0.05, 0.0, 0.0)
    floor = funnel(flat(h, door), 0.12, 0.04, 0.4)
    there = near(apart(h, plus(door, 0.05, 0.03, -0.01)), 0.06, 0.5)
    ready = both(above(h[2], floor, 0.01, 0.5 * floor), there)
    opened = 0.2 * (k.angle < -math.pi / 90.0)
    opened += 0.8 * tolerance(2.0 * math.pi / 3.0 + k.angle, 0.0, 0.5, math.pi / 3.0)
    done = abs(o[0] - t[0]) <= 0.08
    grip = 0.5 * (min(max(k.grip, -1.0), 1.0) + 1.0)
    return 10.0 if done else 2.0 * both(ready, grip) + 8.0 * opened, done


@kernel
def door_lock(k):
    """A lock's lever down; the original compares with where the left pad is now, as if at reset."""
    o, d = point(k.obj), abs(k.goal[2] - k.obj[2])
    there = scaled(o, point(k.left), 0.25, 1.0, 0.5)
    return 2.0 * both(max(k.opening, 0.0), near(there, 0.01, there)) + 8.0 * near(d, 0.005, 0.1), d <= 0.02


@kernel
def door_unlock(k):
    """A lock's lever up; `obj0` is the lock."""
    d = abs(k.goal[0] - k.obj[0])
    there = scaled(plus(point(k.hand), 0.0, 0.055, 0.07), point(k.obj), 0.25, 1.0, 0.5)
    start = scaled(plus(point(k.tcp0), 0.0, 0.055, 0.07), point(k.obj0), 0.25, 1.0, 0.5)
    return 2.0 * near(there, 0.02, start) + 8.0 * near(d, 0.005, 0.1), d <= 0.02


@kernel
def drawer_close(k):
    """A drawer from open."""
    o, o0, t = point(k.obj), point(k.obj0), point(k.goal)
    d = apart(o, t)
    place = near(d, 0.05, abs(apart(o0, t) - 0.05))
    there = close(apart(o, point(k.tcp)), 0.005, abs(apart(o0, point(k.tcp0)) - 0.005))
    reward = 10.0 * both(both(there, min(max(k.grip, 0.0), 1.0)), place)
    return 10.0 if d <= 0.065 else reward, d <= 0.065


@kernel
def drawer_open(k):
    """A drawer."""
    o, t = point(k.obj), point(k.goal)
    d = apart(o, t)
    start = scaled(plus(t, 0.0, 0.2, 0.0), point(k.tcp0), 3.0, 3.0, 1.0)
    return 5.0 * (near(d, 0.02, 0.2) + near(scaled(o, point(k.hand), 3.0, 3.0, 1.0), 0.01, start)), d <= 0.03


@kernel
def faucet_open(k):
    """A faucet's handle one way."""
    return _faucet(k, plus(point(k.obj), -0.04, 0.0, 0.03))


@kernel
def faucet_close(k):
    """And the other."""
    return _faucet(k, point(k.obj))


@kernel
def _faucet(k, o):
    base, t = point(k.obj0), point(k.goal)
    d = apart(o, t)
    there = close(apart(o, point(k.tcp)), 0.01, abs(apart(base, point(k.tcp0)) - 0.01))
    reward = 4.0 * there + 6.0 * near(d, 0.07, abs(apart(base, t) - 0.07))
    return 10.0 if d <= 0.07 else reward, d <= 0.07


@kernel
def handle_press(k):
    """A handle down."""
    o, o0, t = point(k.obj), point(k.obj0), point(k.goal)
    d = abs(o[2] - t[2])
    place = near(d, 0.02, abs(abs(t[2] - o0[2]) - 0.02))
    there = near(apart(o, point(k.tcp)), 0.02, abs(apart(o0, point(k.tcp0)) - 0.02))
    return 10.0 if d <= 0.02 else 10.0 * both(there, place), d <= 0.02


@kernel
def handle_pull_side(k):
    """A handle up, seen from the side."""
    o, o0, t = point(k.obj), point(k.obj0), point(k.goal)
    d = apart(o, t)
    place = near(d, 0.05, apart(o0, t))
    reward = both(grasped(k, o, (0.032, 0.06, 0.01)), place)
    if apart(o, point(k.tcp)) < 0.035 and k.opening > 0.0 and o[2] - 0.01 > o0[2]:
        reward += 1.0 + 5.0 * place
    return 10.0 if d < 0.05 else reward, d <= 0.08


@kernel
def handle_pull(k):
    """A handle up; the original asks whether its y, not its z, is above the start's z."""
    o, o0, t = point(k.obj), point(k.obj0), point(k.goal)
    d = abs(t[2] - o[2])
    place = near(d, 0.05, abs(t[2] - o0[2]))
    reward = both(grasped(k, o, (0.022, 0.05, 0.01)), place)
    if apart(o, point(k.tcp)) < 0.035 and k.opening > 0.0 and o[1] - 0.01 > o0[2]:
        reward += 1.0 + 5.0 * place
    return 10.0 if d < 0.05 else reward, d <= 0.05


@kernel
def lever_pull(k):
    """A lever up; `mark` is where its knob was, `angle` its hinge's."""
    o, t, knob = point(k.obj), point(k.goal), point(k.mark)
    there = scaled(plus(point(k.hand), 0.0, 0.055, 0.07), o, 4.0, 1.0, 4.0)
    start = scaled(plus(point(k.tcp0), 0.0, 0.055, 0.07), knob, 4.0, 1.0, 4.0)
    reward = 10.0 * both(near(there, 0.02, start), near(apart(o, t), 0.04, apart(knob, t)))
    return reward, abs(-k.angle - math.pi / 2.0) <= math.pi / 24.0


@kernel
def window_open(k):
    """A window to the side."""
    o, o0 = point(k.obj), point(k.obj0)
    d = abs(o[0] - k.goal[0])
    there = near(apart(o, point(k.tcp)), 0.02, abs(apart(o0, point(k.tcp0)) - 0.02))
    return 10.0 * both(there, near(d, 0.05, 0.15)), d <= 0.05


@kernel
def window_close(k):
    """And back."""
    o, o0 = point(k.obj), point(k.obj0)
    d = abs(o[0] - k.goal[0])
    there = close(apart(o, point(k.tcp)), 0.02, abs(apart(o0, point(k.tcp0)) - 0.02))
    return 10.0 * both(there, near(d, 0.05, abs(abs(o0[0] - k.goal[0]) - 0.05))), d <= 0.05
