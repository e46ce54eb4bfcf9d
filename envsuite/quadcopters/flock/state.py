"""The state record, the metrics and the observation of the flocking task."""

import numpy as np

from envsuite.core.declare import field
from envsuite.core.layout import Vector
from envsuite.quadcopters.flock.params import NEIGHBOURS
from envsuite.quadcopters.flying import blocks, swarm


class State(swarm.SwarmState):
    """The state of one instance; most of it says how the flock is at present."""

    order = field(meaning="mean cosine between velocities")
    spacing = field(unit="m", meaning="mean distance to the nearest neighbour")
    spread = field(unit="m^2", meaning="its variance")
    pace = field(unit="m/s", meaning="of the mean velocity")
    stray = field(unit="m", meaning="of the flock's middle from the region")
    connected = field(meaning="share of pairs that are linked through neighbours")
    orders = field(meaning="sum over the steps")
    connections = field(meaning="sum over the steps")
    middle = field(unit="m", shape=3)
    reached = field(type=np.uint8, shape="drones", meaning="working memory of the search for links")


class Info(swarm.SwarmInfo):
    """The metrics; distance: from the flock's middle; success: mean order above 0.8, nobody lost."""

    order = field(meaning="mean cosine between the drones' velocities, at present", type=np.float32)
    mean_order = field(meaning="over the episode so far", type=np.float32)
    spacing = field(unit="m", meaning="mean distance to the nearest neighbour", type=np.float32)
    connectivity = field(
        meaning="share of pairs linked through neighbours within 2 m, over the episode so far", type=np.float32
    )
    collisions_per_minute = field(meaning="of this drone", type=np.float32)


def observation_layout() -> Vector:
    """What one drone sees; its position is from the middle of the patrol region."""
    near = swarm.neighbour_block(NEIGHBOURS)
    return Vector((blocks.OFFSET, blocks.ROTATION, blocks.VELOCITY, blocks.RATES, near))
