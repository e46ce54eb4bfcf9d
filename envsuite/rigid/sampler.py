"""Draws what nobody knows of a body: masses, friction, damping, strength of motors, slope of the floor, pushes.

Each episode draws anew, from the random stream's purpose `rng.DYNAMICS`, so that fixed dynamics draw nothing and all
other draws stay as they are. Every range has an inner part, for training, and outer parts on one or both sides, which
are held out for tests (Packer et al. 2018, Assessing Generalization in Deep Reinforcement Learning, arXiv 1810.12282).
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from envsuite.core import Record, field, kernel, rng
from envsuite.core.fmath import cos, sin
from envsuite.core.jit import canonical
from envsuite.rigid.constants import Compiled

PUSH_EVERY, PUSH_LASTS = 2.0, 0.2  # s, means of the pauses between pushes and of pushes; both are geometric
FIXED, TRAINING, HELD_OUT = range(3)
MODES = {"fixed": FIXED, "training": TRAINING, "held_out": HELD_OUT}
NEUTRAL = {"slope": 0.0, "push": 0.0}
"""What does not vary is this, or 1."""
PRIVILEGED = ("mass", "friction", "damping", "power", "slope x", "slope y", "push x", "push y")
"""What ``info["privileged"]`` holds: four factors, sines of the slope (uphill positive), push as a share of weight."""

_PACKER = "arXiv 1810.12282 (its code, sunblaze-ucb/rl-generalization), as shares of the original's"


class Ranges(Record):
    """(lowest, low, high, highest) of what is drawn: training between low and high, held out beyond them."""

    mass = field((0.5, 0.75, 1.25, 1.5), "", "factor on all masses and inertias", shape=4, source=_PACKER)
    friction = field((0.25, 0.625, 1.375, 1.75), "", "factor on sliding friction", shape=4, source=_PACKER)
    damping = field(
        (0.2, 0.4, 1.6, 2.2),
        "",
        "factor on the damping of joints",
        shape=4,
        source="Hopper of EPOpt, arXiv 1610.01283; least factor of Peng et al. 2018, arXiv 1710.06537",
    )
    power = field(
        (0.55, 0.8, 1.2, 1.45),
        "",
        "factor on the gears of motors",
        shape=4,
        source=f"{_PACKER}, both runners",
    )
    slope = field((-0.1, -0.05, 0.05, 0.1), "rad", "of the floor", shape=4)
    push = field((0.0, 0.0, 0.2, 0.4), "", "force as a share of the body's weight", shape=4)


class Dynamics(Record):
    """What varies, and how."""

    mode = field(type=np.uint8, meaning="0 nothing varies, 1 training, 2 held out")
    around = field(type=np.uint8, meaning="whether slopes and pushes have any heading, rather than that of x")
    pushed = field(type=np.int32, meaning="body that pushes meet")
    weight = field(unit="N", meaning="of the tree that it is in, as modelled")
    push_begins = field(meaning="probability in a step without a push")
    push_ends = field(meaning="probability in a step of a push")
    ranges = field(type=Ranges)


def check_range(name: str, value: Any, held_out: bool) -> tuple[float, float, float, float]:
    """A range as four numbers.

    Args:
        name: of a field of `Ranges`, or ``"size"`` or ``"camera"``.
        value: (low, high), or (lowest, low, high, highest).
        held_out: whether the outer parts will be drawn from.

    Raises:
        ValueError: it is none, or holds nothing out although it has to.
    """
    least = {"slope": -1.5, "mass": 1e-3, "friction": 1e-3, "size": 0.5, "camera": -1.0}.get(name, 0.0)
    most = {"slope": 1.5, "size": 2.0, "camera": 1.0}.get(name, 1e3)
    said = f"range {name} is {value!r}, expected"
    numbers = isinstance(value, Sequence | np.ndarray) and not isinstance(value, str) and len(value) in (2, 4)
    if not (numbers and all(isinstance(one, int | float | np.number) for one in value)):
        raise ValueError(f"{said} two numbers (low, high) or four (lowest, low, high, highest)")
    given = [float(one) for one in value]
    if not all(a <= b for a, b in zip([least, *given], [*given, most], strict=True)):
        raise ValueError(f"{said} numbers from {least:g} to {most:g} in ascending order")
    if held_out and len(given) == 2 and given[0] < given[1]:
        raise ValueError(f"{said} four numbers (lowest, low, high, highest) where dynamics are held out")
    lowest, low, high, highest = given if len(given) == 4 else (given[0], given[0], given[1], given[1])
    if held_out and low < high and lowest == low and high == highest:
        raise ValueError(f"{said} an outer part below low or above high where dynamics are held out")
    return lowest, low, high, highest


def chosen_ranges(
    mode: str, changes: Mapping[str, Sequence[float]] | None, varies: Collection[str], defaults: Mapping[str, Any]
) -> dict[str, Any]:
    """Ranges as four numbers each, by name.

    Args:
        mode: one of `MODES`.
        changes: ranges by name, instead of the defaults.
        varies: names of what can vary.
        defaults: of all ranges.

    Raises:
        ValueError: an unknown range, or one that is none; ranges although nothing varies.
    """
    if changes is not None and not isinstance(changes, Mapping):
        raise ValueError(f"ranges is {changes!r}, expected ranges by name")
    if changes and mode == "fixed":
        raise ValueError(f"ranges is {changes!r}, expected none where dynamics is 'fixed'")
    if unknown := sorted(set(changes or ()) - set(varies)):
        raise ValueError(f"unknown range {unknown[0]!r}, expected one of {', '.join(varies)}")
    chosen: dict[str, Any] = {**defaults, **(changes or {})}
    return {name: check_range(name, value, mode == "held_out") for name, value in chosen.items()}


def dynamics(
    mode: str,
    changes: Mapping[str, Sequence[float]] | None,
    varies: Sequence[str],
    compiled: Compiled,
    step: float,
    *,
    around: bool,
    pushed: int = 1,
) -> np.void:
    """The record of what varies.

    Args:
        mode: one of `MODES`.
        changes: ranges by name, instead of those of `Ranges`.
        varies: names of what can vary.
        compiled: the bodies.
        step: that the environment takes, s.
        around: whether slopes and pushes have any heading.
        pushed: body that pushes meet.

    Returns:
        A record of `Dynamics`.

    Raises:
        ValueError: an unknown range, or one that is none; ranges although nothing varies.
    """
    defaults = {name: one.default if name in varies else (NEUTRAL.get(name, 1.0),) * 4 for name, one in _fields()}
    chosen = chosen_ranges(mode, changes, varies, defaults)
    model = compiled.model[0]
    tree = model["body_rootid"][: model["nbody"]] == model["body_rootid"][pushed]
    pushes = chosen["push"][3 if mode == "held_out" else 2] > 0
    made = Dynamics.make(
        mode=MODES[mode],
        around=around,
        pushed=pushed,
        weight=float(model["body_mass"][: model["nbody"]][tree].sum() * np.linalg.norm(model["gravity"])),
        push_begins=min(1.0, step / PUSH_EVERY) if pushes else 0.0,
        push_ends=min(1.0, step / PUSH_LASTS),
        ranges=Ranges.make(**chosen)[0],
    )
    return made[0]


def _fields():
    return Ranges.fields.items()


def with_privileged(info: np.dtype, count: int = len(PRIVILEGED)) -> np.dtype:
    """A type of metrics with what was drawn, for an asymmetric critic; see `PRIVILEGED`.

    Args:
        info: the type without it.
        count: of numbers.
    """
    described = [(name, info[name].base, info[name].shape) for name in info.names or ()]
    # in front: Numba calls what it compiled for a record also for one that only has more fields behind
    return canonical(np.dtype([("privileged", np.float32, (count,)), *described], align=True))


@kernel
def drawn(g, bounds, held_out):
    """A number from the inner part of a range, or from its outer parts, uniformly.

    Args:
        g: record of `rng.STREAM`.
        bounds: lowest, low, high, highest.
        held_out: whether it is from the outer parts.
    """
    low, high = bounds[1], bounds[2]
    if not held_out:
        return rng.uniform(g, rng.DYNAMICS, low, high)
    value = rng.uniform(g, rng.DYNAMICS, bounds[0], bounds[3] - (high - low))
    return value if value < low else max(value + (high - low), high)


def placed(share: float, bounds: Sequence[float], held_out: bool) -> float:
    """As `drawn`, for a share from 0 to 1 in place of a random number."""
    lowest, low, high, highest = bounds
    if not held_out:
        return low + share * (high - low)
    value = lowest + share * (highest - (high - low) - lowest)
    return value if value < low else max(value + (high - low), high)


@kernel
def sample(s, p):
    """Draw an episode's dynamics, where they are not fixed.

    Args:
        s: state with a field ``body``, which has the model's own dynamics.
        p: constants with the fields ``model`` and ``dynamics``.
    """
    d, m, body, out = p.dynamics, p.model, s.body, p.dynamics.mode == HELD_OUT
    if d.mode == FIXED:
        return
    mass, friction = drawn(s.rng, d.ranges.mass, out), drawn(s.rng, d.ranges.friction, out)
    damping, power = drawn(s.rng, d.ranges.damping, out), drawn(s.rng, d.ranges.power, out)
    slope = drawn(s.rng, d.ranges.slope, out)
    heading = rng.uniform(s.rng, rng.DYNAMICS, 0.0, np.pi) if d.around != 0 else 0.0
    for b in range(1, m.nbody):
        body.mass_scale[b] = mass
    for k in range(m.ngeom):
        body.sliding[k] *= friction
    for i in range(m.nv):
        body.damping[i] *= damping
    for k in range(m.nu):
        body.gear[k] *= power
    if slope != 0:
        down = body.gravity[2]
        body.gravity[0], body.gravity[1] = down * sin(slope) * cos(heading), down * sin(slope) * sin(heading)
        body.gravity[2] = down * cos(slope)


@kernel
def push_at_random(s, p):
    """Begin or end a push, or leave things as they are, before a step."""
    d, body, g = p.dynamics, s.body, s.rng
    if d.mode == FIXED or d.push_begins == 0:
        return
    chance = rng.uniform(g, rng.DYNAMICS, 0.0, 1.0)
    if body.pushed != 0 and chance < d.push_ends:
        body.pushed = 0
        body.push[0] = body.push[1] = 0.0
    elif body.pushed == 0 and chance < d.push_begins:
        force = d.weight * drawn(g, d.ranges.push, d.mode == HELD_OUT)
        heading = rng.uniform(g, rng.DYNAMICS, 0.0, 2 * np.pi)
        body.pushed = d.pushed
        if d.around != 0:
            body.push[0], body.push[1] = force * cos(heading), force * sin(heading)
        else:
            body.push[0] = force if heading < np.pi else -force


@kernel
def _ratio(now, before, count):
    """What an array has been multiplied by; 1 where it holds nothing but zeros."""
    for k in range(count):
        if before[k] != 0:
            return now[k] / before[k]
    return 1.0


@kernel
def _put(s, p, out):
    m, body, before = p.model, s.body, p.start
    out[0] = body.mass_scale[1]
    out[1] = _ratio(body.sliding, before.sliding, m.ngeom)
    out[2] = _ratio(body.damping, before.damping, m.nv)
    out[3] = _ratio(body.gear, before.gear, m.nu)
    for k in range(2):
        out[4 + k] = body.gravity[k] / before.gravity[2] if before.gravity[2] != 0 else 0.0
        out[6 + k] = body.push[k] / p.dynamics.weight if body.pushed != 0 else 0.0


def tell(s, p, info):
    """Write what was drawn into metrics that have a field for it (`with_privileged`); nothing into others."""
    if "privileged" in info.dtype.names:
        _put(s, p, info.privileged)


@overload(tell)
def _typed_tell(s, p, info):
    if isinstance(info, types.Record) and "privileged" in info.fields:
        return lambda s, p, info: _put(s, p, info.privileged)
    return lambda s, p, info: None
