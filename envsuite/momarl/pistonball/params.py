"""Constants of pistonball, from PettingZoo's pistonball_v6 (Terry et al. 2021), and of its engine, Chipmunk 7."""

import numpy as np

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
MOST_PISTONS = 60
SIGHTS = ("window", "all")

PARAMS = np.dtype(
    [
        ("mass", np.float64),
        ("friction", np.float64),  # of ball and pistons or walls together
        ("bounce", np.float64),  # elasticities of both together
        ("penalty", np.float32),
        ("cycles", np.uint32),
        ("drop", np.uint8),
        ("spin", np.uint8),
        ("far", np.uint8),  # all pistons see the ball
    ],
    align=True,
)
