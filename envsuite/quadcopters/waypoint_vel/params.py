"""Constants of the waypoint and velocity tasks."""

import numpy as np

from envsuite.core.declare import Record, field
from envsuite.quadcopters.flying.settings import Flying
from envsuite.quadcopters.weights import weights_field

CONTROL_RATE = 48  # Hz
EVERY = 6  # steps between points of the trail in pictures
SUBSTEPS = 5

WAYPOINTS = 4
NEAREST, FARTHEST = 1.0, 4.5  # m, from one waypoint to the next
LOWEST = 0.3  # m
HIGHEST = 4.0  # m
SIDE = 5.0  # m, of the half-square that waypoints lie in
REACHED = 0.2  # m
BOX = ((-7.0, -7.0, -0.1), (7.0, 7.0, 6.0))  # m
START = 1.0  # m, height
WEIGHTS = {"progress": 3.0, "waypoint": 10.0, "time": 0.01, "velocity": 1.0, "crash": 10.0}
"""Weights of the reward's parts, see the README."""

WIDE = 50.0  # m, of the half-cube of the velocity task
GOAL_SPEED = 1.0  # m/s on each axis, of the velocity task
CLOSE = 0.2  # m/s, a success there


class Params(Record):
    """The constants."""

    flying = field(type=Flying)
    weights = weights_field(WEIGHTS)
    low = field(BOX[0], "m", "corner of the box that ends the flight", shape=3)
    high = field(BOX[1], "m", "corner opposite", shape=3)
    reached = field(REACHED, "m")
    velocity = field(False, type=np.bool_, meaning="the velocity task")
