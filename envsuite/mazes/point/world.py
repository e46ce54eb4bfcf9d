"""PointMaze (Gymnasium-Robotics 1.4, envs/maze/maze_v4.py and point_maze.py): rules on one record, and the world."""

from typing import Literal

import numpy as np

from envsuite.core import Block, Reward, Vector, batch_loops, kernel
from envsuite.mazes import layouts, trail
from envsuite.mazes.contact import advance
from envsuite.mazes.params import Maze, Physics, law
from envsuite.mazes.state import State
from envsuite.mazes.tasks import GoalMazeWorld, Goals, Info, draw_task, judge, measure, renew_goal

SPEED_BOUND = 8.0  # m/s; a step begins at 5 m/s at most and adds 0.24 m/s; a wall returns at most 1.2 m/s
FAR = layouts.MAX_SIDE / 2  # m


class Params(Maze, Goals):
    """The maze, and the options that kernels know."""


@kernel
def reset(s, p):
    """Draw a goal, and a start in a cell apart from it; the ball is at rest."""
    draw_task(s, p)
    s.velocity[0] = s.velocity[1] = 0.0
    trail.begin(s.trail, s.position)


@kernel
def step(s, p, action):
    """Push the ball for one time step; the reward is that of the place it comes to."""
    advance(s, p.walls, p.grid, p.law, action[0], action[1])
    if s.clock.step % 8 == 0:
        trail.note(s.trail, s.position[0], s.position[1])
    return judge(s, p)


@kernel
def observe(s, o):
    """Write what the agent sees."""
    for k in range(2):
        o.position[k], o.velocity[k], o.desired_goal[k] = s.position[k], s.velocity[k], s.goal[k]


class PointMazeWorld(GoalMazeWorld):
    """PointMaze: a ball in a maze has to reach a goal that it is told.

    Args:
        layout: ``"umaze"``, ``"open"``, ``"medium"``, ``"large"``, ``"medium-diverse-g"``, ``"medium-diverse-gr"``,
            ``"large-diverse-g"``, ``"large-diverse-gr"``, or a layout as text, see `envsuite.mazes.layouts`: goals lie
            in its ``G`` and ``C`` cells, starts in its ``R`` and ``C`` cells, by default in all free ones.
        reward: ``"sparse"``, 1 within 0.45 m of the goal and else 0; or ``"dense"``, exp(-distance in metres).
        continuing_task: whether the episode goes on at the goal instead of terminating.
        reset_target: whether a continuing episode moves the goal when it is reached.
        physics: generation of MuJoCo whose contacts are reproduced.

    Raises:
        ValueError: an unknown name or a malformed layout, or one without two distinct cells to start and end in.
    """

    state_dtype, info_dtype = State.dtype(), Info.dtype()
    observation = Vector(
        (
            Block("position", 2, -FAR, FAR, "m", "right and up from the middle; also the achieved goal"),
            Block("velocity", 2, -SPEED_BOUND, SPEED_BOUND, "m/s"),
            Block("desired goal", 2, -FAR, FAR, "m"),
        ),
        dtype=np.float64,
    )
    action = Vector(
        (
            Block("force to the right", 1, -1.0, 1.0, "", "1 is 100 N"),
            Block("force upwards", 1, -1.0, 1.0, "", "1 is 100 N"),
        ),
        out_of_range="clip",
    )
    reward = Reward(dtype=np.float64)
    loops = batch_loops(reset, step, observe, measure, after_step=renew_goal)

    def __init__(
        self,
        *,
        layout: str = "umaze",
        reward: Literal["sparse", "dense"] = "sparse",
        continuing_task: bool = True,
        reset_target: bool = False,
        physics: Physics = "mj3",
    ):
        self.params = Params.make(
            law=law(physics), dense=reward == "dense", continuing=continuing_task, reset_target=reset_target
        )
        self.lay_out(layout, 1.0)
