"""MJCF to a `Scene`.

What has no influence on motion is ignored; what has one and is not known is refused, with element, attribute and line.
"""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import pi
from os import PathLike
from pathlib import Path
from typing import Any

from envsuite.rigid.checks import WORLD, check
from envsuite.rigid.mjcf.defaults import Defaults
from envsuite.rigid.mjcf.nodes import LONGEST, Node, parse
from envsuite.rigid.model import (
    Actuator,
    Ball,
    Body,
    Box,
    Capsule,
    Connect,
    Cylinder,
    Equality,
    Exclude,
    Free,
    Geom,
    Hinge,
    Inertial,
    Joint,
    Motor,
    Option,
    Pair,
    Plane,
    Position,
    Scene,
    Site,
    Slide,
    Sphere,
    Velocity,
    Weld,
)
from envsuite.rigid.poses import cross, dot, from_euler, from_z, norm, quaternion, turn, unit

SECTIONS = ("compiler", "option", "default", "worldbody", "contact", "equality", "tendon", "actuator")
COSMETIC = ("asset", "custom", "size", "statistic", "visual")
NOTED = ("keyframe", "sensor")
PICTURES = ("camera", "light")
LABELS = ("name", "group", "user")
ORIENTATION = ("quat", "euler", "axisangle", "xyaxes", "zaxis")
SOLVER = {"solref": (1, 2), "solimp": (1, 5)}
GEOMS = {
    "plane": (Plane, 3),
    "sphere": (Sphere, 1),
    "capsule": (Capsule, 2),
    "cylinder": (Cylinder, 2),
    "box": (Box, 3),
}
# Attributes that do nothing as long as they have these values.
IDLE = {
    "compiler": {"coordinate": "local", "discardvisual": "false", "fusestatic": "false", "alignfree": "false"},
    "option": {"wind": "0 0 0", "noslip_iterations": "0"},
    "body": {"gravcomp": "0"},
    "joint": {"springdamper": "0 0", "actuatorgravcomp": "false"},
    "geom": {"fluidshape": "none", "shellinertia": "false"},
    "freejoint": {"align": "auto"},
    "pair": {"solreffriction": "0 0"},
    "equality": {"active": "true"},
    "tendon": {
        "limited": "false",
        "range": "0 0",
        "stiffness": "0",
        "damping": "0",
        "frictionloss": "0",
        "armature": "0",
    },
}
IGNORED = {
    "compiler": "angle autolimits balanceinertia boundinertia boundmass eulerseq inertiafromgeom settotalmass "
    "assetdir meshdir texturedir strippath convexhull usethread fitaabb exactmeshinertia saveinertial",
    "option": "apirate jacobian ls_iterations ls_tolerance ccd_iterations ccd_tolerance sdf_iterations sdf_initpoints "
    "noslip_tolerance magnetic mpr_iterations mpr_tolerance",
}
# Flags that change no motion of what is known here.
FLAGS = ("energy", "fwdinv", "sensor", "midphase", "nativeccd", "multiccd", "island", "autoreset")
OFF = ("override", "invdiscrete")


class IgnoredWarning(UserWarning):
    """Something in a file that has no place in a scene was left out."""


def read_mjcf(source: str | PathLike[str]) -> Scene:
    """Read a model.

    Known are trees of bodies with free, ball, slide and hinge joints, planes, spheres, capsules, cylinders and boxes,
    sites, motors, position and velocity servos on slides and hinges, welds and connects of bodies, contact pairs and
    excludes, default classes, and the options of `Option`. Pictures (assets, cameras, lights) are ignored; sensors,
    keyframes and tendons without forces are left out with a warning. Bodies without a name get one.

    Args:
        source: the text, which begins with "<", or the path of a file.

    Returns:
        The scene; `compile_scene` takes it.

    Raises:
        ValueError: one line that names element, attribute and line, for all that is not known and would matter.
        OSError: the file cannot be read.
    """
    text = source if isinstance(source, str) and source.lstrip().startswith("<") else _file(Path(source))
    root = parse(text)
    if root.tag != "mujoco":
        raise root.error("expected the root <mujoco>")
    root.allow("model")
    left_out = [node for node in root.children if node.tag in NOTED]
    for node in root.children:
        if node.tag in NOTED:
            continue
        if node.tag == "include":
            raise node.error("includes are not supported, expected the content of the file in its place")
        elif node.tag not in SECTIONS and node.tag not in COSMETIC:
            raise node.error(f"not supported, expected one of {', '.join(SECTIONS)}")
        elif node.tag == "statistic" and "meaninertia" in node.attributes:
            raise node.error("attribute meaninertia is not supported")
    reader = _Reader(root)
    scene = reader.scene()
    check(scene)
    for node in left_out + reader.left_out:
        warnings.warn(f"{node.place} is left out", IgnoredWarning, stacklevel=2)
    return scene


def _file(path: Path) -> str:
    if path.stat().st_size > LONGEST:
        raise ValueError(f"{path} has {path.stat().st_size} bytes, expected at most {LONGEST}")
    return path.read_text(encoding="utf-8")


@dataclass
class _Reader:
    """A document and its settings."""

    root: Node
    bodies: list[Body] = field(default_factory=list)
    world: dict[str, list] = field(default_factory=lambda: {"geoms": [], "sites": []})
    left_out: list[Node] = field(default_factory=list)

    def __post_init__(self) -> None:
        attributes: dict[str, str] = {}
        for node in self.root.all("compiler"):
            for child in node.children:
                if child.tag != "lengthrange":
                    raise child.error("not supported in <compiler>")
            self._idle(node, "compiler", *IGNORED["compiler"].split(), "inertiagrouprange")
            attributes |= node.attributes
        self.compiler = Node("compiler", attributes, 0)
        if "inertiagrouprange" in attributes and attributes["inertiagrouprange"].split() != ["0", "5"]:
            raise self.root.all("compiler")[0].error("attribute inertiagrouprange is not supported")
        self.degree = self.compiler.word("angle", "degree", "degree", "radian") == "degree"
        self.automatic = self.compiler.flag("autolimits", True)
        self.from_geoms = self.compiler.word("inertiafromgeom", "auto", "auto", "true", "false")
        self.sequence = attributes.get("eulerseq", "xyz")
        if len(self.sequence) != 3 or set(self.sequence.lower()) - set("xyz"):
            raise self.root.all("compiler")[0].error(
                f"eulerseq is {self.sequence!r}, expected three of x, y, z, X, Y, Z"
            )
        self.defaults = Defaults(self.root.all("default"))
        self.taken = {node.attributes["name"] for node in self._bodies(self.root) if "name" in node.attributes}

    def _bodies(self, node: Node) -> Iterator[Node]:
        for child in node.all("worldbody", "body"):
            if child.tag == "body":
                yield child
            yield from self._bodies(child)

    def scene(self) -> Scene:
        """Everything, section by section."""
        for node in self.root.all("worldbody"):
            node.allow()
            parts = self._parts(node, WORLD, None)
            self.world["geoms"] += parts["geoms"]
            self.world["sites"] += parts["sites"]
        for node in self.root.all("tendon"):
            self._tendons(node)
        mass = self.compiler.number("settotalmass", -1.0)
        return Scene(
            self.root.attributes.get("model", "scene"),
            option=self._option(),
            **self.world,
            bodies=self.bodies,
            actuators=[self._actuator(one) for part in self.root.all("actuator") for one in part.children],
            equalities=[self._equality(one) for part in self.root.all("equality") for one in part.children],
            excludes=[self._exclude(one) for part in self.root.all("contact") for one in part.all("exclude")],
            pairs=[self._pair(one) for part in self.root.all("contact") for one in self._pairs(part)],
            settotalmass=mass if mass > 0 else None,
            boundmass=self.compiler.number("boundmass", 0.0),
            boundinertia=self.compiler.number("boundinertia", 0.0),
            balanceinertia=self.compiler.flag("balanceinertia"),
        )

    def _idle(self, node: Node, kind: str, *allowed: str) -> None:
        """Refuse attributes that are not known, and those that may only have the value that does nothing."""
        idle = IDLE.get(kind, {})
        node.allow(*allowed, *idle)
        for name, value in idle.items():
            given = node.attributes.get(name, value)
            if given.split() != value.split() and not _same(given, value):
                raise node.error(f"{name} is {given!r}, expected {value!r}: nothing else is supported")

    def _option(self) -> Option:
        values: dict[str, Any] = {}
        for node in self.root.all("option"):
            numbers = ("timestep", "impratio", "tolerance", "density", "viscosity", "iterations")
            words = {
                "integrator": ("Euler", "RK4", "implicitfast"),
                "solver": ("Newton", "PGS"),
                "cone": ("pyramidal", "elliptic"),
            }
            self._idle(node, "option", *numbers, *words, "gravity", *IGNORED["option"].split())
            values |= {name: node.number(name, 0) for name in numbers if name in node.attributes}
            values |= {name: node.word(name, "", *among) for name, among in words.items() if name in node.attributes}
            if gravity := node.numbers("gravity", 3, 3):
                values["gravity"] = gravity
            for child in node.children:
                self._flags(child)
        return Option(**values)

    def _flags(self, node: Node) -> None:
        if node.tag != "flag":
            raise node.error("not supported, expected <flag>")
        for name in node.attributes:
            state = node.word(name, "", "enable", "disable")
            if name not in FLAGS and state != ("disable" if name in OFF else "enable"):
                raise node.error(f"{name} is {state!r}, expected the default: nothing else is supported")

    def _parts(self, node: Node, name: str, childclass: str | None) -> dict[str, list]:
        """Shapes, points and joints of a body or of the world; its bodies are added to the others."""
        parts: dict[str, list] = {"geoms": [], "sites": [], "joints": []}
        for child in node.children:
            if child.tag == "geom":
                parts["geoms"].append(self._geom(self.defaults.applied(child, childclass)))
            elif child.tag == "site":
                parts["sites"].append(self._site(self.defaults.applied(child, childclass)))
            elif child.tag == "body":
                self._body(child, name, childclass)
            elif child.tag in ("joint", "freejoint") and node.tag == "body":
                inherits = child.tag == "joint"
                parts["joints"].append(self._joint(self.defaults.applied(child, childclass) if inherits else child))
            elif child.tag not in PICTURES and not (child.tag == "inertial" and node.tag == "body"):
                raise child.error(f"not supported in <{node.tag}>")
        return parts

    def _body(self, node: Node, parent: str, childclass: str | None) -> None:
        self._idle(node, "body", "childclass", "mocap", "pos", *ORIENTATION, *LABELS)
        name = node.attributes.get("name", "") or self._fresh()
        here = len(self.bodies)
        parts = self._parts(node, name, node.attributes.get("childclass", childclass))
        own = Body(name, parent, **self._placed(node), **parts, mocap=node.flag("mocap"), inertial=self._inertial(node))
        self.bodies.insert(here, own)

    def _fresh(self) -> str:
        """A name for a body without one."""
        number = len(self.bodies) + 1
        while f"body{number}" in self.taken:
            number += 1
        self.taken.add(f"body{number}")
        return f"body{number}"

    def _inertial(self, node: Node) -> Inertial | None:
        found = node.all("inertial")
        if len(found) > 1:
            raise found[1].error("the body has one already")
        if self.from_geoms == "true" or not found:
            return Inertial(0, **self._placed(node), diaginertia=(0, 0, 0)) if self.from_geoms == "false" else None
        one = found[0]
        one.allow("pos", "mass", "diaginertia", "fullinertia", *ORIENTATION)
        for name in ("pos", "mass"):
            if name not in one.attributes:
                raise one.error(f"attribute {name} is missing")
        placed = self._placed(one)
        values = {"diaginertia": one.numbers("diaginertia", 3, 3), "fullinertia": one.numbers("fullinertia", 6, 6)}
        return Inertial(one.number("mass", 0.0), **placed, **values)

    def _placed(self, node: Node) -> dict[str, Any]:
        """Position and orientation, as far as they are given."""
        given = [name for name in ORIENTATION if name in node.attributes]
        if len(given) > 1:
            raise node.error(f"{given[0]} and {given[1]} are given, expected one of them")
        found: dict[str, Any] = {}
        if pos := node.numbers("pos", 3, 3):
            found["pos"] = pos
        if given:
            found["quat"] = self._orientation(node, given[0])
        return found

    def _orientation(self, node: Node, name: str) -> tuple[float, ...]:
        count = {"quat": 4, "euler": 3, "axisangle": 4, "xyaxes": 6, "zaxis": 3}[name]
        given: tuple[float, ...] = node.numbers(name, count, count) or (0.0,) * count
        parts = [given[:3], given[3:]] if name == "xyaxes" else [given if name in ("quat", "euler") else given[:3]]
        if name != "euler" and any(norm(part) < 1e-14 for part in parts):
            raise node.error(f"{name} is {node.attributes[name]!r}, expected no vector of length 0")
        if name == "euler":
            return from_euler([self._angle(one) for one in given], self.sequence)
        if name == "axisangle":
            return turn(unit(given[:3]), self._angle(given[3]))
        if name == "zaxis":
            return from_z(unit(given))
        if name == "xyaxes":
            x = unit(given[:3])
            along = dot(x, given[3:])
            y = unit([b - along * a for a, b in zip(x, given[3:], strict=True)])
            return quaternion(list(zip(x, y, cross(x, y), strict=True)))
        return given

    def _angle(self, value: float) -> float:
        return value * pi / 180 if self.degree else value

    def _limits(self, node: Node, name: str, flag: str) -> tuple[float, ...] | None:
        """A range, where it limits."""
        limited = node.word(flag, "auto", "auto", "true", "false")
        given = node.numbers(name, 2, 2)
        given = None if given == (0, 0) else given
        if limited == "auto" and given and not self.automatic:
            raise node.error(f"{name} is given without {flag}, which autolimits='false' wants")
        if limited == "true" and given is None:
            raise node.error(f"{flag} is 'true' and {name} is missing")
        return None if limited == "false" else given

    def _solver(self, node: Node, *names: str) -> dict[str, Any]:
        """Numbers of the solver, as far as they are given."""
        found = {}
        for name in names:
            least, most = SOLVER[name[:6]]
            if (value := node.numbers(name, least, most)) is not None:
                found[name] = value
        return found

    def _scalars(self, node: Node, *names: str) -> dict[str, Any]:
        return {name: node.number(name, 0) for name in names if name in node.attributes}

    def _joint(self, node: Node) -> Joint:
        dof = ("damping", "armature", "frictionloss")
        dry = ("solreffriction", "solimpfriction")
        if node.tag == "freejoint":
            self._idle(node, "freejoint", *LABELS)
            return Free(node.attributes.get("name", ""))
        axial = ("axis", "ref", "stiffness", "springref", "actuatorfrcrange", "actuatorfrclimited")
        known = ("type", "pos", "range", "limited", "margin", "solreflimit", "solimplimit", *axial, *dof, *dry, *LABELS)
        self._idle(node, "joint", *known)
        kind = node.word("type", "hinge", "free", "ball", "slide", "hinge")
        values = {**self._scalars(node, *dof), **self._solver(node, *dry)}
        name = node.attributes.get("name", "")
        if kind in ("free", "ball") and node.number("stiffness", 0):
            raise node.error("stiffness is not supported on free and ball joints")
        if kind == "free":
            return Free(name, **values)
        values |= {**self._scalars(node, "margin"), **self._solver(node, "solreflimit", "solimplimit")}
        if pos := node.numbers("pos", 3, 3):
            values["pos"] = pos
        limits = self._limits(node, "range", "limited")
        turns = kind != "slide"
        values["range"] = tuple(self._angle(one) for one in limits) if limits and turns else limits
        if kind == "ball":
            return Ball(name, **values)
        values |= self._scalars(node, "stiffness")
        values |= {
            key: self._angle(value) if kind == "hinge" else value
            for key, value in self._scalars(node, "ref", "springref").items()
        }
        if axis := node.numbers("axis", 3, 3):
            values["axis"] = axis
        values["actfrcrange"] = self._limits(node, "actuatorfrcrange", "actuatorfrclimited")
        return (Slide if kind == "slide" else Hinge)(name, **values)

    def _geom(self, node: Node) -> Geom:
        scalars = ("mass", "density", "margin", "gap", "solmix", "condim", "contype", "conaffinity", "priority")
        cosmetic = ("rgba", "material", "fluidcoef")
        known = ("type", "size", "pos", "fromto", "friction", *ORIENTATION, *scalars, *SOLVER, *cosmetic, *LABELS)
        self._idle(node, "geom", *known)
        kind, count = GEOMS[node.word("type", "sphere", *GEOMS)]
        fromto = node.numbers("fromto", 6, 6)
        size = node.numbers("size", 1, 3)
        values: dict[str, Any] = {**self._scalars(node, *scalars), **self._solver(node, *SOLVER)}
        if size is not None:
            values["size"] = size[: 1 if fromto else count]
        values |= {"fromto": fromto} if fromto else self._placed(node)
        for name, least, most in (("friction", 1, 3), ("rgba", 4, 4)):
            if (given := node.numbers(name, least, most)) is not None:
                values[name] = given
        return kind(node.attributes.get("name", ""), **values)

    def _site(self, node: Node) -> Site:
        node.allow("pos", "fromto", *ORIENTATION, "type", "size", "rgba", "material", *LABELS)
        ends = node.numbers("fromto", 6, 6)
        pos = node.numbers("pos", 3, 3) or (0.0, 0.0, 0.0)
        middle = tuple(0.5 * (a + b) for a, b in zip(ends[:3], ends[3:], strict=True)) if ends else pos
        return Site(node.attributes.get("name", ""), middle)

    def _actuator(self, node: Node) -> Actuator:
        kinds = {"motor": Motor, "position": Position, "velocity": Velocity}
        if node.tag not in kinds:
            raise node.error(f"not supported, expected one of {', '.join(kinds)}")
        node = self.defaults.applied(node, None)
        own = {"motor": (), "position": ("kp", "kv"), "velocity": ("kv",)}[node.tag]
        ranges = ("ctrlrange", "ctrllimited", "forcerange", "forcelimited")
        node.allow("joint", "gear", *own, *ranges, "lengthrange", *LABELS)
        if "joint" not in node.attributes:
            raise node.error("attribute joint is missing")
        gear = node.numbers("gear", 1, 6) or (1.0,)
        if any(gear[1:]):
            raise node.error(f"gear is {node.attributes['gear']!r}, expected one number")
        return kinds[node.tag](
            node.attributes["joint"],
            name=node.attributes.get("name", ""),
            gear=gear[0],
            ctrlrange=self._limits(node, "ctrlrange", "ctrllimited"),
            forcerange=self._limits(node, "forcerange", "forcelimited"),
            **self._scalars(node, *own),
        )

    def _equality(self, node: Node) -> Equality:
        if node.tag not in ("weld", "connect"):
            raise node.error("not supported, expected weld or connect")
        node = self.defaults.applied(node, None, "equality")
        own = ("relpose", "torquescale") if node.tag == "weld" else ()
        self._idle(node, "equality", "body1", "body2", "anchor", *own, *SOLVER, *LABELS)
        if "body1" not in node.attributes:
            raise node.error("attribute body1 is missing")
        values: dict[str, Any] = {"name": node.attributes.get("name", ""), **self._solver(node, *SOLVER)}
        if anchor := node.numbers("anchor", 3, 3):
            values["anchor"] = anchor
        elif node.tag == "connect":
            raise node.error("attribute anchor is missing")
        bodies = node.attributes["body1"], node.attributes.get("body2", WORLD)
        if node.tag == "connect":
            return Connect(*bodies, **values)
        relpose = node.numbers("relpose", 7, 7)
        values |= {"relpose": relpose if relpose and any(relpose[3:]) else None}
        return Weld(*bodies, **values, **self._scalars(node, "torquescale"))

    def _pairs(self, section: Node) -> list[Node]:
        for node in section.children:
            if node.tag not in ("pair", "exclude"):
                raise node.error("not supported, expected pair or exclude")
        return section.all("pair")

    def _pair(self, node: Node) -> Pair:
        node = self.defaults.applied(node, None)
        scalars = ("condim", "margin", "gap")
        self._idle(node, "pair", "geom1", "geom2", "friction", *scalars, *SOLVER, *LABELS)
        values: dict[str, Any] = {**self._scalars(node, *scalars), **self._solver(node, *SOLVER)}
        if friction := node.numbers("friction", 1, 5):
            values["friction"] = friction
        return Pair(*self._two(node, "geom"), **values)

    def _exclude(self, node: Node) -> Exclude:
        node.allow("body1", "body2", "name")
        return Exclude(*self._two(node, "body"))

    def _two(self, node: Node, kind: str) -> list[str]:
        for name in (f"{kind}1", f"{kind}2"):
            if name not in node.attributes:
                raise node.error(f"attribute {name} is missing")
        return [node.attributes[f"{kind}{k}"] for k in (1, 2)]

    def _tendons(self, section: Node) -> None:
        """Leave out tendons without forces."""
        for node in section.children:
            if node.tag not in ("fixed", "spatial"):
                raise node.error("not supported")
            own = self.defaults.applied(node, None, "tendon")
            drawn = ("width", "rgba", "material", "margin", "springlength", "sidesite")
            self._idle(own, "tendon", *drawn, *LABELS, "solreflimit", "solimplimit", "solreffriction", "solimpfriction")
            self.left_out.append(node)


def _same(given: str, expected: str) -> bool:
    """Whether two attributes are the same numbers."""
    try:
        return [float(one) for one in given.split()] == [float(one) for one in expected.split()]
    except ValueError:
        return False
