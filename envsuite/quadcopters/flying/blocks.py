"""Pieces of observations, of the critic's privileged vector, of metrics and of crash rules that tasks share."""

import numpy as np

from envsuite.core import fmath
from envsuite.core.fmath import real
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
KINEMATICS = 18  # elements of these four

INFO_FIELDS = [
    ("distance", np.float32),  # m, from the reference
    ("speed", np.float32),  # m/s
    ("tilt", np.float32),  # rad
    ("impact_speed", np.float32),  # m/s, hardest contact with the floor so far
    ("contact", np.bool_),  # touched the floor in this step
    ("crashed", np.bool_),
    ("is_success", np.bool_),
    ("privileged", np.float32, (PRIVILEGED,)),  # for an asymmetric critic
]


def last_action(act: str) -> Block:
    """The block of the last action."""
    size = action_layout(act).shape[0]
    return Block("last action", size, -1.0, 1.0, "", "")


@kernel
def put(out, at, vector, limit):
    """Write three numbers within +-limit; returns the index after them."""
    edge = np.float32(limit)
    for k in range(3):
        out[at + k] = min(max(np.float32(vector[k]), -edge), edge)
    return at + 3


@kernel
def put_kinematics(out, seen, reference, velocity):
    """Write error, rotation matrix, velocity error and rates to the first 18 elements, as sensed.

    Args:
        out: float32 array.
        seen: record of `terms.sensors.reading_dtype`.
        reference: m, world, three numbers.
        velocity: m/s, world, three numbers: of the reference.

    Returns:
        The index after them.
    """
    x, v = seen.position, seen.velocity
    put(out, 0, (x[0] - reference[0], x[1] - reference[1], x[2] - reference[2]), FAR)
    m = to_matrix(seen.attitude)
    for k in range(9):
        out[3 + k] = np.float32(m[k])
    put(out, 12, (v[0] - velocity[0], v[1] - velocity[1], v[2] - velocity[2]), FAST)
    return put(out, 15, seen.rates, SPINNING)


@kernel
def put_action(out, at, craft, size):
    """Write the last action; returns the index after it."""
    for k in range(size):
        out[at + k] = craft.last_action[k]
    return at + size


@kernel
def put_point(out, at, seen, point):
    """Write a point (m, world) as the drone sees it, in its body frame; returns the index after it."""
    x = seen.position
    return put(out, at, rotate_back(seen.attitude, (point[0] - x[0], point[1] - x[1], point[2] - x[2])), FAR)


@kernel
def put_privileged(out, craft, vehicle, p, reference, velocity):
    """Write the true state, the disturbances and the rotor speeds for a critic.

    Errors of position and velocity, rotation matrix, rates; external force per weight, torque per N of weight, wind
    (m/s), and rotor speeds in [-1, 1] (under `rpy` zero but for the thrust per weight).
    """
    x, v = craft.position, craft.velocity
    put(out, 0, (x[0] - reference[0], x[1] - reference[1], x[2] - reference[2]), FAR)
    m = to_matrix(craft.attitude)
    for k in range(9):
        out[3 + k] = np.float32(m[k])
    put(out, 12, (v[0] - velocity[0], v[1] - velocity[1], v[2] - velocity[2]), FAST)
    put(out, 15, craft.rates, SPINNING)
    lightness = real(1.0, p.dt) / (vehicle.mass * vehicle.gravity)
    for k in range(3):
        out[18 + k] = np.float32(craft.force[k] * lightness)
        out[21 + k] = np.float32(craft.torque[k] * lightness)
        out[24 + k] = np.float32(craft.wind[k])
    for k in range(4):
        speed = real(2.0, p.dt) * craft.rotor_speed[k] / vehicle.command_high - real(1.0, p.dt)
        out[27 + k] = np.float32(0.0) if p.angles else np.float32(speed)
    if p.angles:
        out[27] = np.float32(craft.rotor_speed[0] * lightness)


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
    return real(1.0, craft.downwash) - up(craft.attitude)[2]


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
    info.distance = np.float32(distance_to(craft, reference))
    info.speed = np.float32(speed_of(craft))
    info.tilt = np.float32(tilt_of(craft))
    info.impact_speed = np.float32(craft.impact_speed)
    info.contact = craft.contact
    put_privileged(info.privileged, craft, vehicle, p, reference, velocity)
