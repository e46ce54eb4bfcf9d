"""Records of one flying vehicle."""

import numpy as np

from envsuite.core.declare import Record, field


class Body(Record):
    """What every model of a flying body has; rotor speeds are in the vehicle's unit."""

    position = field(unit="m", meaning="world", shape=3)
    attitude = field(meaning="unit quaternion w, x, y, z, body to world", shape=4)
    velocity = field(unit="m/s", meaning="world", shape=3)
    rates = field(unit="rad/s", meaning="angular velocity, body", shape=3)
    command = field(unit="rotor speed", meaning="asked for", shape=4)
    rotor_speed = field(unit="rotor speed", meaning="without motor lag, the last physics step's command", shape=4)


class BulletBody(Body):
    """A body under the `bullet` and `dyn` dynamics."""

    previous_attitude = field(meaning="one physics step ago, which the engine rotates link forces with", shape=4)
    downwash = field(unit="N", meaning="force of drones above, along minus the body's z axis")
    active = field(type=np.bool_, meaning="False when taken out of the air; it exerts no downwash then")


class DisturbedBody(Body):
    """A body under the `l2f` dynamics."""

    force = field(unit="N", meaning="from outside, world", shape=3)
    torque = field(unit="N m", meaning="from outside, body", shape=3)


class WindyBody(DisturbedBody):
    """A body under the `fp` and `rpy` dynamics."""

    wind = field(unit="m/s", meaning="world", shape=3)
