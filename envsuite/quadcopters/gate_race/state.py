"""The state record, the metrics and the observation of the race."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Vector
from envsuite.core.rng import STREAM
from envsuite.quadcopters.flying.blocks import FAR, FAST, INFO_FIELDS, RATES, ROTATION, last_action
from envsuite.quadcopters.flying.craft import craft_dtype
from envsuite.quadcopters.params import vehicle_dtype


def state_dtype(real: type, gates: int, poles: int) -> np.dtype:
    """Type of the state record.

    Args:
        real: scalar type of the physics, float32 or float64.
        gates: number of gates.
        poles: number of poles.

    Returns:
        Clock, random stream, `craft`, `vehicle` (this episode's, one), `gates` (x, y, z, yaw of each) and `known` (as
        far as the drone knows), `poles` (x, y), `next` (gate to pass; their number at the end), `gap` (m, last distance
        to it), `flown` (m), `lap_time` (s, 0 before the end), `hit` and `airborne`.
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("craft", craft_dtype(real)),
            ("vehicle", vehicle_dtype(real), (1,)),
            ("gates", real, (gates, 4)),
            ("known", real, (gates, 4)),
            ("poles", real, (poles, 2)),
            ("next", np.uint32),
            ("gap", real),
            ("flown", real),
            ("lap_time", real),
            ("hit", np.bool_),
            ("airborne", np.bool_),
        ],
        align=True,
    )


INFO = np.dtype(
    [
        *INFO_FIELDS,  # success: all gates passed in order
        ("gates_passed", np.float32),
        ("lap_time", np.float32),  # s; 0 while not all are passed
        ("mean_speed", np.float32),  # m/s, along the way flown
    ],
    align=True,
)


def observation_layout(act: str, poles: int) -> Vector:
    """What the agent sees.

    Args:
        act: kind of action.
        poles: number of poles, 0 for none.
    """
    velocity = Block("velocity", 3, -FAST, FAST, "m/s", "body frame")
    places = "left above, right above, right below, left below; body frame"
    blocks = (
        velocity,
        ROTATION,
        RATES,
        last_action(act),
        Block("next gate", 12, -FAR, FAR, "m", f"corners of its opening: {places}"),
        Block("gate after", 12, -FAR, FAR, "m", f"corners of its opening: {places}; the last one stays"),
    )
    if poles:
        blocks = (*blocks, Block("poles", 2 * poles, -FAR, FAR, "m", "x and y relative to the drone, world frame"))
    return Vector(blocks)
