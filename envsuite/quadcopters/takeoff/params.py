"""Constants of the take-off task."""

import numpy as np

from envsuite.core.declare import Record, field
from envsuite.quadcopters.flying.settings import Flying, Terms
from envsuite.quadcopters.weights import weights_field

CONTROL_RATE = 48  # Hz, as the learning scripts of gym-pybullet-drones have it
EVERY = 6  # steps between points of the trail in pictures
SUBSTEPS = 5  # to its physics rate of 240 Hz
TERMS = Terms(ground_effect=True, floor=True)
TARGET = (0.0, 0.0, 1.0)  # m
SIDE = 0.05  # m, of the square that the drone starts in
BOX = ((-1.5, -1.5, -0.1), (1.5, 1.5, 2.5))  # m
NEAR, SLOW, HELD = 0.05, 0.1, 48  # m, m/s and steps: a success
WEIGHTS = {"position": 1.0, "slow": 0.2, "tilt": 0.05, "change": 0.01, "crash": 10.0}
"""Weights of the reward's parts, see the README."""


class Params(Record):
    """The constants."""

    flying = field(type=Flying)
    weights = weights_field(WEIGHTS)
    target = field(TARGET, "m", shape=3)
    low = field(BOX[0], "m", "corner of the box that ends the flight", shape=3)
    high = field(BOX[1], "m", "corner opposite", shape=3)
    side = field(SIDE, "m", "the start is uniform within it on x and y")
    original = field(False, type=np.bool_, meaning="the reward of gym-pybullet-drones")
