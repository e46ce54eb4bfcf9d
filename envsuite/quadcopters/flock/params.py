"""Constants of the flocking task."""

import numpy as np

from envsuite.core.declare import Record, field
from envsuite.quadcopters.flying.settings import Flying, Terms
from envsuite.quadcopters.weights import weights_field

PHYSICS_RATE, CONTROL_RATE = 240, 48  # Hz, as gym-pybullet-drones
EVERY = 5  # steps between points of the trail in pictures
TERMS = Terms(floor=True)
FEWEST, MOST = 4, 64
NEIGHBOURS = 6
SPACING = (0.5, 1.5)  # m: mean distance to the nearest neighbour that costs nothing
LINKED = 2.0  # m: neighbours in the graph whose connectivity counts
REGION = (6.0, 6.0, 1.0)  # m, half-sizes of the patrol region
CENTER = (0.0, 0.0, 1.5)  # m, its middle
BOX = ((-15.0, -15.0, 0.0), (15.0, 15.0, 6.0))  # m
START_GAP = 0.8  # m, between starts
START_HEIGHT, START_SPREAD = 1.5, 0.15  # m, and on each axis around the places
FULL_SPEED = 1.0  # m/s of the mean velocity that earns all
ALIGNED = 0.8  # mean order parameter of a success
WEIGHTS = {"order": 1.0, "pace": 1.0, "spacing": 1.0, "variance": 1.0, "stray": 0.1, "hit": 5.0, "crash": 10.0}
"""Weights of the reward's parts, see the README."""


class Params(Record):
    """The constants."""

    flying = field(type=Flying)
    weights = weights_field(WEIGHTS)
    starts = field(None, "m", shape=("drones", 3))
    low = field(BOX[0], "m", "corner of the box that ends the flight", shape=3)
    high = field(BOX[1], "m", "corner opposite", shape=3)
    apart = field(None, "m", "between centres of drones that touch")
    contact = field(0, type=np.uint8, meaning="index in `flying.swarm.CONTACTS`")
    compat = field(False, type=np.bool_, meaning="the reward of gym-pybullet-drones")


def starts(count: int) -> np.ndarray:
    """Where drones start, side by side, m, (count, 3).

    Args:
        count: number of drones.
    """
    side = int(np.ceil(np.sqrt(count)))
    index = np.arange(count)
    places = START_GAP * np.column_stack([index % side, index // side, np.zeros(count)])
    places -= places.mean(axis=0)
    places[:, 2] = START_HEIGHT
    return places
