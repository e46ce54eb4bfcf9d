"""The state record and the observation layout."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Choice, Vector
from envsuite.core.rng import STREAM
from envsuite.toy_family.toy_world.params import SPEED_LIMIT

STATE = np.dtype(
    [
        ("clock", CLOCK),
        ("rng", STREAM),
        ("position", np.float64),  # m
        ("velocity", np.float64),  # m/s
        ("angle", np.float64),  # rad from upright
        ("angular_velocity", np.float64),  # rad/s
    ],
    align=True,
)

INFO = np.dtype([("lean", np.float64)], align=True)  # rad

# twice the limits at which an episode ends, so that the last observation fits too
OBSERVATION = Vector(
    (
        Block("cart position", 1, -4.8, 4.8, "m"),
        Block("cart velocity", 1, -SPEED_LIMIT, SPEED_LIMIT, "m/s"),
        Block("pole angle", 1, -np.deg2rad(24.0), np.deg2rad(24.0), "rad", "from upright"),
        Block("pole angular velocity", 1, -SPEED_LIMIT, SPEED_LIMIT, "rad/s"),
    )
)

ACTION = Choice(("left", "right"))
