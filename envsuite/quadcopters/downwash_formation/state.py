"""The state record, the metrics and the observation of the downwash task."""

import numpy as np

from envsuite.core.declare import field
from envsuite.core.layout import Block, Vector
from envsuite.quadcopters.downwash_formation.params import FUTURE, NEIGHBOURS
from envsuite.quadcopters.flying import blocks, swarm


class State(swarm.SwarmState):
    """The state of one instance; of the references first."""

    center = field(unit="m", shape=("drones", 3))
    swing = field(unit="m", meaning="times the cosine of the phase", shape=("drones", 3))
    sway = field(unit="m", meaning="times its sine", shape=("drones", 3))
    period = field(unit="s")
    squares = field(unit="m^2", meaning="sum over the steps", shape="drones")
    dip = field(unit="m", meaning="farthest below the reference", shape="drones")
    course = field(type=np.uint8, meaning="index in `COURSES`")


class Info(swarm.SwarmInfo):
    """The metrics; success: root mean square error below 10 cm so far, still flying."""

    rmse = field(unit="m", meaning="over the episode so far", type=np.float32)
    dip = field(unit="m", meaning="farthest below the reference so far", type=np.float32)
    downwash = field(unit="weights", meaning="of the push from above at present", type=np.float32)


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
