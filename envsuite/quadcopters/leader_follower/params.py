"""Constants of the formation task."""

import numpy as np

from envsuite.core.declare import Record, field
from envsuite.quadcopters.flying.settings import Flying, Terms
from envsuite.quadcopters.weights import weights_field

PHYSICS_RATE, CONTROL_RATE = 240, 48  # Hz, as gym-pybullet-drones
EVERY = 5  # steps between points of the trail in pictures
TERMS = Terms(floor=True)
FEWEST, MOST = 2, 8
SPACING = 0.5  # m, between rows and columns of the V
WAVES = 3  # sines that a path is made of, on each axis
SIZE = ((0.5, 0.9), (0.5, 0.9), (0.1, 0.25))  # m, ranges of the path's half-extent on each axis
FASTEST = 0.8  # m/s
PERIOD = (8.0, 16.0)  # s, of the slowest sine
RAMP = 1.0  # s in which the leader gets under way
HEIGHT = 1.2  # m, of the middle of the path
START = 0.1  # m, away from the slot on each axis
CLOSE, SLOT = 0.2, 0.1  # m: too close to another; root mean square error of a success
NEIGHBOURS = 2
BOX = ((-6.0, -6.0, 0.0), (6.0, 6.0, 4.0))  # m
WEIGHTS = {"slot": 1.0, "close": 0.5, "change": 0.02, "crash": 10.0}
"""Weights of the reward's parts, see the README."""


def offsets(count: int) -> np.ndarray:
    """Slots of the followers behind the leader, m, (count, 3): a V; the leader's own is the origin.

    Args:
        count: number of drones.
    """
    index = np.arange(count)
    row = (index + 1) // 2
    side = np.where(index % 2 == 1, 1.0, -1.0)
    return SPACING * np.column_stack([-row, side * row, np.zeros(count)])


class Params(Record):
    """The constants."""

    flying = field(type=Flying)
    weights = weights_field(WEIGHTS)
    offsets = field(None, "m", "slots behind the leader", shape=("drones", 3))
    low = field(BOX[0], "m", "corner of the box that ends the flight", shape=3)
    high = field(BOX[1], "m", "corner opposite", shape=3)
    apart = field(None, "m", "between centres of drones that touch")
    contact = field(0, type=np.uint8, meaning="index in `flying.swarm.CONTACTS`")
    scripted = field(True, type=np.bool_, meaning="a controller flies the leader")
    compat = field(False, type=np.bool_, meaning="the reward of gym-pybullet-drones")
