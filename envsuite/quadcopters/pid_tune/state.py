"""The state record, the metrics, the observation and the action of the tuning task."""

import numpy as np

from envsuite.core.declare import Record, field
from envsuite.core.layout import Block, Vector
from envsuite.core.state import StateRecord
from envsuite.quadcopters.controllers.dsl_pid import Gains
from envsuite.quadcopters.flying.blocks import OFFSET, RATES, ROTATION, VELOCITY, DroneInfo
from envsuite.quadcopters.flying.craft import Craft
from envsuite.quadcopters.pid_tune.params import GAINS

LOOPS = ("position", "attitude")
TERMS = ("proportional", "integral", "derivative")


class State(StateRecord):
    """The state of one instance."""

    craft = field(type=Craft)
    gains = field(type=Gains, shape=1, meaning="of the controller at present")
    last_action = field(type=np.float32, shape=GAINS)
    squares = field(unit="m^2", meaning="sum over the steps")


class Tracking(Record):
    """The metric of the task itself."""

    rmse = field(unit="m", meaning="over the episode so far", type=np.float32)


class Info(Tracking, DroneInfo):
    """The metrics; crashed: on the floor; success: root mean square error below 15 cm so far."""


ACTION = Vector(
    tuple(Block(f"{term} {loop}", 1, -1.0, 1.0, "published gain", "away from it") for loop in LOOPS for term in TERMS),
    out_of_range="clip",
)


def observation_layout(compat: bool) -> Vector:
    """What the agent sees.

    Args:
        compat: the original's observation, with its scales.
    """
    if compat:
        return Vector(
            (
                Block("position", 3, (-1.0, -1.0, 0.0), 1.0, "15 m, 15 m and 5 m", "world frame"),
                Block("roll, pitch, yaw", 3, -1.0, 1.0, "pi"),
                Block("velocity", 3, -1.0, 1.0, "3 m/s", "world frame; the vertical one is cut at 1 m/s"),
                Block("angular velocity", 3, -1.0, 1.0, "", "world frame, divided by its size"),
            )
        )
    return Vector(
        (
            OFFSET,
            ROTATION,
            VELOCITY,
            RATES,
            Block("position integral", 3, -2.0, 2.0, "m s", "of the controller"),
            Block("last action", GAINS, -1.0, 1.0, "", ""),
        )
    )
