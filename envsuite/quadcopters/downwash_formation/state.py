"""The state record, the metrics and the observation of the downwash task."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Vector
from envsuite.core.rng import STREAM
from envsuite.quadcopters.downwash_formation.params import FUTURE, NEIGHBOURS
from envsuite.quadcopters.flying import blocks, swarm


def state_dtype(real: type, count: int) -> np.dtype:
    """Type of the state record.

    Args:
        real: scalar type of the physics, float32 or float64.
        count: number of drones.

    Returns:
        Clock, random stream, the fields of `flying.swarm.swarm_fields`; of the references: `center` (m), `swing` (m,
        times the cosine of the phase) and `sway` (m, times its sine) of each drone, `period` (s) and `course`;
        `squares` (m^2, sum over the steps) and `dip` (m, farthest below the reference) of each.
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            *swarm.swarm_fields(real, count),
            ("center", real, (count, 3)),
            ("swing", real, (count, 3)),
            ("sway", real, (count, 3)),
            ("period", real),
            ("squares", real, (count,)),
            ("dip", real, (count,)),
            ("course", np.uint8),
        ],
        align=True,
    )


INFO = np.dtype(
    [
        *blocks.INFO_FIELDS,  # success: root mean square error below 10 cm so far, still flying
        *swarm.INFO_FIELDS,
        ("rmse", np.float32),  # m, over the episode so far
        ("dip", np.float32),  # m, farthest below the reference so far
        ("downwash", np.float32),  # weights, of the push from above at present
    ],
    align=True,
)


def observation_layout(act: str) -> Vector:
    """What one drone sees; errors are from its reference.

    Args:
        act: kind of action.
    """
    future = Block(
        "future reference", 3 * FUTURE, -blocks.FAR, blocks.FAR, "m", "relative to the drone, 0.1 s apart, world frame"
    )
    return Vector(
        (
            blocks.OFFSET,
            blocks.ROTATION,
            blocks.VELOCITY,
            blocks.RATES,
            blocks.last_action(act),
            future,
            swarm.neighbour_block(NEIGHBOURS),
        )
    )
