"""The state record, the metrics and the observation of the swarm task."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Vector
from envsuite.core.rng import STREAM
from envsuite.quadcopters.flying import blocks, swarm
from envsuite.quadcopters.swarm_goals.params import CELLS, COLUMNS, NEIGHBOURS

MAP = Block("columns", 9, -blocks.FAR, blocks.FAR, "m", "distances to the nearest column on a 3 x 3 grid, 0.1 m wide")


def state_dtype(real: type, count: int) -> np.dtype:
    """Type of the state record.

    Args:
        real: scalar type of the physics, float32 or float64.
        count: number of drones.

    Returns:
        Clock, random stream, the fields of `flying.swarm.swarm_fields`, `goals` (m), `distances` (m, sum over the
        steps), `centers` (m, of the two halves' formations; of the whole the first), `drift` (m/s, of goals that all
        move alike), `curve` (m, control points of the path of a goal that flees), `columns` (m, x and y), `width` and
        `layer` (m, spacing in the formation and of its layers), `speed` (m/s of swelling), `period` (steps between
        changes), `scenario`, `formation`, `places` (in the formation, of each drone), `cells` (in the order in which
        they are dealt out) and `scraping` (touched a column in the last step, 0 or 1).
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            *swarm.swarm_fields(real, count),
            ("goals", real, (count, 3)),
            ("distances", real, (count,)),
            ("centers", real, (2, 3)),
            ("drift", real, 3),
            ("curve", real, (3, 3)),
            ("columns", real, (COLUMNS, 2)),
            ("places", np.uint8, (count,)),
            ("cells", np.uint8, (CELLS * CELLS,)),
            ("width", real),
            ("layer", real),
            ("speed", real),
            ("period", np.uint32),
            ("scenario", np.uint8),
            ("formation", np.uint8),
            ("scraping", np.uint8, (count,)),
        ],
        align=True,
    )


INFO = np.dtype(
    [
        *blocks.INFO_FIELDS,  # success: within 0.5 m of the goal at present
        *swarm.INFO_FIELDS,
        ("mean_distance", np.float32),  # m from the goal, over the episode so far
        ("scenario", np.float32),  # index in `params.SCENARIOS`; one more for goals drawn among columns
    ],
    align=True,
)


def observation_layout(columns: bool) -> Vector:
    """What one drone sees.

    Args:
        columns: whether there are any.
    """
    own = (blocks.OFFSET, blocks.ROTATION, blocks.VELOCITY, blocks.RATES, swarm.neighbour_block(NEIGHBOURS))
    return Vector((*own, MAP) if columns else own)
