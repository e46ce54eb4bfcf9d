"""The state record, the metrics and the observation of the throw-recovery task."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Vector
from envsuite.core.rng import STREAM
from envsuite.quadcopters.flying.blocks import INFO_FIELDS, OFFSET, RATES, ROTATION, VELOCITY, last_action
from envsuite.quadcopters.flying.craft import craft_dtype

MOTORS = Block("rotor speeds", 4, -1.0, 1.0, "", "-1 stopped, 1 the largest; without rotors, the thrust")


def state_dtype(real: type) -> np.dtype:
    """Type of the state record.

    Args:
        real: scalar type of the physics, float32 or float64.

    Returns:
        Clock, random stream, `craft`, `lowest` (m, height so far) and `settled_early` (at rest at half time).
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("craft", craft_dtype(real)),
            ("lowest", real),
            ("settled_early", np.bool_),
        ],
        align=True,
    )


INFO = np.dtype(
    [
        *INFO_FIELDS,  # success: within 0.5 m and 0.3 m/s at present, never on the floor
        ("lowest", np.float32),  # m, least height so far
        ("settled_early", np.bool_),  # success at 1.5 s
    ],
    align=True,
)


def observation_layout(act: str) -> Vector:
    """What the agent sees.

    Args:
        act: kind of action.
    """
    return Vector((OFFSET, ROTATION, VELOCITY, RATES, last_action(act), MOTORS))
