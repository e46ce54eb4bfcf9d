"""The state record and the layouts of pistonball."""

import numpy as np

from envsuite.core import Block, Choice, Record, StateRecord, Vector, field

MOST_CONTACTS = 9
"""Five pistons and four walls: no more can be touched at once."""


class Contact(Record):
    """Scratch of a step of the engine."""

    line = field(type=np.int64, meaning="pistons first, then the walls")
    x = field(meaning="unit vector from the ball's centre to the line")
    y = field()
    bias = field(unit="px/s", meaning="velocity that takes the overlap back")
    lift = field(meaning="impulse towards it")
    rebound = field(unit="px/s", meaning="velocity to part with")


class State(StateRecord):
    """Pistons and the ball; y points down."""

    height = field(unit="px", shape="pistons", meaning="y of each piston's head")
    push = field(shape="pistons", meaning="what each is to do in this step")
    place = field(unit="px", shape=2, meaning="of the ball's centre")
    velocity = field(unit="px/s", shape=2)
    angle = field(unit="rad")
    spin = field(unit="rad/s")
    shift = field(unit="px/s", shape=2, meaning="velocity that takes overlaps back, for one step")
    normal = field(shape="lines", meaning="impulses of the last contacts with pistons and walls")
    along = field(shape="lines")
    since = field(type=np.int32, shape="lines", meaning="engine steps since the last contact, large for none")
    contact = field(type=Contact, shape=MOST_CONTACTS)
    before = field(unit="px", meaning="the ball's left edge at the last reward")
    way = field(unit="px", meaning="from there to the wall at first")


class Info(Record):
    """The metrics."""

    left = field(meaning="of the ball's way to the wall, 1 at first")
    at_wall = field(type=np.bool_, meaning="whether it has come there")


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
