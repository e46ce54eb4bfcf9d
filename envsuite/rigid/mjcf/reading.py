"""MJCF to a `Scene`.

What has no influence on motion is ignored; what has one and is not known is refused, with element, attribute and line.
"""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from envsuite.rigid.checks import WORLD, check
from envsuite.rigid.mjcf.attributes import LABELS, ORIENTATION, Units, known
from envsuite.rigid.mjcf.defaults import Defaults
from envsuite.rigid.mjcf.nodes import LONGEST, Node, parse
from envsuite.rigid.mjcf.parts import ACTUATORS, actuator, equality, exclude, geom, joint, pair, site
from envsuite.rigid.model import Body, Inertial, Option, Scene

SECTIONS = ("compiler", "option", "default", "worldbody", "contact", "equality", "tendon", "actuator")
COSMETIC = ("asset", "custom", "size", "statistic", "visual")
NOTED = ("keyframe", "sensor")
PICTURES = ("camera", "light")
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
        source: the path of a file, or the text, which begins with "<" or has several lines.

    Returns:
        The scene; `compile_scene` takes it.

    Raises:
        ValueError: one line that names element, attribute and line, for all that is not known and would matter.
        OSError: the file cannot be read.
    """
    written = isinstance(source, str) and (source.startswith("<") or "\n" in source)
    root = parse(source if isinstance(source, str) and written else _file(Path(source)))
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
    return path.read_text(encoding="utf-8-sig")


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
            known(node, "compiler", *IGNORED["compiler"].split(), "inertiagrouprange")
            attributes |= node.attributes
        self.compiler = Node("compiler", attributes, max((one.line for one in self.root.all("compiler")), default=0))
        if "inertiagrouprange" in attributes and attributes["inertiagrouprange"].split() != ["0", "5"]:
            raise self.compiler.error("attribute inertiagrouprange is not supported")
        self.from_geoms = self.compiler.word("inertiafromgeom", "auto", "auto", "true", "false")
        sequence = attributes.get("eulerseq", "xyz")
        if len(sequence) != 3 or set(sequence.lower()) - set("xyz"):
            raise self.compiler.error(f"eulerseq is {sequence!r}, expected three of x, y, z, X, Y, Z")
        degree = self.compiler.word("angle", "degree", "degree", "radian") == "degree"
        self.units = Units(degree, self.compiler.flag("autolimits", True), sequence)
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
        self._tendons()
        contacts = self._section("contact", "pair", "exclude")
        mass = self.compiler.number("settotalmass", -1.0)
        return Scene(
            self.root.attributes.get("model", "scene"),
            option=self._option(),
            **self.world,
            bodies=self.bodies,
            actuators=[actuator(one, self.units) for one in self._section("actuator", *ACTUATORS)],
            equalities=[equality(one) for one in self._section("equality", "weld", "connect", inherits="equality")],
            excludes=[exclude(one) for one in contacts if one.tag == "exclude"],
            pairs=[pair(one) for one in contacts if one.tag == "pair"],
            settotalmass=mass if mass > 0 else None,
            boundmass=self.compiler.number("boundmass", 0.0),
            boundinertia=self.compiler.number("boundinertia", 0.0),
            balanceinertia=self.compiler.flag("balanceinertia"),
        )

    def _section(self, name: str, *tags: str, inherits: str = "") -> list[Node]:
        """The elements of a section, with what they inherit."""
        found = [one for part in self.root.all(name) for one in part.children]
        for one in found:
            if one.tag not in tags:
                raise one.error(f"not supported, expected one of {', '.join(tags)}")
        return [self.defaults.applied(one, None, inherits) for one in found]

    def _option(self) -> Option:
        values: dict[str, Any] = {"multiccd": False}
        for node in self.root.all("option"):
            numbers = ("timestep", "impratio", "tolerance", "density", "viscosity", "iterations")
            words = {
                "integrator": ("Euler", "RK4", "implicitfast"),
                "solver": ("Newton", "PGS"),
                "cone": ("pyramidal", "elliptic"),
            }
            known(node, "option", *numbers, *words, "gravity", *IGNORED["option"].split())
            values |= {name: node.number(name, 0) for name in numbers if name in node.attributes}
            values |= {name: node.word(name, "", *among) for name, among in words.items() if name in node.attributes}
            if gravity := node.numbers("gravity", 3, 3):
                values["gravity"] = gravity
            for child in node.children:
                values |= self._flags(child)
        return Option(**values)

    def _flags(self, node: Node) -> dict[str, bool]:
        """The one flag that counts, if it is there."""
        if node.tag != "flag":
            raise node.error("not supported, expected <flag>")
        for name in node.attributes:
            state = node.word(name, "", "enable", "disable")
            if name not in FLAGS and state != ("disable" if name in OFF else "enable"):
                raise node.error(f"{name} is {state!r}, expected the default: nothing else is supported")
        return {"multiccd": node.attributes["multiccd"] == "enable"} if "multiccd" in node.attributes else {}

    def _parts(self, node: Node, name: str, childclass: str | None) -> dict[str, list]:
        """Shapes, points and joints of a body or of the world; its bodies are added to the others."""
        parts: dict[str, list] = {"geoms": [], "sites": [], "joints": []}
        for child in node.children:
            if child.tag == "geom":
                parts["geoms"].append(geom(self.defaults.applied(child, childclass), self.units))
            elif child.tag == "site":
                parts["sites"].append(site(self.defaults.applied(child, childclass)))
            elif child.tag == "body":
                self._body(child, name, childclass)
            elif child.tag in ("joint", "freejoint") and node.tag == "body":
                inherits = child.tag == "joint"
                own = self.defaults.applied(child, childclass) if inherits else child
                parts["joints"].append(joint(own, self.units))
            elif child.tag not in PICTURES and not (child.tag == "inertial" and node.tag == "body"):
                raise child.error(f"not supported in <{node.tag}>")
        return parts

    def _body(self, node: Node, parent: str, childclass: str | None) -> None:
        known(node, "body", "childclass", "mocap", "pos", *ORIENTATION, *LABELS)
        name = node.attributes.get("name", "") or self._fresh()
        here = len(self.bodies)
        parts = self._parts(node, name, node.attributes.get("childclass", childclass))
        own = Body(
            name, parent, **self.units.placed(node), **parts, mocap=node.flag("mocap"), inertial=self._inertial(node)
        )
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
            return Inertial(0, **self.units.placed(node), diaginertia=(0, 0, 0)) if self.from_geoms == "false" else None
        one = found[0]
        one.allow("pos", "mass", "diaginertia", "fullinertia", *ORIENTATION)
        for name in ("pos", "mass"):
            if name not in one.attributes:
                raise one.error(f"attribute {name} is missing")
        placed = self.units.placed(one)
        values = {"diaginertia": one.numbers("diaginertia", 3, 3), "fullinertia": one.numbers("fullinertia", 6, 6)}
        return Inertial(one.number("mass", 0.0), **placed, **values)

    def _tendons(self) -> None:
        """Leave out tendons without forces."""
        drawn = ("width", "rgba", "material", "margin", "springlength", "sidesite")
        limits = ("solreflimit", "solimplimit", "solreffriction", "solimpfriction")
        for node in self._section("tendon", "fixed", "spatial", inherits="tendon"):
            known(node, "tendon", *drawn, *limits, *LABELS)
            self.left_out.append(node)
