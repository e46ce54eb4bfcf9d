"""The state record, the metrics and the observation of the landing task."""

import numpy as np

from envsuite.core.declare import field
from envsuite.core.layout import Block, Vector
from envsuite.core.state import StateRecord
from envsuite.quadcopters.flying.blocks import OFFSET, RATES, ROTATION, VELOCITY, DroneInfo, last_action
from envsuite.quadcopters.flying.craft import Craft


class State(StateRecord):
    """The state of one instance."""

    craft = field(type=Craft)
    course = field(meaning="along which the pad moves: unit vector, x and y", shape=2)
    rhythm = field(unit="rad/s", meaning="of the pad, to and fro, and heave", shape=2)
    phase = field(unit="rad", meaning="likewise", shape=2)
    touchdown = field(unit="m/s", meaning="speed of the landing, relative to the pad")
    miss = field(unit="m", meaning="horizontally from the middle of the pad")
    landed = field(type=np.bool_)
    soft = field(type=np.bool_)


class Info(DroneInfo):
    """The metrics; success: a soft landing on the pad."""

    touchdown_speed = field(unit="m/s", meaning="relative to the pad; 0 before", type=np.float32)
    miss = field(unit="m", meaning="horizontal distance from the middle of the pad at present", type=np.float32)


def observation_layout(act: str) -> Vector:
    """What the agent sees; the pad's top, plus half the drone's height, is the reference.

    Args:
        act: kind of action.
    """
    pad = Block("pad velocity", 3, -2.0, 2.0, "m/s", "world frame")
    return Vector((OFFSET, ROTATION, VELOCITY, RATES, pad, last_action(act)))
