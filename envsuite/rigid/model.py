"""Declarations of scenes: bodies, joints, shapes, actuators, equalities and options, under MuJoCo's names.

Attributes and defaults are those of MuJoCo's XML (https://mujoco.readthedocs.io/en/3.3.7/XMLreference.html), with three
differences: angles are radians; a range that is given is a limit, None is none; there are no default classes, since
Python has dictionaries, `functools.partial` and `dataclasses.replace`. Lengths are metres, masses kilograms.

Lists and NumPy arrays become tuples, and what has fewer numbers than it may have (``friction=0.9``) is completed with
the defaults. Nothing else is checked here: `compile_scene` does.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Literal

from envsuite.rigid.rules import Part, choice, number, parts, solimp, solref, vector

Vector = Sequence[float]
Shared = dict[str, Any]  # attributes that several parts have

TINY = 1e-15  # mjMINVAL


@dataclass(frozen=True)
class Option(Part):
    """How a scene is stepped.

    Attributes:
        timestep: in s.
        integrator: "Euler", "RK4" or "implicitfast".
        solver: "Newton" or "PGS".
        cone: of friction, "pyramidal" or "elliptic".
        impratio: frictional to normal impedance.
        iterations: of the solver, at most.
        tolerance: of the solver.
        density: of the medium, in kg/m^3.
        viscosity: of the medium, in Pa s.
        gravity: in m/s^2.
        multiccd: let a cylinder and a box touch at several points, so that they rest on each other. Otherwise at the
            deepest one, as MuJoCo does unless told; other pairs do not care.
    """

    _: KW_ONLY
    timestep: float = number(0.002, above=0)
    integrator: Literal["Euler", "RK4", "implicitfast"] = choice("Euler", "Euler", "RK4", "implicitfast")
    solver: Literal["Newton", "PGS"] = choice("Newton", "Newton", "PGS")
    cone: Literal["pyramidal", "elliptic"] = choice("pyramidal", "pyramidal", "elliptic")
    impratio: float = number(1.0, above=0)
    iterations: int = number(100, whole=True, above=0)
    tolerance: float = number(1e-8, low=0)
    density: float = number(0.0, low=0)
    viscosity: float = number(0.0, low=0)
    gravity: Vector = vector((0.0, 0.0, -9.81))
    multiccd: bool = choice(True, False, True)


@dataclass(frozen=True)
class Joint(Part):
    """What all joints have; use `Free`, `Ball`, `Slide` or `Hinge`.

    Attributes:
        name: optional.
        damping: in N s/m or N m s/rad.
        armature: inertia of the drive, in kg or kg m^2.
        frictionloss: dry friction, in N or N m.
        solreffriction: time constant and damping ratio of dry friction.
        solimpfriction: impedance of dry friction.
    """

    type: ClassVar[str] = ""
    name: str = ""
    _: KW_ONLY
    damping: float = number(0.0, low=0)
    armature: float = number(0.0, low=0)
    frictionloss: float = number(0.0, low=0)
    solreffriction: Vector = solref()
    solimpfriction: Vector = solimp()


@dataclass(frozen=True)
class Free(Joint):
    """All six degrees of freedom, of a body in the world."""

    type: ClassVar[str] = "free"


@dataclass(frozen=True)
class _Jointed(Joint):
    """What has an anchor and limits.

    Attributes:
        pos: anchor, in the body.
        range: limits, in m or rad; None for none. Of a ball: 0 and the largest angle.
        margin: distance from the limit at which it begins to act.
        solreflimit: time constant and damping ratio of the limit.
        solimplimit: impedance of the limit.
    """

    _: KW_ONLY
    pos: Vector = vector((0.0, 0.0, 0.0))
    range: Vector | None = vector(None, 2)
    margin: float = number(0.0, low=0)
    solreflimit: Vector = solref()
    solimplimit: Vector = solimp()


@dataclass(frozen=True)
class Ball(_Jointed):
    """Three rotations about a point."""

    type: ClassVar[str] = "ball"


@dataclass(frozen=True)
class _Axial(_Jointed):
    """What has one axis.

    Attributes:
        axis: in the body; any length.
        ref: coordinate in the pose in which the scene is written.
        stiffness: of a spring, in N/m or N m/rad.
        springref: coordinate at which the spring rests.
        actfrcrange: bounds of what all actuators together exert (``actuatorfrcrange`` in XML), in N or N m.
    """

    _: KW_ONLY
    axis: Vector = vector((0.0, 0.0, 1.0))
    ref: float = number(0.0)
    stiffness: float = number(0.0, low=0)
    springref: float = number(0.0)
    actfrcrange: Vector | None = vector(None, 2)


@dataclass(frozen=True)
class Slide(_Axial):
    """A shift along an axis."""

    type: ClassVar[str] = "slide"


@dataclass(frozen=True)
class Hinge(_Axial):
    """A turn about an axis."""

    type: ClassVar[str] = "hinge"


@dataclass(frozen=True)
class Geom(Part):
    """A shape; use `Plane`, `Sphere`, `Capsule`, `Cylinder` or `Box`.

    Attributes:
        name: optional.
        size: what each shape says.
        pos: of the centre, in the body.
        quat: orientation in the body, of any length.
        euler: in its place, rotations about the turned x, y and z axis, in rad.
        fromto: of a capsule or cylinder, in the place of pos, orientation and half length: both ends of its axis.
        mass: in kg; None for that of the density.
        density: in kg/m^3.
        friction: coefficients: sliding, spinning, rolling.
        condim: dimension of contact forces: 1 no friction, 3 sliding, 4 and spinning, 6 and rolling.
        contype: bits; two geoms may touch where one's contype and the other's conaffinity share a bit.
        conaffinity: bits.
        margin: distance at which contacts begin, in m.
        gap: part of the margin in which they exert no force, in m.
        solmix: weight of the solver's parameters against those of the other geom.
        priority: the geom with the higher one decides on contacts alone.
        solref: time constant and damping ratio of contacts.
        solimp: impedance of contacts.
        rgba: colour, for pictures.
    """

    type: ClassVar[str] = ""
    name: str = ""
    _: KW_ONLY
    size: Vector | float = vector((), 3, least=1, low=0)
    pos: Vector = vector((0.0, 0.0, 0.0))
    quat: Vector | None = vector(None, 4)
    euler: Vector | None = vector(None, 3)
    fromto: Vector | None = vector(None, 6)
    mass: float | None = number(None, low=0)
    density: float = number(1000.0, low=0)
    friction: Vector | float = vector((1.0, 0.005, 0.0001), least=1, low=0)
    condim: int = choice(3, 1, 3, 4, 6)
    contype: int = number(1, whole=True, low=0)
    conaffinity: int = number(1, whole=True, low=0)
    margin: float = number(0.0, low=0)
    gap: float = number(0.0, low=0)
    solmix: float = number(1.0, low=0)
    priority: int = number(0, whole=True)
    solref: Vector = solref()
    solimp: Vector = solimp()
    rgba: Vector = vector((0.5, 0.5, 0.5, 1.0), low=0)


@dataclass(frozen=True)
class Plane(Geom):
    """Infinite, with the normal z, on bodies that do not move; its size (half sides, spacing) is for pictures."""

    type: ClassVar[str] = "plane"
    _: KW_ONLY
    size: Vector | float = vector((0.0, 0.0, 0.1), low=0)


@dataclass(frozen=True)
class Sphere(Geom):
    """Size: radius."""

    type: ClassVar[str] = "sphere"


@dataclass(frozen=True)
class Capsule(Geom):
    """Size: radius, half length of the cylinder along z without its caps; with `fromto` the radius."""

    type: ClassVar[str] = "capsule"


@dataclass(frozen=True)
class Cylinder(Geom):
    """Size: radius, half length along z; with `fromto` the radius."""

    type: ClassVar[str] = "cylinder"


@dataclass(frozen=True)
class Box(Geom):
    """Size: half sides."""

    type: ClassVar[str] = "box"


@dataclass(frozen=True)
class Site(Part):
    """A marked point.

    Attributes:
        name: of the point.
        pos: in the body.
    """

    name: str
    pos: Vector = vector((0.0, 0.0, 0.0))


@dataclass(frozen=True)
class Inertial(Part):
    """Mass and inertia of a body, in the place of its geoms'.

    Attributes:
        mass: in kg.
        pos: centre of mass, in the body.
        quat: principal axes, in the body.
        diaginertia: principal moments, in kg m^2.
        fullinertia: in the place of both, xx, yy, zz, xy, xz and yz about the centre of mass, in body axes.
    """

    mass: float = number(1.0, low=0)
    _: KW_ONLY
    pos: Vector = vector((0.0, 0.0, 0.0))
    quat: Vector = vector((1.0, 0.0, 0.0, 0.0))
    diaginertia: Vector | None = vector(None, 3, low=0)
    fullinertia: Vector | None = vector(None, 6)


@dataclass(frozen=True)
class Body(Part):
    """A rigid body.

    Attributes:
        name: of the body.
        parent: name of the body that it hangs on; "world" for none.
        pos: in the parent, with all joints at their reference.
        quat: orientation in the parent, of any length.
        euler: in its place, rotations about the turned x, y and z axis, in rad.
        joints: with the parent, in order; none welds it on.
        geoms: its shapes.
        sites: points on it.
        mocap: whether its pose is given from outside; then without joints, in the world.
        inertial: mass and inertia; None for those of its geoms.
    """

    name: str
    parent: str = "world"
    _: KW_ONLY
    pos: Vector = vector((0.0, 0.0, 0.0))
    quat: Vector | None = vector(None, 4)
    euler: Vector | None = vector(None, 3)
    joints: Sequence[Joint] = parts()
    geoms: Sequence[Geom] = parts()
    sites: Sequence[Site] = parts()
    mocap: bool = choice(False, False, True)
    inertial: Inertial | None = None


@dataclass(frozen=True)
class Actuator(Part):
    """What drives a slide or a hinge; use `Motor`, `Position` or `Velocity`.

    Attributes:
        joint: name of the joint.
        name: optional.
        gear: ratio: force on the joint to force of the actuator.
        ctrlrange: bounds of the control; None for none.
        forcerange: bounds of the force before the gear, in N or N m; None for none.
    """

    type: ClassVar[str] = ""
    joint: str
    _: KW_ONLY
    name: str = ""
    gear: float = number(1.0)
    ctrlrange: Vector | None = vector(None, 2)
    forcerange: Vector | None = vector(None, 2)


@dataclass(frozen=True)
class Motor(Actuator):
    """The control is the force."""

    type: ClassVar[str] = "motor"


@dataclass(frozen=True)
class Position(Actuator):
    """The control is where the joint should be.

    Attributes:
        kp: stiffness, in N/m or N m/rad.
        kv: damping, in N s/m or N m s/rad.
    """

    type: ClassVar[str] = "position"
    _: KW_ONLY
    kp: float = number(1.0, low=0)
    kv: float = number(0.0, low=0)


@dataclass(frozen=True)
class Velocity(Actuator):
    """The control is how fast the joint should move.

    Attributes:
        kv: in N s/m or N m s/rad.
    """

    type: ClassVar[str] = "velocity"
    _: KW_ONLY
    kv: float = number(1.0, low=0)


@dataclass(frozen=True)
class Equality(Part):
    """What holds two bodies together; use `Weld` or `Connect`.

    Attributes:
        body1: name of a body.
        body2: name of a body.
        name: optional.
        solref: time constant and damping ratio.
        solimp: impedance.
    """

    type: ClassVar[str] = ""
    body1: str
    body2: str = "world"
    _: KW_ONLY
    name: str = ""
    solref: Vector = solref()
    solimp: Vector = solimp()


@dataclass(frozen=True)
class Weld(Equality):
    """Holds the pose of one body in the other.

    Attributes:
        anchor: point of `body2` that is held.
        relpose: pose of `body2` in `body1`, position and quaternion; None for that in the reference pose.
        torquescale: weight of angles against distances, in m.
    """

    type: ClassVar[str] = "weld"
    _: KW_ONLY
    anchor: Vector = vector((0.0, 0.0, 0.0))
    relpose: Vector | None = vector(None, 7)
    torquescale: float = number(1.0, above=0)


@dataclass(frozen=True)
class Connect(Equality):
    """Holds a point of one body on the other, where it is in the reference pose.

    Attributes:
        anchor: the point, in `body1`.
    """

    type: ClassVar[str] = "connect"
    _: KW_ONLY
    anchor: Vector = vector((0.0, 0.0, 0.0))


@dataclass(frozen=True)
class Exclude(Part):
    """Two bodies that do not touch.

    Attributes:
        body1: name.
        body2: name.
    """

    body1: str
    body2: str


@dataclass(frozen=True)
class Pair(Part):
    """Two geoms that touch whatever their bits say, with parameters of the pair's own.

    Attributes:
        geom1: name.
        geom2: name.
        condim: as of `Geom`.
        friction: coefficients: sliding along both axes, spinning, rolling about both axes.
        margin: as of `Geom`.
        gap: as of `Geom`.
        solref: as of `Geom`.
        solimp: as of `Geom`.
    """

    geom1: str
    geom2: str
    _: KW_ONLY
    condim: int = choice(3, 1, 3, 4, 6)
    friction: Vector = vector((1.0, 1.0, 0.005, 0.0001, 0.0001), least=1, low=0)
    margin: float = number(0.0, low=0)
    gap: float = number(0.0, low=0)
    solref: Vector = solref()
    solimp: Vector = solimp()


@dataclass(frozen=True)
class Scene(Part):
    """Everything that `compile_scene` takes.

    Attributes:
        name: of the scene.
        option: how it is stepped.
        geoms: of the world.
        sites: of the world.
        bodies: in any order.
        actuators: in the order of the controls.
        equalities: welds and connects.
        excludes: pairs of bodies that do not touch.
        pairs: of geoms, with parameters of their own.
        settotalmass: scale all masses and inertias to this sum, in kg; None leaves them.
        boundmass: least mass of a body, in kg.
        boundinertia: least principal moment of a body, in kg m^2.
        balanceinertia: give three moments that no body can have their mean.
    """

    name: str = "scene"
    _: KW_ONLY
    option: Option = Option()
    geoms: Sequence[Geom] = parts()
    sites: Sequence[Site] = parts()
    bodies: Sequence[Body] = parts()
    actuators: Sequence[Actuator] = parts()
    equalities: Sequence[Equality] = parts()
    excludes: Sequence[Exclude] = parts()
    pairs: Sequence[Pair] = parts()
    settotalmass: float | None = number(None, above=0)
    boundmass: float = number(0.0, low=0)
    boundinertia: float = number(0.0, low=0)
    balanceinertia: bool = choice(False, False, True)
