"""The state record, the metrics and the observation of the gate task."""

import numpy as np

from envsuite.core.declare import field
from envsuite.core.layout import Block, Vector
from envsuite.core.state import StateRecord
from envsuite.quadcopters.flying.blocks import FAR, OFFSET, RATES, ROTATION, VELOCITY, DroneInfo, last_action
from envsuite.quadcopters.flying.craft import Craft


class State(StateRecord):
    """The state of one instance."""

    craft = field(type=Craft)
    gap = field(unit="m", meaning="last distance to the gate, or after it to the goal")
    passed = field(type=np.bool_)
    hit = field(type=np.bool_, meaning="crossed the gate's plane outside the opening")


class Info(DroneInfo):
    """The metrics; success: through the gate, and within 10 cm of the goal at present."""

    passed = field(type=np.bool_)


def observation_layout(act: str) -> Vector:
    """What the agent sees; position errors count from the goal.

    Args:
        act: kind of action.
    """
    corners = Block("gate corners", 12, -FAR, FAR, "m", "left above, right above, right below, left below; body frame")
    return Vector((OFFSET, ROTATION, VELOCITY, RATES, last_action(act), corners))
