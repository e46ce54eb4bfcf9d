"""Constants of the tracking task, and its curves."""

import numpy as np

from envsuite.core.declare import Record, field
from envsuite.quadcopters.flying.settings import Flying, Terms
from envsuite.quadcopters.weights import weights_field

CONTROL_RATE = 100  # Hz
EVERY = 8  # steps between points of the trail in pictures
TERMS = Terms()
HISTORY = 16  # past actions in the observation
FUTURE = 10  # points of the reference ahead
AHEAD = 0.1  # s between them
RAMP = 1.0  # s in which the pace rises
CENTER = 1.0  # m, height of the middle of the curve
LOST = 1.0  # m from the reference: a crash
GOOD = 0.1  # m, root mean square error of a success
WEIGHTS = {"position": 1.0, "velocity": 0.3, "tilt": 0.1, "change": 0.02, "crash": 10.0}
"""Weights of the reward's parts, see the README."""

SHAPES = ((2, 1, 1), (1, 2, 1), (2, 1, 2), (3, 2, 1), (1, 1, 0))
"""Frequencies along x, y and z of the random curves."""

WIDTH, HEIGHT, PERIOD = (0.3, 1.2), (0.0, 0.3), (3.5, 12.0)
"""Ranges of half-widths and half-height (m) and of the period (s) of the random curves."""

CURVES = ("random", "figure8", "circle", "helix", "vertical8")
FIGURE8, CIRCLE, HELIX, VERTICAL8 = range(1, len(CURVES))
CLIMB, TURNS = 0.4, 8  # m, half-height of a helix, and turns in which it rises and sinks


class Params(Record):
    """The constants."""

    flying = field(type=Flying)
    weights = weights_field(WEIGHTS)
    shapes = field(SHAPES, "", "frequencies of the random curves", shape=(len(SHAPES), 3))
    width = field(WIDTH, "m", "of these", shape=2)
    height = field(HEIGHT, "m", "likewise", shape=2)
    period = field(PERIOD, "s", "likewise", shape=2)
    half_width = field(1.0, "m", "of a given curve")
    pace = field(5.5, "s", "its period")
    start = field(0.1, "m", "uniform in +- around the reference")
    curve = field(0, type=np.uint8, meaning="index in `CURVES`")
