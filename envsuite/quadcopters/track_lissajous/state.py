"""The state record, the metrics and the observation of the tracking task."""

import numpy as np

from envsuite.core.declare import field
from envsuite.core.layout import Block, Vector
from envsuite.core.state import StateRecord
from envsuite.quadcopters.flying.blocks import FAR, OFFSET, RATES, ROTATION, VELOCITY, DroneInfo, action_history
from envsuite.quadcopters.flying.craft import Craft
from envsuite.quadcopters.track_lissajous.params import FUTURE, HISTORY


class State(StateRecord):
    """The state of one instance."""

    craft = field(type=Craft)
    extent = field(unit="m", meaning="half of the curve's, along each axis", shape=3)
    waves = field(meaning="frequencies along each axis", shape=3)
    shift = field(unit="rad", meaning="likewise", shape=3)
    period = field(unit="s")
    squares = field(unit="m^2", meaning="sum over the steps")
    largest = field(unit="m", meaning="error so far")
    jerk = field(meaning="sum of the sizes of action changes")
    history = field(type=np.float32, shape=(2 * HISTORY, 4), meaning="the last actions as a ring, twice in a row")


class Info(DroneInfo):
    """The metrics; success: root mean square error below 10 cm, the reference never lost."""

    rmse = field(unit="m", meaning="over the episode so far", type=np.float32)
    max_error = field(unit="m", type=np.float32)
    completion = field(meaning="share of the ten seconds", type=np.float32)
    action_change = field(meaning="mean size of the change of the action", type=np.float32)


def observation_layout(act: str) -> Vector:
    """What the agent sees.

    Args:
        act: kind of action.
    """
    future = Block("future reference", 3 * FUTURE, -FAR, FAR, "m", "relative to the drone, 0.1 s apart, world frame")
    return Vector((OFFSET, ROTATION, VELOCITY, RATES, future, action_history(act, HISTORY)))
