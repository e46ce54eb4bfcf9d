"""What the scripted players do: where the hand goes and what the fingers do, by what is observed.

A plan is a kernel of an observation that returns the place of the hand, m, the largest step towards it as a share of
a full action, and the action of the fingers. It remembers nothing.
"""

from envsuite.core import kernel
from envsuite.core.fmath import sqrt
from envsuite.manipulation.panda.params import PICK_AND_PLACE, PUSH, REACH, SLIDE
from envsuite.manipulation.panda.scenes import CUBE, PUCK

OPEN, SHUT = 1.0, -1.0
STRIDE, BEAT = 0.05, 0.04
"""Way of the hand at a full action, m, and time of a step, s."""

SLOWING = 0.196
"""Of the puck on the table, m/s^2: 0.02 times gravity."""

EDGE = (0.0088, 0.0146)
"""From the hand to the front corners of the shut fingers, m."""

MORE = 1.1
"""Times the speed that takes the puck to its goal, it is let go."""

RUN, STROKE = 0.03, 0.03
"""How far behind the puck a stroke begins, and its way in a step, m."""

OVER = 0.09
"""Height above an object at which the hand passes over it, m."""

WIDE = 0.046
"""Opening up to which fingers around a cube hold it, m."""

LOW = 0.02
"""Height of the hand when it pushes, m."""

BEHIND, FARTHEST = 0.055, 0.15
"""How far behind the cube the hand goes down to push it, and the greatest x to which it goes for that, m."""

NAIL = 0.0072
"""From the point that is steered down to the ends of the fingers, m."""

FAST, SLOW = 0.6, 0.5
"""Shares of a full action: at full speed motors come to their limits, and the hand strays."""

CALM = 0.3
"""Speed to the side below which the hand goes down, m/s."""

PRESS = 0.15
"""Full actions downwards with which the hand presses on what it drags."""


@kernel
def _length(x, y):
    return sqrt(x * x + y * y)


@kernel
def reach(o):
    """Straight to the goal."""
    return (o[6], o[7], o[8]), 1.0, SHUT


@kernel
def _onto(o, x, y, top, near):
    """Go over a thing with shut fingers, and down on it.

    Args:
        o: the observation.
        x: of the thing, m.
        y: likewise.
        top: height of its upper face, m.
        near: how near to its middle the hand has to be, m.
    """
    if _length(x - o[0], y - o[1]) < near and _length(o[3], o[4]) < CALM:
        return (x, y, top + NAIL), SLOW, SHUT
    high = top + 0.05
    if o[2] < high - 0.025:
        return (o[0], o[1], high), FAST, SHUT
    return (x, y, high), FAST, SHUT


@kernel
def _rests(o, x, y, top, near):
    """Whether the fingers rest on a thing."""
    return o[2] < top + NAIL + 0.004 and _length(x - o[0], y - o[1]) < near


@kernel
def _drag(o, x, y, top, ux, uy, left):
    """Press on a thing from above and drag it."""
    if not _rests(o, x, y, top, 0.02):
        return _onto(o, x, y, top, 0.012)
    way = min(left, 0.025)
    return (o[0] + way * ux, o[1] + way * uy, o[2] - PRESS * STRIDE), FAST, SHUT


@kernel
def push(o):
    """Behind the cube and on towards the goal; from above, where the arm does not reach behind it."""
    x, y = o[6], o[7]
    gx, gy = o[18] - x, o[19] - y
    left = _length(gx, gy)
    ux, uy = gx / left, gy / left
    bx, by = x - BEHIND * ux, y - BEHIND * uy
    if bx > FARTHEST:
        return _drag(o, x, y, o[8] + CUBE, ux, uy, left)
    hx, hy = o[0] - x, o[1] - y
    along, across = hx * ux + hy * uy, hx * uy - hy * ux
    if o[2] < 0.045 and -0.1 < along < -0.01 and abs(across) < 0.02:
        return (o[0] + 0.03 * ux - across * uy, o[1] + 0.03 * uy + across * ux, LOW), SLOW, SHUT
    if o[2] < 0.045 or (o[2] < OVER - 0.02 and _length(bx - o[0], by - o[1]) > 0.02):
        return (o[0], o[1], OVER), FAST, SHUT
    if _length(bx - o[0], by - o[1]) > 0.015 or _length(o[3], o[4]) > CALM:
        return (bx, by, OVER), FAST, SHUT
    return (bx, by, LOW), SLOW, SHUT


@kernel
def slide(o):
    """Behind the puck, and a stroke by the corner of the fingers that makes it fast enough for its way."""
    x, y = o[6], o[7]
    gx, gy = o[18] - x, o[19] - y
    left = _length(gx, gy)
    ux, uy = gx / left, gy / left
    cx, cy = x - PUCK[0] * ux - EDGE[0], y - PUCK[0] * uy - (EDGE[1] if uy > 0.0 else -EDGE[1])
    speed = _length(o[12], o[13])
    if speed > MORE * sqrt(2.0 * SLOWING * left):
        return (o[0], o[1], LOW), FAST, SHUT
    hx, hy = o[0] - cx, o[1] - cy
    along, across = hx * ux + hy * uy, hx * uy - hy * ux
    if o[2] < 0.045 and -0.08 < along < 0.02 and abs(across) < 0.02:
        on = STROKE if along > -0.015 or abs(across) < 0.003 else 0.0  # first onto the line
        return (o[0] + on * ux - across * uy, o[1] + on * uy + across * ux, LOW), FAST, SHUT
    bx, by = cx - RUN * ux, cy - RUN * uy
    if o[2] < 0.045 or (o[2] < OVER - 0.02 and _length(bx - o[0], by - o[1]) > 0.02):
        return (o[0], o[1], OVER), FAST, SHUT
    if _length(bx - o[0], by - o[1]) > 0.015 or _length(o[3], o[4]) > CALM:
        return (bx, by, OVER), FAST, SHUT
    return (bx, by, LOW), SLOW, SHUT


@kernel
def held(o, x, y, z):
    """Whether the fingers hold a cube."""
    near = abs(o[0] - x) < 0.018 and abs(o[1] - y) < 0.018 and abs(o[2] - z) < 0.018
    return near and o[6] < WIDE


@kernel
def grasp(o, x, y, z):
    """Over a cube with open fingers, down, and close."""
    away = _length(x - o[0], y - o[1])
    if away > 0.01:
        high = z + OVER if away > 0.03 or o[2] > z + 0.03 else o[2]
        if o[2] < z + OVER - 0.03 and high > o[2]:
            return (o[0], o[1], z + OVER), FAST, OPEN
        return (x, y, high), FAST, OPEN
    if o[2] - z > 0.006:
        return (x, y, z), SLOW, OPEN
    return (x, y, z), 0.2, SHUT


@kernel
def carry(o, x, y, z, gx, gy, gz, speed):
    """Take a cube to a place, once it is held."""
    if held(o, x, y, z):
        return (o[0] + gx - x, o[1] + gy - y, o[2] + gz - z), speed, SHUT
    return grasp(o, x, y, z)


@kernel
def pick_and_place(o):
    """Grasp the cube and take it to the goal."""
    return carry(o, o[7], o[8], o[9], o[19], o[20], o[21], SLOW)


@kernel
def _via(o, n, g, release):
    """Take a cube to its goal over the other one; let go once it is there, where asked."""
    x, y, z = o[n], o[n + 1], o[n + 2]
    gx, gy, gz = o[g], o[g + 1], o[g + 2]
    away = _length(gx - x, gy - y)
    if held(o, x, y, z):
        if away > 0.012:
            high = gz + 0.07
            if z < high - 0.025:
                return (o[0], o[1], o[2] + high - z), SLOW, SHUT
            return (o[0] + gx - x, o[1] + gy - y, o[2] + high - z), SLOW, SHUT
        if z - gz > 0.006 or not release:
            return (o[0] + gx - x, o[1] + gy - y, o[2] + gz - z), SLOW, SHUT
        return (o[0], o[1], o[2]), 0.0, OPEN
    return grasp(o, x, y, z)


@kernel
def stack(o):
    """The lower cube first, then the upper one."""
    x, y, z = o[7] - o[31], o[8] - o[32], o[9] - o[33]
    if _length(x, y) < 0.02 and abs(z) < 0.012:
        return _via(o, 19, 34, False)
    return _via(o, 7, 31, True)


@kernel
def plan(task, o):
    """What the player of a task does.

    Args:
        task: its number.
        o: the observation, float64.
    """
    if task == REACH:
        return reach(o)
    if task == PUSH:
        return push(o)
    if task == SLIDE:
        return slide(o)
    if task == PICK_AND_PLACE:
        return pick_and_place(o)
    return stack(o)
