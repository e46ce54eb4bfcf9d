"""The state record and the layouts of observation and action."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Vector
from envsuite.core.rng import STREAM
from envsuite.mazes.trail import TRAIL

STATE = np.dtype(
    [
        ("clock", CLOCK),
        ("rng", STREAM),
        ("position", np.float64, (2,)),  # m
        ("goal", np.float64, (2,)),  # m
        ("task", np.int64),  # 1 to 5; 0 where start and goal are free
        ("trail", TRAIL),
    ],
    align=True,
)

INFO = np.dtype(
    [
        ("distance", np.float64),  # m from the goal
        ("is_success", np.bool_),  # the goal was reached by this step
        ("task", np.int64),
        ("teleported", np.bool_),  # in this step
    ],
    align=True,
)

OBSERVATION = Vector(
    (
        Block("position", 2, -6.0, 60.0, "m", "along the columns, down the rows; also the achieved goal"),
        Block("desired goal", 2, -6.0, 60.0, "m"),
    ),
    dtype=np.float64,
)

ACTION = Vector(
    (
        Block("move along the columns", 1, -1.0, 1.0, "", "1 is 0.2 m"),
        Block("move down the rows", 1, -1.0, 1.0, "", "1 is 0.2 m"),
    ),
    out_of_range="clip",
)
