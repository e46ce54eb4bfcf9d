"""A geometric tracking controller with compensation of the motor lag, for any vehicle.

Position and velocity errors ask for an acceleration; the attitude follows it by the reduced (thrust
direction) error with yaw as a separate, weaker goal; rotor thrusts give way in the order yaw, collective,
tilt when they saturate.
"""

from typing import Any

import numpy as np

from envsuite.core import fmath
from envsuite.core.declare import Record, field
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.attitude import rotate_back
from envsuite.quadcopters.params import Vehicle, find_vehicle

# Preset: position gain 1/s^2, velocity gain 1/s, natural frequency rad/s, damping ratio, lead, largest
# tilt (deg)
PRESETS = {
    "robust": (9.0, 5.0, 25.0, 1.6, 8.0, 50.0),
    "agile": (12.0, 6.0, 25.0, 0.9, 7.0, 60.0),
    "tumbling": (9.0, 5.0, 21.0, 1.6, 8.0, 50.0),
}


class Gains(Record):
    """Gains of the geometric controller."""

    position = field(unit="1/s^2")
    velocity = field(unit="1/s")
    attitude = field(unit="1/s^2", meaning="an axis each", shape=3)
    rates = field(unit="1/s", meaning="an axis each", shape=3)
    lead = field(meaning="compensation of the motor lag")
    slope_limit = field(meaning="tangent of the largest tilt asked for")


def gains(
    preset: str = "robust",
    vehicle_name: str | Vehicle = "l2f_cf2023",
    *,
    timestep: float = 0.01,
    scalar: type = np.float32,
) -> np.record:
    """The gains of a preset, fitted to a vehicle.

    The presets were tuned for a motor lag of 0.15 s. Where motors are faster, the lead is limited to what
    brings the faster of their two responses to its goal in one step; more would make them oscillate.

    Args:
        preset: "robust" (damped, for hovering from wild starts), "agile" (for tracking) or "tumbling" (slower, for any
            attitude, where motors saturate).
        vehicle_name: a key of `params.VEHICLES`, or constants of a vehicle.
        timestep: time between calls of `control`, s.
        scalar: type of the numbers, float32 or float64.

    Returns:
        A record of `Gains`.

    Raises:
        ValueError: unknown preset or vehicle.
    """
    if preset not in PRESETS:
        raise ValueError(f"unknown preset {preset!r}; expected one of {', '.join(PRESETS)}")
    constants = find_vehicle(vehicle_name)
    lag = min(constants.motor_rise, constants.motor_fall)
    most = 1 / (1 - fmath.exp(-timestep / lag)) if lag > 0 else 1.0
    position, velocity, frequency, damping, lead, tilt = PRESETS[preset]
    values: dict[str, Any] = {
        "position": position,
        "velocity": velocity,
        "attitude": frequency**2 * np.array((1.0, 1.0, 0.1)),
        "rates": 2 * damping * frequency * np.array((1.0, 1.0, 0.3)),
        "lead": min(lead, most),
        "slope_limit": fmath.tan(np.deg2rad(tilt)),
    }
    return Gains.make(scalar, **values).view(np.recarray)[0]


@kernel
def control(body, vehicle, gain, position, velocity, acceleration, yaw):
    """Choose rotor speeds; they are written to `body.command`.

    Args:
        body: record with the shared fields of `state.Body`.
        vehicle: record of `params.VehicleRecord`.
        gain: record of `Gains`.
        position: where to be, m, world, three numbers.
        velocity: how fast to be, m/s, world, three numbers.
        acceleration: how the reference accelerates, m/s^2, world, three numbers.
        yaw: heading to take, rad, in [-pi, pi].
    """
    fx, fy, fz = wanted_acceleration(body, vehicle, gain, position, velocity, acceleration)
    size = fmath.sqrt(fx * fx + fy * fy + fz * fz)
    axis = rotate_back(body.attitude, (fx / size, fy / size, fz / size))
    ceiling = (0.95 * 4.0) * vehicle.max_rotor_thrust
    along = max(0.0, axis[2])
    thrust = min(max(vehicle.mass * size * along, 0.1 * vehicle.mass * vehicle.gravity), ceiling)
    tx, ty, tz = _wanted_torque(body, vehicle, gain, axis, along, yaw)
    forces = _mix(vehicle, thrust, tx, ty, tz)
    ask(body, vehicle, gain, 0, forces[0])
    ask(body, vehicle, gain, 1, forces[1])
    ask(body, vehicle, gain, 2, forces[2])
    ask(body, vehicle, gain, 3, forces[3])


@kernel
def wanted_acceleration(body, vehicle, gain, position, velocity, acceleration):
    """The specific force to exert, m/s^2, world: limited in climb, dive and tilt."""
    p, v, g = body.position, body.velocity, vehicle.gravity
    ax = gain.position * (position[0] - p[0]) + gain.velocity * (velocity[0] - v[0]) + acceleration[0]
    ay = gain.position * (position[1] - p[1]) + gain.velocity * (velocity[1] - v[1]) + acceleration[1]
    az = gain.position * (position[2] - p[2]) + gain.velocity * (velocity[2] - v[2]) + acceleration[2]
    lift = min(max(az, -0.7 * g), g) + g
    sideways, limit = fmath.sqrt(ax * ax + ay * ay), gain.slope_limit * lift
    if sideways > limit:
        ax, ay = ax * (limit / sideways), ay * (limit / sideways)
    return ax, ay, lift


@kernel
def _wanted_torque(body, vehicle, gain, axis, along, yaw):
    """Torques, N m, that turn the thrust direction to `axis` (unit vector, body) and the heading to `yaw`."""
    q, w, inertia = body.attitude, body.rates, vehicle.inertia
    two = real(2.0, along)
    sideways = fmath.sqrt(axis[0] * axis[0] + axis[1] * axis[1])
    angle = fmath.atan2(sideways, axis[2])
    ex, ey = real(0.0, along), real(0.0, along)
    if sideways > 0.0:
        ex, ey = axis[1] / sideways * angle, -axis[0] / sideways * angle
    heading = fmath.atan2(2.0 * (q[1] * q[2] + q[0] * q[3]), 1.0 - 2.0 * (q[2] * q[2] + q[3] * q[3])) - yaw
    straight = real(np.pi, along)
    if heading > np.pi:
        heading -= two * straight
    elif heading < -np.pi:
        heading += two * straight
    ez = heading * along
    jw0, jw1, jw2 = inertia[0] * w[0], inertia[1] * w[1], inertia[2] * w[2]
    return (
        inertia[0] * (-gain.attitude[0] * ex - gain.rates[0] * w[0]) + (w[1] * jw2 - w[2] * jw1),
        inertia[1] * (-gain.attitude[1] * ey - gain.rates[1] * w[1]) + (w[2] * jw0 - w[0] * jw2),
        inertia[2] * (-gain.attitude[2] * ez - gain.rates[2] * w[2]) + (w[0] * jw1 - w[1] * jw0),
    )


@kernel
def _mix(vehicle, thrust, tx, ty, tz):
    """Rotor thrusts, N, for a total thrust and torques, within [0, the largest]."""
    r, s, high = vehicle.rotors, vehicle.spin, vehicle.max_rotor_thrust
    # rotors lie symmetrically, so each axis has its own least-squares solution
    sx = tx / (r[0, 1] * r[0, 1] + r[1, 1] * r[1, 1] + r[2, 1] * r[2, 1] + r[3, 1] * r[3, 1])
    sy = -ty / (r[0, 0] * r[0, 0] + r[1, 0] * r[1, 0] + r[2, 0] * r[2, 0] + r[3, 0] * r[3, 0])
    a = sx * r[0, 1] + sy * r[0, 0]
    b = sx * r[1, 1] + sy * r[1, 0]
    c = sx * r[2, 1] + sy * r[2, 0]
    d = sx * r[3, 1] + sy * r[3, 0]
    peak = max(max(abs(a), abs(b)), max(abs(c), abs(d)))
    if peak > 0.5 * high:
        fit = 0.5 * high / peak
        a, b, c, d = a * fit, b * fit, c * fit, d * fit
    lowest, highest = min(min(a, b), min(c, d)), max(max(a, b), max(c, d))
    common = min(max(0.25 * thrust, -lowest), high - highest)
    a, b, c, d = a + common, b + common, c + common, d + common

    yaw = 0.25 * tz / vehicle.torque_per_thrust
    y0, y1, y2, y3 = yaw * s[0], yaw * s[1], yaw * s[2], yaw * s[3]
    fit = min(min(room(a, y0, high), room(b, y1, high)), min(room(c, y2, high), room(d, y3, high)))
    fit = max(min(fit, 1.0), 0.0)
    return a + fit * y0, b + fit * y1, c + fit * y2, d + fit * y3


@kernel
def room(force, change, high):
    """The multiple of `change` that takes `force` to the end of [0, high]."""
    if change > real(0.0, force):
        return (high - force) / change
    if change < real(0.0, force):
        return -force / change
    return real(1.0, force)


@kernel
def ask(body, vehicle, gain, i, force):
    """Command rotor i so that it gives a thrust soon, in spite of its lag."""
    c0, c1, c2 = vehicle.thrust_curve[0], vehicle.thrust_curve[1], vehicle.thrust_curve[2]
    zero = real(0.0, c0)
    above = max(force - c0, 0.0)
    root = c1 + fmath.sqrt(max(c1 * c1 + 4.0 * c2 * above, 0.0))
    speed = 2.0 * above / root if root > 0.0 else zero
    now = body.rotor_speed[i]
    body.command[i] = min(max(now + gain.lead * (speed - now), 0.0), vehicle.command_high)
