"""A `Scene` to MJCF that MuJoCo compiles to the same model."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any
from xml.sax.saxutils import quoteattr

from envsuite.rigid.checks import WORLD, check
from envsuite.rigid.model import Body, Option, Scene
from envsuite.rigid.rules import Part

RENAMED = {"actfrcrange": "actuatorfrcrange"}


def write_mjcf(scene: Scene) -> str:
    """The scene as MuJoCo's XML, with every number to its last digit.

    Args:
        scene: as declared.

    Raises:
        ValueError: as `compile_scene`.
    """
    check(scene)
    bounds = {"boundmass": scene.boundmass, "boundinertia": scene.boundinertia, "settotalmass": scene.settotalmass}
    compiler = {"angle": "radian", **{name: value for name, value in bounds.items() if value}}
    compiler |= {"balanceinertia": True} if scene.balanceinertia else {}
    children = defaultdict(list)
    for body in scene.bodies:
        children[body.parent].append(body)
    lines = [_tag("mujoco", {"model": scene.name}, False)]
    lines += [f"  {_tag('compiler', compiler)}", *_option(scene.option)]
    lines += _section("worldbody", [*map(_shape, scene.geoms), *_sites(scene), *_bodies(children, WORLD)])
    lines += _section(
        "contact", [_part("exclude", one) for one in scene.excludes] + [_part("pair", one) for one in scene.pairs]
    )
    lines += _section("equality", [_part(one.type, one) for one in scene.equalities])
    lines += _section("actuator", [_part(one.type, one) for one in scene.actuators])
    return "\n".join([*lines, "</mujoco>", ""])


def _option(option: Option) -> list[str]:
    flags = [f"    {_tag('flag', {'multiccd': 'enable'})}"] if option.multiccd else []
    written = _part("option", replace(option, multiccd=True), closed=not flags)
    return [f"  {written}", *flags, "  </option>"] if flags else [f"  {written}"]


def _section(name: str, lines: Iterable[str]) -> list[str]:
    lines = list(lines)
    return [f"  <{name}>", *(f"    {line}" for line in lines), f"  </{name}>"] if lines else []


def _bodies(children: dict[str, list[Body]], parent: str) -> list[str]:
    lines = []
    for body in children[parent]:
        lines.append(_part("body", body, closed=False))
        inner = [] if body.inertial is None else [_part("inertial", body.inertial, keep=("pos",))]
        inner += [_part("joint", one, type=one.type) for one in body.joints]
        inner += [*map(_shape, body.geoms), *_sites(body), *_bodies(children, body.name)]
        lines += [f"  {line}" for line in inner]
        lines.append("</body>")
    return lines


def _shape(geom: Any) -> str:
    return _part("geom", geom, type=geom.type, keep=("size",))


def _sites(owner: Any) -> list[str]:
    return [_part("site", one) for one in owner.sites]


def _part(tag: str, part: Part, closed: bool = True, keep: tuple[str, ...] = (), **more: str) -> str:
    """A part with what differs from the defaults."""
    found: dict[str, Any] = {}
    for one in fields(part):  # ty: ignore[invalid-argument-type]
        value = getattr(part, one.name)
        skipped = one.metadata.get("parts") or one.name in ("parent", "inertial") or value is None or value == ""
        if not skipped and (one.name in keep or value != one.default):
            found[RENAMED.get(one.name, one.name)] = value
    return _tag(tag, {**found, **more}, closed)


def _tag(tag: str, attributes: dict[str, Any], closed: bool = True) -> str:
    written = "".join(f" {name}={quoteattr(_text(value))}" for name, value in attributes.items())
    return f"<{tag}{written}{'/' * closed}>"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return " ".join(map(_text, value))
    return repr(value) if isinstance(value, float) else str(value)
