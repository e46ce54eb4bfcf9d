"""Constants of ropes; where nothing else is said, from HEPi's tasks (Hoang et al. 2025, thobotics/geometry_rl)."""

from typing import Literal

import numpy as np

from envsuite.core import Record, field

MOST = 80
"""Greatest number of points of a rope."""
SPACING = 0.1
"""m between neighbouring points."""
STEPS = 200
"""Control steps of an episode, 4 s."""
DECIMATION = 2
"""Steps of physics in one of control."""
SUBSTEPS = 10
"""Of XPBD in a step of physics."""
DT = 0.01
"""s, of a step of physics."""
SPEED = 5.0
"""m/s, of a gripper at a full command."""

Shapes = Literal["fixed", "training", "held_out"]

CLOSING_LINKS = {"fixed": (40, 40), "training": (34, 40), "held_out": (30, 33)}
"""Points of the rope to be closed: smallest and greatest number."""
CLOSING_RADII = {"fixed": (0.4, 0.4), "training": (0.3, 0.45), "held_out": (0.2, 0.3)}
"""m, of the cylinder. Its size is the project's choice, since the original's mesh could not be measured; the shortest
rope closes around the widest cylinder of its range with half a metre to spare."""
SHAPING_LINKS = {"fixed": (80, 80), "training": (60, 80), "held_out": (40, 59)}
"""Points of the rope to be shaped."""


class Rope(Record):
    """A rope and what moves it."""

    mass = field(1.0, "kg", "of the whole rope", low=1e-6)
    spacing = field(SPACING, "m", "between points", low=1e-6)
    thickness = field(0.025, "m", "radius of the rope", low=0)
    stretch = field(
        1e6, "N/m", "stiffness of a link", low=1e-3, source="project's choice: 1 N stretches a link by 1 µm"
    )
    bending = field(1e-3, "N m²", "flexural rigidity", low=0, source="project's choice: long waves keep for seconds")
    drag = field(10.0, "1/s", "decay of velocities", low=0, source="project's choice, for the original's joint dampers")
    friction = field(0.2, "", "with the cylinder", low=0)
    gravity = field((0.0, 0.0), "m/s²", "in the plane", shape=2)
    held = field(True, type=np.bool_, meaning="grippers hold the ends")
    strength = field(
        200.0, "N", "pull at which a gripper gives way", low=1e-6, source="project's choice, see the README"
    )
    gripper_mass = field(0.5, "kg", "of a gripper that gives way", low=1e-6, source="likewise")
    lag = field(5e-3, "s", "in which a gripper's velocity nears what is commanded", low=1e-6, source="likewise")
    gripper_radius = field(0.05, "m", "half the width of a gripper", low=0)
    substeps = field(SUBSTEPS, type=np.int64, meaning="in a step of physics", low=1)
    decimation = field(DECIMATION, type=np.int64, meaning="steps of physics in one of control", low=1)


class ClosingParams(Record):
    """Constants of rope closing."""

    rope = field(type=Rope)
    links = field(CLOSING_LINKS["fixed"], type=np.int64, shape=2, meaning="points of the rope, least and most", low=2)
    radius = field(CLOSING_RADII["fixed"], "m", "of the cylinder, least and greatest", shape=2, low=0)
    cylinder = field((2.0, 3.0), "m", "nominal place of the cylinder", shape=2)
    spread = field(0.5, "m", "of that place along each axis", low=0)
    distance_weight = field(0.8, "1/m", "of the distance between the rope's mean and the cylinder")
    gap_weight = field(2.0, "1/m", "of the gap between the grippers")
    gap_steps = field(20, type=np.int64, meaning="last steps, in which the gap counts")
    speed_weight = field(0.01, "s/m", "of the mean speed of the points")
    rate_weight = field(1e-3, "", "of the squared change of the action")
    near = field(0.3, "m", "greatest gap of a success", source="project's choice")


class ShapingParams(Record):
    """Constants of rope shaping."""

    rope = field(type=Rope)
    links = field(SHAPING_LINKS["fixed"], type=np.int64, shape=2, meaning="points of the rope, least and most", low=4)
    curve = field(None, "m", "target of a rope of the most points, unturned", shape=(MOST, 2))
    scale = field(1.0, "", "size of the target", low=1e-6)
    last_weight = field(5.0, "", "of the error in the last steps")
    last_steps = field(10, type=np.int64, meaning="how many these are")
    rate_weight = field(1e-4, "", "of the squared change of the action")
    near = field(0.05, "", "share of the first error that is left in a success", source="project's choice", low=0)
