"""The state record, the metrics, the observation and the action of the control environments."""

import numpy as np

from envsuite.core.declare import Record, field
from envsuite.core.layout import Block, Vector
from envsuite.core.state import StateRecord
from envsuite.quadcopters.controllers.dsl_pid import Steered
from envsuite.quadcopters.state import BulletBody


class Landed(Record):
    """What drones begin with: this must not be the beginning of `gpd.flight.Drone`, see `Steered`."""

    impact_speed = field(unit="m/s", meaning="hardest contact with the floor so far")


class Drone(Landed, Steered, BulletBody):
    """One drone."""


class State(StateRecord):
    """The state of one instance."""

    drones = field(type=Drone, shape="drones")
    truncated = field(type=np.uint8, shape="drones")


class Info(Record):
    """The metrics."""

    impact_speed = field(unit="m/s", meaning="hardest contact with the floor so far", type=np.float32)
    contact = field(type=np.bool_, meaning="lies on the floor")


FAR = 1000.0  # m, m/s and rad/s: the original has no bounds, checkers want some
_TURN = float(np.float32(np.pi))
OBSERVATION = Vector(
    (
        Block("position", 3, (-FAR, -FAR, 0.0), FAR, "m", "world"),
        Block("quaternion", 4, -1.0, 1.0, "", "x, y, z, w"),
        Block("roll, pitch, yaw", 3, -_TURN, _TURN, "rad"),
        Block("velocity", 3, -FAR, FAR, "m/s", "world"),
        Block("angular velocity", 3, -FAR, FAR, "rad/s", "world"),
        Block("rotor speeds", 4, 0.0, 1e5, "rpm", "last applied"),
    )
)


def action_layout(velocity: bool, fastest: float) -> Vector:
    """What one drone may do.

    Args:
        velocity: commands are velocities, not rotor speeds.
        fastest: rpm, of a rotor.
    """
    if not velocity:
        return Vector((Block("rotor speeds", 4, 0.0, fastest, "rpm", ""),), out_of_range="clip")
    return Vector(
        (
            Block("direction", 3, -1.0, 1.0, "", "of the velocity, world; its length does not matter"),
            Block("speed", 1, 0.0, 1.0, "speed limit", ""),
        ),
        out_of_range="clip",
    )
