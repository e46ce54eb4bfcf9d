"""The state record, the metrics and the observation of the throw-recovery task."""

import numpy as np

from envsuite.core.declare import field
from envsuite.core.layout import Block, Vector
from envsuite.core.state import StateRecord
from envsuite.quadcopters.flying.blocks import OFFSET, RATES, ROTATION, VELOCITY, DroneInfo, last_action
from envsuite.quadcopters.flying.craft import Craft

MOTORS = Block("rotor speeds", 4, -1.0, 1.0, "", "-1 stopped, 1 the largest; without rotors, the thrust")


class State(StateRecord):
    """The state of one instance."""

    craft = field(type=Craft)
    lowest = field(unit="m", meaning="height so far")
    settled_early = field(type=np.bool_, meaning="at rest at half time")


class Info(DroneInfo):
    """The metrics; success: within 0.5 m and 0.3 m/s at present, never on the floor."""

    lowest = field(unit="m", meaning="least height so far", type=np.float32)
    settled_early = field(type=np.bool_, meaning="success at 1.5 s")


def observation_layout(act: str) -> Vector:
    """What the agent sees.

    Args:
        act: kind of action.
    """
    return Vector((OFFSET, ROTATION, VELOCITY, RATES, last_action(act), MOTORS))
