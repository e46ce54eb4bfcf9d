"""The tasks of maze2d on one record, the batch loops, and the world."""

import math
from typing import Literal

import numpy as np

from envsuite.core import fmath, rng
from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.core.world import Reward, World
from envsuite.mazes import contact, trail
from envsuite.mazes.legacy.params import PLACE_NOISE, SPEED_NOISE, parameters
from envsuite.mazes.legacy.state import ACTION, INFO, OBSERVATION
from envsuite.mazes.params import Physics
from envsuite.mazes.state import BALL


@kernel
def reset(s, p):
    """Start near the indices of a free cell, moving slowly; the goal stays where the layout has it, or is drawn."""
    cell = rng.integers(s.rng, rng.RESET, p.start_count)
    for k in range(2):
        s.position[k] = p.starts[cell, k] + rng.uniform(s.rng, rng.RESET, -PLACE_NOISE, PLACE_NOISE)
        s.velocity[k] = rng.normal(s.rng, rng.RESET, 0.0, SPEED_NOISE)
    if p.random_goal != 0:
        cell = rng.integers(s.rng, rng.RESET, p.goal_count)
        for k in range(2):
            s.goal[k] = p.goals[cell, k] + rng.uniform(s.rng, rng.RESET, -PLACE_NOISE, PLACE_NOISE)
    else:
        s.goal[0], s.goal[1] = p.goals[0, 0], p.goals[0, 1]
    trail.begin(s.trail)
    trail.note(s.trail, s.position[0], s.position[1])


@kernel
def distance_to_goal(s):
    """Metres between the ball's centre and the goal."""
    x, y = s.position[0] - s.goal[0], s.position[1] - s.goal[1]
    return math.sqrt(x * x + y * y)


@kernel
def step(s, p, action):
    """Push the ball for one time step; the reward is that of the place it comes to; nothing ends the episode."""
    contact.advance(s, p.walls, p.grid, p.law, np.float64(action[0]), np.float64(action[1]))
    if s.clock.step % np.uint32(8) == 0:
        trail.note(s.trail, s.position[0], s.position[1])
    distance = distance_to_goal(s)
    if p.dense != 0:
        return fmath.exp(-distance), False
    return 1.0 if distance <= p.radius else 0.0, False


@kernel
def observe(s, p, observation, info):
    """Write what the agent sees, and the metrics."""
    for k in range(2):
        observation[k] = s.position[k]
        observation[2 + k] = s.velocity[k]
        info.goal[k] = s.goal[k]
    info.distance = distance_to_goal(s)
    info.is_success = info.distance <= p.radius


class LegacyMazeWorld(World):
    """maze2d: a ball in a maze has to reach a goal that it is not told, and to stay there.

    Args:
        layout: ``"open"``, ``"umaze"``, ``"medium"``, ``"large"``, ``"eval-umaze"``, ``"eval-medium"``,
            ``"eval-large"``, or a layout as text with one ``G``, see `envsuite.mazes.layouts`.
        reward: ``"sparse"``, 1 within 0.5 m of the goal and else 0; or ``"dense"``, exp(-distance in metres).
        goal: ``"fixed"``, at the layout's goal cell; or ``"random"``, drawn every episode near a free cell.
        physics: generation of MuJoCo whose contacts are reproduced.
    """

    state_dtype = BALL
    info_dtype = INFO
    observation = OBSERVATION
    action = ACTION
    reward = Reward(dtype=np.float64)
    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        layout: str = "umaze",
        reward: Literal["sparse", "dense"] = "sparse",
        goal: Literal["fixed", "random"] = "fixed",
        physics: Physics = "mj3",
    ):
        if reward not in ("sparse", "dense"):
            raise ValueError(f"reward is {reward!r}, expected 'sparse' or 'dense'")
        if goal not in ("fixed", "random"):
            raise ValueError(f"goal is {goal!r}, expected 'fixed' or 'random'")
        self._layout = layout
        self.params = parameters(layout, dense=reward == "dense", random_goal=goal == "random", physics=physics)
