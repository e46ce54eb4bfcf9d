"""The state record, the metrics and the observation of the waypoint and velocity tasks."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Vector
from envsuite.core.rng import STREAM
from envsuite.quadcopters.flying.blocks import FAR, INFO_FIELDS, OFFSET, RATES, ROTATION, VELOCITY, last_action
from envsuite.quadcopters.flying.craft import craft_dtype
from envsuite.quadcopters.waypoint_vel.params import WAYPOINTS


def state_dtype(real: type) -> np.dtype:
    """Type of the state record.

    Args:
        real: scalar type of the physics, float32 or float64.

    Returns:
        Clock, random stream, `craft`, `points` (the waypoints, m), `next` (the one to fly to; their number when all are
        reached), `gap` (m, last distance to it), `flown` (m), `straight` (m, as the crow flies between the places
        where waypoints were reached), `mark` (the last of these places), and `wanted` (m/s, velocity to hold).
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("craft", craft_dtype(real)),
            ("points", real, (WAYPOINTS, 3)),
            ("next", np.uint32),
            ("gap", real),
            ("flown", real),
            ("straight", real),
            ("mark", real, 3),
            ("wanted", real, 3),
        ],
        align=True,
    )


INFO = np.dtype(
    [
        *INFO_FIELDS,  # success: all waypoints reached; in the velocity task, within 0.2 m/s at present
        ("waypoints", np.float32),  # reached so far
        ("efficiency", np.float32),  # straight way through the waypoints reached, per way flown; 0 before the first
        ("velocity_error", np.float32),  # m/s, of the velocity task
    ],
    align=True,
)


def observation_layout(act: str, velocity: bool) -> Vector:
    """What the agent sees.

    Args:
        act: kind of action.
        velocity: whether it is the velocity task.
    """
    if velocity:
        height = Block("height", 1, -FAR, FAR, "m", "above the floor")
        return Vector((height, ROTATION, VELOCITY, RATES, Block("goal velocity", 3, -1.0, 1.0, "m/s", "world frame"),
                       last_action(act)))  # fmt: skip
    later = Block("waypoint after", 3, -FAR, FAR, "m", "relative to the drone, world frame; the last one stays")
    return Vector(
        (
            OFFSET,
            ROTATION,
            VELOCITY,
            RATES,
            later,
            Block("left", 1, 0.0, 1.0, "", "share of the waypoints"),
            last_action(act),
        )
    )
