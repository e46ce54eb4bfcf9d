"""The state record and the layouts of pistonball."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Choice, Vector
from envsuite.core.rng import STREAM

MOST_CONTACTS = 9
"""Five pistons and four walls: no more can be touched at once."""

CONTACT = np.dtype(
    [
        ("line", np.int64),  # pistons first, then the walls
        ("x", np.float64),  # unit vector from the ball's centre to the line
        ("y", np.float64),
        ("bias", np.float64),  # velocity that takes the overlap back, px/s
        ("lift", np.float64),  # impulse towards it
        ("rebound", np.float64),  # velocity to part with, px/s
    ],
    align=True,
)
"""Scratch of a step of the engine."""


def state_dtype(pistons: int) -> np.dtype:
    """The record of an instance; lengths in px, y down.

    Args:
        pistons: number of agents.
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("height", np.float64, (pistons,)),  # y of each piston's head
            ("push", np.float64, (pistons,)),  # what each is to do in this step
            ("place", np.float64, (2,)),  # of the ball's centre
            ("velocity", np.float64, (2,)),  # px/s
            ("angle", np.float64),  # rad
            ("spin", np.float64),  # rad/s
            ("shift", np.float64, (2,)),  # velocity that takes overlaps back, for one step, px/s
            ("normal", np.float64, (pistons + 4,)),  # impulses of the last contacts with pistons and walls
            ("along", np.float64, (pistons + 4,)),
            ("since", np.int32, (pistons + 4,)),  # engine steps since the last contact, large for none
            ("contact", CONTACT, (MOST_CONTACTS,)),
            ("before", np.float64),  # the ball's left edge at the last reward
            ("way", np.float64),  # from there to the wall at first
        ],
        align=True,
    )


# left: of the ball's way to the wall, 1 at first; at_wall: whether it has come there
INFO = np.dtype([("left", np.float32), ("at_wall", np.bool_)], align=True)

CONTINUOUS = Vector((Block("push", 1, -1.0, 1.0, "", "up (above 0) or down, in units of 4 px"),), out_of_range="clip")
DISCRETE = Choice(("down", "stay", "up"))

OBSERVATION = Vector(
    (
        Block("height", 1, 0.0, 1.0, "", "of one's head above its lowest place, in units of its way"),
        Block("left height", 1, -1.0, 1.0, "", "of the piston to the left; -1 for the wall"),
        Block("right height", 1, -1.0, 1.0, "", "of the piston to the right; -1 for the wall"),
        Block("column", 1, 0.0, 1.0, "", "one's place among pistons, 0 at the left"),
        Block("visible", 1, 0.0, 1.0, "", "1 if one sees the ball; what follows is 0 where not"),
        Block("across", 1, -40.0, 40.0, "", "from one's middle to the ball's centre, in ball radii, to the right"),
        Block("above", 1, -14.0, 14.0, "", "from one's head up to the ball's centre, in ball radii"),
        Block("velocity", 2, -100.0, 100.0, "", "of the ball, to the right and up, in ball radii a second"),
        Block("spin", 1, -400.0, 400.0, "rad/s", "of the ball, clockwise"),
    )
)
