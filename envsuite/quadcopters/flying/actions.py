"""Kinds of action, from rotor speeds to waypoints. All are normalised to [-1, 1].

`motor`, `motor5` and `one_d` command rotor speeds; `ctbr` a collective thrust and body rates; `attitude` roll, pitch,
yaw rate and thrust; `vel` a direction and a share of the speed limit; `pid` a waypoint relative to the drone. The last
two go through the DSL PID controller where it knows the vehicle, else through the geometric controller.
"""

import numpy as np

from envsuite.core import fmath
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.core.layout import Block, Vector
from envsuite.quadcopters.attitude import rotate_back, to_euler
from envsuite.quadcopters.controllers import dsl_pid, geometric, rates
from envsuite.quadcopters.flying.settings import (
    ATTITUDE,
    CTBR,
    MOTOR,
    MOTOR5,
    ONE_D,
    RATE_LIMITS,
    TILT_LIMIT,
    VEL,
)
from envsuite.quadcopters.terms import delay

SHARE = 0.05  # an action of 1 of motor5 and one_d changes the rotor speed by this share of the hover speed

_THRUST = Block("thrust", 1, -1.0, 1.0, "", "collective, -1 none, 1 all that the motors have")
_LAYOUTS = {
    "motor": (Block("motors", 4, -1.0, 1.0, "", "-1 stops a motor, 1 is its largest speed"),),
    "motor5": (Block("motors", 4, -1.0, 1.0, "5 % of the hover speed", "away from it"),),
    "one_d": (Block("all motors", 1, -1.0, 1.0, "5 % of the hover speed", "away from it"),),
    "ctbr": (
        _THRUST,
        Block("roll rate", 1, -1.0, 1.0, f"{RATE_LIMITS[0]:g} rad/s", "body"),
        Block("pitch rate", 1, -1.0, 1.0, f"{RATE_LIMITS[1]:g} rad/s", "body"),
        Block("yaw rate", 1, -1.0, 1.0, f"{RATE_LIMITS[2]:g} rad/s", "body"),
    ),
    "attitude": (
        Block("roll", 1, -1.0, 1.0, "60 degrees", ""),
        Block("pitch", 1, -1.0, 1.0, "60 degrees", ""),
        Block("yaw rate", 1, -1.0, 1.0, f"{RATE_LIMITS[2]:g} rad/s", ""),
        _THRUST,
    ),
    "vel": (
        Block("direction", 3, -1.0, 1.0, "", "world; its length does not matter"),
        Block("speed", 1, -1.0, 1.0, "speed limit", "its size; the sign does not matter"),
    ),
    "pid": (Block("waypoint", 3, -1.0, 1.0, "m", "relative to the drone, world"),),
}


def action_layout(act: str) -> Vector:
    """What an action holds.

    Args:
        act: one of `settings.ACTS`.
    """
    return Vector(_LAYOUTS[act], out_of_range="clip")


@kernel
def remember(craft, action):
    """Put an action in the queue, and note how much it differs from the last."""
    delay.push(craft.past, action)
    total = np.float32(0.0)
    for k in range(action.shape[0]):
        step = action[k] - craft.last_action[k]
        total += step * step
        craft.last_action[k] = action[k]
    craft.change = total


@kernel
def decide(craft, vehicle, p, action):
    """What is settled once a control step: rotor speeds of open-loop actions and of the DSL PID controller."""
    one = real(1.0, p.dt)
    if p.act == MOTOR:
        for k in range(4):
            craft.wanted[k] = 0.5 * vehicle.command_high * (one * action[k] + one)
    elif p.act == MOTOR5 or p.act == ONE_D:
        for k in range(4):
            share = action[0] if p.act == ONE_D else action[k]
            speed = vehicle.command_hover * (1.0 + real(SHARE, p.dt) * share)
            craft.wanted[k] = min(speed, vehicle.command_high)
    elif p.act == ATTITUDE:
        craft.heading = _wrapped(craft.heading + real(RATE_LIMITS[2], p.dt) * action[2] * p.control_step)
    elif p.act > ATTITUDE and p.through_dsl:
        zero, position = real(0.0, p.dt), craft.position
        velocity, place, yaw = (zero, zero, zero), (position[0], position[1], position[2]), craft.heading
        if p.act == VEL:
            velocity = velocity_of(p, action)
        else:
            place = (
                position[0] + p.reach * action[0],
                position[1] + p.reach * action[1],
                position[2] + p.reach * action[2],
            )
        dsl_pid.control(craft, vehicle, p.dsl, craft.pid, place, velocity, yaw, p.control_step)
        for k in range(4):
            craft.wanted[k] = craft.command[k]
    if p.act > ATTITUDE and not p.through_dsl and p.act != VEL:
        for k in range(3):  # the waypoint stays in the world while the drone moves on
            craft.wanted[k] = craft.position[k] + p.reach * action[k]


@kernel
def stabilize(craft, vehicle, p, action):
    """What is settled once a physics step: the loops inside an action; writes the commands."""
    zero = real(0.0, p.dt)
    if p.act == CTBR:
        thrust = thrust_of(vehicle, action[0])
        wx, wy = real(RATE_LIMITS[0], zero) * action[1], real(RATE_LIMITS[1], zero) * action[2]
        rates.hold_rates(craft, vehicle, p.inner, thrust, wx, wy, real(RATE_LIMITS[2], zero) * action[3])
    elif p.act == ATTITUDE:
        _hold_attitude(craft, vehicle, p, action)
    elif p.act > ATTITUDE and not p.through_dsl:
        velocity, place = (zero, zero, zero), (craft.wanted[0], craft.wanted[1], craft.wanted[2])
        if p.act == VEL:
            velocity = velocity_of(p, action)
            place = (craft.position[0], craft.position[1], craft.position[2])
        if p.angles:
            _follow_angles(craft, vehicle, p, place, velocity)
        else:
            geometric.control(craft, vehicle, p.outer, place, velocity, (zero, zero, zero), craft.heading)
    else:
        for k in range(4):
            craft.command[k] = craft.wanted[k]


@kernel
def thrust_of(vehicle, share):
    """Collective thrust, N, of a normalised action."""
    half = real(0.5, vehicle.mass)  # shares are of single precision, the physics may not be
    return (half * share + half) * 4.0 * vehicle.max_rotor_thrust


@kernel
def velocity_of(p, action):
    """Velocity, m/s, world, of a vel action; none where the direction is zero."""
    one = real(1.0, p.dt)
    x, y, z = one * action[0], one * action[1], one * action[2]
    size = fmath.sqrt(x * x + y * y + z * z)
    scale = p.speed_limit * abs(one * action[3]) / size if size > 0.0 else real(0.0, p.dt)
    return x * scale, y * scale, z * scale


@kernel
def axis_of(roll, pitch, yaw):
    """The body's z axis, world, of Euler angles."""
    sr, cr = fmath.sincos(roll)
    sp, cp = fmath.sincos(pitch)
    sy, cy = fmath.sincos(yaw)
    return cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr


@kernel
def angles_of(axis, yaw):
    """Roll and pitch that point the body's z axis along a unit vector, world, at a yaw."""
    sy, cy = fmath.sincos(yaw)
    forward, left = cy * axis[0] + sy * axis[1], cy * axis[1] - sy * axis[0]
    roll = fmath.asin(min(max(-left, -1.0), 1.0))
    return roll, fmath.atan2(forward, axis[2])


@kernel
def command_angles(craft, vehicle, p, roll, pitch, yaw, thrust):
    """Command the `rpy` model so that it settles at the angles (rad), with a thrust (N) that it delivers."""
    a = vehicle.attitude_response
    craft.command[0] = -roll * a[0, 0] / a[0, 2]
    craft.command[1] = -pitch * a[1, 0] / a[1, 2]
    # the model's yaw lives in (-pi, pi]; the shorter way round
    craft.command[2] = -(yaw + _turns(to_euler(craft.attitude)[2] - yaw)) * a[2, 0] / a[2, 2]
    low, high = 4.0 * vehicle.thrust_range[0], 4.0 * vehicle.thrust_range[1]
    craft.command[3] = min(max(thrust / vehicle.thrust_gain[p.form], low), high)


@kernel
def _turns(angle):
    """The whole turns, rad, in an angle."""
    return angle - _wrapped(angle)


@kernel
def _wrapped(angle):
    """An angle of at most 3 pi, within [-pi, pi]."""
    if angle > np.pi:
        return angle - (2 * np.pi)
    if angle < -np.pi:
        return angle + (2 * np.pi)
    return angle


@kernel
def _hold_attitude(craft, vehicle, p, action):
    limit = real(TILT_LIMIT, p.dt)
    roll, pitch, thrust = limit * action[0], limit * action[1], thrust_of(vehicle, action[3])
    if p.angles:
        command_angles(craft, vehicle, p, roll, pitch, craft.heading, thrust)
        return
    yaw = to_euler(craft.attitude)[2]
    axis = axis_of(roll, pitch, yaw)
    wx, wy = rates.tilt_rates(craft, p.inner, axis[0], axis[1], axis[2])
    # the yaw rate of the horizon, seen from the tilted body
    turn = real(RATE_LIMITS[2], p.dt) * action[2]
    up = rotate_back(craft.attitude, (real(0.0, turn), real(0.0, turn), turn))
    rates.hold_rates(craft, vehicle, p.inner, thrust, wx + up[0], wy + up[1], up[2])


@kernel
def _follow_angles(craft, vehicle, p, place, velocity):
    zero = real(0.0, p.dt)
    fx, fy, fz = geometric.wanted_acceleration(craft, vehicle, p.outer, place, velocity, (zero, zero, zero))
    size = fmath.sqrt(fx * fx + fy * fy + fz * fz)
    roll, pitch = angles_of((fx / size, fy / size, fz / size), craft.heading)
    command_angles(craft, vehicle, p, roll, pitch, craft.heading, vehicle.mass * size)
