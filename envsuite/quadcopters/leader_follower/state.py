"""The state record, the metrics and the observation of the formation task."""

import numpy as np

from envsuite.core.declare import field
from envsuite.core.layout import Block, Vector
from envsuite.quadcopters.flying import blocks, swarm
from envsuite.quadcopters.leader_follower.params import NEIGHBOURS, WAVES


class State(swarm.SwarmState):
    """The state of one instance; first of the leader's path."""

    extent = field(unit="m", meaning="of its sines on each axis", shape=(3, WAVES))
    waves = field(meaning="their frequencies", shape=(3, WAVES))
    shift = field(unit="rad", meaning="likewise", shape=(3, WAVES))
    pace = field(unit="rad/s", meaning="of the slowest")
    slots = field(unit="m", meaning="where each drone should be", shape=("drones", 3))
    motion = field(unit="m/s", meaning="how its slot moves", shape=("drones", 3))
    squares = field(unit="m^2", meaning="sum over the steps", shape="drones")
    script = field(type=np.float32, shape="action", meaning="the scripted leader's action")


class Info(swarm.SwarmInfo):
    """The metrics; success: root mean square error below 10 cm so far, still flying."""

    slot_rmse = field(unit="m", meaning="over the episode so far", type=np.float32)
    collisions_per_minute = field(meaning="of this drone", type=np.float32)


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
