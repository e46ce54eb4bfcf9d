"""The list of geoms that may touch, made once, with the parameters of their contacts."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from envsuite.rigid.model import TINY, Pair, Scene
from envsuite.rigid.tree import Tree

ORDER = {"plane": 0, "sphere": 2, "capsule": 3, "cylinder": 5, "box": 6}
# Pairs for which there is no closed form here; MuJoCo takes its general convex solver.
GENERAL = {("capsule", "cylinder"), ("cylinder", "cylinder")}
LEAST_FRICTION = 1e-5  # mjMINMU


@dataclass(frozen=True)
class Touch:
    """Two geoms that may touch: `geom1` is that of the smaller type, then that of the smaller number."""

    geom1: int
    geom2: int
    condim: int
    mixed: int
    margin: float
    includemargin: float
    friction: tuple[float, ...]
    solref: tuple[float, ...]
    solimp: tuple[float, ...]


@dataclass(frozen=True)
class Field:
    """Everything that the rules of touching look at.

    Attributes:
        parents: number of the parent of each body.
        welds: first body of those that are joined without joints; 0 for all that cannot move.
        geoms: body and declaration of each geom.
        excludes: numbers of two bodies, the smaller first, that do not touch.
        pairs: numbers of two geoms, with parameters of their own.
    """

    parents: Sequence[int]
    welds: Sequence[int]
    geoms: Sequence[tuple[int, Any]]
    excludes: Collection[tuple[int, ...]]
    pairs: Sequence[tuple[int, int, Pair]]


def field_of(scene: Scene, tree: Tree) -> Field:
    """What the rules of touching look at, of a scene.

    Args:
        scene: checked.
        tree: of the scene.
    """
    named = {geom.name: number for number, (_, geom, _) in enumerate(tree.geoms) if geom.name}
    excludes = {tuple(sorted((tree.numbers[one.body1], tree.numbers[one.body2]))) for one in scene.excludes}
    pairs = [(named[one.geom1], named[one.geom2], one) for one in scene.pairs]
    return Field(tree.parents, tree.welds, [(body, geom) for body, geom, _ in tree.geoms], excludes, pairs)


def touching(field: Field, *, summed_margins: bool = False, general: bool = False) -> list[Touch]:
    """All pairs in the order in which contacts are found: by bodies, then by geoms.

    Args:
        field: bodies and geoms.
        summed_margins: margins of two geoms add up, as from MuJoCo 3.5 on; before, the larger one counted.
        general: take pairs that need a general convex solver; without it they are refused.

    Raises:
        ValueError: names two geoms that need a general convex solver.
    """
    explicit = defaultdict(list)
    for one, two, pair in field.pairs:
        first, second = sorted((field.geoms[one][0], field.geoms[two][0]))
        explicit[first, second].append((*_ordered(field, one, two), pair))
    found = []
    count = len(field.parents)
    for bodies in ((first, second) for first in range(count) for second in range(first, count)):
        own = explicit.get(bodies, [])
        found += [_declared(one, two, pair) for one, two, pair in own]
        done = {(one, two) for one, two, _ in own}
        free = _free_pairs(field, *bodies)
        found += [_mixed(field, one, two, summed_margins) for one, two in free if (one, two) not in done]
    for one in found:
        _check_kinds(field, one, general)
    return found


def _ordered(field: Field, one: int, two: int) -> tuple[int, int]:
    """The geom of the smaller type first, then that of the smaller number."""
    first, second = sorted((one, two), key=lambda number: (ORDER[field.geoms[number][1].type], number))
    return first, second


def _free_pairs(field: Field, first: int, second: int) -> Iterator[tuple[int, int]]:
    """Pairs of geoms of two bodies that may touch by the rules."""
    one, two = field.welds[first], field.welds[second]
    above_one, above_two = (field.welds[field.parents[weld]] for weld in (one, two))
    related = one != 0 and two != 0 and (one == above_two or two == above_one)
    if one == two or related or (first, second) in field.excludes:
        return
    for here, (body, a) in enumerate(field.geoms):
        for there, (other, b) in enumerate(field.geoms):
            masks = (a.contype & b.conaffinity) or (b.contype & a.conaffinity)
            if (body, other) == (first, second) and masks and not a.type == b.type == "plane":
                yield _ordered(field, here, there)


def _declared(one: int, two: int, pair: Pair) -> Touch:
    friction = tuple(max(LEAST_FRICTION, x) for x in pair.friction)
    inside = pair.margin - pair.gap
    return Touch(one, two, pair.condim, 0, pair.margin, inside, friction, tuple(pair.solref), tuple(pair.solimp))


def _mixed(field: Field, one: int, two: int, summed_margins: bool) -> Touch:
    """Parameters of a contact from those of both geoms."""
    a, b = field.geoms[one][1], field.geoms[two][1]
    margin = a.margin + b.margin if summed_margins else max(a.margin, b.margin)
    gap = a.gap + b.gap if summed_margins else max(a.gap, b.gap)
    if a.priority != b.priority:
        lord, mixed = (a, 2) if a.priority > b.priority else (b, 3)
        condim, friction, solref, solimp = lord.condim, lord.friction, lord.solref, lord.solimp
    else:
        mixed = 1
        condim = max(a.condim, b.condim)
        friction = [max(x, y) for x, y in zip(a.friction, b.friction, strict=True)]
        mix = _weight(a.solmix, b.solmix)
        solimp = _blend(mix, a.solimp, b.solimp)
        if a.solref[0] > 0 and b.solref[0] > 0:
            solref = _blend(mix, a.solref, b.solref)
        else:
            solref = tuple(min(x, y) for x, y in zip(a.solref, b.solref, strict=True))
    slide, spin, roll = (max(LEAST_FRICTION, x) for x in friction)
    five = (slide, slide, spin, roll, roll)
    return Touch(one, two, condim, mixed, margin, margin - gap, five, tuple(solref), tuple(solimp))


def _weight(first: float, second: float) -> float:
    if first >= TINY and second >= TINY:
        return first / (first + second)
    return 0.5 if first < TINY and second < TINY else float(first >= TINY)


def _blend(mix: float, first: tuple[float, ...], second: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(mix * x + (1 - mix) * y for x, y in zip(first, second, strict=True))


def _check_kinds(field: Field, touch: Touch, general: bool) -> None:
    a, b = field.geoms[touch.geom1][1], field.geoms[touch.geom2][1]
    one, two = (_called(field, number) for number in (touch.geom1, touch.geom2))
    if a.type == b.type == "plane":
        raise ValueError(f"{one} and {two} are planes, expected a pair of geoms that can touch")
    if not general and (a.type, b.type) in GENERAL:
        raise ValueError(
            f"{one} ({a.type}) and {two} ({b.type}) may touch, for which there is no closed form; expected capsules or "
            "boxes in place of cylinders, or contype and conaffinity that keep them apart"
        )


def _called(field: Field, number: int) -> str:
    body, geom = field.geoms[number]
    return f"geom {geom.name!r}" if geom.name else f"geom {number} of body {body}"
