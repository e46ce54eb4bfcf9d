"""The arm, the table, and what lies on it, as bodies of `envsuite.rigid`.

Frames, masses, centres of mass, limits and torques of the arm are those of Franka's description (``franka_ros``,
``panda_arm_hand.urdf``, as it comes with PyBullet). Moments of inertia are those that PyBullet 3.2.7 makes of the
hulls, since panda-gym does not use the file's. Hulls of the hand and of the fingers are boxes here; the forearm and the
wrist are capsules; other links touch nothing.
"""

import math
from collections.abc import Sequence
from functools import partial

from envsuite.rigid import (
    Body,
    Box,
    Capsule,
    Cylinder,
    Free,
    Hinge,
    Inertial,
    Motor,
    Option,
    Pair,
    Plane,
    Scene,
    Shared,
    Site,
    Slide,
)

BASE = (-0.6, 0.0, 0.0)
"""Where the arm stands, m (panda-gym 3.0.7)."""

ARM = 7
JOINTS = ARM + 2
"""Coordinates of the arm, and of the arm with its two fingers."""

NEUTRAL = (0.0, 0.41, 0.0, -1.85, 0.0, 2.26, 0.79, 0.0, 0.0)
"""Coordinates at the beginning, rad and m (panda-gym 3.0.7)."""

LIMITS = (
    *((-2.9671, 2.9671), (-1.8326, 1.8326), (-2.9671, 2.9671), (-3.1416, 0.0)),
    *((-2.9671, 2.9671), (-0.0873, 3.8223), (-2.9671, 2.9671)),
)
"""Of the arm's joints, rad."""

OPEN = 0.04
"""Way of a finger, m."""

FORCES = (87.0, 87.0, 87.0, 87.0, 12.0, 120.0, 120.0, 170.0, 170.0)
"""Largest torques of the motors, N m, and forces of the fingers, N (panda-gym 3.0.7)."""

LAG = 0.019
"""Time constant with which a joint approaches its target, s: PyBullet's motors go a tenth of the way in 2 ms."""

SHARE = 0.5
"""Of the speed that is missing, which motors make up for in one step of physics, where they are strong enough."""

SWEEPS = 8
"""Over the joints, by which is found what motors at their limits do to the others."""

OFFSETS = (
    *((0.0, 0.0, 0.333), (0.0, 0.0, 0.0), (0.0, -0.316, 0.0), (0.0825, 0.0, 0.0)),
    *((-0.0825, 0.384, 0.0), (0.0, 0.0, 0.0), (0.088, 0.0, 0.0)),
)
"""From each joint to the next, m, the first from the base."""

TWISTS = (0, -1, 1, 1, -1, 1, 1)
"""Quarter turns about x from each joint's frame to the next one's."""

FLANGE, TIP = 0.107, 0.105
"""From the last joint to the hand, and from there to the point between the fingers that is steered, m."""

_INERTIAS = (
    (2.7, (0, -0.04, -0.05), (0.0229713, 0.0177688, 0.0114841)),
    (2.73, (0, -0.04, 0.06), (0.0234909, 0.0116129, 0.0182282)),
    (2.04, (0.01, 0.01, -0.05), (0.0109205, 0.0125805, 0.0119681)),
    (2.08, (-0.03, 0.03, 0.02), (0.0113350, 0.0122486, 0.0130568)),
    (3.0, (0, 0.04, -0.12), (0.0356765, 0.0298480, 0.0128022)),
    (1.3, (0.04, 0, 0), (0.00342798, 0.00511692, 0.00598776)),
    (0.2, (0, 0, 0.08), (0.000361607, 0.000362157, 0.000592108)),
)
"""Mass, kg, centre of mass, m, and moments of inertia, kg m^2, of the links."""

SILENT: Shared = {"contype": 0, "conaffinity": 0}
"""Touches only what pairs say."""

_STOP: Shared = {"solreflimit": (0.008, 1), "solimplimit": (0.95, 0.99, 0.001)}

_NAMES = (*(f"joint{k + 1}" for k in range(ARM)), "left_finger", "right_finger")
_box, _capsule = partial(Box, **SILENT), partial(Capsule, **SILENT)

_SHAPES = {
    5: [_capsule("forearm", size=0.055, fromto=(0, 0, -0.21, 0, 0.07, -0.02))],
    6: [_capsule("wrist", size=0.05, fromto=(0, 0, 0, 0.085, 0.02, 0))],
}
"""Of links that may touch the table."""

_ARM_DRAG = {
    **{"forearm": 0.5, "wrist": 0.5, "palm": 0.5},
    **{"left_tip": 1.0, "left_root": 1.0, "right_tip": 1.0, "right_root": 1.0},
}
"""Shapes of the arm, with their coefficients of friction (PyBullet's default, and panda-gym's for the fingers)."""

_FAR, _HIGH = ("forearm", "wrist"), ("left_root", "right_root")
"""Shapes that things never meet, and those that are always above others where the table is."""

CUBE, PUCK = 0.02, (0.03, 0.015)
"""Half a side of the cubes, m; radius and half height of Slide's puck."""

_GROUND_DRAG = {"table": 0.5, "floor": 0.5}
_DRAG = {"cube": 0.5, "puck": 0.04}
SOFT: Shared = {"solref": (0.008, 1), "solimp": (0.95, 0.99, 0.001)}
"""Contacts, stiff enough for a grip of 170 N to go in by less than half a millimetre."""

TIMESTEP, SUBSTEPS = 0.004, 10
"""s, and steps of physics in one of the environment (panda-gym has 20 of 0.002 s; both make 25 Hz)."""


def _turned(quarters: int) -> tuple[float, float, float]:
    return (quarters * math.pi / 2, 0.0, 0.0)


def _links() -> list[Body]:
    found, parent = [], "world"
    for k in range(ARM):
        mass, centre, moments = _INERTIAS[k]
        name = f"link{k + 1}"
        at = tuple(a + b for a, b in zip(BASE, OFFSETS[0], strict=True)) if k == 0 else OFFSETS[k]
        found.append(
            Body(
                name,
                parent,
                pos=at,
                euler=_turned(TWISTS[k]),
                joints=[Hinge(f"joint{k + 1}", range=LIMITS[k], **_STOP)],
                inertial=Inertial(mass, pos=centre, diaginertia=moments),
                geoms=_SHAPES.get(k + 1, []),
            )
        )
        parent = name
    return found


def _finger(side: str, sign: int) -> Body:
    tip = _box(f"{side}_tip", size=(0.0088, 0.0073, 0.0174), pos=(0, sign * 0.0073, 0.0364))
    return Body(
        side,
        "hand",
        pos=(0, 0, 0.0584),
        joints=[Slide(f"{side}_finger", axis=(0, sign, 0), range=(0, OPEN), armature=1.0, **_STOP)],
        inertial=Inertial(0.1, pos=(0, sign * 0.01, 0.02), diaginertia=(4.168e-5, 3.874e-5, 1.694e-5)),
        geoms=[tip, _box(f"{side}_root", size=(0.0105, 0.0119, 0.0095), pos=(0, sign * 0.0144, 0.0095))],
    )


def _hand() -> list[Body]:
    hand = Body(
        "hand",
        f"link{ARM}",
        pos=(0, 0, FLANGE),
        euler=(0, 0, -math.pi / 4),
        inertial=Inertial(0.81, pos=(0, 0, 0.04), diaginertia=(0.00371911, 0.00101616, 0.00338832)),
        geoms=[_box("palm", size=(0.0316, 0.1022, 0.046), pos=(0, -0.0018, 0.02))],
        sites=[Site("tip", (0, 0, TIP))],
    )
    return [hand, _finger("left", 1), _finger("right", -1)]


def _table(middle: float, length: float) -> Box:
    return _box("table", size=(length / 2, 0.35, 0.2), pos=(middle, 0, -0.2))


def scene(name: str, things: Sequence[tuple[str, float]], table: tuple[float, float] = (-0.3, 1.1)) -> Scene:
    """The arm, a table, a floor, and things.

    Args:
        name: of the scene.
        things: ``"cube"`` or ``"puck"``, and the mass of each, kg.
        table: x of its middle, and its length, m.
    """
    bodies, drags = [], dict[str, float]()
    for k, (kind, mass) in enumerate(things):
        label = f"thing{k + 1}"
        shape, size = (Box, (CUBE, CUBE, CUBE)) if kind == "cube" else (Cylinder, PUCK)
        geom = shape(label, size=size, mass=mass, **SILENT)
        bodies.append(Body(label, pos=(0, 0, 0.1), joints=[Free(label)], geoms=[geom]))
        drags[label] = _DRAG[kind]
    pairs = [pair for label, drag in drags.items() for pair in (*on_ground(label, drag), *by_hand(label, drag))]
    if len(drags) > 1:
        (one, first), (two, second) = drags.items()
        pairs.append(touching(one, two, first * second))
    return arm_scene(name, bodies, pairs, table)


def arm_scene(
    name: str, bodies: Sequence[Body], pairs: Sequence[Pair], table: tuple[float, float] = (-0.3, 1.1)
) -> Scene:
    """The arm, a table, a floor, and what a task adds.

    Args:
        name: of the scene.
        bodies: that are added, on the body ``"hand"`` or in the world.
        pairs: of shapes that may touch, beyond arm and table.
        table: x of its middle, and its length, m.
    """
    ground = _GROUND_DRAG["table"]
    own = [touching(one, "table", grip * ground) for one, grip in _ARM_DRAG.items() if one not in _HIGH]
    return Scene(
        name,
        option=Option(timestep=TIMESTEP, cone="elliptic", iterations=50, impratio=10),
        geoms=[_table(*table), Plane("floor", pos=(0, 0, -0.4), **SILENT)],
        bodies=[*_links(), *_hand(), *bodies],
        actuators=[Motor(joint) for joint in _NAMES],
        pairs=[*own, *pairs],
    )


def touching(one: str, two: str, friction: float) -> Pair:
    """Two shapes that may touch; coefficients of friction of both are multiplied, as in PyBullet."""
    return Pair(one, two, friction=(friction, friction, 0.001, 1e-4, 1e-4), **SOFT)


def on_ground(thing: str, drag: float) -> list[Pair]:
    """A shape, with its coefficient of friction, on table and floor."""
    return [touching(thing, ground, drag * other) for ground, other in _GROUND_DRAG.items()]


def by_hand(thing: str, drag: float) -> list[Pair]:
    """A shape, with its coefficient of friction, and palm and fingers."""
    return [touching(thing, one, drag * grip) for one, grip in _ARM_DRAG.items() if one not in _FAR]
