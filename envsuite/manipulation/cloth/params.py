"""Constants of the cloth; where nothing else is said, from HEPi's task (Hoang et al. 2025, thobotics/geometry_rl)."""

from typing import Literal

import numpy as np

from envsuite.core import Record, field

SIDE = 15
"""Particles along a side."""
CELL = 1 / 16
"""m between them."""
PARTICLES = SIDE * SIDE
SPRINGS = 2 * SIDE * (SIDE - 1) + 2 * (SIDE - 1) ** 2 + 2 * SIDE * (SIDE - 2)
"""Of a cloth without a hole: along the grid, along diagonals, and across every second particle."""
GRIPPERS = 4
EDGE = 10
"""Particles around the hole that are seen."""
RING = 8
"""The first of these, in order around the hole."""
STEPS = 100
"""Control steps of an episode, 2 s."""
DECIMATION = 2
"""Steps of physics in one of control."""
SUBSTEPS = 10
"""Of XPBD in a step of physics."""
DT = 0.01
"""s, of a step of physics."""
SPEED = 2.0
"""m/s, of a gripper at a full command."""
WARM_UP = 10
"""Control steps before an episode, in which the cloth begins to sag."""
ABSENT, FREE = -2, -1
"""Instead of the gripper that holds a particle."""

Shapes = Literal["training", "held_out"]
Rotation = Literal["none", "roll", "quarter", "half", "full"]

TURNS = {
    "none": ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
    "roll": ((-0.25, 0.5), (0.0, 0.0), (0.0, 0.0)),
    "quarter": ((-0.25, 0.5), (-0.5, 0.5), (-0.25, 0.25)),
    "half": ((-0.25, 0.5), (-0.5, 0.5), (-0.5, 0.5)),
    "full": ((-0.25, 0.5), (-0.5, 0.5), (-1.0, 1.0)),
}
"""Ranges of roll, pitch and yaw of the scene in half circles, after the original's ablation."""


class Params(Record):
    """A cloth with one of the holes, what moves it, and the task."""

    springs = field(type=np.int16, shape=(SPRINGS, 2), meaning="the two particles of each")
    kinds = field(type=np.int16, shape=4, meaning="where springs of each kind begin, and where the last end")
    owner = field(type=np.int16, shape=PARTICLES, meaning="gripper that holds a particle, or -1; -2 for no particle")
    edge = field(type=np.int16, shape=EDGE, meaning="particles around the hole, the first eight in order")
    count = field(type=np.int16, meaning="particles that there are", low=1)
    holes = field(type=np.int16, meaning="number of holes to draw from", low=1)
    mass = field(0.05, "kg", "of the whole cloth", low=1e-9)
    stiffness = field((2e6, 100.0, 1.0), "N/m", "of springs along the grid, along diagonals, across two cells", shape=3)
    damping = field(0.02, "N s/m", "of springs", low=0)
    drag = field(5.0, "1/s", "decay of velocities in the air", low=0, source="project's choice, see the README")
    friction = field(0.2, "", "with the hanger", low=0)
    gravity = field((0.0, 0.0, -9.81), "m/s²", shape=3)
    thickness = field(0.031, "m", "radius of a particle", low=0)
    held = field(True, type=np.bool_, meaning="grippers hold the corners")
    substeps = field(SUBSTEPS, type=np.int64, meaning="in a step of physics", low=1)
    decimation = field(DECIMATION, type=np.int64, meaning="steps of physics in one of control", low=1)
    center = field((0.0, 0.0, 4.5), "m", "where the cloth begins, before the scene is turned", shape=3)
    hanger = field((0.0, -1.5, 4.5), "m", "nominal place of the hanger's middle", shape=3)
    spread = field(0.5, "m", "of that place along x and z", low=0)
    turns = field(TURNS["full"], "half circles", "ranges of roll, pitch and yaw of the scene", shape=(3, 2))
    radius = field(0.03, "m", "of the hanger", low=1e-6, source="project's choice: it fits through the hole")
    half = field(0.25, "m", "half the hanger's length", low=1e-6, source="project's choice")
    distance_weight = field(0.8, "1/m", "of the distance from the hole to the hanger")
    side_weight = field(0.08, "", "of one minus the cosine between the way from the hanger to the hole and its axis")
    last_weight = field(5.0, "", "of both in the last steps")
    last_steps = field(2, type=np.int64, meaning="how many these are")
    speed_weight = field(0.2, "s/m", "of the particles' mean speed")
    stretch_weight = field(1.0, "", "of the mean relative change of lengths along the grid")
    rate_weight = field(2e-3, "", "of the squared change of the action")
    near = field(0.1, "m", "distance of a success", source="project's choice")
    fixed_side = field(False, type=np.bool_, meaning="the cosine is with the world's y, as in the original")
