"""The state record, the metrics and the observation of QuadMultiHover."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Vector
from envsuite.core.rng import STREAM
from envsuite.quadcopters.gpd.flight import POSITION_LIMIT, VELOCITY_LIMIT, drone_dtype, observation_blocks


def state_dtype(scalar: type, act: str, num_drones: int) -> np.dtype:
    """Type of the state record.

    Args:
        scalar: type of the physical quantities, float32 or float64.
        act: one of `gpd.flight.ACTION_TYPES`.
        num_drones: number of drones.

    Returns:
        A structured type: `clock`, `rng`, `drones`, `total` (return so far, a drone each), `separation` (m,
        the least distance between two drones so far), `crashed`, `collided`, `terminated` and `truncated` (a
        drone each, 0 or 1; they stay until the next episode).
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("drones", drone_dtype(scalar, act), (num_drones,)),
            ("total", scalar, (num_drones,)),
            ("separation", scalar),
            ("crashed", np.uint8, (num_drones,)),
            ("collided", np.uint8, (num_drones,)),
            ("terminated", np.uint8, (num_drones,)),
            ("truncated", np.uint8, (num_drones,)),
        ],
        align=True,
    )


INFO = np.dtype(
    [
        ("distance", np.float32),  # m from the drone's target
        ("normalised_return", np.float32),  # the drone's return so far as a share of the largest possible
        ("min_separation", np.float32),  # m, the least between any two drones so far
        ("impact_speed", np.float32),  # m/s, hardest contact with the floor so far
        ("is_success", np.bool_),  # flying, within 5 cm of the target
        ("crashed", np.bool_),  # left the limits of position or tilt, or collided
        ("collided", np.bool_),  # with another drone
        ("contact", np.bool_),  # on the floor
    ],
    align=True,
)


def observation_layout(act: str, compat: bool) -> Vector:
    """One drone's observation; in the original's form it holds nothing of targets and neighbours."""
    kinematics, past = observation_blocks(act, compat)
    if compat:
        return Vector((*kinematics, past))
    far, fast = 2 * POSITION_LIMIT, 2 * VELOCITY_LIMIT
    surroundings = (
        Block("target offset", 3, -far, far, "m", "from the drone to its target, world"),
        Block("neighbour offset", 3, -far, far, "m", "from the drone to the nearest other, world; 0 when alone"),
        Block("neighbour velocity", 3, -fast, fast, "m/s", "of the nearest other, relative, world; 0 when alone"),
    )
    return Vector((*kinematics, *surroundings, past))
