"""Inner loops of the ctbr and attitude actions: a collective thrust with body rates, or with a tilt.

    tau = J K (rates* - rates) + w x J w

The thrust is kept; torques give way when rotors saturate, yaw before tilt.
"""

import numpy as np

from envsuite.core import fmath
from envsuite.core.declare import Record, field
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.attitude import rotate_back
from envsuite.quadcopters.controllers.geometric import ask, room
from envsuite.quadcopters.params import find_vehicle

RATE_GAINS = (25.0, 25.0, 10.0)  # 1/s
TILT_GAIN = 9.0  # 1/s, rate asked for per radian of tilt error
_LEAD = 8.0


class Gains(Record):
    """Gains of the rate controller."""

    rates = field(RATE_GAINS, "1/s", shape=3)
    tilt = field(TILT_GAIN, "1/s")
    lead = field(_LEAD, "", "compensation of the motor lag")


def gains(vehicle_name, timestep: float, scalar: type = np.float32) -> np.record:
    """The gains, with a lead that the motors can follow.

    Args:
        vehicle_name: a key of `params.VEHICLES` or constants of a vehicle.
        timestep: time between calls, s.
        scalar: type of the numbers, float32 or float64.

    Returns:
        A record of `Gains`.
    """
    constants = find_vehicle(vehicle_name)
    lag = min(constants.motor_rise, constants.motor_fall)
    lead = min(_LEAD, 1 / (1 - fmath.exp(-timestep / lag))) if lag > 0 else 1.0
    return Gains.make(scalar, lead=lead).view(np.recarray)[0]


@kernel
def hold_rates(body, vehicle, gain, thrust, wx, wy, wz):
    """Choose rotor speeds for a thrust (N) and body rates (rad/s); they are written to `body.command`.

    Args:
        body: record with the shared fields of `state.Body`.
        vehicle: record of `params.VehicleRecord`.
        gain: record of `Gains`.
        thrust: N, all rotors together.
        wx: rad/s.
        wy: rad/s.
        wz: rad/s.
    """
    w, j = body.rates, vehicle.inertia
    tx = j[0] * gain.rates[0] * (wx - w[0]) + (j[2] - j[1]) * w[1] * w[2]
    ty = j[1] * gain.rates[1] * (wy - w[1]) + (j[0] - j[2]) * w[2] * w[0]
    tz = j[2] * gain.rates[2] * (wz - w[2]) + (j[1] - j[0]) * w[0] * w[1]
    forces = _share_out(vehicle, thrust, tx, ty, tz)
    ask(body, vehicle, gain, 0, forces[0])
    ask(body, vehicle, gain, 1, forces[1])
    ask(body, vehicle, gain, 2, forces[2])
    ask(body, vehicle, gain, 3, forces[3])


@kernel
def tilt_rates(body, gain, zx, zy, zz):
    """Roll and pitch rates, rad/s, that turn the thrust axis to a unit vector in the world frame."""
    axis = rotate_back(body.attitude, (zx, zy, zz))
    zero, sideways = real(0.0, zx), fmath.sqrt(axis[0] * axis[0] + axis[1] * axis[1])
    if sideways <= 0.0:
        return zero, zero
    speed = gain.tilt * fmath.atan2(sideways, axis[2]) / sideways
    return -axis[1] * speed, axis[0] * speed


@kernel
def _share_out(vehicle, thrust, tx, ty, tz):
    """Rotor thrusts, N, within [0, the largest], that add up to the thrust."""
    r, s, high = vehicle.rotors, vehicle.spin, vehicle.max_rotor_thrust
    common = min(max(0.25 * thrust, 0.0), high)
    # rotors lie symmetrically, so each axis has its own least-squares solution
    sx = tx / (r[0, 1] * r[0, 1] + r[1, 1] * r[1, 1] + r[2, 1] * r[2, 1] + r[3, 1] * r[3, 1])
    sy = -ty / (r[0, 0] * r[0, 0] + r[1, 0] * r[1, 0] + r[2, 0] * r[2, 0] + r[3, 0] * r[3, 0])
    a, b = sx * r[0, 1] + sy * r[0, 0], sx * r[1, 1] + sy * r[1, 0]
    c, d = sx * r[2, 1] + sy * r[2, 0], sx * r[3, 1] + sy * r[3, 0]
    fit = min(min(room(common, a, high), room(common, b, high)), min(room(common, c, high), room(common, d, high)))
    fit = max(min(fit, 1.0), 0.0)
    a, b, c, d = common + fit * a, common + fit * b, common + fit * c, common + fit * d
    yaw = 0.25 * tz / vehicle.torque_per_thrust
    y0, y1, y2, y3 = yaw * s[0], yaw * s[1], yaw * s[2], yaw * s[3]
    fit = min(min(room(a, y0, high), room(b, y1, high)), min(room(c, y2, high), room(d, y3, high)))
    fit = max(min(fit, 1.0), 0.0)
    return a + fit * y0, b + fit * y1, c + fit * y2, d + fit * y3
