"""Objects, furniture and the camera that vary, with ranges that are held out for tests.

Lengths and the camera differ from variant to variant: a world compiles some scenes, of which each episode draws one.
Masses, friction and damping are drawn anew in each episode. Draws are those of `envsuite.rigid.sampler`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np

from envsuite.core import Record, field, kernel, rng
from envsuite.manipulation.meta.scenes.parts import HAND
from envsuite.manipulation.meta.sheets import Range, Where
from envsuite.manipulation.meta.tasks import TASKS, Task
from envsuite.rigid import Body, Inertial, Scene, Slide
from envsuite.rigid.sampler import HELD_OUT, MODES, Ranges, chosen_ranges, drawn, placed

FIRST_BODY, FIRST_DOF = len(HAND) + 1, 5  # after those of the hand
TOLD = ("size", "mass", "friction", "damping", "camera x", "camera y", "camera z")
"""What ``info["privileged"]`` holds: four factors, and the shift of the camera in m."""

_STILL = {*(one.name for one in HAND), "nail"}
"""Bodies of one size: the hand, and what is in something that does not move."""

_RAISED = {"hand-insert": 0.05, "sweep-into": 0.05, "bin-picking": 0.01, "hammer": -0.038}
"""Height of what the object lies on, where it is not the table, m; the hammer's head begins deep in it."""

_PRIMES = (2, 3, 5, 7)
"""Multiples of their roots fill four dimensions, and each of them, evenly (Richtmyer's sequence)."""


class MetaRandom(Record):
    """(lowest, low, high, highest) of what is drawn: training between low and high, held out beyond them."""

    size = field((0.8, 0.9, 1.1, 1.2), "", "factor on all lengths of the object and the furniture", shape=4)
    mass = Ranges.fields["mass"]
    friction = Ranges.fields["friction"]
    damping = Ranges.fields["damping"]
    camera = field((-0.2, -0.1, 0.1, 0.2), "m", "shift of the camera along x, y and z", shape=4)


class Variation(Record):
    """How one variant differs from the task."""

    mode = field(type=np.uint8, meaning="0 nothing varies, 1 training, 2 held out")
    ranges = field(type=MetaRandom)
    size = field(1.0, "", "factor on lengths")
    eye = field(unit="m", shape=3, meaning="shift of the camera")


def sized(name: str, mode: str, changes: Mapping[str, Sequence[float]] | None, count: int) -> Iterator[Any]:
    """Tasks of several sizes.

    Args:
        name: of the task.
        mode: ``"training"`` or ``"held_out"``.
        changes: ranges by name, instead of those of `MetaRandom`.
        count: of variants.

    Yields:
        Each task and the record of its `Variation`.

    Raises:
        ValueError: an unknown range, or one that is none.
    """
    defaults = {key: one.default for key, one in MetaRandom.fields.items()}
    ranges = chosen_ranges(mode, changes, defaults, defaults)
    for k in range(count):
        shares = [(k + 1) * sqrt(prime) % 1.0 for prime in _PRIMES]
        held_out = MODES[mode] == HELD_OUT
        size, *eye = (
            placed(share, ranges[key], held_out) for share, key in zip(shares, ("size", *3 * ("camera",)), strict=True)
        )
        made = Variation.make(mode=MODES[mode], ranges=MetaRandom.make(**ranges)[0], size=size, eye=eye)
        yield scaled_task(name, size), made[0]


def scaled_task(name: str, factor: float) -> Task:
    """A task with larger or smaller objects and furniture, which stand where they stood.

    Args:
        name: of the task.
        factor: on lengths.
    """
    task, raised = TASKS[name], _RAISED.get(name, 0.0) * (1 - factor)
    sliding = {
        joint.name for body in task.scene.bodies if body.parent != "world" for joint in body.joints if _slides(joint)
    }
    places = {key: _where(getattr(task, key), factor) for key in ("goal", "mark", "mark2")}
    return replace(
        task,
        scene=_scene(task.scene, factor),
        first=_range(task.first, factor),
        second=_range(task.second, factor),
        puts={body: _where(where, factor, raised) for body, where in task.puts.items()},
        start=_where(task.start, factor, raised),
        starts={joint: value * (factor if joint in sliding else 1) for joint, value in task.starts.items()},
        **places,
    )


def _slides(joint: Any) -> bool:
    return isinstance(joint, Slide)


def _range(bounds: Range, factor: float) -> Range:
    """A range whose height, where there is but one, is that of something that lies or stands."""
    x, y, z = bounds
    return x, y, z * factor if isinstance(z, (int, float)) else z


def _where(where: Where, factor: float, raised: float = 0.0) -> Where:
    """A place beside something that has another size; axes that do not depend on it stay."""
    x, y, z = (one * factor if share else one for one, share in zip(where.offset, where.share, strict=True))
    return replace(where, offset=(x, y, z + raised))


def _scene(scene: Scene, factor: float) -> Scene:
    return replace(scene, bodies=[one if one.name in _STILL else _body(one, factor) for one in scene.bodies])


def _body(body: Body, factor: float) -> Body:
    """A body of another size; at the place on the table, and with the slides, that it had there."""
    on_table = body.parent == "world"
    x, y, z = body.pos
    place = (x, y, factor * z) if on_table else _times(body.pos, factor)
    joints = body.joints if on_table else [_joint(one, factor) for one in body.joints]
    lengths = ("size", "pos", "fromto")
    geoms = [replace(one, **{key: _times(getattr(one, key), factor) for key in lengths}) for one in body.geoms]
    sites = [replace(one, pos=_times(one.pos, factor)) for one in body.sites]
    return replace(body, pos=place, joints=joints, geoms=geoms, sites=sites, inertial=_inertial(body.inertial, factor))


def _joint(joint: Any, factor: float) -> Any:
    return replace(joint, range=_times(joint.range, factor)) if _slides(joint) else joint


def _inertial(inertial: Inertial | None, factor: float) -> Inertial | None:
    if inertial is None:
        return None
    moments = {key: _times(getattr(inertial, key), factor * factor) for key in ("diaginertia", "fullinertia")}
    return replace(inertial, pos=_times(inertial.pos, factor), **moments)


def _times(values: Any, factor: float) -> Any:
    return None if values is None else tuple(one * factor for one in values)


@kernel
def draw_variant(s, params):
    """Draw the variant of an episode."""
    s.level = rng.integers(s.rng, rng.DYNAMICS, len(params))


@kernel
def vary(s, p):
    """Draw an episode's masses, friction and damping."""
    body, ranges, out = s.body, p.variation.ranges, p.variation.mode == HELD_OUT
    mass, friction = drawn(s.rng, ranges.mass, out), drawn(s.rng, ranges.friction, out)
    damping = drawn(s.rng, ranges.damping, out)
    for b in range(FIRST_BODY, p.model.nbody):
        body.mass_scale[b] = mass
    for k in range(p.model.ngeom):
        body.sliding[k] *= friction
    for i in range(FIRST_DOF, p.model.nv):
        body.damping[i] *= damping
    s.friction, s.damping = friction, damping


@kernel
def tell_variation(s, p, info):
    """Write what was drawn."""
    v, told = p.variation, info.privileged
    told[0], told[1], told[2], told[3] = v.size, s.body.mass_scale[p.model.nbody - 1], s.friction, s.damping
    for k in range(3):
        told[4 + k] = v.eye[k]
