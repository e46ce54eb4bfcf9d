"""Mass and inertia of shapes and bodies.

Formulas for homogeneous solids; the capsule's is that of its cylinder and of two halves of a sphere at their place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi, sqrt

from envsuite.rigid.model import Body, Geom, Inertial, Scene
from envsuite.rigid.poses import (
    IDENTITY,
    Quaternion,
    Vector3,
    add,
    dot,
    from_euler,
    from_z,
    matrix,
    multiply,
    norm,
    subtract,
    unit,
)

Symmetric = tuple[float, ...]

CLOSE = 1e-12  # eigEPS of MuJoCo
LIGHTEST = 1e-14  # kg; lighter shapes do not count (mjEPS)


@dataclass(frozen=True)
class Shape:
    """A geom with its sizes and pose worked out.

    Attributes:
        size: three numbers, 0 where unused.
        pos: in the body, in m.
        quat: in the body.
        mass: in kg.
        moments: principal, in its own frame, in kg m^2.
        rbound: radius of the bounding sphere, in m; 0 for planes.
    """

    size: Vector3
    pos: Vector3
    quat: Quaternion
    mass: float
    moments: Vector3
    rbound: float


@dataclass(frozen=True)
class Solid:
    """Mass distribution of a body.

    Attributes:
        mass: in kg.
        pos: centre of mass in the body, in m.
        quat: principal axes in the body.
        moments: principal, in kg m^2.
        tensor: about the centre of mass, in body axes: xx, yy, zz, xy, xz, yz.
    """

    mass: float
    pos: Vector3
    quat: Quaternion
    moments: Vector3
    tensor: Symmetric


def orientation(part: Geom | Body) -> Quaternion:
    """Unit quaternion of what has `quat` or `euler`."""
    if part.euler is not None:
        return from_euler(part.euler)
    return IDENTITY if part.quat is None else unit(part.quat)


def shape(geom: Geom) -> Shape:
    """Sizes, pose and mass of a geom.

    Args:
        geom: checked.
    """
    a, b, c = [*_sizes(geom), 0.0, 0.0, 0.0][:3]
    pos, quat = tuple(geom.pos), orientation(geom)
    if geom.fromto is not None:
        start, end = geom.fromto[:3], geom.fromto[3:]
        along = subtract(start, end)
        pos, quat, b = tuple(0.5 * one for one in add(start, end)), from_z(unit(along)), 0.5 * norm(along)
    if geom.type in ("sphere", "capsule", "cylinder"):
        b, c = 0.0 if geom.type == "sphere" else b, 0.0
    volume = _volume(geom.type, a, b, c)
    mass = volume * geom.density if geom.mass is None else geom.mass
    mass = 0.0 if geom.type == "plane" else mass
    moments = tuple(mass * one for one in _moments(geom.type, a, b, c))
    reach = {"plane": 0.0, "sphere": a, "capsule": a + b}.get(geom.type, sqrt(a * a + b * b + c * c))
    return Shape((a, b, c), pos, quat, mass, moments, reach)


def _sizes(geom: Geom) -> Sequence[float]:
    return geom.size if isinstance(geom.size, Sequence) else (geom.size,)


def _volume(kind: str, a: float, b: float, c: float) -> float:
    if kind == "box":
        return 8 * a * b * c
    ball, tube = 4 / 3 * pi * a * a * a, 2 * pi * a * a * b
    return {"plane": 0.0, "sphere": ball, "capsule": ball + tube, "cylinder": tube}[kind]


def _moments(kind: str, a: float, b: float, c: float) -> Vector3:
    """Principal moments of a shape of mass 1."""
    if kind == "box":
        return (b * b + c * c) / 3, (a * a + c * c) / 3, (a * a + b * b) / 3
    ball, disc, rod = 0.4 * a * a, 0.5 * a * a, (3 * a * a + 4 * b * b) / 12
    if kind == "cylinder":
        return rod, rod, disc
    if kind == "capsule":
        # Parts of the mass in the cylinder and in the caps.
        tube = 2 * b / (2 * b + 4 / 3 * a)
        caps = 1 - tube
        side = tube * rod + caps * (ball + b * (0.75 * a + b))
        return side, side, tube * disc + caps * ball
    return (ball, ball, ball) if kind == "sphere" else (0.0, 0.0, 0.0)


def solid(body: Body, shapes: Sequence[Shape], scene: Scene) -> Solid:
    """Mass distribution of a body, from its `inertial` or its geoms.

    Args:
        body: checked.
        shapes: of its geoms.
        scene: with the bounds of masses and moments.

    Raises:
        ValueError: no body has these moments.
    """
    found = (
        _given(body.inertial) if body.inertial else _of_shapes(body, [one for one in shapes if one.mass >= LIGHTEST])
    )
    low = scene.boundinertia
    moments = tuple(max(one, low) for one in found.moments)
    a, b, c = sorted(moments)
    if a < 0:
        raise ValueError(f"body {body.name!r}: moments of inertia are {moments}, expected none below 0")
    if a + b < c - 1e-14:
        if not scene.balanceinertia:
            raise ValueError(
                f"body {body.name!r}: moments of inertia are {moments}, expected none above the sum of the two others"
            )
        moments = ((a + b + c) / 3,) * 3
    tensor = found.tensor if moments == found.moments else turned(moments, found.quat)
    return Solid(max(found.mass, scene.boundmass), found.pos, found.quat, moments, tensor)


def scaled(one: Solid, factor: float) -> Solid:
    """A solid with all masses times a factor."""
    return Solid(
        one.mass * factor,
        one.pos,
        one.quat,
        tuple(x * factor for x in one.moments),
        tuple(x * factor for x in one.tensor),
    )


def _given(given: Inertial) -> Solid:
    if given.fullinertia is not None:
        tensor = tuple(given.fullinertia)
        moments, quat = principal(tensor)
        return Solid(given.mass, tuple(given.pos), quat, moments, turned(moments, quat))
    moments, quat = tuple(given.diaginertia or (0.0, 0.0, 0.0)), unit(given.quat)
    return Solid(given.mass, tuple(given.pos), quat, moments, turned(moments, quat))


def _of_shapes(body: Body, shapes: Sequence[Shape]) -> Solid:
    if not shapes:
        # Where MuJoCo puts the centre of what has no mass; it matters to `boundmass` alone.
        return Solid(0.0, tuple(body.pos), orientation(body), (0.0, 0.0, 0.0), (0.0,) * 6)
    if len(shapes) == 1:
        one = shapes[0]
        return Solid(one.mass, one.pos, one.quat, one.moments, turned(one.moments, one.quat))
    mass, moved = 0.0, (0.0, 0.0, 0.0)
    for one in shapes:
        mass += one.mass
        moved = add(moved, tuple(one.mass * x for x in one.pos))
    centre = tuple(x / mass for x in moved)
    total = (0.0,) * 6
    for one in shapes:
        about = shifted(turned(one.moments, one.quat), one.mass, subtract(one.pos, centre))
        total = tuple(x + y for x, y in zip(total, about, strict=True))
    moments, quat = principal(total)
    return Solid(mass, centre, quat, moments, turned(moments, quat))


def shifted(tensor: Symmetric, mass: float, d: Vector3) -> Symmetric:
    """A tensor about another point than the centre of mass (parallel axes).

    Args:
        tensor: about the centre of mass.
        mass: in kg.
        d: from the point to the centre of mass, in m.
    """
    xx, yy, zz, xy, xz, yz = tensor
    x, y, z = d
    square = dot(d, d)
    return (
        xx + mass * (square - x * x),
        yy + mass * (square - y * y),
        zz + mass * (square - z * z),
        xy - mass * x * y,
        xz - mass * x * z,
        yz - mass * y * z,
    )


def turned(moments: Vector3, quat: Quaternion) -> Symmetric:
    """The tensor of principal moments along turned axes."""
    x, y, z = matrix(quat)

    def entry(a: Vector3, b: Vector3) -> float:
        return a[0] * b[0] * moments[0] + a[1] * b[1] * moments[1] + a[2] * b[2] * moments[2]

    return entry(x, x), entry(y, y), entry(z, z), entry(x, y), entry(x, z), entry(y, z)


def principal(tensor: Symmetric) -> tuple[Vector3, Quaternion]:
    """Principal moments, the largest first, and their axes, by Jacobi's rotations.

    The order of the rotations and where they stop are those of MuJoCo (``mju_eig3``), whose axes are exact to 1e-6: a
    rotation whose cosine is 1 up to 1e-12 is left out. What follows from moments and axes agrees with MuJoCo's
    tensor therefore, not with the one given.

    Args:
        tensor: xx, yy, zz, xy, xz, yz.
    """
    quat = IDENTITY
    for _ in range(500):
        d = _along(tensor, quat)
        xy, xz, yz = (abs(one) for one in d[3:])
        row, column, off = (0, 1, 3) if xy > xz and xy > yz else (0, 2, 4) if xz > yz else (1, 2, 5)
        if abs(d[off]) < CLOSE:
            break
        tau = (d[column] - d[row]) / (2 * d[off])
        tangent = (1.0 if tau >= 0 else -1.0) / (abs(tau) + sqrt(1 + tau * tau))
        cosine = 1 / sqrt(1 + tangent * tangent)
        if cosine > 1 - CLOSE:
            break
        axis = 3 - row - column
        half = sqrt(0.5 - 0.5 * cosine) * (-1.0 if (tau >= 0) == (axis != 1) else 1.0)
        quat = unit(multiply(quat, _about(axis, half)))
    moments = list(_along(tensor, quat)[:3])
    for first in (0, 1, 0):
        if moments[first] + CLOSE < moments[first + 1]:
            moments[first], moments[first + 1] = moments[first + 1], moments[first]
            quat = unit(multiply(quat, _about((first + 2) % 3, sqrt(0.5))))
    return tuple(moments), quat


def _along(tensor: Symmetric, quat: Quaternion) -> Symmetric:
    """The tensor seen along turned axes."""
    xx, yy, zz, xy, xz, yz = tensor
    columns = list(zip(*matrix(quat), strict=True))
    halves = [(dot((xx, xy, xz), one), dot((xy, yy, yz), one), dot((xz, yz, zz), one)) for one in columns]
    return tuple(dot(columns[i], halves[j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))


def _about(axis: int, half: float) -> Quaternion:
    """A rotation about a coordinate axis, by the sine of half its angle."""
    found = [sqrt(1 - half * half), 0.0, 0.0, 0.0]
    found[axis + 1] = half
    return tuple(found)
