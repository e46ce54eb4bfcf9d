"""A rope in the plane: links of fixed length that resist bending, grippers at its ends, a round obstacle."""

import numpy as np

from envsuite.core import Record, StateRecord, field, fmath, kernel
from envsuite.manipulation.rope.params import DT, MOST, SPEED
from envsuite.manipulation.xpbd import Chain, grip_of, tensions, tighten


class RopeState(StateRecord):
    """A rope and its grippers, which are its first and last point."""

    points = field(type=np.int64, meaning="how many the rope has")
    position = field(unit="m", shape=("points", 2))
    velocity = field(unit="m/s", shape=("points", 2))
    center = field(unit="m", shape=2, meaning="of the cylinder")
    radius = field(unit="m", meaning="of the cylinder; 0 for none")
    commands = field(shape=(2, 3), meaning="actions of the grippers")
    before = field(shape=(2, 3), meaning="those of the step before")


class Work(Record):
    """Intermediate results of a substep."""

    start = field(shape=(MOST, 2))
    light = field(unit="1/kg", shape=MOST, meaning="inverse masses")
    chain = field(type=Chain)


WORK = Work.dtype(links=MOST, axes=2)


@kernel
def lay(s, x, y, turn, spacing):
    """Lay the rope straight and at rest, its middle at a place."""
    along, across, last = fmath.cos(turn), fmath.sin(turn), s.points - 1
    for i in range(s.position.shape[0]):
        at = spacing * (i - 0.5 * last) if i <= last else 0.0
        s.position[i, 0] = x + at * along if i <= last else 0.0
        s.position[i, 1] = y + at * across if i <= last else 0.0
        s.velocity[i, 0] = s.velocity[i, 1] = 0.0
    for k in range(2):
        for j in range(3):
            s.commands[k, j] = s.before[k, j] = 0.0


@kernel
def _predict(s, rope, w, h):
    """Move freely: grippers as commanded, points as they fall; grippers weigh without end for now."""
    x, v, last = s.position, s.velocity, s.points - 1
    follow = 1.0 - fmath.exp(-h / rope.lag)
    for i in range(s.points):
        gripper = 0 if i == 0 else 1
        moved = rope.held and (i == 0 or i == last)
        w.light[i] = 0.0 if moved else s.points / rope.mass
        for k in range(2):
            w.start[i, k] = x[i, k]
            if moved:
                v[i, k] += follow * (SPEED * s.commands[gripper, k] - v[i, k])
            else:
                v[i, k] += h * rope.gravity[k]
            x[i, k] += h * v[i, k]


@kernel
def _bend(s, rope, w, h):
    """Straighten: the energy is rigidity / (2 spacing³) times the squared second difference of the points."""
    x, length = s.position, rope.spacing
    if rope.bending > 0.0:
        compliance = length * length * length / (rope.bending * h * h)
        for i in range(1, s.points - 1):
            a, b, c = w.light[i - 1], w.light[i], w.light[i + 1]
            scale = 1.0 / (a + 4.0 * b + c + compliance)
            for k in range(2):
                push = scale * (x[i - 1, k] - 2.0 * x[i, k] + x[i + 1, k])
                x[i - 1, k] -= a * push
                x[i, k] += 2.0 * b * push
                x[i + 1, k] -= c * push


@kernel
def _link(s, rope, w, h):
    """Give all links their length; a gripper that would have to pull too hard gives way."""
    last, most, compliance = s.points - 1, rope.strength * h * h, 1.0 / (rope.stretch * h * h)
    tensions(s.position, w.light, s.points, rope.spacing, compliance, w.chain)
    one, two = abs(w.chain.pull[0]) > most, abs(w.chain.pull[last - 1]) > most
    if rope.held and (one or two):
        w.light[0] = 1.0 / rope.gripper_mass if one else 0.0
        w.light[last] = 1.0 / rope.gripper_mass if two else 0.0
        tensions(s.position, w.light, s.points, rope.spacing, compliance, w.chain)
    tighten(s.position, w.light, s.points, w.chain)


@kernel
def _touch(s, rope, w):
    """Keep out of the cylinder, and slide along it with friction."""
    x, last = s.position, s.points - 1
    for i in range(s.points):
        thick = rope.gripper_radius if rope.held and (i == 0 or i == last) else rope.thickness
        reach = s.radius + thick
        dx, dy = x[i, 0] - s.center[0], x[i, 1] - s.center[1]
        square = dx * dx + dy * dy
        if square < reach * reach and square > 0.0:
            away = fmath.sqrt(square)
            nx, ny, depth = dx / away, dy / away, reach - away
            slide = ny * (w.start[i, 0] - x[i, 0]) - nx * (w.start[i, 1] - x[i, 1])
            back = slide * grip_of(rope.friction, depth, abs(slide))
            x[i, 0] += depth * nx + back * ny
            x[i, 1] += depth * ny - back * nx


@kernel
def substep(s, rope, w, h):
    """One substep of h seconds."""
    _predict(s, rope, w, h)
    _bend(s, rope, w, h)
    _link(s, rope, w, h)
    if s.radius > 0.0:
        _touch(s, rope, w)
    keep, last = fmath.exp(-rope.drag * h) / h, s.points - 1
    for i in range(s.points):
        scale = 1.0 / h if rope.held and (i == 0 or i == last) else keep
        for k in range(2):
            s.velocity[i, k] = (s.position[i, k] - w.start[i, k]) * scale


@kernel
def advance(s, rope, w):
    """One step of control."""
    h = DT / rope.substeps
    for _ in range(rope.decimation * rope.substeps):
        substep(s, rope, w, h)
