"""What a scene has to be before it is compiled; every refusal is one line that names the part."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from math import inf
from typing import Any

from envsuite.rigid.model import (
    Actuator,
    Ball,
    Body,
    Connect,
    Exclude,
    Free,
    Geom,
    Hinge,
    Inertial,
    Joint,
    Motor,
    Option,
    Pair,
    Position,
    Scene,
    Site,
    Slide,
    Velocity,
    Weld,
)
from envsuite.rigid.poses import IDENTITY, norm, subtract

WORLD = "world"
SHORTEST = 1e-14  # of what gives a direction (mjEPS)

SIZES = {
    "plane": (3, "3 numbers, the last one positive (half sides, 0 for infinite, spacing)"),
    "sphere": (1, "1 positive number (radius)"),
    "capsule": (2, "2 positive numbers (radius, half length)"),
    "cylinder": (2, "2 positive numbers (radius, half length)"),
    "box": (3, "3 positive numbers (half sides)"),
}


def called(kind: str, name: str, place: int, owner: str = "") -> str:
    """How a part is called in messages: by its name, or by its place in what it belongs to."""
    return f"{kind} {name!r}" if isinstance(name, str) and name else f"{kind} {place} of {owner}"


def shown(value: Any) -> str:
    """A value in one line."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 80 else f"{text[:77]}..."


def check(scene: Scene) -> None:
    """Refuse a scene that cannot be compiled.

    Args:
        scene: any.

    Raises:
        ValueError: one line that names the part, what it has, and what was expected.
    """
    _check_part("scene", scene, Scene)
    _check_part("option", scene.option, Option)
    for body in scene.bodies:
        _check_part(f"body {shown(getattr(body, 'name', body))}", body, Body)
    _check_names("body", [WORLD, *(body.name for body in scene.bodies)])
    _check_tree(scene.bodies)
    for body in scene.bodies:
        _check_body(body)
    _check_geoms("the world", scene.geoms)
    _check_sites("the world", scene.sites)
    _check_named(scene)
    _check_references(scene)


def _check_part(words: str, part: Any, *kinds: type) -> None:
    """Type, numbers and vectors of a part."""
    if type(part) not in kinds:
        names = " or ".join(kind.__name__ for kind in kinds)
        raise ValueError(f"{words} is {type(part).__name__}, expected {names}")
    for one in fields(part):
        value = getattr(part, one.name)
        rule = one.metadata.get("rule")
        if rule and rule.broken(value):
            raise ValueError(f"{words}: {one.name} is {shown(value)}, expected {rule.words}")
        if one.type is str and not isinstance(value, str):
            raise ValueError(f"{words}: {one.name} is {shown(value)}, expected a string")
        if one.metadata.get("parts") and not isinstance(value, tuple):
            raise ValueError(f"{words}: {one.name} is {type(value).__name__}, expected a tuple or list")
    for name in ("range", "actfrcrange", "ctrlrange", "forcerange"):
        limits = getattr(part, name, None)
        if limits is not None and not limits[0] < limits[1]:
            raise ValueError(f"{words}: {name} is {limits}, expected the lower limit first")
    for name in ("solref", "solreflimit", "solreffriction"):
        ref = getattr(part, name, None)
        if ref is not None and (ref[0] > 0) != (ref[1] > 0):
            raise ValueError(f"{words}: {name} is {ref}, expected two positive numbers or two that are not")
    if getattr(part, "quat", None) is not None and norm(part.quat) < SHORTEST:
        raise ValueError(f"{words}: quat is {part.quat}, expected a quaternion that is not zero")


def _check_names(kind: str, names: Iterable[str]) -> None:
    for name, count in Counter(names).items():
        if name and count > 1:
            raise ValueError(f"{kind} {name!r} is there {count} times, expected names that differ")


def _check_tree(bodies: Sequence[Body]) -> None:
    parents = {body.name: body.parent for body in bodies}
    for body in bodies:
        if not body.name:
            raise ValueError(f"a body in {body.parent!r} has no name, expected one")
        if body.parent not in parents and body.parent != WORLD:
            raise ValueError(f"body {body.name!r}: parent is {body.parent!r}, expected 'world' or the name of a body")
        path, name = [body.name], body.parent
        while name != WORLD and name not in path:
            path.append(name)
            name = parents.get(name, WORLD)
        if name != WORLD:
            raise ValueError(f"body {body.name!r} hangs on itself ({' -> '.join([*path, name])}), expected a tree")


def _check_body(body: Body) -> None:
    words = f"body {body.name!r}"
    if body.quat is not None and body.euler is not None:
        raise ValueError(f"{words} has quat and euler, expected one of them")
    if body.inertial is not None:
        _check_part(f"{words}, inertial", body.inertial, Inertial)
        if (body.inertial.diaginertia is None) == (body.inertial.fullinertia is None):
            raise ValueError(f"{words}, inertial: expected diaginertia or fullinertia")
        if body.inertial.fullinertia is not None and body.inertial.quat != IDENTITY:
            raise ValueError(f"{words}, inertial has fullinertia and quat, expected one of them")
    if body.mocap and (body.joints or body.parent != WORLD):
        raise ValueError(f"{words} is a mocap body, expected one in the world without joints")
    for place, joint in enumerate(body.joints):
        _check_joint(called("joint", getattr(joint, "name", ""), place, words), joint, body)
    _check_geoms(words, body.geoms)
    _check_sites(words, body.sites)


def _check_joint(words: str, joint: Joint, body: Body) -> None:
    _check_part(words, joint, Free, Ball, Slide, Hinge)
    if isinstance(joint, Free) and (len(body.joints) > 1 or body.parent != WORLD):
        raise ValueError(f"{words} is free, expected the only joint of a body in the world")
    if isinstance(joint, Ball) and joint.range is not None and joint.range[0] != 0:
        raise ValueError(f"{words}: range is {joint.range}, expected 0 and the largest angle")
    if isinstance(joint, Slide | Hinge) and norm(joint.axis) < SHORTEST:
        raise ValueError(f"{words}: axis is {joint.axis}, expected a vector that is not zero")


def _check_geoms(owner: str, geoms: Sequence[Geom]) -> None:
    for place, geom in enumerate(geoms):
        words = called("geom", getattr(geom, "name", ""), place, owner)
        if isinstance(geom, Geom) and geom.type in SIZES:
            _check_size(words, geom)
        _check_part(words, geom, *Geom.__subclasses__())
        if sum(one is not None for one in (geom.quat, geom.euler, geom.fromto)) > 1:
            raise ValueError(f"{words} has more than one of quat, euler and fromto, expected one of them")


def _check_size(words: str, geom: Geom) -> None:
    """Sizes, as many as the shape has, above 0."""
    length, expected = SIZES[geom.type]
    if not isinstance(geom.size, tuple) or not all(isinstance(one, float) for one in geom.size):
        raise ValueError(f"{words}: size is {shown(geom.size)}, expected {expected}")
    if geom.fromto is not None:
        if geom.type not in ("capsule", "cylinder"):
            raise ValueError(f"{words} has fromto, expected it on capsules and cylinders only")
        ends = geom.fromto
        if isinstance(ends, tuple) and len(ends) == 6 and norm(subtract(ends[:3], ends[3:])) < SHORTEST:
            raise ValueError(f"{words}: fromto is {geom.fromto}, expected two points that differ")
        length, expected = 1, "1 positive number (radius), the length being that of fromto"
    size = geom.size
    given = size if isinstance(size, tuple) else ()
    needed = given[2:] if geom.type == "plane" else given
    if len(given) != length or not all(0 < one < inf for one in needed):
        raise ValueError(f"{words}: size is {size!r}, expected {expected}")


def _check_sites(owner: str, sites: Sequence[Site]) -> None:
    for place, site in enumerate(sites):
        _check_part(called("site", getattr(site, "name", ""), place, owner), site, Site)


def _check_named(scene: Scene) -> None:
    """Names of a kind differ."""
    _check_names("geom", (geom.name for _, geom in all_of(scene, "geoms")))
    _check_names("site", (site.name for _, site in all_of(scene, "sites")))
    _check_names("joint", (joint.name for body in scene.bodies for joint in body.joints))
    for kind, parts, classes in (
        ("actuator", scene.actuators, (Motor, Position, Velocity)),
        ("equality", scene.equalities, (Weld, Connect)),
        ("exclude", scene.excludes, (Exclude,)),
        ("pair", scene.pairs, (Pair,)),
    ):
        for place, part in enumerate(parts):
            _check_part(called(kind, getattr(part, "name", ""), place, "the scene"), part, *classes)
        _check_names(kind, (getattr(part, "name", "") for part in parts))


def all_of(scene: Scene, what: str) -> Iterator[tuple[str, Any]]:
    """Parts of the world and of all bodies as declared, with the name of whom they belong to."""
    yield from ((WORLD, part) for part in getattr(scene, what))
    yield from ((body.name, part) for body in scene.bodies for part in getattr(body, what))


def _check_references(scene: Scene) -> None:
    """What is called by name is there."""
    joints = {joint.name: joint for body in scene.bodies for joint in body.joints if joint.name}
    bodies = {WORLD, *(body.name for body in scene.bodies)}
    geoms = {geom.name for _, geom in all_of(scene, "geoms") if geom.name}
    for place, one in enumerate(scene.actuators):
        _check_actuator(called("actuator", one.name, place, "the scene"), one, joints)
    for kind, parts, names, known in (
        ("equality", scene.equalities, ("body1", "body2"), bodies),
        ("exclude", scene.excludes, ("body1", "body2"), bodies),
        ("pair", scene.pairs, ("geom1", "geom2"), geoms),
    ):
        for place, part in enumerate(parts):
            words = called(kind, getattr(part, "name", ""), place, "the scene")
            first, second = (getattr(part, name) for name in names)
            for name, value in zip(names, (first, second), strict=True):
                if value not in known:
                    raise ValueError(f"{words}: {name} is {value!r}, expected the name of a {name[:4]}")
            if first == second and not isinstance(part, Exclude):
                raise ValueError(f"{words}: {names[0]} and {names[1]} are both {first!r}, expected two")


def _check_actuator(words: str, one: Actuator, joints: dict[str, Joint]) -> None:
    if one.joint not in joints:
        raise ValueError(f"{words}: joint is {one.joint!r}, expected the name of a joint")
    if not isinstance(joints[one.joint], Slide | Hinge):
        raise ValueError(f"{words}: joint {one.joint!r} is {joints[one.joint].type}, expected a slide or a hinge")
