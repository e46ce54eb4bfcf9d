"""antmaze (D4RL, Fu et al. 2020, arXiv 2004.07219; d4rl/locomotion/maze_env.py and ant.py): rules, and the world."""

from typing import Literal

import numpy as np

from envsuite.core import Vector, field, kernel, rng
from envsuite.mazes import layouts, trail
from envsuite.mazes.ant import body
from envsuite.mazes.contact import apart
from envsuite.mazes.legacy.world import Info as PointInfo
from envsuite.mazes.params import centre, lay_out, populate
from envsuite.rigid.world import shake

POSE_NOISE = 0.1
"""Of coordinates, uniform, and of speeds, normal, at the beginning; m, rad, m/s and rad/s, of quaternions none."""

GOAL_NOISE = 0.25
"""A goal lies beyond its cell's centre by two uniform numbers, up to this part of a cell and up to half of it."""

START_NOISE = 0.25
"""A random start lies beyond its cell's centre by up to this part of a cell, on each axis."""

LAYOUTS: dict[str, str] = {
    name: layouts.marked(layouts.plain(layout), {(1, 1): "R", goal: "G"})
    for name, layout, goal in (
        ("umaze", "#####/#OOO#/###O#/#OOO#/#####", (3, 1)),
        ("medium", layouts.D4RL["medium"], (6, 6)),
        ("large", layouts.D4RL["large"], (7, 9)),
    )
}


class Params(body.Params):
    """The ant, the maze, and the options that kernels know."""

    radius = field(0.5, "m", "distance from the goal that counts as success")
    dense = field(type=np.uint8, meaning="whether the reward is the negative distance")
    terminates = field(type=np.uint8, meaning="whether an episode ends at the goal")
    random_start = field(type=np.uint8, meaning="whether every episode draws its start")


class Info(body.Room, PointInfo):
    """The metrics: those of D4RL's point mazes, and the room for contacts."""


@kernel
def beyond(stream, purpose, scale):
    """How far a goal lies beyond its cell's centre along an axis, m."""
    wide = GOAL_NOISE * scale
    return rng.uniform(stream, purpose, 0.0, wide) + rng.uniform(stream, purpose, 0.0, 0.5 * wide)


@kernel
def reset(s, p):
    """Start near the start cell's centre, or near a random cell's; draw a goal near a goal cell's centre."""
    shake(s, p, POSE_NOISE, True)
    cell = rng.integers(s.rng, rng.RESET, p.goal_count)
    for k in range(2):
        s.goal[k] = max(p.goals[cell, k] + beyond(s.rng, rng.RESET, p.grid.scale), 0.0)
    if p.random_start != 0:
        cell, wide = rng.integers(s.rng, rng.RESET, p.start_count), START_NOISE * p.grid.scale
        for k in range(2):
            s.position[k] = max(p.starts[cell, k] + rng.uniform(s.rng, rng.RESET, 0.0, wide), 0.0)
        body.put_ant(s)
    body.look_around(s)
    trail.begin(s.trail, s.position)


@kernel
def step(s, p):
    """The reward is that of the place the ant has come to."""
    body.look_around(s)
    if s.clock.step % 4 == 0:
        trail.note(s.trail, s.position[0], s.position[1])
    distance = apart(s.position, s.goal)
    reached = distance <= p.radius
    return -distance if p.dense != 0 else reached * 1.0, reached and p.terminates != 0


@kernel
def observe(s, observation):
    """Coordinates and speeds."""
    body.tell(s, observation)


@kernel
def measure(s, p, info):
    """Write the metrics."""
    info.distance = apart(s.position, s.goal)
    info.is_success = info.distance <= p.radius
    info.overflow = s.body.overflow
    for k in range(2):
        info.goal[k] = s.goal[k]


class LegacyAntMazeWorld(body.WalkingWorld):
    """antmaze: an ant in a maze has to reach a goal that it is not told.

    Args:
        layout: ``"umaze"``, ``"medium"``, ``"large"``, or a layout as text with one ``R``, see
            `envsuite.mazes.layouts`. Without a ``G``, the goal of an episode is in any free cell.
        reward: ``"sparse"``, 1 within 0.5 m of the goal and else 0; or ``"dense"``, the negative distance in metres.
        start: ``"fixed"``, in the layout's start cell; or ``"random"``, in any free cell without a goal.
        terminate_at_goal: whether the episode ends at the goal.

    Raises:
        ValueError: an unknown name, a malformed layout, or one without exactly one start cell.
    """

    ant = "weak"
    info_dtype = Info.dtype()
    loops = body.loops(reset, step, observe, measure=measure)
    observation = Vector(body.TOLD, dtype=np.float64)

    def __init__(
        self,
        *,
        layout: str = "umaze",
        reward: Literal["sparse", "dense"] = "sparse",
        start: Literal["fixed", "random"] = "fixed",
        terminate_at_goal: bool = True,
    ):
        if layout not in LAYOUTS and "#" not in layout:
            raise ValueError(f"layout is {layout!r}, expected one of {sorted(LAYOUTS)} or a layout as text")
        cells = layouts.read(LAYOUTS.get(layout, layout))
        origin, free = layouts.find(cells, "R"), layouts.find(cells, "OR")
        goals = layouts.find(cells, "G")
        if len(origin) != 1:
            raise ValueError(f"layout {layout!r} has {len(origin)} cells R, expected 1")
        self.layout = layout
        self.build(
            Params,
            dense=reward == "dense",
            terminates=terminate_at_goal,
            random_start=start == "random",
        )
        p = self.params[0]
        row, column = origin[0]
        lay_out(p, cells == layouts.WALL, (body.SCALE, -body.SCALE * column, -body.SCALE * row, 0, 1, 1, 0))
        populate(p, centre(p["grid"], free), centre(p["grid"], goals if len(goals) else free))
