"""OGBench's point mazes (Park et al. 2024, arXiv 2410.20092; ogbench/locomaze/maze.py and point.py)."""

import math
from typing import Literal

import numpy as np

from envsuite.core import Block, Reward, StateRecord, Vector, batch_loops, field, kernel
from envsuite.mazes import trail
from envsuite.mazes.contact import cell_at, is_wall
from envsuite.mazes.ogbench.params import LEFT_OVER, RADIUS, STRIDE, Params
from envsuite.mazes.ogbench.tasks import (
    Info,
    MazeName,
    OgbenchTasksWorld,
    TaskName,
    arrive,
    draw_task,
    measure,
    open_info,
    options,
    paid,
    teleport,
)
from envsuite.mazes.trail import Trail

_SWEEPS = 8  # contacts are parallel or at right angles, or nearly so
_FREE = ((0.0, 0.0), 0.0)


class State(StateRecord):
    """A point, and where it is to go."""

    position = field(unit="m", shape=2)
    goal = field(unit="m", shape=2)
    task = field(type=np.int64, meaning="1 to 5; 0 where start and goal are free")
    trail = field(type=Trail, meaning="where it came from, for pictures")


@kernel
def reset(s, p):
    """Draw a task; the point is in its place."""
    draw_task(s, p)
    trail.begin(s.trail, s.position)


@kernel
def _overlap(p, dx, dy):
    """Normal of a wall, and by how much it pushes, from the vector that leads from the wall to the point."""
    length = math.sqrt(dx * dx + dy * dy)
    if length == 0.0 or length >= p.law.radius:
        return _FREE
    return (dx / length, dy / length), (1.0 - LEFT_OVER) * (p.law.radius - length)


@kernel
def _nearest_place(walls):
    """The shortest way that leaves each of three walls by what it pushes: sweeps over the dual problem."""
    x, y = 0.0, 0.0
    multipliers = (0.0, 0.0, 0.0)
    for _ in range(_SWEEPS):
        for _k in range(3):  # the wall at hand is the first; it then goes to the end
            (nx, ny), push = walls[0]
            was = multipliers[0]
            new = max(0.0, was + push - (nx * x + ny * y))
            x, y = x + (new - was) * nx, y + (new - was) * ny
            walls, multipliers = (walls[1], walls[2], walls[0]), (multipliers[1], multipliers[2], new)
    return x, y


@kernel
def move(s, p, step_x, step_y):
    """Move freely, then out of the walls to the nearest place that leaves each by its part of the penetration."""
    x, y = s.position[0] + step_x, s.position[1] + step_y
    grid = p.grid
    i, j = cell_at(grid, x, y)
    half = 0.5 * grid.scale
    u = x - (grid.x0 + grid.scale * (grid.ix * i + grid.jx * j))
    v = y - (grid.y0 + grid.scale * (grid.iy * i + grid.jy * j))
    side_x, side_y = (1 if u > 0.0 else -1), (1 if v > 0.0 else -1)
    gap_x, gap_y = side_x * (abs(u) - half), side_y * (abs(v) - half)
    beside, ahead, corner = _FREE, _FREE, _FREE
    if is_wall(p.walls, grid, i + side_x * grid.ix, j + side_x * grid.jx):
        beside = _overlap(p, gap_x, 0.0)
    if is_wall(p.walls, grid, i + side_y * grid.iy, j + side_y * grid.jy):
        ahead = _overlap(p, 0.0, gap_y)
    if is_wall(p.walls, grid, i + side_x * grid.ix + side_y * grid.iy, j + side_x * grid.jx + side_y * grid.jy):
        corner = _overlap(p, gap_x, gap_y)
    out_x, out_y = 0.0, 0.0
    if beside[1] > 0.0 or ahead[1] > 0.0 or corner[1] > 0.0:
        out_x, out_y = _nearest_place((beside, ahead, corner))
    s.position[0], s.position[1] = x + out_x, y + out_y


@kernel
def step(s, p, action, info):
    """Move, look whether the goal is reached, then be teleported."""
    # the original multiplies in single precision too
    move(s, p, np.float64(np.float32(STRIDE) * action[0]), np.float64(np.float32(STRIDE) * action[1]))
    reached = arrive(s, p, info)
    info.teleported = teleport(s, p)
    if s.clock.step % 4 == 0 or info.teleported:
        trail.note(s.trail, s.position[0], s.position[1])
    return paid(p, reached)


@kernel
def observe(s, o):
    """Write what the agent sees."""
    for k in range(2):
        o.position[k], o.desired_goal[k] = s.position[k], s.goal[k]


class OgbenchMazeWorld(OgbenchTasksWorld):
    """OGBench's point maze: a point in a large maze has to reach goals that it is told.

    Args:
        maze: which one.
        task: 1 to 5, an evaluation task; ``"any"``, one of them in every episode; ``"free"``, from any free cell to any
            cell that is not a straight corridor.
        reward: ``"sparse"``, 1 at the goal and else 0; ``"cost"``, 0 at the goal and else -1.
        terminate_at_goal: whether the episode ends at the goal.
    """

    state_dtype, info_dtype = State.dtype(), Info.dtype()
    observation = Vector(
        (
            Block("position", 2, -6.0, 60.0, "m", "along the columns, down the rows; also the achieved goal"),
            Block("desired goal", 2, -6.0, 60.0, "m"),
        ),
        dtype=np.float64,
    )
    action = Vector(
        (
            Block("move along the columns", 1, -1.0, 1.0, "", "1 is 0.2 m"),
            Block("move down the rows", 1, -1.0, 1.0, "", "1 is 0.2 m"),
        ),
        out_of_range="clip",
    )
    reward = Reward(dtype=np.float64)
    loops = batch_loops(reset, step, observe, measure, open_info=open_info)

    def __init__(
        self,
        *,
        maze: MazeName = "medium",
        task: TaskName = "any",
        reward: Literal["sparse", "cost"] = "sparse",
        terminate_at_goal: bool = True,
    ):
        self.params = Params.make(radius=RADIUS, **options(task, reward, terminate_at_goal))
        self.params[0]["law"]["radius"] = 0.7  # m, of the point's ball
        self.set_tasks(maze, task)
