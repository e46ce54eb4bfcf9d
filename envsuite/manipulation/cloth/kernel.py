"""Cloth hanging on one record, and the world."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from envsuite.core import World, batch_loops, fmath, kernel, rng
from envsuite.core.jit import records
from envsuite.manipulation.cloth.levels import SPLITS, flat, grippers, mesh
from envsuite.manipulation.cloth.params import (
    ABSENT,
    CELL,
    EDGE,
    GRIPPERS,
    PARTICLES,
    RING,
    SPEED,
    STEPS,
    TURNS,
    WARM_UP,
    Params,
    Rotation,
    Shapes,
)
from envsuite.manipulation.cloth.physics import WORK, advance
from envsuite.manipulation.cloth.state import GRAPH, OBSERVATION, Info, State, action_layout
from envsuite.manipulation.teams import members, share, take, take_each

_FLAT, _GRIPPERS = flat(), grippers()


@kernel
def draw_level(s, params):
    """Draw a hole."""
    s.level = rng.integers(s.rng, rng.RESET, np.int64(params[0].holes))


@kernel
def _turn(s, roll, pitch, yaw):
    """Turn the scene's axes about x, then y, then z."""
    cx, sx, cy, sy = fmath.cos(roll), fmath.sin(roll), fmath.cos(pitch), fmath.sin(pitch)
    cz, sz, f = fmath.cos(yaw), fmath.sin(yaw), s.frame
    f[0, 0], f[0, 1], f[0, 2] = cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx
    f[1, 0], f[1, 1], f[1, 2] = sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx
    f[2, 0], f[2, 1], f[2, 2] = -sy, cy * sx, cy * cx


@kernel
def _put(s, p, out, across, up, along, above):
    """Write where a place around the cloth's middle comes to lie, turned about its normal and with the scene."""
    x = along * across - above * up + p.center[0] - s.hanger[0]
    z = above * across + along * up + p.center[2] - s.hanger[2]
    y = p.center[1] - s.hanger[1]
    for k in range(3):
        out[k] = s.hanger[k] + s.frame[k, 0] * x + s.frame[k, 1] * y + s.frame[k, 2] * z


@kernel
def reset(s, p, w):
    """Place the hanger, hang up the cloth, turn everything about the hanger, and let the cloth sag."""
    g, half = s.rng, np.pi
    for k in range(3):
        s.hanger[k] = p.hanger[k]
    s.hanger[0] += rng.uniform(g, rng.RESET, -p.spread, p.spread)
    s.hanger[2] += rng.uniform(g, rng.RESET, -p.spread, p.spread)
    inner = rng.uniform(g, rng.RESET, -half, half)
    roll = half * rng.uniform(g, rng.RESET, p.turns[0, 0], p.turns[0, 1])
    pitch = half * rng.uniform(g, rng.RESET, p.turns[1, 0], p.turns[1, 1])
    yaw = half * rng.uniform(g, rng.RESET, p.turns[2, 0], p.turns[2, 1])
    _turn(s, roll, pitch, yaw)
    along, above = fmath.cos(inner), fmath.sin(inner)
    for k in range(GRIPPERS):
        _put(s, p, s.grippers[k], _GRIPPERS[k, 0], _GRIPPERS[k, 1], along, above)
        for j in range(3):
            s.commands[k, j] = s.before[k, j] = 0.0
    for i in range(PARTICLES):
        _put(s, p, s.position[i], _FLAT[i, 0], _FLAT[i, 1], along, above)
        for k in range(3):
            s.position[i, k] = 0.0 if p.owner[i] == ABSENT else s.position[i, k]
            s.velocity[i, k] = 0.0
    for _ in range(WARM_UP):
        advance(s, p, w, CELL)
    s.distance = centroid(s, p)[3]
    s.success = s.success_once = False
    s.distance_term = s.side_term = s.speed_term = s.stretch_term = s.rate_term = 0.0


@kernel
def centroid(s, p):
    """From the hanger's middle to the mean of the particles around the hole, m; and its length."""
    x = y = z = 0.0
    for n in range(EDGE):
        i = p.edge[n]
        x += s.position[i, 0]
        y += s.position[i, 1]
        z += s.position[i, 2]
    x, y, z = x / EDGE - s.hanger[0], y / EDGE - s.hanger[1], z / EDGE - s.hanger[2]
    return x, y, z, fmath.sqrt(x * x + y * y + z * z)


@kernel
def threaded(s, p):
    """Whether the ring of particles around the hole goes around the hanger's axis, seen along it; by even and odd."""
    inside, f, last = False, s.frame, p.edge[RING - 1]
    x2 = y2 = 0.0
    for k in range(3):
        x2 += (s.position[last, k] - s.hanger[k]) * f[k, 0]
        y2 += (s.position[last, k] - s.hanger[k]) * f[k, 2]
    for n in range(RING):
        x1 = y1 = 0.0
        for k in range(3):
            x1 += (s.position[p.edge[n], k] - s.hanger[k]) * f[k, 0]
            y1 += (s.position[p.edge[n], k] - s.hanger[k]) * f[k, 2]
        if (y1 > 0.0) != (y2 > 0.0) and x1 - y1 * (x2 - x1) / (y2 - y1) > 0.0:
            inside = not inside
        x2, y2 = x1, y1
    return inside


@kernel
def _mean_speed(s, p):
    total = 0.0
    for i in range(PARTICLES):
        if p.owner[i] != ABSENT:
            v = s.velocity[i]
            total += fmath.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    return total / p.count


@kernel
def stretch_of(s, p):
    """Mean relative change of the lengths along the grid."""
    total, x = 0.0, s.position
    for e in range(p.kinds[1]):
        i, j = p.springs[e, 0], p.springs[e, 1]
        dx, dy, dz = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
        total += abs(fmath.sqrt(dx * dx + dy * dy + dz * dz) - CELL)
    return total / (CELL * p.kinds[1])


@kernel
def _change(s):
    """Squared change of the action since the last step, which is then forgotten."""
    total = 0.0
    for k in range(GRIPPERS):
        for j in range(3):
            moved = s.commands[k, j] - s.before[k, j]
            total += moved * moved
            s.before[k, j] = s.commands[k, j]
    return total


@kernel
def move(s, p, w):
    """One step on the commands of the record; returns the reward."""
    advance(s, p, w, CELL)
    x, y, z, s.distance = centroid(s, p)
    side = y
    if not p.fixed_side:
        side = x * s.frame[0, 1] + y * s.frame[1, 1] + z * s.frame[2, 1]
    cosine = side / s.distance if s.distance > 0.0 else 0.0
    weight = p.last_weight if s.clock.step + p.last_steps > STEPS else 1.0
    s.distance_term = -p.distance_weight * weight * s.distance
    s.side_term = -p.side_weight * weight * (1.0 - cosine)
    s.speed_term = -p.speed_weight * _mean_speed(s, p)
    s.stretch_term = -p.stretch_weight * stretch_of(s, p)
    s.rate_term = -p.rate_weight * _change(s)
    s.success = s.distance < p.near and threaded(s, p)
    s.success_once = s.success_once or s.success
    return s.distance_term + s.side_term + s.speed_term + s.stretch_term + s.rate_term


@kernel
def step(s, p, w, action):
    """One step of one player; only the horizon ends an episode."""
    take(s, action)
    return move(s, p, w), False


@kernel
def step_team(s, p, w, actions, rewards):
    """One step of a team."""
    take_each(s, actions)
    share(move(s, p, w), rewards)
    return False


@kernel
def _see(s, p, o, first):
    for n in range(GRIPPERS):
        k = (n + first) % GRIPPERS
        for j in range(3):
            o.grippers[3 * n + j] = s.grippers[k, j]
            o.grippers_velocity[3 * n + j] = SPEED * s.commands[k, j]
    for j in range(3):
        o.hanger[j], o.hanger_axis[j] = s.hanger[j], s.frame[j, 1]
    for n in range(EDGE):
        for j in range(3):
            o.hole[3 * n + j] = s.position[p.edge[n], j]
            o.hole_velocity[3 * n + j] = s.velocity[p.edge[n], j]


@kernel
def observe(s, p, o):
    """What one player sees."""
    _see(s, p, o, 0)


@kernel
def observe_team(s, p, o):
    """What each member of a team sees."""
    for k in range(o.shape[0]):
        _see(s, p, o[k], k)


@kernel
def measure(s, info):
    """Write the metrics."""
    info.success, info.success_once, info.distance, info.hole = s.success, s.success_once, s.distance, s.level
    info.distance_term, info.side_term, info.speed_term = s.distance_term, s.side_term, s.speed_term
    info.stretch_term, info.rate_term = s.stretch_term, s.rate_term


@kernel
def measure_team(s, info):
    """Write them for each member."""
    for k in range(info.shape[0]):
        measure(s, info[k])


ONE = batch_loops(reset, step, observe, measure, draw_level=draw_level, work=WORK)
TEAM = batch_loops(reset, step_team, observe_team, measure_team, draw_level=draw_level, work=WORK)


def parameters(holes: Sequence[Sequence[int]], **values) -> np.ndarray:
    """A record for each hole.

    Args:
        holes: column and row of the particle in each hole's centre.
        **values: fields of `Params`.

    Returns:
        (holes,) records.

    Raises:
        ValueError: no holes, or one that is not within the cloth.
    """
    if not len(holes):
        raise ValueError(f"holes is {holes!r}, expected places of at least one hole")
    made = []
    for hole in holes:
        one = Params.make(holes=len(holes), count=1, **values)
        found = mesh(hole, float(one[0]["thickness"]))
        one["count"] = np.count_nonzero(found.owner != ABSENT)
        one[0]["springs"][: len(found.springs)] = found.springs
        one["kinds"], one["owner"], one["edge"] = found.kinds, found.owner, found.edge
        made.append(one)
    return records(np.concatenate(made))


class ClothHangingWorld(World):
    """Four grippers put the hole of a cloth that they hold over a hanger.

    Args:
        shapes: places of the hole: ``"training"``, twenty of them, or ``"held_out"``, twenty others.
        holes: other places instead, column and row of the particle in the middle, both from 3 to 13.
        rotation: how far the scene is turned about the hanger, see `params.TURNS`.
        team: each gripper is an agent of its own.
        compat: ``"hepi"``: the reward wants the hole on that side of the hanger's middle where the world's y points, as
            in the original, and not on the side of the end that it comes over.

    Raises:
        ValueError: a hole that is not within the cloth.
    """

    info_dtype = Info.dtype()
    state_dtype = State.dtype()
    observation, graph = OBSERVATION, GRAPH

    def __init__(
        self,
        *,
        shapes: Shapes = "training",
        holes: Sequence[Sequence[int]] | None = None,
        rotation: Rotation = "full",
        team: bool = False,
        compat: Literal["hepi"] | None = None,
    ):
        chosen = SPLITS[shapes] if holes is None else holes
        self.params = parameters(chosen, turns=np.array(TURNS[rotation]), fixed_side=compat is not None)
        self.action = action_layout(team)
        self.agents, self.loops = (members(GRIPPERS), TEAM) if team else ((), ONE)
