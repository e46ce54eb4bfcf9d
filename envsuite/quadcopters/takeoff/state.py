"""The state record, the metrics and the observation of the take-off task."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Vector
from envsuite.core.rng import STREAM
from envsuite.quadcopters.flying.blocks import INFO_FIELDS, OFFSET, RATES, ROTATION, VELOCITY, last_action
from envsuite.quadcopters.flying.craft import craft_dtype


def state_dtype(real: type) -> np.dtype:
    """Type of the state record.

    Args:
        real: scalar type of the physics, float32 or float64.

    Returns:
        Clock, random stream, `craft`, `held` (steps in a row at the target), `settled_at` (step at which it had been
        held long enough, 0 before) and `overshoot` (m, the highest above the target so far).
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("craft", craft_dtype(real)),
            ("held", np.uint32),
            ("settled_at", np.uint32),
            ("overshoot", real),
        ],
        align=True,
    )


INFO = np.dtype(
    [
        *INFO_FIELDS,  # success: held within 5 cm and 0.1 m/s for a second
        ("settled_at", np.float32),  # s; 0 if not settled yet
        ("overshoot", np.float32),  # m above the target
    ],
    align=True,
)


def observation_layout(act: str) -> Vector:
    """What the agent sees.

    Args:
        act: kind of action.
    """
    return Vector((OFFSET, ROTATION, VELOCITY, RATES, last_action(act)))
