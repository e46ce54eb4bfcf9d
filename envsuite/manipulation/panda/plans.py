"""What the scripted players do: where the hand goes and what the fingers do, by what is observed.

A plan is a kernel of an observation that returns the place of the hand, m, the largest step towards it as a share of
a full action, and the action of the fingers. It remembers nothing.
"""

from envsuite.core import kernel
from envsuite.core.fmath import sqrt
from envsuite.manipulation.panda.params import PICK_AND_PLACE, PUSH, REACH, SLIDE, STACK

OPEN, SHUT = 1.0, -1.0
OVER = 0.09
"""Height above an object at which the hand passes over it, m."""

WIDE = 0.046
"""Opening up to which fingers around a cube hold it, m."""

LOW = 0.02
"""Height of the hand when it pushes, m."""

EDGE = (0.0088, 0.0146)
"""From the hand to the front corners of the shut fingers, m."""


@kernel
def _length(x, y):
    return sqrt(x * x + y * y)


@kernel
def reach(o):
    """Straight to the goal."""
    return (o[6], o[7], o[8]), 1.0, SHUT


@kernel
def _behind(o, x, y, to, gap):
    """Go behind an object, over it if need be, and down.

    Args:
        o: the observation.
        x: of the place behind it, m.
        y: likewise.
        to: height to go down to, m.
        gap: how near the place has to be, m.
    """
    away = _length(x - o[0], y - o[1])
    if away > gap:
        high = OVER if away > 0.03 or o[2] > 0.04 else to
        if o[2] < OVER - 0.03 and high == OVER:
            return (o[0], o[1], OVER), 1.0, SHUT
        return (x, y, high), 1.0, SHUT
    return (x, y, to), 1.0, SHUT


@kernel
def push(o):
    """Behind the cube, and on towards the goal."""
    x, y = o[6], o[7]
    gx, gy = o[18] - x, o[19] - y
    left = _length(gx, gy)
    ux, uy = gx / left, gy / left
    hx, hy = o[0] - x, o[1] - y
    along, across = hx * ux + hy * uy, hx * uy - hy * ux
    if o[2] < 0.035 and -0.09 < along < -0.015 and abs(across) < 0.015:
        return (x + 0.1 * ux - 3.0 * across * uy, y + 0.1 * uy + 3.0 * across * ux, LOW), 0.5, SHUT
    return _behind(o, x - 0.055 * ux, y - 0.055 * uy, LOW, 0.01)


@kernel
def slide(o):
    """Behind the puck, and a stroke towards the goal that ends where the arm does."""
    x, y = o[6], o[7]
    gx, gy = o[18] - x, o[19] - y
    left = _length(gx, gy)
    ux, uy = gx / left, gy / left
    side = EDGE[1] if uy > 0.0 else -EDGE[1]
    cx, cy = x - 0.03 * ux - EDGE[0], y - 0.03 * uy - side
    hx, hy = o[0] - cx, o[1] - cy
    along, across = hx * ux + hy * uy, hx * uy - hy * ux
    if o[15 - 3] > 0.15:  # on its way
        return (o[0], o[1], LOW), 0.0, SHUT
    if o[2] < 0.035 and -0.06 < along < 0.01 and abs(across) < 0.01:
        return (cx + 0.2 * ux, cy + 0.2 * uy, LOW), 0.8, SHUT
    return _behind(o, cx - 0.03 * ux, cy - 0.03 * uy, LOW, 0.006)


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
            return (o[0], o[1], z + OVER), 1.0, OPEN
        return (x, y, high), 1.0, OPEN
    if o[2] - z > 0.006:
        return (x, y, z), 1.0, OPEN
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
    return carry(o, o[7], o[8], o[9], o[19], o[20], o[21], 0.6)


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
                return (o[0], o[1], o[2] + high - z), 0.6, SHUT
            return (o[0] + gx - x, o[1] + gy - y, o[2] + high - z), 0.6, SHUT
        if z - gz > 0.006 or not release:
            return (o[0] + gx - x, o[1] + gy - y, o[2] + gz - z), 0.5, SHUT
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
    if task == STACK:
        return stack(o)
    return pick_and_place(o)
