"""Rotations, and products of spatial vectors and inertias, on short arrays."""

from envsuite.core import kernel, real
from envsuite.core.fmath import sqrt
from envsuite.rigid.fours import anywhere, choose

TINY = 1e-15
"""MuJoCo's smallest number (mjMINVAL)."""


@kernel
def multiply(aw, ax, ay, az, b):
    """Product of two quaternions, the first number by number."""
    return (
        aw * b[0] - ax * b[1] - ay * b[2] - az * b[3],
        aw * b[1] + ax * b[0] + ay * b[3] - az * b[2],
        aw * b[2] - ax * b[3] + ay * b[0] + az * b[1],
        aw * b[3] + ax * b[2] - ay * b[1] + az * b[0],
    )


@kernel
def normalise(q):
    """Bring a quaternion to unit length in place; one without length becomes no rotation.

    Returns:
        Whether it has changed.
    """
    length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    off = abs(length - 1.0) > TINY
    if not anywhere(off):
        return False
    lost = length < TINY
    q[0] = choose(lost, real(1.0, q), choose(off, q[0] / length, q[0]))
    for k in range(1, 4):
        q[k] = choose(lost, real(0.0, q), choose(off, q[k] / length, q[k]))
    return True


@kernel
def set_matrix(r, w, x, y, z):
    """Write the rotation matrix of a unit quaternion, row by row."""
    r[0] = w * w + x * x - y * y - z * z
    r[4] = w * w - x * x + y * y - z * z
    r[8] = w * w - x * x - y * y + z * z
    r[1], r[2] = 2 * (x * y - w * z), 2 * (x * z + w * y)
    r[3], r[5] = 2 * (x * y + w * z), 2 * (y * z - w * x)
    r[6], r[7] = 2 * (x * z - w * y), 2 * (y * z + w * x)


@kernel
def rotate(r, v):
    """Matrix times vector."""
    return (
        r[0] * v[0] + r[1] * v[1] + r[2] * v[2],
        r[3] * v[0] + r[4] * v[1] + r[5] * v[2],
        r[6] * v[0] + r[7] * v[1] + r[8] * v[2],
    )


@kernel
def rotate_back(r, x, y, z):
    """Transposed matrix times vector."""
    return (
        r[0] * x + r[3] * y + r[6] * z,
        r[1] * x + r[4] * y + r[7] * z,
        r[2] * x + r[5] * y + r[8] * z,
    )


@kernel
def dot3(a, b):
    """Product of two vectors."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def dot6(a, b):
    """Product of a motion and a force."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5]


@kernel
def momentum(inertia, v):
    """Spatial inertia (10 numbers) times motion."""
    i, mx, my, mz, mass = inertia, inertia[6], inertia[7], inertia[8], inertia[9]
    return (
        i[0] * v[0] + i[3] * v[1] + i[4] * v[2] + my * v[5] - mz * v[4],
        i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + mz * v[3] - mx * v[5],
        i[4] * v[0] + i[5] * v[1] + i[2] * v[2] + mx * v[4] - my * v[3],
        mz * v[1] - my * v[2] + mass * v[3],
        mx * v[2] - mz * v[0] + mass * v[4],
        my * v[0] - mx * v[1] + mass * v[5],
    )


@kernel
def cross_motion(v, u):
    """Rate of change of an axis `u` that moves with `v`."""
    return (
        v[1] * u[2] - v[2] * u[1],
        v[2] * u[0] - v[0] * u[2],
        v[0] * u[1] - v[1] * u[0],
        v[1] * u[5] - v[2] * u[4] + v[4] * u[2] - v[5] * u[1],
        v[2] * u[3] - v[0] * u[5] + v[5] * u[0] - v[3] * u[2],
        v[0] * u[4] - v[1] * u[3] + v[3] * u[1] - v[4] * u[0],
    )


@kernel
def cross_force(v, f):
    """Rate of change of a momentum `f` that moves with `v`."""
    return (
        v[1] * f[2] - v[2] * f[1] + v[4] * f[5] - v[5] * f[4],
        v[2] * f[0] - v[0] * f[2] + v[5] * f[3] - v[3] * f[5],
        v[0] * f[1] - v[1] * f[0] + v[3] * f[4] - v[4] * f[3],
        v[1] * f[5] - v[2] * f[4],
        v[2] * f[3] - v[0] * f[5],
        v[0] * f[4] - v[1] * f[3],
    )
