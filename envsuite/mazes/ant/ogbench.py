"""OGBench's antmaze (Park et al. 2024, arXiv 2410.20092; ogbench/locomaze/maze.py and ant.py): rules, and the world."""

from typing import Literal

import numpy as np

from envsuite.core import Vector, kernel
from envsuite.mazes import trail
from envsuite.mazes.ant import body
from envsuite.mazes.ogbench import tasks
from envsuite.mazes.ogbench.params import ANT_RADIUS, Tasks
from envsuite.mazes.ogbench.tasks import MazeName, OgbenchTasksWorld, TaskName, arrive, draw_task, paid, teleport
from envsuite.rigid.integrate import forward
from envsuite.rigid.world import shake

POSE_NOISE = 0.1
"""Of coordinates, uniform, and of speeds, normal, at the beginning; m, rad, m/s and rad/s, of quaternions none."""


class Params(body.Params, Tasks):
    """The ant, the maze, and the options that kernels know."""


class Info(body.Room, tasks.Info):
    """The metrics."""


@kernel
def reset(s, p):
    """Draw a task, and a pose near the model's."""
    shake(s, p, POSE_NOISE, True)
    draw_task(s, p)
    body.put_ant(s)
    trail.begin(s.trail, s.position)


@kernel
def step(s, p, w, info):
    """Look whether the goal is reached, then be teleported."""
    body.look_around(s)
    reached = arrive(s, p, info)
    info.teleported = teleport(s, p)
    if info.teleported:
        body.put_ant(s)
        body.put_walls(s.body, p)
        forward(p.model, s.body, w)  # as the original: the solver starts from what is found here
    if s.clock.step % 4 == 0 or info.teleported:
        trail.note(s.trail, s.position[0], s.position[1])
    return paid(p, reached)


@kernel
def observe(s, observation):
    """Coordinates, speeds, goal."""
    at = body.tell(s, observation)
    observation[at], observation[at + 1] = s.goal[0], s.goal[1]


@kernel
def measure(s, info):
    """Write the metrics."""
    tasks.measure(s, info)
    info.overflow = s.body.overflow


class OgbenchAntMazeWorld(OgbenchTasksWorld, body.WalkingWorld):
    """OGBench's antmaze: an ant in a large maze has to reach goals that it is told.

    Args:
        maze: which one.
        task: 1 to 5, an evaluation task; ``"any"``, one of them in every episode; ``"free"``, from any free cell to any
            cell that is not a straight corridor.
        reward: ``"sparse"``, 1 at the goal and else 0; ``"cost"``, 0 at the goal and else -1.
        terminate_at_goal: whether the episode ends at the goal.
    """

    ant = "weak"
    info_dtype = Info.dtype()
    loops = body.loops(reset, step, observe, measure=measure, open_info=tasks.open_info)
    observation = Vector((*body.TOLD, body.GOAL), dtype=np.float64)

    def __init__(
        self,
        *,
        maze: MazeName = "medium",
        task: TaskName = "any",
        reward: Literal["sparse", "cost"] = "sparse",
        terminate_at_goal: bool = True,
    ):
        self.build(Params, radius=ANT_RADIUS, **tasks.options(task, reward, terminate_at_goal))
        self.set_tasks(maze, task)
