"""The state record, the metrics and the observation of the landing task."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Vector
from envsuite.core.rng import STREAM
from envsuite.quadcopters.flying.blocks import INFO_FIELDS, OFFSET, RATES, ROTATION, VELOCITY, last_action
from envsuite.quadcopters.flying.craft import craft_dtype


def state_dtype(real: type) -> np.dtype:
    """Type of the state record.

    Args:
        real: scalar type of the physics, float32 or float64.

    Returns:
        Clock, random stream, `craft`; of the pad: `course` (unit vector, x and y), `rhythm` (rad/s, to and fro, heave),
        `phase` (rad, likewise); and of the landing: `landed`, `soft`, `touchdown` (m/s, speed relative to the pad) and
        `miss` (m, horizontally from its middle).
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("craft", craft_dtype(real)),
            ("course", real, 2),
            ("rhythm", real, 2),
            ("phase", real, 2),
            ("touchdown", real),
            ("miss", real),
            ("landed", np.bool_),
            ("soft", np.bool_),
        ],
        align=True,
    )


INFO = np.dtype(
    [
        *INFO_FIELDS,  # success: a soft landing on the pad
        ("touchdown_speed", np.float32),  # m/s relative to the pad; 0 before
        ("miss", np.float32),  # m, horizontal distance from the middle of the pad at present
    ],
    align=True,
)


def observation_layout(act: str) -> Vector:
    """What the agent sees; the pad's top, plus half the drone's height, is the reference.

    Args:
        act: kind of action.
    """
    pad = Block("pad velocity", 3, -2.0, 2.0, "m/s", "world frame")
    return Vector((OFFSET, ROTATION, VELOCITY, RATES, pad, last_action(act)))
