"""Rotations and poses as plain numbers, for what is computed once a scene.

Sums are written out and elementary functions are the core's, so that constants are the same bits on every machine.
"""

from collections.abc import Sequence
from math import sqrt

from envsuite.core import fmath

Numbers = Sequence[float]
Vector3 = tuple[float, ...]
Quaternion = tuple[float, ...]

IDENTITY: Quaternion = (1.0, 0.0, 0.0, 0.0)


def dot(a: Numbers, b: Numbers) -> float:
    """Scalar product, summed from the first entry on."""
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total += x * y
    return total


def norm(a: Numbers) -> float:
    """Euclidean length."""
    return sqrt(dot(a, a))


def cross(a: Numbers, b: Numbers) -> Vector3:
    """Vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def unit(a: Numbers) -> tuple[float, ...]:
    """A vector of length 1; the same bits where it has it already, but for rounding."""
    length = norm(a)
    return tuple(x / length for x in a) if abs(length - 1.0) > 1e-15 else tuple(a)


def multiply(a: Numbers, b: Numbers) -> Quaternion:
    """Product of quaternions: first the rotation `b`, then `a`."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


def inverse(q: Numbers) -> Quaternion:
    """Of a unit quaternion."""
    return q[0], -q[1], -q[2], -q[3]


def matrix(q: Numbers) -> tuple[Vector3, Vector3, Vector3]:
    """Rows of the rotation matrix of a unit quaternion."""
    w, x, y, z = q
    return (
        (w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z),
    )


def quaternion(rows: Sequence[Numbers]) -> Quaternion:
    """Unit quaternion of a rotation matrix, by its largest component."""
    (a, b, c), (d, e, f), (g, h, i) = rows
    squares = (1 + a + e + i, 1 + a - e - i, 1 - a + e - i, 1 - a - e + i)
    largest = squares.index(max(squares))
    s = sqrt(squares[largest])
    found = (
        (s, (h - f) / s, (c - g) / s, (d - b) / s),
        ((h - f) / s, s, (b + d) / s, (c + g) / s),
        ((c - g) / s, (b + d) / s, s, (f + h) / s),
        ((d - b) / s, (c + g) / s, (f + h) / s, s),
    )[largest]
    return unit(found)


def rotate(q: Numbers, v: Numbers) -> Vector3:
    """A vector turned by a unit quaternion."""
    x, y, z = matrix(q)
    return dot(x, v), dot(y, v), dot(z, v)


def add(a: Numbers, b: Numbers) -> Vector3:
    """Sum of two vectors."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def subtract(a: Numbers, b: Numbers) -> Vector3:
    """Difference of two vectors."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def turn(axis: Numbers, angle: float) -> Quaternion:
    """The rotation by an angle, in rad, about an axis of length 1."""
    s, c = (float(one) for one in fmath.sincos(0.5 * angle))
    return c, s * axis[0], s * axis[1], s * axis[2]


def from_euler(angles: Numbers, sequence: str = "xyz") -> Quaternion:
    """Rotations one after the other.

    Args:
        angles: three, in rad.
        sequence: the axes: small letters turn with the body, capitals do not.
    """
    q = IDENTITY
    for angle, letter in zip(angles, sequence, strict=True):
        axis = [0.0, 0.0, 0.0]
        axis["xyz".index(letter.lower())] = 1.0
        one = turn(axis, angle)
        q = multiply(q, one) if letter.islower() else multiply(one, q)
    return q


def from_z(direction: Numbers) -> Quaternion:
    """The shortest rotation that takes the z axis to a direction of length 1."""
    x, y, z = direction
    sine = sqrt(x * x + y * y)
    axis = (-y / sine, x / sine, 0.0) if sine >= 1e-10 else (1.0, 0.0, 0.0)
    return turn(axis, float(fmath.atan2(sine, z)))
