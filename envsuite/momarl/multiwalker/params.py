"""Constants of multiwalker, from PettingZoo's multiwalker_v9 (Gupta et al. 2017); lengths in m, of 30 px each."""

import numpy as np

from envsuite.core import Record, field

SCALE = 30.0
"""px in a metre."""
DT = 1.0 / 50.0
"""s."""
VELOCITY_ROUNDS, POSITION_ROUNDS = 180, 60
"""Iterations of the engine's solvers in a step."""
GRAVITY = 10.0
"""m/s², the engine's default."""
TORQUE = 80.0
"""Greatest of a motor, N m."""
HIP_SPEED, KNEE_SPEED = 4.0, 6.0
"""Of motors, rad/s."""
HIP, KNEE = (-0.8, 1.1), (-1.6, -0.1)
"""Limits of joints, rad."""
PUSH = 5.0
"""Greatest force on a hull in the first step, N."""
HULL = tuple((x / SCALE, y / SCALE) for x, y in ((-30, 9), (6, 9), (34, 1), (34, -8), (-30, -8)))
HULL_DENSITY, LEG_DENSITY, PACKAGE_DENSITY = 5.0, 1.0, 1.0
"""kg/m²."""
HULL_GRIP, PACKAGE_GRIP, GROUND_GRIP, LEG_GRIP = 0.1, 0.5, 2.5, 0.2
"""Coefficients of friction; a leg's is the engine's default."""
LEG_WIDTH, LEG_LENGTH = 8.0 / SCALE, 34.0 / SCALE
SHANK = 0.8
"""Width of a lower leg in those of an upper one."""
LEG_TOP = -8.0 / SCALE
"""Of the hips, in the hull's frame."""
SPREAD = 0.05
"""Angle of the legs at the start, rad."""
PACKAGE = (240.0 / SCALE, 10.0 / SCALE)
"""Length of a package for 1.75 walkers, and its height."""
CARRIERS = 1.75
STEP = 14.0 / SCALE
"""Between points of the ground."""
LEVEL = 400.0 / SCALE / 4
"""Height of flat ground."""
PAD, GAP, GOAL = 20, 10, 10
"""In steps of the ground: its flat beginning, the gap between walkers, and how far before the end the goal is."""
RANGE = 160.0 / SCALE
"""Of the range finder."""
BEAMS = 10
BEAM_ANGLE = 0.15
"""Between beams, rad; the first points straight down, the others ahead of it."""
FACTOR = 130.0 / SCALE
"""Reward of a metre that the package is carried."""
VELOCITY_UNITS = 0.3 * 20.0 * DT, 0.3 * (400.0 / SCALE) * DT
"""What observations multiply the hull's velocity by, across and up."""


class Params(Record):
    """The options that kernels know."""

    position_noise = field(meaning="standard deviation, package lengths")
    angle_noise = field(unit="rad", meaning="standard deviation")
    forward = field(meaning="factor of the first objective")
    terminate = field(meaning="reward of all where the package or a walker falls")
    fall = field(meaning="reward of a walker that falls")
    package = field(unit="m", meaning="its length in observations")
    goal = field(unit="m", meaning="place of the package at which the episode ends")
    cycles = field(type=np.uint32, meaning="steps after which an episode is cut off")
    shared = field(type=np.uint8, meaning="all get the mean")
    terminate_on_fall = field(type=np.uint8, meaning="the episode ends for all when a walker falls")
    remove_on_fall = field(type=np.uint8, meaning="walkers that have fallen are taken away")
    compat = field(type=np.uint8, meaning="as in MOMAland 0.2")
