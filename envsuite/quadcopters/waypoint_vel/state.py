"""The state record, the metrics and the observation of the waypoint and velocity tasks."""

import numpy as np

from envsuite.core.declare import field
from envsuite.core.layout import Block, Vector
from envsuite.core.state import StateRecord
from envsuite.quadcopters.flying.blocks import FAR, OFFSET, RATES, ROTATION, VELOCITY, DroneInfo, last_action
from envsuite.quadcopters.flying.craft import Craft
from envsuite.quadcopters.waypoint_vel.params import WAYPOINTS


class State(StateRecord):
    """The state of one instance."""

    craft = field(type=Craft)
    points = field(unit="m", meaning="the waypoints", shape=(WAYPOINTS, 3))
    next = field(type=np.uint32, meaning="the one to fly to; their number when all are reached")
    gap = field(unit="m", meaning="last distance to it")
    flown = field(unit="m")
    straight = field(unit="m", meaning="as the crow flies between the places where waypoints were reached")
    mark = field(unit="m", meaning="the last of these places", shape=3)
    wanted = field(unit="m/s", meaning="velocity to hold", shape=3)


class Info(DroneInfo):
    """The metrics; success: all waypoints reached; in the velocity task, within 0.2 m/s at present."""

    waypoints = field(meaning="reached so far", type=np.float32)
    efficiency = field(
        meaning="straight way through the waypoints reached, per way flown; 0 before the first", type=np.float32
    )
    velocity_error = field(unit="m/s", meaning="of the velocity task", type=np.float32)


def observation_layout(act: str, velocity: bool) -> Vector:
    """What the agent sees.

    Args:
        act: kind of action.
        velocity: whether it is the velocity task.
    """
    if velocity:
        height = Block("height", 1, -FAR, FAR, "m", "above the floor")
        goal = Block("goal velocity", 3, -1.0, 1.0, "m/s", "world frame")
        return Vector((height, ROTATION, VELOCITY, RATES, goal, last_action(act)))
    later = Block("waypoint after", 3, -FAR, FAR, "m", "relative to the drone, world frame; the last one stays")
    left = Block("left", 1, 0.0, 1.0, "", "share of the waypoints")
    return Vector((OFFSET, ROTATION, VELOCITY, RATES, later, left, last_action(act)))
