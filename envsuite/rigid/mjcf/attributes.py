"""Attributes of elements: what is known of them, numbers, ranges, positions and orientations."""

from dataclasses import dataclass
from math import pi
from typing import Any

from envsuite.rigid.checks import SHORTEST
from envsuite.rigid.mjcf.nodes import Node
from envsuite.rigid.poses import cross, dot, from_euler, from_z, norm, quaternion, turn, unit

LABELS = ("name", "group", "user")
ORIENTATION = ("quat", "euler", "axisangle", "xyaxes", "zaxis")
SOLVER = {"solref": (1, 2), "solimp": (1, 5)}
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


@dataclass(frozen=True)
class Units:
    """How a document writes angles and ranges.

    Attributes:
        degree: angles are degrees.
        automatic: a range limits unless it is said that it does not.
        sequence: axes of Euler angles.
    """

    degree: bool
    automatic: bool
    sequence: str

    def placed(self, node: Node) -> dict[str, Any]:
        """Position and orientation, as far as they are given.

        Args:
            node: the element.

        Raises:
            ValueError: there are two orientations, or one without a direction.
        """
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
        if name != "euler" and any(norm(part) < SHORTEST for part in parts):
            raise node.error(f"{name} is {node.attributes[name]!r}, expected no vector of length 0")
        if name == "euler":
            return from_euler([self.angle(one) for one in given], self.sequence)
        if name == "axisangle":
            return turn(unit(given[:3]), self.angle(given[3]))
        if name == "zaxis":
            return from_z(unit(given))
        if name == "xyaxes":
            x = unit(given[:3])
            along = dot(x, given[3:])
            across = [b - along * a for a, b in zip(x, given[3:], strict=True)]
            if norm(across) < SHORTEST:
                raise node.error(f"{name} is {node.attributes[name]!r}, expected two directions that differ")
            y = unit(across)
            return quaternion(list(zip(x, y, cross(x, y), strict=True)))
        return given

    def angle(self, value: float) -> float:
        """In radians."""
        return value * pi / 180 if self.degree else value

    def limits(self, node: Node, name: str, flag: str) -> tuple[float, ...] | None:
        """A range, where it limits.

        Args:
            node: the element.
            name: of the range.
            flag: attribute that says whether it limits.

        Raises:
            ValueError: range and flag contradict each other.
        """
        limited = node.word(flag, "auto", "auto", "true", "false")
        given = node.numbers(name, 2, 2)
        given = None if given == (0, 0) else given
        if limited == "auto" and given and not self.automatic:
            raise node.error(f"{name} is given without {flag}, which autolimits='false' wants")
        if limited == "true" and given is None:
            raise node.error(f"{flag} is 'true' and {name} is missing")
        return None if limited == "false" else given


def known(node: Node, kind: str, *allowed: str) -> None:
    """Refuse attributes that are not known, and those that may only have the value that does nothing.

    Args:
        node: the element.
        kind: key of `IDLE`.
        *allowed: names of attributes that may have any value.
    """
    idle = IDLE.get(kind, {})
    node.allow(*allowed, *idle)
    for name, value in idle.items():
        given = node.attributes.get(name, value)
        if given.split() != value.split() and not _same(given, value):
            raise node.error(f"{name} is {given!r}, expected {value!r}: nothing else is supported")


def scalars(node: Node, *names: str) -> dict[str, Any]:
    """Single numbers, as far as they are given."""
    return {name: node.number(name, 0) for name in names if name in node.attributes}


def solver(node: Node, *names: str) -> dict[str, Any]:
    """Numbers of the solver, as far as they are given."""
    found = {}
    for name in names:
        least, most = SOLVER[name[:6]]
        if (value := node.numbers(name, least, most)) is not None:
            found[name] = value
    return found


def _same(given: str, expected: str) -> bool:
    """Whether two attributes are the same numbers."""
    try:
        return [float(one) for one in given.split()] == [float(one) for one in expected.split()]
    except ValueError:
        return False
