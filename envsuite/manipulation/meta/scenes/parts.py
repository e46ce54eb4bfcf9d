"""What all scenes have: the table, the hand with its fingers; and how their objects touch.

The arm is left out. In its place the hand slides along x, y and z, held to the place that actions move by a connect
that is as slow as the arm: after 5, 10 and 15 steps of a full action it has moved 0.022, 0.067 and 0.116 m; the
original's hand 0.019 to 0.023, 0.061 to 0.072 and 0.104 to 0.124 m, by direction.
"""

from collections.abc import Sequence
from functools import partial

from envsuite.rigid import (
    Body,
    Box,
    Capsule,
    Connect,
    Cylinder,
    Free,
    Geom,
    Inertial,
    Option,
    Position,
    Scene,
    Shared,
    Site,
    Slide,
    Sphere,
)

HARD: Shared = {"solref": (0.01, 1), "solimp": (0.99, 0.99, 0.01)}
"""Of nearly all objects; MuJoCo's defaults for the table."""

PAD: Shared = {**HARD, "solimp": (0.95, 0.99, 0.01), "friction": (2, 0.1, 0.002), "condim": 4, "margin": 0.001}
CLAW: Shared = {"solimp": (0.8, 0.9, 0.01), "condim": 4, "margin": 0.001}
FINGER = (0.015, 0.003, 0.045)  # half a finger, m
LAG = 0.0245  # s, time constant of the hand; the original's weld has 0.02, and an arm behind it

box, capsule, cylinder, sphere = (partial(kind, **HARD) for kind in (Box, Capsule, Cylinder, Sphere))
fixed = partial(Box, contype=0, **HARD)
"""Does not touch the table and other fixtures."""

ALONG_X = (0.70710678118654757, 0, 0.70710678118654746, 0)
ALONG_Y = (0.70710678118654757, 0.70710678118654746, 0, 0)
QUARTER = (0.70710678118654757, 0, 0, 0.70710678118654746)
"""A quarter turn about z."""


def _finger(side: str, y: float, reach: tuple[float, float], inwards: float) -> Body:
    return Body(
        f"{side}claw",
        "hand",
        pos=(0, y, 0),
        joints=[Slide(side, axis=(0, 1, 0), range=reach, damping=1000, armature=100)],
        inertial=Inertial(0.0162, diaginertia=(1.1e-5, 1.1e-5, 1.3e-6)),
        geoms=[Box(f"{side}claw", size=FINGER, **CLAW), Box(f"{side}pad", size=FINGER, pos=(0, inwards, 0), **PAD)],
        sites=[Site(f"{side}tip", (0, 0, -0.045)), Site(f"{side}pad", (0, inwards, 0))],
    )


HAND = (
    Body("mocap", mocap=True, pos=(0, 0.6, 0.2)),
    Body(
        "hand",
        pos=(0, 0.6, 0.2),
        joints=[Slide(f"hand_{one}", axis=axis) for one, axis in zip("xyz", ((1, 0, 0), (0, 1, 0), (0, 0, 1)), strict=True)],
        inertial=Inertial(1, diaginertia=(0.01, 0.01, 0.01)),
        geoms=[Box("palm", size=(0.029, 0.04, 0.053), pos=(0, 0, 0.066))],
    ),
    _finger("right", -0.05, (0, 0.04), 0.003),
    _finger("left", 0.05, (-0.03, 0), -0.003),
)

TABLE = (Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),)
RAILS = (
    *(Box(f"rail_{y}", size=(0.7, 0.01, 0.06), pos=(0, y, 0.06), contype=0) for y in (0.21, 0.99)),
    *(Box(f"rail_{x}", size=(0.01, 0.38, 0.06), pos=(x, 0.6, 0.06), contype=0) for x in (-0.69, 0.69)),
)


def thing(name: str, mass: float, inertia: Sequence[float], geoms: Sequence[Geom], **others) -> Body:
    """A body that moves freely."""
    pos = others.pop("centre", (0, 0, 0))
    inertial = Inertial(mass, pos=pos, diaginertia=tuple(inertia))
    return Body(name, joints=[Free(f"{name}_free")], inertial=inertial, geoms=geoms, **others)


def base(name: str, pos: Sequence[float], **others) -> Body:
    """Where furniture stands: a place that is given anew in each episode."""
    return Body(name, mocap=True, pos=tuple(pos), **others)


def scene(name: str, *bodies: Body, ground: Sequence[Geom] = (*TABLE, *RAILS)) -> Scene:
    """The hand, the table and other bodies, stepped as the original."""
    return Scene(
        name,
        option=Option(timestep=0.0025, cone="elliptic", iterations=50, tolerance=1e-10),
        geoms=list(ground),
        bodies=[*HAND, *bodies],
        actuators=[Position(side, kp=400, ctrlrange=(-1, 1)) for side in ("right", "left")],
        equalities=[Connect("mocap", "hand", solref=(LAG, 1))],
    )
