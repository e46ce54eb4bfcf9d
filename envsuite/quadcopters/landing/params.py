"""Constants of the landing task."""

import numpy as np

from envsuite.core import fmath
from envsuite.core.declare import Record, field
from envsuite.quadcopters.flying.settings import Flying, Terms
from envsuite.quadcopters.weights import weights_field

CONTROL_RATE = 48  # Hz
EVERY = 6  # steps between points of the trail in pictures
SUBSTEPS = 5
TERMS = Terms(ground_effect=True)
START = ((-1.0, -1.0, 1.0), (1.0, 1.0, 2.0))  # m
MOTION = 0.5  # m/s, on each axis at the start
BOX = ((-3.0, -3.0, -0.5), (3.0, 3.0, 4.0))  # m
RADIUS = 0.1  # m, of the pad: a landing further away misses
SOFT = 0.3  # m/s, largest speed relative to the pad of a soft landing
UPRIGHT = float(fmath.cos(np.deg2rad(15)))
PAD_SPEED = 0.5  # m/s, largest, of a moving pad
PAD_PERIOD = (4.0, 8.0)  # s
HEAVE = 0.05  # m, of a moving pad
HEAVE_PERIOD = (2.0, 4.0)  # s
WEIGHTS = {"approach": 1.0, "landing": 10.0, "crash": 10.0}
"""Weights of the reward's parts, see the README."""


class Params(Record):
    """The constants."""

    flying = field(type=Flying)
    weights = weights_field(WEIGHTS)
    low = field(BOX[0], "m", "corner of the box that ends the flight", shape=3)
    high = field(BOX[1], "m", "corner opposite", shape=3)
    first = field(START[0], "m", "corner of the box of starts", shape=3)
    last = field(START[1], "m", "corner opposite", shape=3)
    hull = field(None, "m", "height of the drone's centre above what it stands on")
    pad_speed = field(0.0, "m/s", "largest")
    heave = field(0.0, "m")
