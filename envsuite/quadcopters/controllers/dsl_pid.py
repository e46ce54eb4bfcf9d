"""The cascaded PID controller of gym-pybullet-drones for the Crazyflie (its `DSLPIDControl`).

Attitude error by rotation matrices, rate error by finite differences of Euler angles (so it jumps where the
yaw wraps), rotor speeds from PWM by the affine map of the Crazyflie's firmware. It asks for rotor speeds in
RPM.
"""

import numpy as np

from envsuite.core import fmath
from envsuite.core.declare import Record, field
from envsuite.core.jit import kernel
from envsuite.quadcopters.attitude import to_euler, to_matrix

_MIXERS = {
    "cf2x": ((-0.5, -0.5, -1.0), (-0.5, 0.5, 1.0), (0.5, 0.5, -1.0), (0.5, -0.5, 1.0)),
    "cf2p": ((0.0, -1.0, -1.0), (1.0, 0.0, 1.0), (0.0, 1.0, -1.0), (-1.0, 0.0, 1.0)),
}


class Gains(Record):
    """The published gains; rows are proportional, integral and derivative."""

    force = field(((0.4, 0.4, 1.25), (0.05, 0.05, 0.05), (0.2, 0.2, 0.5)), "N/m, N/(m s), N s/m", shape=(3, 3))
    torque = field(((7e4, 7e4, 6e4), (0.0, 0.0, 500.0), (2e4, 2e4, 1.2e4)), "PWM per unit", shape=(3, 3))
    position_integral_limit = field((2.0, 2.0, 0.15), "m s", shape=3)
    attitude_integral_limit = field((1.0, 1.0, 1500.0), "s", shape=3)
    torque_limit = field(3200.0, "PWM")
    rpm_per_pwm = field(0.2685)
    rpm_offset = field(4070.3, "rpm")
    pwm_low = field(20000.0)
    pwm_high = field(65535.0)
    mixer = field(None, "", "a row each rotor; columns roll, pitch, yaw", shape=(4, 3))


class Memory(Record):
    """What the controller keeps between calls; all zeros when it starts."""

    euler = field(unit="rad", meaning="roll, pitch, yaw at the last call", shape=3)
    position_integral = field(unit="m s", shape=3)
    attitude_integral = field(unit="s", shape=3)


class Steered(Record):
    """What a body that the controller may fly begins with.

    Numba takes a record whose first fields are those of another for a subtype of it, and warns: no body may begin as
    another does.
    """

    pid = field(type=Memory, meaning="memory of the DSL PID controller")


def gains(vehicle_name: str = "cf2x", scalar: type = np.float32) -> np.record:
    """The published gains with the mixer of a vehicle.

    Args:
        vehicle_name: "cf2x" or "cf2p".
        scalar: type of the numbers, float32 or float64.

    Returns:
        A record of `Gains`.

    Raises:
        ValueError: the controller does not know the vehicle.
    """
    if vehicle_name not in _MIXERS:
        raise ValueError(f"the DSL PID controller flies {' and '.join(_MIXERS)}, not {vehicle_name!r}")
    return Gains.make(scalar, mixer=_MIXERS[vehicle_name]).view(np.recarray)[0]


@kernel
def clear(memory):
    """Forget everything."""
    for k in range(3):
        memory.euler[k] = 0.0
        memory.position_integral[k] = 0.0
        memory.attitude_integral[k] = 0.0


@kernel
def control(body, vehicle, gain, memory, position, velocity, yaw, dt):
    """Choose rotor speeds; they are written to `body.command`.

    Args:
        body: record with the shared fields of `state.Body`.
        vehicle: record of `params.VehicleRecord`.
        gain: record of `Gains`.
        memory: record of `Memory`, updated.
        position: where to be, m, world, three numbers.
        velocity: how fast to be, m/s, world, three numbers.
        yaw: heading to take, rad.
        dt: time since the last call, s.
    """
    attitude = to_matrix(body.attitude)
    fx, fy, fz = _wanted_force(body, vehicle, gain, memory, position, velocity, dt)
    lift = max(0.0, fx * attitude[2] + fy * attitude[5] + fz * attitude[8])
    base = (fmath.sqrt(lift / (4.0 * vehicle.thrust_curve[2])) - gain.rpm_offset) / gain.rpm_per_pwm
    target = _wanted_attitude(fx, fy, fz, yaw)
    tx, ty, tz = _wanted_torque(body, gain, memory, attitude, target, dt)
    for i in range(4):
        pwm = base + gain.mixer[i, 0] * tx + gain.mixer[i, 1] * ty + gain.mixer[i, 2] * tz
        pwm = min(max(pwm, gain.pwm_low), gain.pwm_high)
        body.command[i] = gain.rpm_per_pwm * pwm + gain.rpm_offset


@kernel
def _wanted_force(body, vehicle, gain, memory, position, velocity, dt):
    """Position loop: the force to exert, N, world."""
    total = memory.position_integral
    for k in range(3):
        limit = gain.position_integral_limit[k]
        total[k] = min(max(total[k] + (position[k] - body.position[k]) * dt, -limit), limit)
    f = gain.force
    p, v = body.position, body.velocity
    return (
        f[0, 0] * (position[0] - p[0]) + f[1, 0] * total[0] + f[2, 0] * (velocity[0] - v[0]),
        f[0, 1] * (position[1] - p[1]) + f[1, 1] * total[1] + f[2, 1] * (velocity[1] - v[1]),
        f[0, 2] * (position[2] - p[2])
        + f[1, 2] * total[2]
        + f[2, 2] * (velocity[2] - v[2])
        + vehicle.gravity * vehicle.mass,
    )


@kernel
def _wanted_attitude(fx, fy, fz, yaw):
    """The rotation matrix with its z axis along the force and its x axis towards the yaw, row by row."""
    scale = 1.0 / fmath.sqrt(fx * fx + fy * fy + fz * fz)
    zx, zy, zz = fx * scale, fy * scale, fz * scale
    sine, cosine = fmath.sincos(yaw)
    yx, yy, yz = -zz * sine, zz * cosine, zx * sine - zy * cosine
    scale = 1.0 / fmath.sqrt(yx * yx + yy * yy + yz * yz)
    yx, yy, yz = yx * scale, yy * scale, yz * scale
    return (
        yy * zz - yz * zy,
        yx,
        zx,
        yz * zx - yx * zz,
        yy,
        zy,
        yx * zy - yy * zx,
        yz,
        zz,
    )


@kernel
def _wanted_torque(body, gain, memory, r, target, dt):
    """Attitude loop: the torques to exert, in PWM."""
    t = target
    # the vector of T'R - R'T, where ' is the transpose
    ex = (t[2] * r[1] + t[5] * r[4] + t[8] * r[7]) - (t[1] * r[2] + t[4] * r[5] + t[7] * r[8])
    ey = (t[0] * r[2] + t[3] * r[5] + t[6] * r[8]) - (t[2] * r[0] + t[5] * r[3] + t[8] * r[6])
    ez = (t[1] * r[0] + t[4] * r[3] + t[7] * r[6]) - (t[0] * r[1] + t[3] * r[4] + t[6] * r[7])
    roll, pitch, yaw = to_euler(body.attitude)
    return (
        _axis_torque(gain, memory, 0, ex, roll, dt),
        _axis_torque(gain, memory, 1, ey, pitch, dt),
        _axis_torque(gain, memory, 2, ez, yaw, dt),
    )


@kernel
def _axis_torque(gain, memory, k, error, angle, dt):
    limit = gain.attitude_integral_limit[k]
    memory.attitude_integral[k] = min(max(memory.attitude_integral[k] - error * dt, -limit), limit)
    rate = (angle - memory.euler[k]) / dt
    memory.euler[k] = angle
    torque = -gain.torque[0, k] * error - gain.torque[2, k] * rate + gain.torque[1, k] * memory.attitude_integral[k]
    return min(max(torque, -gain.torque_limit), gain.torque_limit)
