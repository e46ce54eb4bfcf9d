"""What follows from the mass matrix in the reference pose: the inverse weights that scale constraints.

The mass matrix is built from composite inertias and factored by Cholesky's method, both in written order. In the
reference pose no joint has moved, so that frames follow from the declared poses alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from envsuite.rigid.inertia import shifted
from envsuite.rigid.model import TINY, Slide
from envsuite.rigid.poses import (
    IDENTITY,
    Quaternion,
    Vector3,
    add,
    cross,
    dot,
    inverse,
    matrix,
    multiply,
    rotate,
    subtract,
    unit,
)
from envsuite.rigid.tree import DOFS, Tree

Motion = tuple[float, ...]
SAME = 1e-14  # mjEPS: frames and axes that differ by less are the same


@dataclass(frozen=True)
class Reference:
    """The reference pose of a tree and its inverse weights.

    Attributes:
        positions: of bodies, in the world.
        orientations: of bodies, in the world.
        body_invweight0: of each body, for shifts and turns.
        dof_invweight0: of each dof.
        meaninertia: mean of the diagonal of the mass matrix.
    """

    positions: list[Vector3]
    orientations: list[Quaternion]
    body_invweight0: list[tuple[float, float]]
    dof_invweight0: list[float]
    meaninertia: float

    def within(self, body: int, point: Sequence[float]) -> Vector3:
        """A point of the world in the frame of a body."""
        return rotate(inverse(self.orientations[body]), subtract(point, self.positions[body]))

    def place(self, body: int, point: Sequence[float]) -> Vector3:
        """A point of a body in the world."""
        return add(self.positions[body], rotate(self.orientations[body], point))


def refer(tree: Tree) -> Reference:
    """Frames, mass matrix and inverse weights in the reference pose.

    Args:
        tree: of a scene.

    Raises:
        ValueError: the joints of a body move it in the same way twice, so that the mass matrix has no inverse.
    """
    positions: list[Vector3] = [(0.0, 0.0, 0.0)]
    orientations = [IDENTITY]
    for number in range(1, len(tree.bodies)):
        parent, (pos, quat) = tree.parents[number], tree.poses[number]
        positions.append(add(positions[parent], rotate(orientations[parent], pos)))
        orientations.append(unit(multiply(orientations[parent], quat)))
    frames = Reference(positions, orientations, [], [], 1.0)
    centres = [frames.place(number, one.pos) for number, one in enumerate(tree.solids)]
    origins = _tree_centres(tree, centres)
    motions = [motion for number in range(len(tree.joints)) for motion in _motions(tree, frames, number, origins)]
    mass = _mass_matrix(tree, motions, _composites(tree, frames, centres, origins))
    factor = _cholesky(tree, mass)
    simple = [_only_slides(tree, number) for number in range(len(tree.bodies))]
    size = len(mass)
    return Reference(
        positions,
        orientations,
        [
            _body_weight(tree, number, factor, motions, subtract(centres[number], origins[number]), simple[number])
            for number in range(len(tree.bodies))
        ],
        _dof_weights(tree, factor, simple),
        max(TINY, sum(mass[k][k] for k in range(size)) / size) if size else 1.0,
    )


def _tree_centres(tree: Tree, centres: list[Vector3]) -> list[Vector3]:
    """Centre of mass of the tree that a body belongs to."""
    masses = [0.0] * len(centres)
    moved: list[Vector3] = [(0.0, 0.0, 0.0)] * len(centres)
    for number, one in enumerate(tree.solids):
        root = tree.roots[number]
        masses[root] += one.mass
        moved[root] = add(moved[root], tuple(one.mass * x for x in centres[number]))
    found = [
        tuple(x / mass for x in total) if mass > TINY else centre
        for mass, total, centre in zip(masses, moved, centres, strict=True)
    ]
    return [found[root] for root in tree.roots]


def _motions(tree: Tree, frames: Reference, number: int, origins: list[Vector3]) -> list[Motion]:
    """Motion axes of a joint about the centre of its tree."""
    one = tree.joints[number]
    kind, body = one.joint.type, one.body
    rows = matrix(frames.orientations[body])
    shifts = [(0.0, 0.0, 0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, 1.0)]
    if kind == "slide":
        return [(0.0, 0.0, 0.0, *rotate(frames.orientations[body], unit(one.joint.axis)))]
    anchor = frames.positions[body] if kind == "free" else frames.place(body, one.joint.pos)
    arm = subtract(origins[body], anchor)
    columns = [tuple(row[k] for row in rows) for k in range(3)]
    axes = [rotate(frames.orientations[body], unit(one.joint.axis))] if kind == "hinge" else columns
    turns = [(*axis, *cross(axis, arm)) for axis in axes]
    return shifts + turns if kind == "free" else turns


def _composites(tree: Tree, frames: Reference, centres: list[Vector3], origins: list[Vector3]) -> list[list[float]]:
    """Inertia of each body and all below it about the tree's centre: tensor, mass times position, mass."""
    found = []
    for number, one in enumerate(tree.solids):
        arm = subtract(centres[number], origins[number])
        tensor = shifted(_in_world(one.tensor, frames.orientations[number]), one.mass, arm)
        found.append([*tensor, *(one.mass * x for x in arm), one.mass])
    for number in range(len(found) - 1, 0, -1):
        if parent := tree.parents[number]:
            found[parent] = [x + y for x, y in zip(found[parent], found[number], strict=True)]
    return found


def _in_world(tensor: tuple[float, ...], quat: Quaternion) -> tuple[float, ...]:
    xx, yy, zz, xy, xz, yz = tensor
    rows = matrix(quat)
    half = [(dot(row, (xx, xy, xz)), dot(row, (xy, yy, yz)), dot(row, (xz, yz, zz))) for row in rows]
    return tuple(dot(half[i], rows[j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))


def _momentum(inertia: list[float], motion: Motion) -> Motion:
    xx, yy, zz, xy, xz, yz, *d, mass = inertia
    w, u = motion[:3], motion[3:]
    a, b, c = cross(d, u)
    e, f, g = cross(d, w)
    return (
        xx * w[0] + xy * w[1] + xz * w[2] + a,
        xy * w[0] + yy * w[1] + yz * w[2] + b,
        xz * w[0] + yz * w[1] + zz * w[2] + c,
        mass * u[0] - e,
        mass * u[1] - f,
        mass * u[2] - g,
    )


def _mass_matrix(tree: Tree, motions: list[Motion], composites: list[list[float]]) -> list[list[float]]:
    size = len(motions)
    mass = [[0.0] * size for _ in range(size)]
    for i in range(size):
        force = _momentum(composites[tree.dof_bodies[i]], motions[i])
        mass[i][i] = tree.joints[tree.dof_joints[i]].joint.armature + dot(motions[i], force)
        j = tree.dof_parents[i]
        while j >= 0:
            mass[i][j] = mass[j][i] = dot(motions[j], force)
            j = tree.dof_parents[j]
    return mass


def _cholesky(tree: Tree, mass: list[list[float]]) -> list[list[float]]:
    """Lower factor, by rows."""
    factor = [[0.0] * len(mass) for _ in mass]
    for i, row in enumerate(mass):
        for j in range(i):
            factor[i][j] = (row[j] - dot(factor[i][:j], factor[j][:j])) / factor[j][j]
        rest = row[i] - dot(factor[i][:i], factor[i][:i])
        if rest <= TINY * row[i]:
            name = tree.bodies[tree.dof_bodies[i]].name
            raise ValueError(f"joints of body {name!r} and above move it in the same way, expected independent ones")
        factor[i][i] = sqrt(rest)
    return factor


def _square(factor: list[list[float]], row: list[float]) -> float:
    """Row M^-1 row^T."""
    solved: list[float] = []
    for i, value in enumerate(row):
        solved.append((value - dot(factor[i][:i], solved)) / factor[i][i])
    return dot(solved, solved)


def _only_slides(tree: Tree, number: int) -> bool:
    """Whether a body is alone on slides along its own axes, with its centre and its principal axes in its frame.

    MuJoCo takes 1 / mass for the inverse weights of such bodies, without armature.
    """
    body, one = tree.bodies[number], tree.solids[number]
    w, *turned = one.quat
    centred = max(abs(x) for x in one.pos) <= SAME
    aligned = max(abs(x) for x in turned) <= SAME and abs(w - 1) <= SAME
    axes = [unit(joint.axis) for joint in body.joints if isinstance(joint, Slide)]
    straight = all(sum(abs(x) > SAME for x in axis) == 1 for axis in axes)
    alone = number not in tree.parents[1:] and tree.welds[tree.parents[number]] == 0
    return 0 < len(axes) == len(body.joints) and straight and centred and aligned and alone


def _body_weight(
    tree: Tree, number: int, factor: list[list[float]], motions: list[Motion], arm: Vector3, simple: bool
) -> tuple[float, float]:
    """Means of the inverse inertia that a body shows at its centre of mass."""
    if tree.welds[number] == 0:
        return 0.0, 0.0
    if simple:
        return 1 / tree.solids[number].mass, 0.0
    above = tree.dofs_above(number)
    rows = [[0.0] * len(motions) for _ in range(6)]
    for dof in above:
        w, u = motions[dof][:3], motions[dof][3:]
        for k, value in enumerate((*add(u, cross(w, arm)), *w)):
            rows[k][dof] = value
    squares = [_square(factor, row) for row in rows]
    return sum(squares[:3]) / 3, sum(squares[3:]) / 3


def _dof_weights(tree: Tree, factor: list[list[float]], simple: list[bool]) -> list[float]:
    """Diagonal of the inverse mass matrix; dofs of a ball, and the halves of a free joint, share their mean."""
    size = len(factor)
    found = [_square(factor, [float(k == i) for k in range(size)]) for i in range(size)]
    for one in tree.joints:
        kind, first = one.joint.type, one.dofadr
        if simple[one.body]:
            found[first] = 1 / tree.solids[one.body].mass
        for start in range(first, first + DOFS[kind], 3) if kind in ("ball", "free") else ():
            found[start : start + 3] = [sum(found[start : start + 3]) / 3] * 3
    return found
