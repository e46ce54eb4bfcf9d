"""The bodies of a scene in the order in which they are numbered, with what each dof and coordinate belongs to."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from envsuite.rigid.checks import WORLD
from envsuite.rigid.inertia import Shape, Solid, orientation, scaled, shape, solid
from envsuite.rigid.model import TINY, Body, Scene
from envsuite.rigid.poses import IDENTITY, Quaternion, Vector3

COORDINATES = {"free": 7, "ball": 4, "slide": 1, "hinge": 1}
DOFS = {"free": 6, "ball": 3, "slide": 1, "hinge": 1}
EMPTY = Solid(0.0, (0.0, 0.0, 0.0), IDENTITY, (0.0, 0.0, 0.0), (0.0,) * 6)


@dataclass(frozen=True)
class Jointed:
    """A joint and where its numbers lie."""

    joint: Any  # what it has depends on its class
    body: int
    qposadr: int
    dofadr: int


@dataclass(frozen=True)
class Tree:
    """Bodies, joints, dofs and geoms by number; body 0 is the world.

    Attributes:
        bodies: as declared; that of the world holds its geoms and sites.
        parents: number of the parent, 0 for the world itself.
        roots: first body of the tree below the world.
        welds: first body of those that are joined without joints; 0 for all that cannot move.
        poses: position and orientation in the parent.
        solids: mass distributions.
        joints: with their places.
        lastdofs: last dof that moves a body, -1 for none.
        dof_bodies: body of a dof.
        dof_joints: joint of a dof.
        dof_parents: the dof before it towards the world, -1 for none.
        geoms: body, declaration, sizes.
        numbers: of bodies by name.
    """

    bodies: list[Body]
    parents: list[int]
    roots: list[int]
    welds: list[int]
    poses: list[tuple[Vector3, Quaternion]]
    solids: list[Solid]
    joints: list[Jointed]
    lastdofs: list[int]
    dof_bodies: list[int]
    dof_joints: list[int]
    dof_parents: list[int]
    geoms: list[tuple[int, Any, Shape]]
    numbers: dict[str, int]

    def dofs_above(self, body: int) -> list[int]:
        """The dofs that move a body, the last first."""
        found, dof = [], self.lastdofs[body]
        while dof >= 0:
            found.append(dof)
            dof = self.dof_parents[dof]
        return found


def plant(scene: Scene) -> Tree:
    """Number the bodies of a scene: parents first, and what hangs on a body right after it, as MuJoCo does.

    Args:
        scene: checked.

    Raises:
        ValueError: a body that moves has no mass, or has a plane.
    """
    bodies = [Body(WORLD, "", geoms=scene.geoms, sites=scene.sites), *_depth_first(scene.bodies)]
    numbers = {body.name: number for number, body in enumerate(bodies)}
    parents = [0] + [numbers[body.parent] for body in bodies[1:]]
    shapes = [[shape(geom) for geom in body.geoms] for body in bodies]
    solids = [EMPTY] + [solid(body, some, scene) for body, some in zip(bodies[1:], shapes[1:], strict=True)]
    if scene.settotalmass is not None:
        total = sum(one.mass for one in solids)
        if total <= TINY:
            raise ValueError(f"settotalmass is {scene.settotalmass:g}, expected a scene in which something has a mass")
        solids = [scaled(one, scene.settotalmass / total) for one in solids]
    roots, welds, lastdofs = [0], [0], [-1]
    joints: list[Jointed] = []
    dof_bodies: list[int] = []
    dof_joints: list[int] = []
    dof_parents: list[int] = []
    qposadr = 0
    for number, body in enumerate(bodies[1:], 1):
        parent = parents[number]
        last = lastdofs[parent]
        for joint in body.joints:
            joints.append(Jointed(joint, number, qposadr, len(dof_bodies)))
            qposadr += COORDINATES[joint.type]
            for _ in range(DOFS[joint.type]):
                dof_parents.append(last)
                last = len(dof_bodies)
                dof_bodies.append(number)
                dof_joints.append(len(joints) - 1)
        lastdofs.append(last)
        roots.append(number if parent == 0 else roots[parent])
        welds.append(number if body.joints else welds[parent])
    poses = [(tuple(body.pos), orientation(body)) for body in bodies]
    geoms = [
        (number, geom, one)
        for number, (body, some) in enumerate(zip(bodies, shapes, strict=True))
        for geom, one in zip(body.geoms, some, strict=True)
    ]
    tree = Tree(
        bodies,
        parents,
        roots,
        welds,
        poses,
        solids,
        joints,
        lastdofs,
        dof_bodies,
        dof_joints,
        dof_parents,
        geoms,
        numbers,
    )
    _check_masses(tree)
    for number, geom, _ in geoms:
        if geom.type == "plane" and welds[number] != 0:
            raise ValueError(
                f"body {bodies[number].name!r} moves and has a plane, expected planes on bodies that do not"
            )
    return tree


def _depth_first(bodies: Sequence[Body]) -> list[Body]:
    children = defaultdict(list)
    for body in bodies:
        children[body.parent].append(body)
    ordered: list[Body] = []
    waiting = children[WORLD][::-1]
    while waiting:
        ordered.append(waiting.pop())
        waiting += children[ordered[-1].name][::-1]
    return ordered


def _check_masses(tree: Tree) -> None:
    """What joints move has mass and inertia, of its own or welded on."""
    for number, body in enumerate(tree.bodies):
        if not body.joints:
            continue
        group = [one for one, weld in zip(tree.solids, tree.welds, strict=True) if weld == number]
        if not any(one.mass >= TINY for one in group):
            raise ValueError(f"body {body.name!r} has joints and no mass, expected a mass above 0")
        if not any(min(one.moments) >= TINY for one in group) and any(one.type != "slide" for one in body.joints):
            raise ValueError(f"body {body.name!r} turns and has no inertia, expected moments above 0")
