"""What all scenes have: the table, the hand with its fingers; and how things touch.

The arm is left out. In its place the hand slides along x, y and z, held by a connect to the place that actions move.
The original holds its hand by a weld with time constant 0.02 s, impedance 0.95 and an inverse weight of the arm of
6.1 per kg, so that it is 8.2 kN/m stiff, and moves as slowly as the arm lets it: after 5, 10 and 15 steps of a full
action by 0.019 to 0.023, 0.061 to 0.072 and 0.104 to 0.124 m, by direction. Mass, impedance and time constant here
give the same inverse weight, which contacts go by, the same stiffness, and 0.020, 0.065 and 0.114 m.

Hulls are replaced by boxes, the palm by one that leaves out the hull's narrow lower end. Masses, inertias, sizes and
contact parameters are those to which the files of metaworld 3.1.1 compile, unless a scene says otherwise.
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
    Pair,
    Position,
    Scene,
    Shared,
    Site,
    Slide,
    Sphere,
)

SIZE = "tabletop-rims"
"""Size class of all scenes, which therefore share compiled kernels."""

BESIDE = (0.0045, 0.0014, -0.0049)
"""From where the hand is sent to where it stands at rest, m, as the original's arm leaves it at (0, 0.6, 0.2)."""

MASS, SAG = 0.1316, 0.0002  # kg, and m that it sinks by
STIFFNESS: Shared = {"solref": (0.0254, 1), "solimp": (0.969, 0.969, 0.001)}

HARD: Shared = {"solref": (0.01, 1), "solimp": (0.99, 0.99, 0.01)}
"""Of nearly all things; the table has MuJoCo's defaults."""

FIXED: Shared = {"contype": 0}
"""Does not touch other fixtures."""

FURNITURE: Shared = {**HARD, "contype": 0, "conaffinity": 2}
"""Touches the hand and tools alone: joints hold furniture together, not contacts."""

TOOL: Shared = {**HARD, "contype": 3, "conaffinity": 3}
"""Touches everything."""

PAD: Shared = {**HARD, "solimp": (0.95, 0.99, 0.01), "friction": (2, 0.1, 0.002)}
CLAW: Shared = {"solimp": (0.8, 0.9, 0.01)}
FINGER: Shared = {"size": (0.015, 0.003, 0.045), "condim": 4, "margin": 0.001, "contype": 3}

box, capsule, cylinder, sphere = (partial(kind, **HARD) for kind in (Box, Capsule, Cylinder, Sphere))
wall = partial(Box, **HARD, **FIXED)
panel, rod, drum, knob = (partial(kind, **FURNITURE) for kind in (Box, Capsule, Cylinder, Sphere))

ALONG_X = (0.70710678118654757, 0, 0.70710678118654746, 0)
ALONG_Y = (0.70710678118654757, 0.70710678118654746, 0, 0)
"""Orientations of capsules and cylinders."""

QUARTER = (0.70710678118654757, 0, 0, 0.70710678118654746)
"""A quarter turn about z."""


def _finger(side: str, y: float, reach: tuple[float, float], inwards: float) -> Body:
    return Body(
        f"{side}claw",
        "hand",
        pos=(0, y, 0),
        joints=[Slide(side, axis=(0, 1, 0), range=reach, damping=1000, armature=100)],
        inertial=Inertial(0.0162, diaginertia=(1.1e-5, 1.1e-5, 1.3e-6)),
        geoms=[Box(f"{side}claw", **CLAW, **FINGER), Box(f"{side}pad", pos=(0, inwards, 0), **PAD, **FINGER)],
        sites=[Site(f"{side}tip", (0, 0, -0.045)), Site(f"{side}pad", (0, inwards, 0))],
    )


HAND = (
    Body("mocap", mocap=True),
    Body(
        "hand",
        pos=(BESIDE[0], BESIDE[1], BESIDE[2] + SAG),
        joints=[
            Slide(f"hand_{one}", axis=axis) for one, axis in zip("xyz", ((1, 0, 0), (0, 1, 0), (0, 0, 1)), strict=True)
        ],
        inertial=Inertial(MASS, diaginertia=(0.01, 0.01, 0.01)),
        geoms=[Box("palm", size=(0.034, 0.049, 0.0245), pos=(-0.007, 0, 0.068), contype=3)],
    ),
    _finger("right", -0.05, (0, 0.04), 0.003),
    _finger("left", 0.05, (-0.03, 0), -0.003),
)
"""The place that actions move, and the hand: its coordinates are that place's, its fingers' 0 when open."""

TABLE = (Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), **FIXED),)
RAILS = (
    *(Box(f"rail_{y}", size=(0.7, 0.01, 0.06), pos=(0, y, 0.06), **FIXED) for y in (0.21, 0.99)),
    *(Box(f"rail_{x}", size=(0.01, 0.38, 0.06), pos=(x, 0.6, 0.06), **FIXED) for x in (-0.69, 0.69)),
)


def thing(name: str, geoms: Sequence[Geom], inertial: Inertial | None = None, **others) -> Body:
    """A body that moves freely."""
    return Body(name, joints=[Free(name)], inertial=inertial, geoms=geoms, **others)


def upright(mass: float) -> Inertial:
    """Mass of a body that cannot turn: the original gives it an inertia of 100,000 kg m^2."""
    return Inertial(mass, diaginertia=(1e5, 1e5, 1e5))


def base(name: str, pos: Sequence[float] = (0, 0, 0), **others) -> Body:
    """Where furniture stands: a place that each episode may change."""
    return Body(name, mocap=True, pos=tuple(pos), **others)


def scene(
    name: str,
    *bodies: Body,
    ground: Sequence[Geom] = (*TABLE, *RAILS),
    stops: Sequence[tuple[str, str]] = (),
) -> Scene:
    """The hand, the table and other bodies, stepped as the original.

    Args:
        name: of the scene.
        *bodies: beside the hand.
        ground: shapes that never move.
        stops: names of shapes of one piece of furniture that meet at the end of its way.
    """
    return Scene(
        name,
        option=Option(timestep=0.0025, cone="elliptic", iterations=50, tolerance=1e-10),
        geoms=list(ground),
        bodies=[*HAND, *bodies],
        actuators=[Position(side, kp=400, ctrlrange=(-1, 1)) for side in ("right", "left")],
        equalities=[Connect("mocap", "hand", **STIFFNESS)],
        pairs=[Pair(one, two, **HARD) for one, two in stops],
    )
