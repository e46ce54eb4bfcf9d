"""OGBench's point mazes on one record, the batch loops, and the world."""

import math
from typing import Literal

import numpy as np

from envsuite.core import rng
from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.core.world import Reward, World
from envsuite.mazes import contact, trail
from envsuite.mazes.ogbench.params import DOOR_RADIUS, LEFT_OVER, PLACE_NOISE, RADIUS, STRIDE, parameters
from envsuite.mazes.ogbench.state import ACTION, INFO, OBSERVATION, STATE

_SWEEPS = 8  # contacts are parallel or at right angles, or nearly so


@kernel
def reset(s, p):
    """Draw a task, and start and goal near the centres of its cells."""
    start = rng.integers(s.rng, rng.RESET, p.start_count)
    goal = start
    if p.paired == 0:
        goal = rng.integers(s.rng, rng.RESET, p.goal_count)
    s.task = p.first_task + start if p.paired != 0 else 0
    for k in range(2):
        s.position[k] = p.starts[start, k] + rng.uniform(s.rng, rng.RESET, -PLACE_NOISE, PLACE_NOISE)
        s.goal[k] = p.goals[goal, k] + rng.uniform(s.rng, rng.RESET, -PLACE_NOISE, PLACE_NOISE)
    trail.begin(s.trail)
    trail.note(s.trail, s.position[0], s.position[1])


@kernel
def _overlap(p, dx, dy):
    """Normal of a wall, and by how much it pushes, from the vector that leads from the wall to the point."""
    length = math.sqrt(dx * dx + dy * dy)
    if length == 0.0 or length >= p.law.radius:
        return (0.0, 0.0), 0.0
    return (dx / length, dy / length), (1.0 - LEFT_OVER) * (p.law.radius - length)


@kernel
def _pushed(multiplier, n, wanted, x, y):
    """New multiplier of one contact, in a sweep of the dual problem of the nearest place that satisfies all."""
    return max(0.0, multiplier + wanted - (n[0] * x + n[1] * y))


@kernel
def move(s, p, step_x, step_y):
    """Move freely, then out of the walls to the nearest place that leaves each by its part of the penetration."""
    x, y = s.position[0] + step_x, s.position[1] + step_y
    grid = p.grid
    i, j = contact.cell_at(grid, x, y)
    half = 0.5 * grid.scale
    u = x - (grid.x0 + grid.scale * (grid.ix * i + grid.jx * j))
    v = y - (grid.y0 + grid.scale * (grid.iy * i + grid.jy * j))
    side_x, side_y = (1 if u > 0.0 else -1), (1 if v > 0.0 else -1)
    gap_x, gap_y = side_x * (abs(u) - half), side_y * (abs(v) - half)
    n0, w0, n1, w1, n2, w2 = (0.0, 0.0), 0.0, (0.0, 0.0), 0.0, (0.0, 0.0), 0.0
    if contact.is_wall(p.walls, grid, i + side_x * grid.ix, j + side_x * grid.jx):
        n0, w0 = _overlap(p, gap_x, 0.0)
    if contact.is_wall(p.walls, grid, i + side_y * grid.iy, j + side_y * grid.jy):
        n1, w1 = _overlap(p, 0.0, gap_y)
    if contact.is_wall(p.walls, grid, i + side_x * grid.ix + side_y * grid.iy, j + side_x * grid.jx + side_y * grid.jy):
        n2, w2 = _overlap(p, gap_x, gap_y)
    out_x, out_y = 0.0, 0.0
    if w0 > 0.0 or w1 > 0.0 or w2 > 0.0:
        m0, m1, m2 = 0.0, 0.0, 0.0
        for _ in range(_SWEEPS):
            new = _pushed(m0, n0, w0, out_x, out_y)
            out_x, out_y, m0 = out_x + (new - m0) * n0[0], out_y + (new - m0) * n0[1], new
            new = _pushed(m1, n1, w1, out_x, out_y)
            out_x, out_y, m1 = out_x + (new - m1) * n1[0], out_y + (new - m1) * n1[1], new
            new = _pushed(m2, n2, w2, out_x, out_y)
            out_x, out_y, m2 = out_x + (new - m2) * n2[0], out_y + (new - m2) * n2[1], new
    s.position[0], s.position[1] = x + out_x, y + out_y


@kernel
def _distance(s, x, y):
    x, y = s.position[0] - x, s.position[1] - y
    return math.sqrt(x * x + y * y)


@kernel
def teleport(s, p):
    """Leave by a door drawn at random where a teleporter is entered; whether that was so."""
    for k in range(p.in_count):
        if _distance(s, p.doors_in[k, 0], p.doors_in[k, 1]) <= DOOR_RADIUS:
            door = rng.integers(s.rng, rng.DYNAMICS, p.out_count)
            s.position[0], s.position[1] = p.doors_out[door, 0], p.doors_out[door, 1]
            return True
    return False


@kernel
def step(s, p, action, info):
    """Move, look whether the goal is reached, then be teleported."""
    # the original multiplies in single precision too
    move(s, p, np.float64(np.float32(STRIDE) * action[0]), np.float64(np.float32(STRIDE) * action[1]))
    reached = _distance(s, s.goal[0], s.goal[1]) <= RADIUS
    info.is_success = reached
    info.teleported = teleport(s, p)
    if s.clock.step % np.uint32(4) == 0 or info.teleported:
        trail.note(s.trail, s.position[0], s.position[1])
    reward = 1.0 if reached else 0.0
    return reward - 1.0 if p.cost != 0 else reward, reached and p.terminates != 0


@kernel
def observe(s, observation, info):
    """Write what the agent sees, and the metrics."""
    for k in range(2):
        observation[k] = s.position[k]
        observation[2 + k] = s.goal[k]
    info.distance = _distance(s, s.goal[0], s.goal[1])
    info.task = s.task


@kernel
def open_info(s, info):
    """What steps write of their own, before the first."""
    info.is_success = _distance(s, s.goal[0], s.goal[1]) <= RADIUS
    info.teleported = False


class OgbenchMazeWorld(World):
    """OGBench's point maze: a point in a large maze has to reach goals that it is told.

    Args:
        maze: ``"medium"``, ``"large"``, ``"giant"`` or ``"teleport"``.
        task: 1 to 5, an evaluation task; ``"any"``, one of them in every episode; ``"free"``, from any free cell to any
            cell that is not a straight corridor.
        reward: ``"sparse"``, 1 at the goal and else 0; ``"cost"``, 0 at the goal and else -1.
        terminate_at_goal: whether the episode ends at the goal.
    """

    state_dtype = STATE
    info_dtype = INFO
    observation = OBSERVATION
    action = ACTION
    reward = Reward(dtype=np.float64)
    loops = batch_loops(reset, step, observe, open_info=open_info)

    def __init__(
        self,
        *,
        maze: str = "medium",
        task: int | Literal["any", "free"] = "any",
        reward: Literal["sparse", "cost"] = "sparse",
        terminate_at_goal: bool = True,
    ):
        if reward not in ("sparse", "cost"):
            raise ValueError(f"reward is {reward!r}, expected 'sparse' or 'cost'")
        self._maze, self._cost = maze, reward == "cost"
        self.params = parameters(maze, task=task, cost=self._cost, terminates=terminate_at_goal)

    def compute_reward(self, achieved_goal, desired_goal, info=None) -> np.ndarray:
        """Rewards of places for goals, for hindsight relabelling.

        Args:
            achieved_goal: m, (..., 2), before any teleporting.
            desired_goal: m, (..., 2).
            info: not used.

        Returns:
            float64 (...).
        """
        from envsuite.mazes.goals import reward_of

        return reward_of(achieved_goal, desired_goal, dense=False, radius=RADIUS) - self._cost

    def _doors(self) -> tuple[np.ndarray, np.ndarray]:
        p = self.params[0]
        return p["doors_in"][: p["in_count"]], p["doors_out"][: p["out_count"]]
