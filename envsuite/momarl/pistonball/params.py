"""Constants of pistonball, from PettingZoo's pistonball_v6 (Terry et al. 2021), and of its engine, Chipmunk 7."""

import numpy as np

from envsuite.core import Record, field

WALL = 40.0
"""Thickness of the walls, px; the ball's radius and a piston's width are the same."""
RADIUS = 40.0
HEIGHT = 560.0
"""Of the picture, px; y points down."""
CAP = 5.0
"""Radius of a piston's head and half the height of the line that it is, px."""
EDGE = 1.0
"""Radius of the walls' lines, px."""
STROKE, POSITIONS = 4.0, 16
"""A piston's greatest move in a step, px, and how many of them its way has."""
LOWEST = HEIGHT - WALL - 29.0
"""The y of a lowered piston's head, px."""
GRAVITY = 750.0
"""px/s²."""
DT = 0.05
"""s, for each piston's move."""
GRIP = 0.64
"""Friction of pistons and walls, which the ball's is multiplied by."""
ITERATIONS = 10
SLOP = 0.1
"""Depth to which bodies may sink into each other, px: Chipmunk's default."""
BIAS = 1.0 - 1e-4**DT
"""Share of a deeper overlap that is taken back in a step: the environment's collision_bias of 1e-4 a second is left."""
PERSISTENCE = 3
"""Steps for which Chipmunk remembers the impulses of a contact that is gone."""
SPIN = 6.0 * np.pi
"""Greatest first angular velocity, rad/s."""
DROP = (30, 15)
"""Greatest shift of the ball's first place, px."""
FINISH = 41.0
"""The episode ends where the ball's left edge is to come here within a step, px."""


class Params(Record):
    """The options that kernels know."""

    mass = field(meaning="of the ball")
    friction = field(meaning="of ball and pistons or walls together")
    bounce = field(meaning="elasticities of both together")
    penalty = field(type=np.float32, meaning="reward of time in a step")
    cycles = field(type=np.uint32, meaning="steps after which an episode is cut off")
    drop = field(type=np.uint8, meaning="the ball's first place is drawn")
    spin = field(type=np.uint8, meaning="so is its angular velocity")
    far = field(type=np.uint8, meaning="all pistons see the ball")
