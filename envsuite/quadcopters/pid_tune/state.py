"""The state record, the metrics, the observation and the action of the tuning task."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Vector
from envsuite.core.rng import STREAM
from envsuite.quadcopters.controllers.dsl_pid import gains_dtype
from envsuite.quadcopters.flying.blocks import INFO_FIELDS, OFFSET, RATES, ROTATION, VELOCITY
from envsuite.quadcopters.flying.craft import craft_dtype
from envsuite.quadcopters.pid_tune.params import GAINS

LOOPS = ("position", "attitude")
TERMS = ("proportional", "integral", "derivative")


def state_dtype(real: type) -> np.dtype:
    """Type of the state record.

    Args:
        real: scalar type of the physics, float32 or float64.

    Returns:
        Clock, random stream, `craft`, `gains` (of the controller at present, one), `last_action` and `squares` (m^2,
        sum over the steps).
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("craft", craft_dtype(real)),
            ("gains", gains_dtype(real), (1,)),
            ("last_action", np.float32, GAINS),
            ("squares", real),
        ],
        align=True,
    )


INFO = np.dtype(
    [
        ("rmse", np.float32),  # m, over the episode so far
        *INFO_FIELDS,  # crashed: on the floor; success: root mean square error below 15 cm so far
    ],
    align=True,
)

ACTION = Vector(
    tuple(Block(f"{term} {loop}", 1, -1.0, 1.0, "published gain", "away from it") for loop in LOOPS for term in TERMS),
    out_of_range="clip",
)


def observation_layout(compat: bool) -> Vector:
    """What the agent sees.

    Args:
        compat: the original's observation, with its scales.
    """
    if compat:
        return Vector(
            (
                Block("position", 3, (-1.0, -1.0, 0.0), 1.0, "15 m, 15 m and 5 m", "world frame"),
                Block("roll, pitch, yaw", 3, -1.0, 1.0, "pi"),
                Block("velocity", 3, -1.0, 1.0, "3 m/s", "world frame; the vertical one is cut at 1 m/s"),
                Block("angular velocity", 3, -1.0, 1.0, "", "world frame, divided by its size"),
            )
        )
    return Vector(
        (
            OFFSET,
            ROTATION,
            VELOCITY,
            RATES,
            Block("position integral", 3, -2.0, 2.0, "m s", "of the controller"),
            Block("last action", GAINS, -1.0, 1.0, "", ""),
        )
    )
