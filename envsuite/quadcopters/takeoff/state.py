"""The state record, the metrics and the observation of the take-off task."""

import numpy as np

from envsuite.core.declare import field
from envsuite.core.layout import Vector
from envsuite.core.state import StateRecord
from envsuite.quadcopters.flying.blocks import OFFSET, RATES, ROTATION, VELOCITY, DroneInfo, last_action
from envsuite.quadcopters.flying.craft import Craft


class State(StateRecord):
    """The state of one instance."""

    craft = field(type=Craft)
    held = field(type=np.uint32, meaning="steps in a row at the target")
    settled_at = field(type=np.uint32, meaning="step at which it had been held long enough, 0 before")
    overshoot = field(unit="m", meaning="the highest above the target so far")


class Info(DroneInfo):
    """The metrics; success: held within 5 cm and 0.1 m/s for a second."""

    settled_at = field(unit="s", meaning="0 if not settled yet", type=np.float32)
    overshoot = field(unit="m", meaning="above the target", type=np.float32)


def observation_layout(act: str) -> Vector:
    """What the agent sees.

    Args:
        act: kind of action.
    """
    return Vector((OFFSET, ROTATION, VELOCITY, RATES, last_action(act)))
