"""The layouts of info, observation and action."""

import numpy as np

from envsuite.core.layout import Block, Vector
from envsuite.mazes.layouts import MAX_SIDE

INFO = np.dtype(
    [
        ("distance", np.float64),  # m from the goal
        ("is_success", np.bool_),  # within 0.5 m of the goal
        ("goal", np.float64, (2,)),  # m
    ],
    align=True,
)

# A step begins at 5 m/s at most and adds 0.24 m/s; a wall returns some 0.06 m/s, or 1.2 m/s from its depth.
SPEED_BOUND = 8.0

OBSERVATION = Vector(
    (
        Block("position", 2, -1.0, float(MAX_SIDE), "m", "along the rows, along the columns"),
        Block("velocity", 2, -SPEED_BOUND, SPEED_BOUND, "m/s"),
    ),
    dtype=np.float64,
)

ACTION = Vector(
    (
        Block("force down the rows", 1, -1.0, 1.0, "", "1 is 100 N"),
        Block("force along the columns", 1, -1.0, 1.0, "", "1 is 100 N"),
    ),
    out_of_range="clip",
)
