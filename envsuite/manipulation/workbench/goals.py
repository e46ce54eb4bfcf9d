"""How far an instance is from success, and what is paid for that."""

import numpy as np

from envsuite.core import kernel
from envsuite.core.fmath import cos, sin, sqrt, tanh
from envsuite.manipulation.workbench.params import PEG_INSERTION, WIPE
from envsuite.manipulation.workbench.scenes import BLOCK_HEIGHT, PEG

DEEP = 0.9
"""Share of the hole's depth at which the peg is in."""

GRIP = PEG[1] - 0.025
"""From the peg's middle along its axis to where it is best grasped, m."""

NEAR = 0.025
"""Distance of the hand from there within which closed fingers hold the peg, m."""

SLACK = 0.002
"""By which the opening of fingers that hold the peg differs from its width, m."""

FAINT = 5.0
"""1/m; a distance d is worth 1 - tanh(5 d), as in ManiSkill's rewards."""


@kernel
def _worth(distance):
    return 1.0 - tanh(FAINT * distance)


@kernel
def _axis(s):
    """The peg's axis, upwards."""
    x, y, z, w = s.sight.turn[0], s.sight.turn[1], s.sight.turn[2], s.sight.turn[3]
    up = 1.0 - 2.0 * (x * x + y * y)
    sign = 1.0 if up >= 0.0 else -1.0
    return sign * 2.0 * (x * z + w * y), sign * 2.0 * (y * z - w * x), sign * up


@kernel
def foot(s):
    """The peg's lower end in axes of the block, from the middle of its lower face, m."""
    ax, ay, az = _axis(s)
    place = s.sight.place
    x, y = place[0] - PEG[1] * ax - s.fixture[0], place[1] - PEG[1] * ay - s.fixture[1]
    c, d = cos(s.fixture[2]), sin(s.fixture[2])
    return c * x + d * y, c * y - d * x, place[2] - PEG[1] * az


@kernel
def depth(s):
    """Share of the hole that the peg has gone down, 0 where its end is not in it."""
    x, y, z = foot(s)
    if abs(x) > PEG[0] or abs(y) > PEG[0]:  # its middle is over a wall or beside the block
        return 0.0
    return min(max(1.0 - z / BLOCK_HEIGHT, 0.0), 1.0)


@kernel
def _reach_peg(s):
    """From the hand to where the peg is grasped, m."""
    ax, ay, az = _axis(s)
    hand, place = s.sight.hand, s.sight.place
    x, y, z = hand[0] - place[0] - GRIP * ax, hand[1] - place[1] - GRIP * ay, hand[2] - place[2] - GRIP * az
    return sqrt(x * x + y * y + z * z)


@kernel
def _insertion(s):
    """Reaching, holding, bringing over the hole, and going down."""
    away = _reach_peg(s)
    x, y, z = foot(s)
    into = depth(s)
    held = into > 0.0 or (away < NEAR and abs(s.sight.opening - 2.0 * PEG[0]) < SLACK)
    found = 0.2 * _worth(away)
    if held:
        high = max(BLOCK_HEIGHT - z, 0.0) if into == 0.0 else 0.0
        found += 0.2 + 0.3 * _worth(sqrt(x * x + y * y + high * high)) + 0.3 * into
    return found


@kernel
def _opening(s, p):
    """Reaching the handle, and opening."""
    hand, place = s.sight.hand, s.sight.place
    x, y, z = hand[0] - place[0], hand[1] - place[1], hand[2] - place[2]
    return 0.3 * _worth(sqrt(x * x + y * y + z * z)) + 0.7 * min(max(s.sight.way / p.opened, 0.0), 1.0)


@kernel
def left_over(s, p):
    """How many marks are left."""
    count = 0
    for n in range(p.marks):
        count += 1 if s.wiped[n] == 0 else 0
    return count


@kernel
def _wiping(s, p):
    """Reaching the next mark that is left, and the share of those that are gone."""
    nearest = np.inf
    for n in range(p.marks):
        if s.wiped[n] == 0:
            x, y = s.sight.place[0] - s.marks[n, 0], s.sight.place[1] - s.marks[n, 1]
            nearest = min(nearest, x * x + y * y)
    height = s.sight.place[2]
    return 0.2 * _worth(sqrt(nearest + height * height)) + 0.8 * (1.0 - left_over(s, p) / p.marks)


@kernel
def judge(s, p):
    """What is left until success, as `Info.distance` has it, and whether there is success."""
    if p.task == PEG_INSERTION:
        x, y, z = foot(s)
        return sqrt(x * x + y * y + z * z), depth(s) >= DEEP
    if p.task == WIPE:
        left = left_over(s, p)
        return left / p.marks, left == 0
    return max(p.opened - s.sight.way, 0.0), s.sight.way >= p.opened


@kernel
def pay(s, p):
    """The reward: 1 in success; else 0, or the progress, below 1."""
    if s.success:
        return 1.0
    if p.dense == 0:
        return 0.0
    if p.task == PEG_INSERTION:
        return _insertion(s)
    if p.task == WIPE:
        return _wiping(s, p)
    return _opening(s, p)
