"""Rope closing: put a rope around a cylinder."""

import numpy as np

from envsuite.core import World, batch_loops, fmath, kernel, rng
from envsuite.manipulation.rope.params import (
    CLOSING_LINKS,
    CLOSING_RADII,
    STEPS,
    ClosingParams,
    Rope,
    Shapes,
)
from envsuite.manipulation.rope.physics import WORK, advance, lay
from envsuite.manipulation.rope.senses import change, gap_of, see_rope
from envsuite.manipulation.rope.state import ClosingInfo, ClosingState, action_layout, closing_layout, graph_layout
from envsuite.manipulation.teams import members, share, take, take_each


@kernel
def reset(s, p):
    """Place the cylinder; lay the rope at some side of it, turned by up to an eighth of a circle."""
    g = s.rng
    s.points = p.links[0] + rng.integers(g, rng.RESET, p.links[1] - p.links[0] + 1)
    s.radius = rng.uniform(g, rng.RESET, p.radius[0], p.radius[1])
    tilt = rng.uniform(g, rng.RESET, -0.25 * np.pi, 0.25 * np.pi)
    side = rng.uniform(g, rng.RESET, -np.pi, np.pi)
    x, y = 0.5 * p.rope.spacing * (s.points - 1) - p.cylinder[0], -p.cylinder[1]
    along, across = fmath.cos(side), fmath.sin(side)
    x, y = along * x - across * y, across * x + along * y
    lay(s, p.cylinder[0] + x, p.cylinder[1] + y, tilt + side, p.rope.spacing)
    for k in range(2):
        s.center[k] = p.cylinder[k] + rng.uniform(g, rng.RESET, -p.spread, p.spread)
    s.success = s.success_once = False
    s.distance_term = s.gap_term = s.speed_term = s.rate_term = 0.0


@kernel
def distance_of(s):
    """Distance between the mean of the points and the cylinder's centre, m."""
    x = y = 0.0
    for i in range(s.points):
        x += s.position[i, 0]
        y += s.position[i, 1]
    x, y = x / s.points - s.center[0], y / s.points - s.center[1]
    return fmath.sqrt(x * x + y * y)


@kernel
def encloses(s):
    """Whether the cylinder's centre is inside the polygon of the points, by the even-odd rule."""
    inside = False
    j = s.points - 1
    for i in range(s.points):
        x1, y1 = s.position[i, 0] - s.center[0], s.position[i, 1] - s.center[1]
        x2, y2 = s.position[j, 0] - s.center[0], s.position[j, 1] - s.center[1]
        if (y1 > 0.0) != (y2 > 0.0) and x1 - y1 * (x2 - x1) / (y2 - y1) > 0.0:
            inside = not inside
        j = i
    return inside


@kernel
def move(s, p, w):
    """One step on the commands of the record; returns the reward."""
    advance(s, p.rope, w)
    speed = 0.0
    for i in range(s.points):
        speed += fmath.sqrt(s.velocity[i, 0] * s.velocity[i, 0] + s.velocity[i, 1] * s.velocity[i, 1])
    gap, late = gap_of(s), s.clock.step + p.gap_steps > STEPS
    s.distance_term = -p.distance_weight * distance_of(s)
    s.gap_term = -p.gap_weight * gap if late else 0.0
    s.speed_term = -p.speed_weight * speed / s.points
    s.rate_term = -p.rate_weight * change(s)
    s.success = gap < p.near and encloses(s)
    s.success_once = s.success_once or s.success
    return s.distance_term + s.gap_term + s.speed_term + s.rate_term


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
    o.cylinder_radius = s.radius
    for k in range(2):
        o.cylinder[k] = s.center[k]


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
    info.distance, info.gap = distance_of(s), gap_of(s)
    info.distance_term, info.gap_term = s.distance_term, s.gap_term
    info.speed_term, info.rate_term = s.speed_term, s.rate_term


@kernel
def measure_team(s, info):
    """Write them for each member."""
    for k in range(info.shape[0]):
        measure(s, info[k])


ONE = batch_loops(reset, step, observe, measure, work=WORK)
TEAM = batch_loops(reset, step_team, observe_team, measure_team, work=WORK)


class RopeClosingWorld(World):
    """Two grippers put the rope that they hold around a cylinder, and bring its ends together.

    Args:
        shapes: sizes of rope and cylinder: those of the original; drawn for each episode from the ``"training"``
            ranges, or from ``"held_out"`` ones beyond them. Observations have room for the most points of the range.
        team: each gripper is an agent of its own.
    """

    info_dtype = ClosingInfo.dtype()
    graph = graph_layout("cylinder")

    def __init__(self, *, shapes: Shapes = "fixed", team: bool = False):
        links, radii = CLOSING_LINKS[shapes], CLOSING_RADII[shapes]
        self.params = ClosingParams.make(rope=Rope.make()[0], links=links, radius=radii)
        self.state_dtype = ClosingState.dtype(points=links[1])
        self.observation, self.action = closing_layout(links[1]), action_layout(team)
        self.agents, self.loops = (members(2), TEAM) if team else ((), ONE)
