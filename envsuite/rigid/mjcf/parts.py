"""Elements to declarations; each comes with what it inherits."""

from typing import Any

from envsuite.rigid.checks import WORLD
from envsuite.rigid.mjcf.attributes import LABELS, ORIENTATION, SOLVER, Units, known, scalars, solver
from envsuite.rigid.mjcf.nodes import Node
from envsuite.rigid.model import (
    Actuator,
    Ball,
    Box,
    Capsule,
    Connect,
    Cylinder,
    Equality,
    Exclude,
    Free,
    Geom,
    Hinge,
    Joint,
    Motor,
    Pair,
    Plane,
    Position,
    Site,
    Slide,
    Sphere,
    Velocity,
    Weld,
)

GEOMS = {
    "plane": (Plane, 3),
    "sphere": (Sphere, 1),
    "capsule": (Capsule, 2),
    "cylinder": (Cylinder, 2),
    "box": (Box, 3),
}
ACTUATORS = {"motor": Motor, "position": Position, "velocity": Velocity}


def joint(node: Node, units: Units) -> Joint:
    """A ``joint`` or ``freejoint``."""
    dof = ("damping", "armature", "frictionloss")
    dry = ("solreffriction", "solimpfriction")
    if node.tag == "freejoint":
        known(node, "freejoint", *LABELS)
        return Free(node.attributes.get("name", ""))
    axial = ("axis", "ref", "stiffness", "springref", "actuatorfrcrange", "actuatorfrclimited")
    allowed = ("type", "pos", "range", "limited", "margin", "solreflimit", "solimplimit", *axial, *dof, *dry, *LABELS)
    known(node, "joint", *allowed)
    kind = node.word("type", "hinge", "free", "ball", "slide", "hinge")
    values = {**scalars(node, *dof), **solver(node, *dry)}
    name = node.attributes.get("name", "")
    if kind in ("free", "ball") and node.number("stiffness", 0):
        raise node.error("stiffness is not supported on free and ball joints")
    if kind == "free":
        return Free(name, **values)
    values |= {**scalars(node, "margin"), **solver(node, "solreflimit", "solimplimit")}
    if pos := node.numbers("pos", 3, 3):
        values["pos"] = pos
    limits = units.limits(node, "range", "limited")
    turns = kind != "slide"
    values["range"] = tuple(units.angle(one) for one in limits) if limits and turns else limits
    if kind == "ball":
        return Ball(name, **values)
    values |= scalars(node, "stiffness")
    values |= {
        key: units.angle(value) if kind == "hinge" else value
        for key, value in scalars(node, "ref", "springref").items()
    }
    if axis := node.numbers("axis", 3, 3):
        values["axis"] = axis
    values["actfrcrange"] = units.limits(node, "actuatorfrcrange", "actuatorfrclimited")
    return (Slide if kind == "slide" else Hinge)(name, **values)


def geom(node: Node, units: Units) -> Geom:
    """A ``geom``."""
    plain = ("mass", "density", "margin", "gap", "solmix", "condim", "contype", "conaffinity", "priority")
    cosmetic = ("rgba", "material", "fluidcoef")
    allowed = ("type", "size", "pos", "fromto", "friction", *ORIENTATION, *plain, *SOLVER, *cosmetic, *LABELS)
    known(node, "geom", *allowed)
    kind, count = GEOMS[node.word("type", "sphere", *GEOMS)]
    fromto = node.numbers("fromto", 6, 6)
    size = node.numbers("size", 1, 3)
    values: dict[str, Any] = {**scalars(node, *plain), **solver(node, *SOLVER)}
    if size is not None:
        values["size"] = size[: 1 if fromto else count]
    values |= {"fromto": fromto} if fromto else units.placed(node)
    for name, least, most in (("friction", 1, 3), ("rgba", 4, 4)):
        if (given := node.numbers(name, least, most)) is not None:
            values[name] = given
    return kind(node.attributes.get("name", ""), **values)


def site(node: Node) -> Site:
    """A ``site``, of which the place counts."""
    node.allow("pos", "fromto", *ORIENTATION, "type", "size", "rgba", "material", *LABELS)
    ends = node.numbers("fromto", 6, 6)
    pos = node.numbers("pos", 3, 3) or (0.0, 0.0, 0.0)
    middle = tuple(0.5 * (a + b) for a, b in zip(ends[:3], ends[3:], strict=True)) if ends else pos
    return Site(node.attributes.get("name", ""), middle)


def actuator(node: Node, units: Units) -> Actuator:
    """A ``motor``, ``position`` or ``velocity``."""
    own = {"motor": (), "position": ("kp", "kv"), "velocity": ("kv",)}[node.tag]
    ranges = ("ctrlrange", "ctrllimited", "forcerange", "forcelimited")
    node.allow("joint", "gear", *own, *ranges, "lengthrange", *LABELS)
    if "joint" not in node.attributes:
        raise node.error("attribute joint is missing")
    gear = node.numbers("gear", 1, 6) or (1.0,)
    if any(gear[1:]):
        raise node.error(f"gear is {node.attributes['gear']!r}, expected one number")
    return ACTUATORS[node.tag](
        node.attributes["joint"],
        name=node.attributes.get("name", ""),
        gear=gear[0],
        ctrlrange=units.limits(node, "ctrlrange", "ctrllimited"),
        forcerange=units.limits(node, "forcerange", "forcelimited"),
        **scalars(node, *own),
    )


def equality(node: Node) -> Equality:
    """A ``weld`` or ``connect``."""
    own = ("relpose", "torquescale") if node.tag == "weld" else ()
    known(node, "equality", "body1", "body2", "anchor", *own, *SOLVER, *LABELS)
    if "body1" not in node.attributes:
        raise node.error("attribute body1 is missing")
    values: dict[str, Any] = {"name": node.attributes.get("name", ""), **solver(node, *SOLVER)}
    if anchor := node.numbers("anchor", 3, 3):
        values["anchor"] = anchor
    elif node.tag == "connect":
        raise node.error("attribute anchor is missing")
    bodies = node.attributes["body1"], node.attributes.get("body2", WORLD)
    if node.tag == "connect":
        return Connect(*bodies, **values)
    relpose = node.numbers("relpose", 7, 7)
    values |= {"relpose": relpose if relpose and any(relpose[3:]) else None}
    return Weld(*bodies, **values, **scalars(node, "torquescale"))


def pair(node: Node) -> Pair:
    """A ``pair``."""
    plain = ("condim", "margin", "gap")
    known(node, "pair", "geom1", "geom2", "friction", *plain, *SOLVER, *LABELS)
    values: dict[str, Any] = {**scalars(node, *plain), **solver(node, *SOLVER)}
    if friction := node.numbers("friction", 1, 5):
        values["friction"] = friction
    return Pair(*_two(node, "geom"), **values)


def exclude(node: Node) -> Exclude:
    """An ``exclude``."""
    node.allow("body1", "body2", "name")
    return Exclude(*_two(node, "body"))


def _two(node: Node, kind: str) -> list[str]:
    for name in (f"{kind}1", f"{kind}2"):
        if name not in node.attributes:
            raise node.error(f"attribute {name} is missing")
    return [node.attributes[f"{kind}{k}"] for k in (1, 2)]
