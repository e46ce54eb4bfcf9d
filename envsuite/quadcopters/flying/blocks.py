"""Pieces of observations, of the critic's privileged vector, of metrics and of crash rules that tasks share."""

import numpy as np
from numba.core import types
from numba.extending import overload, register_jitable

from envsuite.core import fmath
from envsuite.core.declare import Record, field
from envsuite.core.jit import kernel
from envsuite.core.layout import Block
from envsuite.quadcopters.attitude import rotate_back, to_matrix, up
from envsuite.quadcopters.flying.actions import action_layout

FAR = 20.0  # m
FAST = 50.0  # m/s
SPINNING = 200.0  # rad/s
PRIVILEGED = 31
MOTORS_AT = 27  # in the privileged vector

OFFSET = Block("position error", 3, -FAR, FAR, "m", "from the reference, world frame")
ROTATION = Block("rotation matrix", 9, -1.01, 1.01, "", "body to world, row by row")
VELOCITY = Block("velocity", 3, -FAST, FAST, "m/s", "world frame")
RATES = Block("angular velocity", 3, -SPINNING, SPINNING, "rad/s", "body frame")


class DroneInfo(Record):
    """The metrics that all tasks have."""

    distance = field(unit="m", meaning="from the reference", type=np.float32)
    speed = field(unit="m/s", type=np.float32)
    tilt = field(unit="rad", type=np.float32)
    impact_speed = field(unit="m/s", meaning="hardest contact with the floor so far", type=np.float32)
    contact = field(type=np.bool_, meaning="touched the floor in this step")
    crashed = field(type=np.bool_)
    is_success = field(type=np.bool_)
    privileged = field(type=np.float32, shape=PRIVILEGED, meaning="for an asymmetric critic, see `put_privileged`")


def last_action(act: str) -> Block:
    """The block of the last action."""
    size = action_layout(act).shape[0]
    return Block("last action", size, -1.0, 1.0, "", "")


def action_history(act: str, steps: int) -> Block:
    """The block of the last actions.

    Args:
        act: kind of action.
        steps: how many.
    """
    size = action_layout(act).shape[0]
    return Block("action history", size * steps, -1.0, 1.0, "", f"the last {steps} actions, oldest first")


@kernel
def put_row(block, row, vector, limit):
    """Write three numbers within +-limit into the given row of a block of such rows."""
    edge = np.float32(limit)
    for k in range(3):
        block[3 * row + k] = min(max(np.float32(vector[k]), -edge), edge)


@kernel
def put(block, vector, limit):
    """Write three numbers within +-limit."""
    put_row(block, 0, vector, limit)


@kernel
def put_offset(block, point, reference, limit):
    """Write a point (m) relative to another, within +-limit."""
    put_row(block, 0, _minus(point, reference), limit)


@kernel
def put_rotation(block, attitude):
    """Write the rotation matrix of an attitude, row by row."""
    m = to_matrix(attitude)
    for k in range(9):
        block[k] = m[k]


@register_jitable  # not a kernel: Numba would take an observation that begins as another does for a subtype of it
def put_kinematics(o, seen, reference, velocity):
    """Write error, rotation matrix, velocity error and rates, as sensed.

    Args:
        o: observation with the blocks `OFFSET`, `ROTATION`, `VELOCITY` and `RATES`.
        seen: a `terms.sensors.Reading`.
        reference: m, world, three numbers.
        velocity: m/s, world, three numbers: of the reference.
    """
    put_offset(o.position_error, seen.position, reference, FAR)
    put_rotation(o.rotation_matrix, seen.attitude)
    put_offset(o.velocity, seen.velocity, velocity, FAST)
    put(o.angular_velocity, seen.rates, SPINNING)


def put_action(o, action):
    """Write the first numbers of an action into the block `last_action`, which is no array where it has one."""
    if np.ndim(o["last_action"]):
        o["last_action"] = action[: len(o["last_action"])]
    else:
        o["last_action"] = action[0]


@overload(put_action)
def _put_action(o, action):
    def one(o, action):
        o.last_action = action[0]

    def several(o, action):
        for k in range(len(o.last_action)):
            o.last_action[k] = action[k]

    return several if isinstance(o.typeof("last_action"), types.NestedArray) else one


def put_history(o, history, oldest):
    """Write actions from a ring, oldest first, into the block `action_history`, which may be no array either.

    Args:
        o: observation.
        history: the actions, twice in a row, (2 * length, 4).
        oldest: first row.
    """
    rows = len(history) // 2
    if np.ndim(o["action_history"]):
        o["action_history"] = history[oldest : oldest + rows, : len(o["action_history"]) // rows].ravel()
    else:
        o["action_history"] = history[oldest, 0]


@overload(put_history)
def _put_history(o, history, oldest):
    def one(o, history, oldest):
        o.action_history = history[oldest, 0]

    def several(o, history, oldest):
        rows = history.shape[0] // 2
        size = len(o.action_history) // rows
        for i in range(rows):
            for k in range(size):
                o.action_history[size * i + k] = history[oldest + i, k]

    return several if isinstance(o.typeof("action_history"), types.NestedArray) else one


@kernel
def body_point(seen, point):
    """A point (m, world) as the drone sees it, in its body frame."""
    return rotate_back(seen.attitude, _minus(point, seen.position))


@kernel
def put_privileged(out, craft, vehicle, p, reference, velocity):
    """Write the true state, the disturbances and the rotor speeds for a critic.

    Errors of position and velocity, rotation matrix, rates; external force per weight, torque per N of weight, wind
    (m/s), and rotor speeds in [-1, 1] (under `rpy` zero but for the thrust per weight).
    """
    put_row(out, 0, _minus(craft.position, reference), FAR)
    put_rotation(out[3:12], craft.attitude)
    put_row(out, 4, _minus(craft.velocity, velocity), FAST)
    put_row(out, 5, craft.rates, SPINNING)
    lightness = 1.0 / (vehicle.mass * vehicle.gravity)
    for k in range(3):
        out[18 + k] = craft.force[k] * lightness
        out[21 + k] = craft.torque[k] * lightness
        out[24 + k] = craft.wind[k]
    for k in range(4):
        out[27 + k] = 0.0 if p.angles else 2.0 * craft.rotor_speed[k] / vehicle.command_high - 1.0
    if p.angles:
        out[27] = craft.rotor_speed[0] * lightness


@kernel
def _minus(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel
def norm(x, y, z):
    """Length of a vector."""
    return fmath.sqrt(x * x + y * y + z * z)


@kernel
def distance_to(craft, point):
    """From the drone to a point, m."""
    c = craft.position
    return norm(c[0] - point[0], c[1] - point[1], c[2] - point[2])


@kernel
def speed_of(craft):
    """m/s."""
    return norm(craft.velocity[0], craft.velocity[1], craft.velocity[2])


@kernel
def tilt_cost(craft):
    """1 - R33: 0 level, 2 upside down."""
    return 1.0 - up(craft.attitude)[2]


@kernel
def tilt_of(craft):
    """Angle between the body's z axis and the vertical, rad."""
    axis = up(craft.attitude)
    return fmath.atan2(fmath.sqrt(axis[0] * axis[0] + axis[1] * axis[1]), axis[2])


@kernel
def outside(craft, low, high):
    """Whether the drone is outside a box of two corners (m); a position that is not a number is outside too."""
    p = craft.position
    inside = p[0] >= low[0] and p[0] <= high[0] and p[1] >= low[1] and p[1] <= high[1]
    return not (inside and p[2] >= low[2] and p[2] <= high[2])


@kernel
def measure(info, craft, vehicle, p, reference, velocity):
    """Write the metrics that all tasks have, but for `crashed` and `is_success`."""
    info.distance = distance_to(craft, reference)
    info.speed = speed_of(craft)
    info.tilt = tilt_of(craft)
    info.impact_speed = craft.impact_speed
    info.contact = craft.contact
    put_privileged(info.privileged, craft, vehicle, p, reference, velocity)
