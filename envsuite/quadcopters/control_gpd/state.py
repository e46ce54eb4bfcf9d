"""The state record, the metrics, the observation and the action of the control environments."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Vector
from envsuite.core.rng import STREAM
from envsuite.quadcopters.controllers import dsl_pid
from envsuite.quadcopters.state import bullet_fields


def drone_dtype(real: type) -> np.dtype:
    """Type of the record of one drone.

    Args:
        real: scalar type of the physics, float32 or float64.

    Returns:
        `impact_speed` (m/s), `pid` (memory of the controller) and the fields of `quadcopters.state.bullet_fields`.
    """
    # a first field of its own: this must not be the beginning of `gpd.flight.drone_dtype`, see there
    return np.dtype([("impact_speed", real), ("pid", dsl_pid.memory_dtype(real)), *bullet_fields(real)], align=True)


def state_dtype(real: type, count: int) -> np.dtype:
    """Type of the state record.

    Args:
        real: scalar type of the physics, float32 or float64.
        count: number of drones.

    Returns:
        Clock, random stream, `drones`, and `truncated` (a drone each, 0 or 1).
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("drones", drone_dtype(real), (count,)),
            ("truncated", np.uint8, (count,)),
        ],
        align=True,
    )


INFO = np.dtype(
    [
        ("impact_speed", np.float32),  # m/s, hardest contact with the floor so far
        ("contact", np.bool_),  # lies on the floor
    ],
    align=True,
)

FAR = 1000.0  # m, m/s and rad/s: the original has no bounds, checkers want some
_TURN = float(np.float32(np.pi))
OBSERVATION = Vector(
    (
        Block("position", 3, (-FAR, -FAR, 0.0), FAR, "m", "world"),
        Block("quaternion", 4, -1.0, 1.0, "", "x, y, z, w"),
        Block("roll, pitch, yaw", 3, -_TURN, _TURN, "rad"),
        Block("velocity", 3, -FAR, FAR, "m/s", "world"),
        Block("angular velocity", 3, -FAR, FAR, "rad/s", "world"),
        Block("rotor speeds", 4, 0.0, 1e5, "rpm", "last applied"),
    )
)


def action_layout(velocity: bool, fastest: float) -> Vector:
    """What one drone may do.

    Args:
        velocity: commands are velocities, not rotor speeds.
        fastest: rpm, of a rotor.
    """
    if not velocity:
        return Vector((Block("rotor speeds", 4, 0.0, fastest, "rpm", ""),), out_of_range="clip")
    return Vector(
        (
            Block("direction", 3, -1.0, 1.0, "", "of the velocity, world; its length does not matter"),
            Block("speed", 1, 0.0, 1.0, "speed limit", ""),
        ),
        out_of_range="clip",
    )
