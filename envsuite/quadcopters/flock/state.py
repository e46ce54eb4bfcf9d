"""The state record, the metrics and the observation of the flocking task."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Vector
from envsuite.core.rng import STREAM
from envsuite.quadcopters.flock.params import NEIGHBOURS
from envsuite.quadcopters.flying import blocks, swarm


def state_dtype(real: type, count: int) -> np.dtype:
    """Type of the state record.

    Args:
        real: scalar type of the physics, float32 or float64.
        count: number of drones.

    Returns:
        Clock, random stream, the fields of `flying.swarm.swarm_fields`; of the flock at present: `order` (mean cosine
        between velocities), `spacing` (m, mean distance to the nearest neighbour), `spread` (m^2, its variance), `pace`
        (m/s, of the mean velocity), `stray` (m, of its middle from the region), `connected` (share of pairs that are
        linked through neighbours) and `middle` (m); sums over the steps: `orders`, `connections`; `reached` (working
        memory of the search for links).
    """
    numbers = ("order", "spacing", "spread", "pace", "stray", "connected", "orders", "connections")
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            *swarm.swarm_fields(real, count),
            *((name, real) for name in numbers),
            ("middle", real, 3),
            ("reached", np.uint8, (count,)),
        ],
        align=True,
    )


INFO = np.dtype(
    [
        *blocks.INFO_FIELDS,  # distance: from the flock's middle; success: mean order above 0.8, nobody lost
        *swarm.INFO_FIELDS,
        ("order", np.float32),  # mean cosine between the drones' velocities, at present
        ("mean_order", np.float32),  # over the episode so far
        ("spacing", np.float32),  # m, mean distance to the nearest neighbour
        ("connectivity", np.float32),  # share of pairs linked through neighbours within 2 m, over the episode so far
        ("collisions_per_minute", np.float32),  # of this drone
    ],
    align=True,
)


def observation_layout() -> Vector:
    """What one drone sees; its position is from the middle of the patrol region."""
    near = swarm.neighbour_block(NEIGHBOURS)
    return Vector((blocks.OFFSET, blocks.ROTATION, blocks.VELOCITY, blocks.RATES, near))
