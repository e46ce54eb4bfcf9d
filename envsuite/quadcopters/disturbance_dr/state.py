"""The state record, the metrics and the observation of the disturbance task."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Vector
from envsuite.core.rng import STREAM
from envsuite.quadcopters.flying.actions import action_layout
from envsuite.quadcopters.flying.blocks import INFO_FIELDS, OFFSET, RATES, ROTATION, VELOCITY
from envsuite.quadcopters.flying.craft import craft_dtype
from envsuite.quadcopters.params import vehicle_dtype


def state_dtype(real: type, history: int) -> np.dtype:
    """Type of the state record.

    Args:
        real: scalar type of the physics, float32 or float64.
        history: past actions kept.

    Returns:
        Clock, random stream, `craft`, `vehicle` (this episode's, one), `arm` (m), `loss` (share of its thrust that the
        motor `failing` loses at step `fails_at`), `load` (share of its mass that the vehicle gains at step
        `loads_at`), `squares` (m^2, sum over the steps after settling) and `history` (the last actions as a ring,
        twice in a row: any window of it is one piece).
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("craft", craft_dtype(real)),
            ("vehicle", vehicle_dtype(real), (1,)),
            ("arm", real),
            ("loss", real),
            ("load", real),
            ("squares", real),
            ("failing", np.uint32),
            ("fails_at", np.uint32),
            ("loads_at", np.uint32),
            ("history", np.float32, (2 * history, 4)),
        ],
        align=True,
    )


INFO = np.dtype(
    [
        *INFO_FIELDS,  # success: within 0.2 m of the goal at present
        ("rmse", np.float32),  # m, from the second second on
        ("mass", np.float32),  # kg, at present
        ("thrust_to_weight", np.float32),  # at present
        ("torque_to_inertia", np.float32),  # rad/s^2, of the largest roll torque
        ("arm", np.float32),  # m
        ("motor_rise", np.float32),  # s
        ("motor_fall", np.float32),  # s
    ],
    align=True,
)


def observation_layout(act: str, history: int) -> Vector:
    """What the agent sees.

    Args:
        act: kind of action.
        history: past actions.
    """
    size = action_layout(act).shape[0]
    past = Block("action history", size * history, -1.0, 1.0, "", f"the last {history} actions, oldest first")
    return Vector((OFFSET, ROTATION, VELOCITY, RATES, past))
