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
    zero = real(0.0, p.dt)
    if p.act <= ONE_D:
        before = (craft.command[0], craft.command[1], craft.command[2], craft.command[3])
        geometric.control(craft, vehicle, p.pilot, position, velocity, acceleration, yaw)
        if p.act == MOTOR:
            for k in range(4):
                action[k] = np.float32(2.0 * craft.command[k] / vehicle.command_high - 1.0)
        else:
            scale, mean = 1.0 / (SHARE * vehicle.command_hover), zero
            for k in range(4):
                mean += 0.25 * craft.command[k]
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
        vx, vy, vz = velocity[0] + _APPROACH * x, velocity[1] + _APPROACH * y, velocity[2] + _APPROACH * z
        speed = fmath.sqrt(vx * vx + vy * vy + vz * vz)
        scale = 1.0 / max(speed, 1e-6)
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
    c, zero = craft.position, real(0.0, p.dt)
    x, y, z = place[0] - c[0], place[1] - c[1], place[2] - c[2]
    share = 1.0 / max(fmath.sqrt(x * x + y * y + z * z), 1.0)
    target, rest = (c[0] + share * x, c[1] + share * y, c[2] + share * z), (zero, zero, zero)
    steer(craft, vehicles[0], p, target, rest, rest, craft.heading, actions[0])


@kernel
def _lean(craft, vehicle, p, position, velocity, acceleration, yaw, action):
    """A thrust with body rates or angles."""
    fx, fy, fz = geometric.wanted_acceleration(craft, vehicle, p.pilot, position, velocity, acceleration)
    size = fmath.sqrt(fx * fx + fy * fy + fz * fz)
    axis = (fx / size, fy / size, fz / size)
    two = real(2.0, size)
    body = rotate_back(craft.attitude, axis)
    share = 2.0 * vehicle.mass * size * max(body[2], 0.0) / (4.0 * vehicle.max_rotor_thrust) - 1.0
    q = craft.attitude
    heading = fmath.atan2(2.0 * (q[1] * q[2] + q[0] * q[3]), 1.0 - 2.0 * (q[2] * q[2] + q[3] * q[3]))
    turn = yaw - heading
    straight = real(np.pi, size)
    if turn > np.pi:
        turn -= two * straight
    elif turn < -np.pi:
        turn += two * straight
    turn *= _YAW_GAIN
    if p.act == CTBR:
        wx, wy = rates.tilt_rates(craft, p.inner, axis[0], axis[1], axis[2])
        action[0] = _bounded(share)
        action[1], action[2] = _bounded(wx / real(RATE_LIMITS[0], size)), _bounded(wy / real(RATE_LIMITS[1], size))
        action[3] = _bounded(turn / real(RATE_LIMITS[2], size))
    else:
        roll, pitch = angles_of(axis, heading)
        action[0], action[1] = _bounded(roll / TILT_LIMIT), _bounded(pitch / TILT_LIMIT)
        action[2], action[3] = _bounded(turn / real(RATE_LIMITS[2], size)), _bounded(share)


@kernel
def _bounded(value):
    return np.float32(min(max(value, -1.0), 1.0))
