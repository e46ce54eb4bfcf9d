"""Rotations: unit quaternions (w, x, y, z) that map the body frame to the world frame.

Every function takes anything that can be indexed (a field of a record or a tuple) and returns a tuple of
scalars of the same type. Euler angles are roll, pitch, yaw with R = Rz(yaw) Ry(pitch) Rx(roll).
"""

import numpy as np

from envsuite.core import fmath
from envsuite.core.fmath import real
from envsuite.core.jit import kernel

GIMBAL_LOCK = 0.99999
"""Sine of the pitch from which PyBullet takes the attitude for gimbal lock."""


@kernel
def multiply(p, q):
    """Hamilton product p q: the rotation q followed by p."""
    return (
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    )


@kernel
def normalize(q):
    """The unit quaternion in the direction of q; q must not be zero."""
    scale = 1.0 / fmath.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return q[0] * scale, q[1] * scale, q[2] * scale, q[3] * scale


@kernel
def rotate(q, v):
    """The body vector v in world coordinates."""
    cx = 2.0 * (q[2] * v[2] - q[3] * v[1])
    cy = 2.0 * (q[3] * v[0] - q[1] * v[2])
    cz = 2.0 * (q[1] * v[1] - q[2] * v[0])
    return (
        v[0] + q[0] * cx + q[2] * cz - q[3] * cy,
        v[1] + q[0] * cy + q[3] * cx - q[1] * cz,
        v[2] + q[0] * cz + q[1] * cy - q[2] * cx,
    )


@kernel
def rotate_back(q, v):
    """The world vector v in body coordinates."""
    return rotate((q[0], -q[1], -q[2], -q[3]), v)


@kernel
def up(q):
    """The body's z axis in world coordinates: the last column of the rotation matrix."""
    return (
        2.0 * (q[1] * q[3] + q[0] * q[2]),
        2.0 * (q[2] * q[3] - q[0] * q[1]),
        1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]),
    )


@kernel
def to_matrix(q):
    """The rotation matrix, row by row: nine numbers."""
    return (
        1.0 - 2.0 * (q[2] * q[2] + q[3] * q[3]),
        2.0 * (q[1] * q[2] - q[0] * q[3]),
        2.0 * (q[1] * q[3] + q[0] * q[2]),
        2.0 * (q[1] * q[2] + q[0] * q[3]),
        1.0 - 2.0 * (q[1] * q[1] + q[3] * q[3]),
        2.0 * (q[2] * q[3] - q[0] * q[1]),
        2.0 * (q[1] * q[3] - q[0] * q[2]),
        2.0 * (q[2] * q[3] + q[0] * q[1]),
        1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]),
    )


@kernel
def from_rotation_vector(v):
    """The rotation about v by |v| radians."""
    square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
    angle = fmath.sqrt(square)
    half = 0.5 * angle
    sine, cosine = fmath.sincos(half)
    # sin(|v|/2)/|v| by its series where the division would lose digits; the next term is below 1e-16
    if angle < 1e-3:
        scale = 0.5 - square * (1.0 / 48.0)
    else:
        scale = sine / angle
    return cosine, v[0] * scale, v[1] * scale, v[2] * scale


@kernel
def to_euler(q):
    """Roll, pitch and yaw, as PyBullet's `getEulerFromQuaternion` has them, gimbal lock included."""
    sine = 2.0 * (q[0] * q[2] - q[1] * q[3])
    right_angle = real(0.5 * np.pi, q[0])
    if sine >= GIMBAL_LOCK:
        return real(0.0, q[0]), right_angle, 2.0 * fmath.atan2(-q[1], q[2])
    if sine <= -GIMBAL_LOCK:
        return real(0.0, q[0]), -right_angle, 2.0 * fmath.atan2(q[1], -q[2])
    roll = fmath.atan2(2.0 * (q[2] * q[3] + q[0] * q[1]), 1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]))
    yaw = fmath.atan2(2.0 * (q[1] * q[2] + q[0] * q[3]), 1.0 - 2.0 * (q[2] * q[2] + q[3] * q[3]))
    return roll, fmath.asin(sine), yaw


@kernel
def from_euler(roll, pitch, yaw):
    """The quaternion of roll, pitch and yaw."""
    sr, cr = fmath.sincos(0.5 * roll)
    sp, cp = fmath.sincos(0.5 * pitch)
    sy, cy = fmath.sincos(0.5 * yaw)
    return (
        cr * cp * cy + sr * sp * sy,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
    )
