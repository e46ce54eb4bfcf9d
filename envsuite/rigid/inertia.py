"""Mass and inertia of shapes and bodies.

Formulas for homogeneous solids; the capsule's is that of its cylinder and of two halves of a sphere at their place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi, sqrt

from envsuite.rigid.model import TINY, Body, Geom, Inertial, Scene
from envsuite.rigid.poses import (
    IDENTITY,
    Quaternion,
    Vector3,
    add,
    dot,
    from_euler,
    from_z,
    matrix,
    norm,
    quaternion,
    subtract,
    unit,
)

Symmetric = tuple[float, ...]


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
    found = _given(body.inertial) if body.inertial else _of_shapes([one for one in shapes if one.mass > 0])
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
        return Solid(given.mass, tuple(given.pos), quat, moments, tensor)
    moments, quat = tuple(given.diaginertia or (0.0, 0.0, 0.0)), unit(given.quat)
    return Solid(given.mass, tuple(given.pos), quat, moments, turned(moments, quat))


def _of_shapes(shapes: Sequence[Shape]) -> Solid:
    if not shapes:
        return Solid(0.0, (0.0, 0.0, 0.0), IDENTITY, (0.0, 0.0, 0.0), (0.0,) * 6)
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
    return Solid(mass, centre, quat, moments, total)


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

    Args:
        tensor: xx, yy, zz, xy, xz, yz.
    """
    xx, yy, zz, xy, xz, yz = tensor
    a = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    v = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    size = max(abs(one) for one in tensor)
    for _ in range(30):
        if max(abs(a[0][1]), abs(a[0][2]), abs(a[1][2])) <= TINY * size:
            break
        for p, q in ((0, 1), (0, 2), (1, 2)):
            _annihilate(a, v, p, q)
    order = sorted(range(3), key=lambda k: -a[k][k])
    columns = [[v[row][k] for row in range(3)] for k in order]
    (i, j, k), (m, n, o), (r, s, t) = columns
    if i * (n * t - o * s) - j * (m * t - o * r) + k * (m * s - n * r) < 0:
        columns[2] = [-one for one in columns[2]]
    rows = [[columns[k][row] for k in range(3)] for row in range(3)]
    return (a[order[0]][order[0]], a[order[1]][order[1]], a[order[2]][order[2]]), quaternion(rows)


def _annihilate(a: list[list[float]], v: list[list[float]], p: int, q: int) -> None:
    """One rotation that makes the entry (p, q) of a symmetric matrix zero."""
    if a[p][q] == 0.0:
        return
    theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
    t = (1.0 if theta >= 0 else -1.0) / (abs(theta) + sqrt(theta * theta + 1))
    c = 1 / sqrt(t * t + 1)
    s = t * c
    for k in range(3):
        a[k][p], a[k][q] = c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]
    for k in range(3):
        a[p][k], a[q][k] = c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]
        v[k][p], v[k][q] = c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]
