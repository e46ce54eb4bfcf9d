"""The state record, the metrics and the observation of QuadMultiHover."""

import numpy as np

from envsuite.core.declare import Record, field
from envsuite.core.layout import Block, Vector
from envsuite.core.state import StateRecord
from envsuite.quadcopters.gpd.flight import POSITION_LIMIT, VELOCITY_LIMIT, Drone, observation_blocks


class State(StateRecord):
    """The state of one instance; flags are 0 or 1 and stay until the next episode."""

    drones = field(type=Drone, shape="drones")
    total = field(meaning="return so far", shape="drones")
    separation = field(unit="m", meaning="between any two drones, the least so far")
    crashed = field(type=np.uint8, shape="drones")
    collided = field(type=np.uint8, shape="drones")
    terminated = field(type=np.uint8, shape="drones")
    truncated = field(type=np.uint8, shape="drones")


class Info(Record):
    """The metrics."""

    distance = field(unit="m", meaning="from the drone's target", type=np.float32)
    normalised_return = field(meaning="the drone's return so far as a share of the largest possible", type=np.float32)
    min_separation = field(unit="m", meaning="the least between any two drones so far", type=np.float32)
    impact_speed = field(unit="m/s", meaning="hardest contact with the floor so far", type=np.float32)
    is_success = field(type=np.bool_, meaning="flying, within 5 cm of the target")
    crashed = field(type=np.bool_, meaning="left the limits of position or tilt, or collided")
    collided = field(type=np.bool_, meaning="with another drone")
    contact = field(type=np.bool_, meaning="on the floor")


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
