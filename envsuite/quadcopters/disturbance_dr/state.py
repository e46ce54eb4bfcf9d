"""The state record, the metrics and the observation of the disturbance task."""

import numpy as np

from envsuite.core.declare import field
from envsuite.core.layout import Vector
from envsuite.core.state import StateRecord
from envsuite.quadcopters.flying.blocks import OFFSET, RATES, ROTATION, VELOCITY, DroneInfo, action_history
from envsuite.quadcopters.flying.craft import Craft
from envsuite.quadcopters.params import VehicleRecord


class State(StateRecord):
    """The state of one instance."""

    craft = field(type=Craft)
    vehicle = field(type=VehicleRecord, shape=1, meaning="this episode's")
    arm = field(unit="m")
    loss = field(meaning="share of its thrust that a motor loses")
    load = field(meaning="share of its mass that the vehicle gains")
    squares = field(unit="m^2", meaning="sum over the steps after settling")
    failing = field(type=np.uint32, meaning="the motor")
    fails_at = field(type=np.uint32, meaning="step")
    loads_at = field(type=np.uint32, meaning="step")
    history = field(type=np.float32, shape=("rows", 4), meaning="the last actions as a ring, twice in a row")


class Info(DroneInfo):
    """The metrics; success: within 0.2 m of the goal at present."""

    rmse = field(unit="m", meaning="from the second second on", type=np.float32)
    mass = field(unit="kg", meaning="at present", type=np.float32)
    thrust_to_weight = field(meaning="at present", type=np.float32)
    torque_to_inertia = field(unit="rad/s^2", meaning="of the largest roll torque", type=np.float32)
    arm = field(unit="m", type=np.float32)
    motor_rise = field(unit="s", type=np.float32)
    motor_fall = field(unit="s", type=np.float32)


def observation_layout(act: str, history: int) -> Vector:
    """What the agent sees.

    Args:
        act: kind of action.
        history: past actions.
    """
    return Vector((OFFSET, ROTATION, VELOCITY, RATES, action_history(act, history)))
