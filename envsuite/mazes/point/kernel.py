"""PointMaze on one record, the batch loops, and the world."""

import math
from typing import Literal

import numpy as np

from envsuite.core import fmath, rng
from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.core.world import Reward, World
from envsuite.mazes import contact, trail
from envsuite.mazes.params import Physics
from envsuite.mazes.point.params import APART, PLACE_NOISE, RADIUS, parameters
from envsuite.mazes.point.state import ACTION, INFO, OBSERVATION
from envsuite.mazes.state import BALL


@kernel
def draw_goal(s, p, purpose):
    """Put the goal near the centre of a goal cell."""
    cell = rng.integers(s.rng, purpose, p.goal_count)
    for k in range(2):
        s.goal[k] = p.goals[cell, k] + rng.uniform(s.rng, purpose, -PLACE_NOISE, PLACE_NOISE)


@kernel
def reset(s, p):
    """Draw a goal, and a start in a cell apart from it; the ball is at rest."""
    draw_goal(s, p, rng.RESET)
    cell = rng.integers(s.rng, rng.RESET, p.start_count)
    while _apart(p.starts[cell, 0], p.starts[cell, 1], s) <= APART:
        cell = rng.integers(s.rng, rng.RESET, p.start_count)
    for k in range(2):
        s.position[k] = p.starts[cell, k] + rng.uniform(s.rng, rng.RESET, -PLACE_NOISE, PLACE_NOISE)
        s.velocity[k] = 0.0
    trail.begin(s.trail)
    trail.note(s.trail, s.position[0], s.position[1])


@kernel
def _apart(x, y, s):
    """Metres between a place and the goal."""
    x, y = x - s.goal[0], y - s.goal[1]
    return math.sqrt(x * x + y * y)


@kernel
def step(s, p, action):
    """Push the ball for one time step; the reward is that of the place it comes to."""
    contact.advance(s, p.walls, p.grid, p.law, np.float64(action[0]), np.float64(action[1]))
    if s.clock.step % np.uint32(8) == 0:
        trail.note(s.trail, s.position[0], s.position[1])
    distance = _apart(s.position[0], s.position[1], s)
    reached = distance <= p.radius
    if p.dense != 0:
        return fmath.exp(-distance), reached and p.continuing == 0
    return 1.0 if reached else 0.0, reached and p.continuing == 0


@kernel
def renew_goal(s, p):
    """Move the goal that has been reached, where the task asks for it; the next observation tells."""
    if p.continuing == 0 or p.reset_target == 0 or p.goal_count < 2:
        return
    while _apart(s.position[0], s.position[1], s) <= p.radius:
        draw_goal(s, p, rng.DYNAMICS)


@kernel
def observe(s, p, observation, info):
    """Write what the agent sees, and the metrics."""
    for k in range(2):
        observation[k] = s.position[k]
        observation[2 + k] = s.velocity[k]
        observation[4 + k] = s.goal[k]
    info.distance = _apart(s.position[0], s.position[1], s)
    info.is_success = info.distance <= p.radius


class PointMazeWorld(World):
    """PointMaze: a ball in a maze has to reach a goal that it is told.

    Args:
        layout: ``"umaze"``, ``"open"``, ``"medium"``, ``"large"``, ``"medium-diverse-g"``, ``"medium-diverse-gr"``,
            ``"large-diverse-g"``, ``"large-diverse-gr"``, or a layout as text, see `envsuite.mazes.layouts`: goals lie
            in its ``G`` and ``C`` cells, starts in its ``R`` and ``C`` cells, by default in all free ones.
        reward: ``"sparse"``, 1 within 0.45 m of the goal and else 0; or ``"dense"``, exp(-distance in metres).
        continuing_task: whether the episode goes on at the goal instead of terminating.
        reset_target: whether a continuing episode moves the goal when it is reached.
        physics: generation of MuJoCo whose contacts are reproduced.
    """

    state_dtype = BALL
    info_dtype = INFO
    observation = OBSERVATION
    action = ACTION
    reward = Reward(dtype=np.float64)
    loops = batch_loops(reset, step, observe, after_step=renew_goal)

    def __init__(
        self,
        *,
        layout: str = "umaze",
        reward: Literal["sparse", "dense"] = "sparse",
        continuing_task: bool = True,
        reset_target: bool = False,
        physics: Physics = "mj3",
    ):
        if reward not in ("sparse", "dense"):
            raise ValueError(f"reward is {reward!r}, expected 'sparse' or 'dense'")
        self._dense = reward == "dense"
        self.params = parameters(
            layout, dense=self._dense, continuing=continuing_task, reset_target=reset_target, physics=physics
        )

    def compute_reward(self, achieved_goal, desired_goal, info=None) -> np.ndarray:
        """Rewards of places for goals, for hindsight relabelling.

        Args:
            achieved_goal: m, (..., 2).
            desired_goal: m, (..., 2).
            info: not used.

        Returns:
            float64 (...).
        """
        from envsuite.mazes.goals import reward_of

        return reward_of(achieved_goal, desired_goal, dense=self._dense, radius=RADIUS)
