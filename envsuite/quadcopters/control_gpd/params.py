"""Constants of gym-pybullet-drones' CtrlAviary and VelocityAviary."""

import numpy as np

from envsuite.core import fmath
from envsuite.core.declare import Record, field
from envsuite.quadcopters.airframe import Vehicle
from envsuite.quadcopters.controllers import dsl_pid
from envsuite.quadcopters.dynamics.settings import Physics

PHYSICS_RATE = 240  # Hz
FEWEST, MOST = 1, 16
SPEED_SHARE = 0.03  # of the vehicle's largest speed: the speed limit
HELIX_RADIUS, HELIX_PERIOD, HELIX_STEP = 0.3, 10.0, np.pi / 3  # m, s and rad between drones, of its example


class Params(Record):
    """The constants."""

    physics = field(type=Physics)
    gains = field(type=dsl_pid.Gains)
    spawn = field(None, "m", shape=("drones", 3))
    heading = field(None, "rad", shape="drones")
    control_step = field(None, "s")
    speed_limit = field(None, "m/s", "of a full velocity action")
    substeps = field(None, type=np.uint8, meaning="physics steps an action")
    velocity = field(False, type=np.bool_, meaning="actions are velocities")
    helix = field(False, type=np.bool_, meaning="drones start along a helix")


def starts(start: str, count: int, vehicle: Vehicle, real: type) -> dict[str, np.ndarray]:
    """Where drones start, and their headings.

    Args:
        start: ``"line"`` or ``"helix"``.
        count: number of drones.
        vehicle: that flies.
        real: float32 or float64.

    Returns:
        `spawn`, m, (count, 3), and `heading`, rad, (count,).
    """
    index = np.arange(count)
    spawn, heading = np.zeros((count, 3), real), np.zeros(count, real)
    if start == "helix":
        turn = HELIX_STEP * index + np.pi / 2
        spawn[:, 0] = HELIX_RADIUS * fmath.cos(turn)
        spawn[:, 1] = HELIX_RADIUS * fmath.sin(turn) - HELIX_RADIUS
        spawn[:, 2] = 0.1 + 0.05 * index
        heading[:] = np.pi / 6 * index
    else:
        _, height, offset = vehicle.hull
        spawn[:, 0] = spawn[:, 1] = 4 * vehicle.arm * index
        spawn[:, 2] = height / 2 - offset + 0.1
    return {"spawn": spawn, "heading": heading}
