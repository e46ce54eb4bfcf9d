"""Constants of the tuning task, after gym-pybullet-drones' TuneAviary."""

import numpy as np

from envsuite.core.declare import Record, field
from envsuite.quadcopters.controllers.dsl_pid import Gains
from envsuite.quadcopters.flying.settings import Flying, Terms

PHYSICS_RATE, CONTROL_RATE = 240, 48  # Hz
EVERY = 5  # steps between points of the trail in pictures
TERMS = Terms(floor=True)
STEPS = 240  # of the reference, which stays at its end afterwards
HORIZON = 242  # the original compares the time before it counts a step, and wants it beyond 5 s
AMPLITUDE, TURN, HEIGHT = 4.0, 0.006, 1.0  # the reference is (0, 4 cos(0.006 i), 1) m at control step i
START = 0.5  # m, away from the reference on each axis
GOOD = 0.15  # m, root mean square error of a success
GAINS = 6  # proportional, integral, derivative gain of the position, then of the attitude


class Params(Record):
    """The constants."""

    flying = field(type=Flying)
    published = field(type=Gains, shape=1)
    start = field(None, "m", "of the original", shape=3)
    compat = field(False, type=np.bool_, meaning="the original's start, observation and reward")
