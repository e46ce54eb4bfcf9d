"""The state record, the metrics and the observation of the race."""

import numpy as np

from envsuite.core.declare import field
from envsuite.core.layout import Block, Vector
from envsuite.core.state import StateRecord
from envsuite.quadcopters.flying.blocks import FAR, FAST, RATES, ROTATION, DroneInfo, last_action
from envsuite.quadcopters.flying.craft import Craft
from envsuite.quadcopters.params import VehicleRecord


class State(StateRecord):
    """The state of one instance."""

    craft = field(type=Craft)
    vehicle = field(type=VehicleRecord, shape=1, meaning="this episode's")
    gates = field(unit="m", meaning="x, y, z and yaw (rad)", shape=("gates", 4))
    known = field(unit="m", meaning="likewise, as far as the drone knows", shape=("gates", 4))
    poles = field(unit="m", meaning="x and y", shape=("poles", 2))
    next = field(type=np.uint32, meaning="gate to pass; their number at the end")
    gap = field(unit="m", meaning="last distance to it")
    flown = field(unit="m")
    lap_time = field(unit="s", meaning="0 before the end")
    hit = field(type=np.bool_)
    airborne = field(type=np.bool_)


class Info(DroneInfo):
    """The metrics; success: all gates passed in order."""

    gates_passed = field(type=np.float32)
    lap_time = field(unit="s", meaning="0 while not all are passed", type=np.float32)
    mean_speed = field(unit="m/s", meaning="along the way flown", type=np.float32)


def observation_layout(act: str, poles: int) -> Vector:
    """What the agent sees.

    Args:
        act: kind of action.
        poles: number of poles, 0 for none.
    """
    velocity = Block("velocity", 3, -FAST, FAST, "m/s", "body frame")
    places = "left above, right above, right below, left below; body frame"
    blocks = (
        velocity,
        ROTATION,
        RATES,
        last_action(act),
        Block("next gate", 12, -FAR, FAR, "m", f"corners of its opening: {places}"),
        Block("gate after", 12, -FAR, FAR, "m", f"corners of its opening: {places}; the last one stays"),
    )
    if poles:
        blocks = (*blocks, Block("poles", 2 * poles, -FAR, FAR, "m", "x and y relative to the drone, world frame"))
    return Vector(blocks)
