"""Constants of the downwash task."""

import numpy as np

from envsuite.core.declare import Record, field
from envsuite.quadcopters.flying.settings import Flying
from envsuite.quadcopters.weights import weights_field

PHYSICS_RATE, CONTROL_RATE = 240, 48  # Hz, as gym-pybullet-drones
EVERY = 4  # steps between points of the trail in pictures
SECONDS = 12  # s, as its example of the downwash
FEWEST, MOST = 2, 9
COURSES = ("mix", "column", "crossing", "swap", "script")
COLUMN, CROSSING, SWAP, SCRIPT = range(1, len(COURSES))
APART = 0.5  # m, between levels
LOWEST = 0.5  # m, of the lower drones of pairs, and of the column
LANE = 1.0  # m, between pairs, along y
WIDTH, PERIOD = (0.3, 0.7), (4.0, 7.0)  # m and s, of crossings and swaps
SWAY = (0.0, 0.3)  # m, of columns
SWAP_WIDTH = (0.3, 0.5)  # m, of the ellipses on which pairs swap places
SCRIPT_WIDTH, SCRIPT_PERIOD = 0.5, 5.0  # m and s, of the original's example
RAMP = 1.0  # s in which the pace rises
START = 0.03  # m, away from the reference on each axis
FUTURE, AHEAD = 5, 0.1  # points of the reference that a drone sees, and s between them
NEIGHBOURS = 2
LOST = 1.0  # m from the reference: a crash
GOOD = 0.1  # m, root mean square error of a success
WEIGHTS = {"position": 1.0, "velocity": 0.05, "crash": 10.0}
"""Weights of the reward's parts, see the README."""


class Params(Record):
    """The constants."""

    flying = field(type=Flying)
    weights = weights_field(WEIGHTS)
    apart = field(None, "m", "between centres of drones that touch")
    contact = field(0, type=np.uint8, meaning="index in `flying.swarm.CONTACTS`")
    course = field(0, type=np.uint8, meaning="index in `COURSES`")
