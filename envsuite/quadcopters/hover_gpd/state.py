"""The state record, the metrics and the observation of QuadHoverGPD."""

import numpy as np

from envsuite.core.declare import Record, field
from envsuite.core.layout import Vector
from envsuite.core.state import StateRecord
from envsuite.quadcopters.gpd.flight import Drone, observation_blocks
from envsuite.quadcopters.hover_gpd.params import NEAR_WINDOW


class State(StateRecord):
    """The state of one instance."""

    drones = field(type=Drone, shape=1)
    total = field(meaning="return so far")
    near = field(type=np.uint8, shape=NEAR_WINDOW, meaning="whether each of the last 2 s of steps ended at the target")
    near_steps = field(type=np.uint8, meaning="how many of them did")


class Info(Record):
    """The metrics."""

    distance = field(unit="m", meaning="from the target", type=np.float32)
    normalised_return = field(meaning="return so far as a share of the largest possible", type=np.float32)
    near_share = field(meaning="of the last 2 s that was spent within 5 cm of the target", type=np.float32)
    impact_speed = field(unit="m/s", meaning="hardest contact with the floor so far", type=np.float32)
    is_success = field(type=np.bool_, meaning="within 5 cm")
    crashed = field(type=np.bool_, meaning="left the limits of position or tilt")
    contact = field(type=np.bool_, meaning="on the floor")


def observation_layout(act: str, compat: bool) -> Vector:
    """The observation: of shape (12 + past actions,), in the original's form (1, 12 + past actions)."""
    kinematics, past = observation_blocks(act, compat)
    blocks = (*kinematics, past)
    return Vector(blocks, shape=(1, sum(block.size for block in blocks)) if compat else ())
