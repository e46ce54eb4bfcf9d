"""What scripted players of Meta-World's tasks are made of: where to go from where the hand is, and how to grip.

A player reads the observation alone and has no memory. It heads for a place with a gain, so that an action is
gain * (place - hand), which the environment clips to [-1, 1].
"""

from envsuite.core import kernel
from envsuite.manipulation.meta.shaping import flat, plus

TRAVEL, DESCEND, THERE = 0, 1, 2


@kernel
def hand_of(o):
    """The hand, of an observation (39,)."""
    return o[0], o[1], o[2]


@kernel
def thing_of(o, x, y, z):
    """A place beside the first object."""
    return o[4] + x, o[5] + y, o[6] + z


@kernel
def goal_of(o, x, y, z):
    """A place beside the goal."""
    return o[36] + x, o[37] + y, o[38] + z


@kernel
def approach(h, a, far, lift, high):
    """How far the hand is on its way to a place from above.

    Args:
        h: the hand.
        a: the place.
        far: distance from above, m, up to which the hand goes down.
        lift: height over the place, m, at which the hand travels.
        high: difference in height, m, up to which the hand is there.

    Returns:
        `TRAVEL`, `DESCEND` or `THERE`, and where to head.
    """
    if flat(h, a) > far:
        return TRAVEL, plus(a, 0.0, 0.0, lift)
    return DESCEND if abs(h[2] - a[2]) > high else THERE, plus(a, 0.0, 0.0, 0.0)


@kernel
def beside(h, a, far, high):
    """Whether the hand is so near a place that it may close."""
    return flat(h, a) <= far and abs(h[2] - a[2]) <= high


@kernel
def over(h, x0, x1, y0, y1):
    """Whether the hand is over a rectangle."""
    return x0 <= h[0] <= x1 and y0 <= h[1] <= y1
