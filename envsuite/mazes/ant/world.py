"""AntMaze (Gymnasium-Robotics 1.4, envs/maze/maze_v4.py and ant_maze_v5.py): rules on one record, and the world."""

from typing import ClassVar, Literal

import numpy as np

from envsuite.core import Block, Vector, kernel
from envsuite.mazes import tasks, trail
from envsuite.mazes.ant import body
from envsuite.mazes.tasks import GoalMazeWorld, Goals, draw_task, judge, renew_goal
from envsuite.rigid.external import contact_wrenches

FORCE = 1.0
"""To which contact forces are clipped in observations, N and N m."""


class Params(body.Params, Goals):
    """The ant, the maze, and the options that kernels know."""


class Info(body.Room, tasks.Info):
    """The metrics."""


@kernel
def reset(s, p):
    """Draw a goal, and a start in a cell apart from it; the ant hangs in the air, at rest."""
    draw_task(s, p)
    s.body = p.start
    body.put_ant(s)
    for b in range(body.BODIES):
        for k in range(6):
            s.wrenches[b, k] = 0.0
    trail.begin(s.trail, s.position)


@kernel
def step(s, p, w):
    """The reward is that of the place the ant has come to."""
    body.look_around(s)
    contact_wrenches(p.model, s.body, w)
    for b in range(body.BODIES):
        for k in range(6):
            s.wrenches[b, k] = w.cfrc_ext[b, k]
    if s.clock.step % 8 == 0:
        trail.note(s.trail, s.position[0], s.position[1])
    return judge(s, p)


@kernel
def observe(s, observation):
    """Place, other coordinates, speeds, clipped contact forces of all bodies, goal."""
    at = body.tell(s, observation)
    for b in range(1, body.BODIES):
        for k in range(6):
            observation[at] = min(max(s.wrenches[b, k], -FORCE), FORCE)
            at += 1
    observation[at], observation[at + 1] = s.goal[0], s.goal[1]


@kernel
def measure(s, p, info):
    """Write the metrics."""
    tasks.measure(s, p, info)
    info.overflow = s.body.overflow


class AntMazeWorld(body.WalkingWorld, GoalMazeWorld):
    """AntMaze: an ant in a maze has to reach a goal that it is told.

    Args:
        layout: ``"umaze"``, ``"open"``, ``"medium"``, ``"large"``, ``"medium-diverse-g"``, ``"medium-diverse-gr"``,
            ``"large-diverse-g"``, ``"large-diverse-gr"``, or a layout as text, see `envsuite.mazes.layouts`: goals lie
            in its ``G`` and ``C`` cells, starts in its ``R`` and ``C`` cells, by default in all free ones.
        reward: ``"sparse"``, 1 within 0.45 m of the goal and else 0; or ``"dense"``, exp(-distance in metres).
        continuing_task: whether the episode goes on at the goal instead of terminating.
        reset_target: whether a continuing episode moves the goal when it is reached.

    Raises:
        ValueError: an unknown name or a malformed layout, or one without two distinct cells to start and end in.
    """

    ant = "strong"
    observed: ClassVar[slice] = slice(2, -2)
    info_dtype = Info.dtype()
    loops = body.loops(reset, step, observe, measure=measure, after_step=renew_goal)
    observation = Vector(
        (
            *body.TOLD,
            Block("contact", 6 * (body.BODIES - 1), -FORCE, FORCE, "N m, N", "each body's"),
            body.GOAL,
        ),
        dtype=np.float64,
    )

    def __init__(
        self,
        *,
        layout: str = "umaze",
        reward: Literal["sparse", "dense"] = "sparse",
        continuing_task: bool = True,
        reset_target: bool = False,
    ):
        self.build(Params, dense=reward == "dense", continuing=continuing_task, reset_target=reset_target)
        self.lay_out(layout, body.SCALE)
