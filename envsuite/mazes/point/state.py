"""The layouts of info, observation and action."""

import numpy as np

from envsuite.core.layout import Block, Vector
from envsuite.mazes.layouts import MAX_SIDE

INFO = np.dtype(
    [
        ("is_success", np.bool_),  # within 0.45 m of the goal
        ("distance", np.float64),  # m from the goal
    ],
    align=True,
)

# A step begins at 5 m/s at most and adds 0.24 m/s; a wall returns at most 1.2 m/s.
SPEED_BOUND = 8.0
_FAR = MAX_SIDE / 2

OBSERVATION = Vector(
    (
        Block("position", 2, -_FAR, _FAR, "m", "right and up from the middle; also the achieved goal"),
        Block("velocity", 2, -SPEED_BOUND, SPEED_BOUND, "m/s"),
        Block("desired goal", 2, -_FAR, _FAR, "m"),
    ),
    dtype=np.float64,
)

ACTION = Vector(
    (
        Block("force to the right", 1, -1.0, 1.0, "", "1 is 100 N"),
        Block("force upwards", 1, -1.0, 1.0, "", "1 is 100 N"),
    ),
    out_of_range="clip",
)
