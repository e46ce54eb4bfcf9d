"""The state record, the metrics and the observation of the tracking task."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Vector
from envsuite.core.rng import STREAM
from envsuite.quadcopters.flying.actions import action_layout
from envsuite.quadcopters.flying.blocks import FAR, INFO_FIELDS, OFFSET, RATES, ROTATION, VELOCITY
from envsuite.quadcopters.flying.craft import craft_dtype
from envsuite.quadcopters.track_lissajous.params import FUTURE, HISTORY


def state_dtype(real: type) -> np.dtype:
    """Type of the state record.

    Args:
        real: scalar type of the physics, float32 or float64.

    Returns:
        Clock, random stream, `craft`; of the curve: `extent` (m, half of it), `waves` and `shift` (rad) along each
        axis, and `period` (s); `squares` (m^2, sum over the steps), `largest` (m), `jerk` (sum of the sizes of
        action changes) and `history` (the last actions as a ring, twice in a row: any window of it is one piece).
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("craft", craft_dtype(real)),
            ("extent", real, 3),
            ("waves", real, 3),
            ("shift", real, 3),
            ("period", real),
            ("squares", real),
            ("largest", real),
            ("jerk", real),
            ("history", np.float32, (2 * HISTORY, 4)),
        ],
        align=True,
    )


INFO = np.dtype(
    [
        *INFO_FIELDS,  # success: root mean square error below 10 cm, the reference never lost
        ("rmse", np.float32),  # m, over the episode so far
        ("max_error", np.float32),  # m
        ("completion", np.float32),  # share of the ten seconds
        ("action_change", np.float32),  # mean size of the change of the action
    ],
    align=True,
)


def observation_layout(act: str) -> Vector:
    """What the agent sees.

    Args:
        act: kind of action.
    """
    size = action_layout(act).shape[0]
    future = Block("future reference", 3 * FUTURE, -FAR, FAR, "m", "relative to the drone, 0.1 s apart, world frame")
    history = Block("action history", size * HISTORY, -1.0, 1.0, "", "the last 16 actions, oldest first")
    return Vector((OFFSET, ROTATION, VELOCITY, RATES, future, history))
