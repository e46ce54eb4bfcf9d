"""Steers a drone along a reference through any kind of action; the heart of the tasks' reference policies.

It sees the true state. Rotor speeds come from the geometric controller, other actions from the same outer loop.
"""

import numpy as np

from envsuite.core import fmath
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.attitude import rotate_back
from envsuite.quadcopters.controllers import geometric, rates
from envsuite.quadcopters.flying.actions import SHARE, angles_of
from envsuite.quadcopters.flying.settings import (
    ATTITUDE,
    CTBR,
    MOTOR,
    MOTOR5,
    ONE_D,
    PID,
    RATE_LIMITS,
    TILT_LIMIT,
)

_APPROACH = 1.5  # 1/s, speed asked for per metre of error, of vel actions
_YAW_GAIN = 3.0  # 1/s


@kernel
def steer(craft, vehicle, p, position, velocity, acceleration, yaw, action):
    """Write the action that follows a reference.

    Args:
        craft: record of `craft.Craft`; its command is used as scratch and restored.
        vehicle: record of `params.VehicleRecord`.
        p: record of `settings.Flying`.
        position: m, world, three numbers.
        velocity: m/s, world, three numbers.
        acceleration: m/s^2, world, three numbers.
        yaw: rad.
        action: float32 array to write to.
    """
    zero, one, two = real(0.0, p.dt), real(1.0, p.dt), real(2.0, p.dt)
    if p.act <= ONE_D:
        before = (craft.command[0], craft.command[1], craft.command[2], craft.command[3])
        geometric.control(craft, vehicle, p.pilot, position, velocity, acceleration, yaw)
        if p.act == MOTOR:
            for k in range(4):
                action[k] = np.float32(two * craft.command[k] / vehicle.command_high - one)
        else:
            scale, mean = one / (real(SHARE, one) * vehicle.command_hover), zero
            for k in range(4):
                mean += real(0.25, one) * craft.command[k]
            for k in range(4):
                if p.act == MOTOR5:
                    action[k] = _bounded(scale * (craft.command[k] - vehicle.command_hover))
                elif k == 0:
                    action[k] = _bounded(scale * (mean - vehicle.command_hover))
        craft.command[0], craft.command[1], craft.command[2], craft.command[3] = before
        return
    c = craft.position
    x, y, z = position[0] - c[0], position[1] - c[1], position[2] - c[2]
    if p.act == CTBR or p.act == ATTITUDE:
        _lean(craft, vehicle, p, position, velocity, acceleration, yaw, action)
    elif p.act == PID:
        action[0], action[1], action[2] = _bounded(x / p.reach), _bounded(y / p.reach), _bounded(z / p.reach)
    else:
        gain = real(_APPROACH, one)
        vx, vy, vz = velocity[0] + gain * x, velocity[1] + gain * y, velocity[2] + gain * z
        speed = fmath.sqrt(vx * vx + vy * vy + vz * vz)
        scale = one / max(speed, real(1e-6, one))
        action[0], action[1], action[2] = _bounded(vx * scale), _bounded(vy * scale), _bounded(vz * scale)
        action[3] = _bounded(speed / p.speed_limit)


@kernel
def head_for(crafts, vehicles, flyings, place, actions):
    """Write the action that flies one drone to a point, m, at most a metre at a time, keeping its heading.

    Args:
        crafts: records of `craft.Craft`, the first counts; likewise
        vehicles: of `params.VehicleRecord`, and
        flyings: of `settings.Flying`.
        place: m, world, (3,).
        actions: float32 (1, A).
    """
    craft, p = crafts[0], flyings[0]
    c, zero, one = craft.position, real(0.0, p.dt), real(1.0, p.dt)
    x, y, z = place[0] - c[0], place[1] - c[1], place[2] - c[2]
    share = one / max(fmath.sqrt(x * x + y * y + z * z), one)
    target, rest = (c[0] + share * x, c[1] + share * y, c[2] + share * z), (zero, zero, zero)
    steer(craft, vehicles[0], p, target, rest, rest, craft.heading, actions[0])


@kernel
def _lean(craft, vehicle, p, position, velocity, acceleration, yaw, action):
    """A thrust with body rates or angles."""
    fx, fy, fz = geometric.wanted_acceleration(craft, vehicle, p.pilot, position, velocity, acceleration)
    size = fmath.sqrt(fx * fx + fy * fy + fz * fz)
    axis = (fx / size, fy / size, fz / size)
    zero, one, two = real(0.0, size), real(1.0, size), real(2.0, size)
    body = rotate_back(craft.attitude, axis)
    share = two * vehicle.mass * size * max(body[2], zero) / (real(4.0, size) * vehicle.max_rotor_thrust) - one
    q = craft.attitude
    heading = fmath.atan2(two * (q[1] * q[2] + q[0] * q[3]), one - two * (q[2] * q[2] + q[3] * q[3]))
    turn = yaw - heading
    straight = real(np.pi, size)
    if turn > straight:
        turn -= two * straight
    elif turn < -straight:
        turn += two * straight
    turn *= real(_YAW_GAIN, size)
    if p.act == CTBR:
        wx, wy = rates.tilt_rates(craft, p.inner, axis[0], axis[1], axis[2])
        action[0] = _bounded(share)
        action[1], action[2] = _bounded(wx / real(RATE_LIMITS[0], size)), _bounded(wy / real(RATE_LIMITS[1], size))
        action[3] = _bounded(turn / real(RATE_LIMITS[2], size))
    else:
        roll, pitch = angles_of(axis, heading)
        limit = real(TILT_LIMIT, size)
        action[0], action[1] = _bounded(roll / limit), _bounded(pitch / limit)
        action[2], action[3] = _bounded(turn / real(RATE_LIMITS[2], size)), _bounded(share)


@kernel
def _bounded(value):
    return np.float32(min(max(value, real(-1.0, value)), real(1.0, value)))
