"""Rope shaping: give a rope the shape of a W."""

from typing import Literal

import numpy as np

from envsuite.core import World, batch_loops, fmath, kernel, rng
from envsuite.manipulation.rope.levels import letter_w
from envsuite.manipulation.rope.params import MOST, SHAPING_LINKS, SPACING, STEPS, Rope, Shapes, ShapingParams
from envsuite.manipulation.rope.physics import WORK, advance, lay
from envsuite.manipulation.rope.senses import change, see_rope
from envsuite.manipulation.rope.state import ShapingInfo, ShapingState, action_layout, graph_layout, shaping_layout
from envsuite.manipulation.teams import members, share, take, take_each

LENGTH = 10.0
"""m, of the original's target, beside a rope of 7.9 m."""


@kernel(inline=True)
def _angle(ax, ay, bx, by):
    """Angle between two directions, 0 to pi; a right one where a length is 0."""
    lengths = fmath.sqrt((ax * ax + ay * ay) * (bx * bx + by * by))
    cosine = (ax * bx + ay * by) / lengths if lengths > 0.0 else 0.0
    return fmath.acos(min(max(cosine, -1.0), 1.0))


@kernel
def _draw_target(s, p):
    """Turn the curve for as many points as the rope has, and take its angles."""
    last, turn = s.points - 1, rng.uniform(s.rng, rng.RESET, -0.5 * np.pi, 0.5 * np.pi)
    size = p.scale * p.rope.spacing * last
    along, across = size * fmath.cos(turn), size * fmath.sin(turn)
    for i in range(s.points):
        place = i * (MOST - 1.0) / last
        k = min(np.int64(place), MOST - 2)
        part = place - k
        x = (1.0 - part) * p.curve[k, 0] + part * p.curve[k + 1, 0]
        y = (1.0 - part) * p.curve[k, 1] + part * p.curve[k + 1, 1]
        s.target[i, 0], s.target[i, 1] = along * x - across * y, across * x + along * y
    for i in range(s.points, MOST):
        s.target[i, 0] = s.target[i, 1] = 0.0
    for i in range(MOST):
        s.turns[i] = _turn(s.target, i) if 0 < i < last else 0.0
        s.leans[i] = _lean(s.target, i, last) if i < last else 0.0
    return turn


@kernel(inline=True)
def _turn(x, i):
    """Angle between the segments before and after a point."""
    return _angle(x[i, 0] - x[i - 1, 0], x[i, 1] - x[i - 1, 1], x[i + 1, 0] - x[i, 0], x[i + 1, 1] - x[i, 1])


@kernel(inline=True)
def _lean(x, i, last):
    """Angle between the segment after a point and the line through the ends."""
    return _angle(x[i + 1, 0] - x[i, 0], x[i + 1, 1] - x[i, 1], x[last, 0] - x[0, 0], x[last, 1] - x[0, 1])


@kernel
def error_of(s):
    """Mean squared difference of the descriptors of rope and target.

    A descriptor holds the angles between neighbouring segments, the angles of segments with the line through the ends,
    the points around the middle of the ends, and their distances from it.
    """
    x, last, total = s.position, s.points - 1, 0.0
    mx, my = 0.5 * (x[0, 0] + x[last, 0]), 0.5 * (x[0, 1] + x[last, 1])
    for i in range(s.points):
        ax, ay, bx, by = x[i, 0] - mx, x[i, 1] - my, s.target[i, 0], s.target[i, 1]
        far = fmath.sqrt(ax * ax + ay * ay) - fmath.sqrt(bx * bx + by * by)
        total += (ax - bx) * (ax - bx) + (ay - by) * (ay - by) + far * far
        if 0 < i < last:
            turned = _turn(x, i) - s.turns[i]
            total += turned * turned
        if i < last:
            leant = _lean(x, i, last) - s.leans[i]
            total += leant * leant
    return total / (5.0 * s.points - 3.0)


@kernel
def reset(s, p):
    """Draw the target's turn; lay the rope straight, an eighth to a quarter of a circle away from it."""
    g = s.rng
    s.points = p.links[0] + rng.integers(g, rng.RESET, p.links[1] - p.links[0] + 1)
    s.radius = 0.0
    turn = _draw_target(s, p)
    away = rng.uniform(g, rng.RESET, 0.25 * np.pi, 0.5 * np.pi)
    side = 1.0 if rng.integers(g, rng.RESET, 2) == 0 else -1.0
    s.lean = side * away
    lay(s, 0.5 * p.rope.spacing * (s.points - 1), 0.0, turn + s.lean, p.rope.spacing)
    s.first_error = s.error = error_of(s)
    s.success = s.success_once = False
    s.error_term = s.rate_term = 0.0


@kernel
def move(s, p, w):
    """One step on the commands of the record; returns the reward."""
    advance(s, p.rope, w)
    s.error = error_of(s)
    late = s.clock.step + p.last_steps > STEPS
    s.error_term = -s.error * (p.last_weight if late else 1.0)
    s.rate_term = -p.rate_weight * change(s)
    s.success = s.error < p.near * s.first_error
    s.success_once = s.success_once or s.success
    return s.error_term + s.rate_term


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
def _see(s, o, first):
    see_rope(s, o, first)
    last = s.points - 1
    for i in range(s.position.shape[0]):
        for k in range(2):
            middle = 0.5 * (s.position[0, k] + s.position[last, k])
            o.target[2 * i + k] = middle + s.target[i, k] if i <= last else 0.0


@kernel
def observe(s, o):
    """What one player sees."""
    _see(s, o, 0)


@kernel
def observe_team(s, o):
    """What each member of a team sees."""
    for k in range(o.shape[0]):
        _see(s, o[k], k)


@kernel
def measure(s, info):
    """Write the metrics."""
    info.success, info.success_once = s.success, s.success_once
    info.error, info.share = s.error, s.error / s.first_error
    info.error_term, info.rate_term = s.error_term, s.rate_term


@kernel
def measure_team(s, info):
    """Write them for each member."""
    for k in range(info.shape[0]):
        measure(s, info[k])


ONE = batch_loops(reset, step, observe, measure, work=WORK)
TEAM = batch_loops(reset, step_team, observe_team, measure_team, work=WORK)


class RopeShapingWorld(World):
    """Two grippers give the rope that they hold the shape of a W.

    Args:
        shapes: length of the rope: that of the original; drawn for each episode from the ``"training"`` range, or from
            the ``"held_out"`` one beyond it. Observations have room for the most points of the range.
        team: each gripper is an agent of its own.
        compat: ``"hepi"``: the target is 10 m long, as in the original, so that no rope of 7.9 m can take its shape.

    Raises:
        ValueError: shapes that vary with ``compat``.
    """

    info_dtype = ShapingInfo.dtype()
    graph = graph_layout("target")

    def __init__(self, *, shapes: Shapes = "fixed", team: bool = False, compat: Literal["hepi"] | None = None):
        if compat and shapes != "fixed":
            raise ValueError(f"shapes is {shapes!r}, expected 'fixed' where compat is {compat!r}")
        links = SHAPING_LINKS[shapes]
        scale = LENGTH / (SPACING * (MOST - 1)) if compat else 1.0
        self.params = ShapingParams.make(rope=Rope.make()[0], links=links, curve=letter_w(), scale=scale)
        self.state_dtype = ShapingState.dtype(points=links[1])
        self.observation, self.action = shaping_layout(links[1]), action_layout(team)
        self.agents, self.loops = (members(2), TEAM) if team else ((), ONE)
