"""The state record, the metrics and the observation of the formation task."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Vector
from envsuite.core.rng import STREAM
from envsuite.quadcopters.flying import blocks, swarm
from envsuite.quadcopters.leader_follower.params import NEIGHBOURS, WAVES


def state_dtype(real: type, count: int, size: int) -> np.dtype:
    """Type of the state record.

    Args:
        real: scalar type of the physics, float32 or float64.
        count: number of drones.
        size: of an action.

    Returns:
        Clock, random stream, the fields of `flying.swarm.swarm_fields`; of the leader's path: `extent` (m), `waves`
        (frequencies) and `shift` (rad) of its sines on each axis, and `pace` (rad/s of the slowest); `slots` (m, where
        each drone should be), `motion` (m/s, how its slot moves) `squares` (m^2, sum over the steps) and `script` (the
        scripted leader's action).
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            *swarm.swarm_fields(real, count),
            ("extent", real, (3, WAVES)),
            ("waves", real, (3, WAVES)),
            ("shift", real, (3, WAVES)),
            ("pace", real),
            ("slots", real, (count, 3)),
            ("motion", real, (count, 3)),
            ("squares", real, (count,)),
            ("script", np.float32, size),
        ],
        align=True,
    )


INFO = np.dtype(
    [
        *blocks.INFO_FIELDS,  # success: root mean square error below 10 cm so far, still flying
        *swarm.INFO_FIELDS,
        ("slot_rmse", np.float32),  # m, over the episode so far
        ("collisions_per_minute", np.float32),  # of this drone
    ],
    align=True,
)

LEADER = Block("leader", 6, -2 * blocks.FAST, 2 * blocks.FAST, "m and m/s", "position and velocity, relative, world")


def observation_layout() -> Vector:
    """What one drone sees; errors are from its slot, the leader's from its path."""
    return Vector(
        (
            blocks.OFFSET,
            blocks.ROTATION,
            blocks.VELOCITY,
            blocks.RATES,
            LEADER,
            swarm.neighbour_block(NEIGHBOURS),
        )
    )
