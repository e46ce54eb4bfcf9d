"""The state record and the layouts of observation and action, for a size."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Vector
from envsuite.core.rng import STREAM
from envsuite.mazes.levels import SCRATCH
from envsuite.mazes.trail import TRAIL

SPEED_BOUND = 8.0  # m/s, as in PointMaze


def state_dtype(size: int) -> np.dtype:
    """Type of the state record.

    Args:
        size: cells along each side.

    Returns:
        Besides clock and random stream: `position` and `goal` (m), `velocity` (m/s), `walls` (1 where one is),
        `generator` (that drew them), `scratch` (of the generators), `trail`.
    """
    side = 2 * size + 1
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("position", np.float64, (2,)),
            ("velocity", np.float64, (2,)),
            ("goal", np.float64, (2,)),
            ("generator", np.int64),
            ("walls", np.uint8, (side, side)),
            ("scratch", np.int16, (SCRATCH * size * size + 8,)),
            ("trail", TRAIL),
        ],
        align=True,
    )


INFO = np.dtype(
    [
        ("distance", np.float64),  # m from the goal
        ("is_success", np.bool_),  # within 0.45 m of the goal
        ("generator", np.int64),  # see `envsuite.mazes.levels.GENERATORS`
    ],
    align=True,
)


def observation(size: int) -> Vector:
    """What the agent sees in a maze of `size` cells a side."""
    side = 2 * size + 1
    return Vector(
        (
            Block("position", 2, -side / 2, side / 2, "m", "right and up from the middle"),
            Block("velocity", 2, -SPEED_BOUND, SPEED_BOUND, "m/s"),
            Block("goal", 2, -side / 2, side / 2, "m"),
            Block("walls", side * side, 0.0, 1.0, "", "1 where a wall is, row by row from the top"),
        )
    )


ACTION = Vector(
    (
        Block("force to the right", 1, -1.0, 1.0, "", "1 is 100 N"),
        Block("force upwards", 1, -1.0, 1.0, "", "1 is 100 N"),
    ),
    out_of_range="clip",
)
