"""The state record, the metrics and the observation of the gate task."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Vector
from envsuite.core.rng import STREAM
from envsuite.quadcopters.flying.blocks import FAR, INFO_FIELDS, OFFSET, RATES, ROTATION, VELOCITY, last_action
from envsuite.quadcopters.flying.craft import craft_dtype


def state_dtype(real: type) -> np.dtype:
    """Type of the state record.

    Args:
        real: scalar type of the physics, float32 or float64.

    Returns:
        Clock, random stream, `craft`, `gap` (m, last distance to the gate, or after it to the goal), `passed` and `hit`
        (the gate's plane outside the opening).
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("craft", craft_dtype(real)),
            ("gap", real),
            ("passed", np.bool_),
            ("hit", np.bool_),
        ],
        align=True,
    )


INFO = np.dtype(
    [
        *INFO_FIELDS,  # success: through the gate, and within 10 cm of the goal at present
        ("passed", np.bool_),
    ],
    align=True,
)


def observation_layout(act: str) -> Vector:
    """What the agent sees; position errors count from the goal.

    Args:
        act: kind of action.
    """
    corners = Block("gate corners", 12, -FAR, FAR, "m", "left above, right above, right below, left below; body frame")
    return Vector((OFFSET, ROTATION, VELOCITY, RATES, last_action(act), corners))
