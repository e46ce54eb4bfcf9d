"""Random mazes on one record, the batch loops, and the world."""

import math
from collections.abc import Sequence

import numpy as np

from envsuite.core import rng
from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.core.world import World
from envsuite.mazes import contact, levels, trail
from envsuite.mazes.params import Physics
from envsuite.mazes.procedural.params import PLACE_NOISE, TRAINING, parameters
from envsuite.mazes.procedural.state import ACTION, INFO, observation, state_dtype


@kernel
def reset(s, p):
    """Draw a maze, and start and goal in different cells of it; the ball is at rest."""
    s.generator = p.generators[rng.integers(s.rng, rng.RESET, p.generator_count)]
    levels.draw(s.rng, s.generator, p.loops, s.walls, s.scratch)
    n = p.grid.rows // 2
    start = rng.integers(s.rng, rng.RESET, n * n)
    goal = rng.integers(s.rng, rng.RESET, n * n - 1)
    goal += 1 if goal >= start else 0
    _place(s, p, s.position, start, n)
    _place(s, p, s.goal, goal, n)
    s.velocity[0], s.velocity[1] = 0.0, 0.0
    trail.begin(s.trail)
    trail.note(s.trail, s.position[0], s.position[1])


@kernel
def _place(s, p, place, cell, n):
    """Write a place near the centre of a cell."""
    x = p.grid.x0 + 2 * (cell % n) + 1
    y = p.grid.y0 - 2 * (cell // n) - 1
    place[0] = x + rng.uniform(s.rng, rng.RESET, -PLACE_NOISE, PLACE_NOISE)
    place[1] = y + rng.uniform(s.rng, rng.RESET, -PLACE_NOISE, PLACE_NOISE)


@kernel
def distance_to_goal(s):
    """Metres between the ball's centre and the goal."""
    x, y = s.position[0] - s.goal[0], s.position[1] - s.goal[1]
    return math.sqrt(x * x + y * y)


@kernel
def observe(s, p, observation, info):
    """Write what the agent sees, and the metrics."""
    for k in range(2):
        observation[k] = np.float32(s.position[k])
        observation[2 + k] = np.float32(s.velocity[k])
        observation[4 + k] = np.float32(s.goal[k])
    side = p.grid.rows
    for i in range(side):
        for j in range(side):
            observation[6 + i * side + j] = np.float32(s.walls[i, j])
    info.distance = distance_to_goal(s)
    info.is_success = info.distance <= p.radius
    info.generator = s.generator


@kernel
def step(s, p, action):
    """Push the ball for one time step; 1 and the end at the goal, else 0."""
    contact.advance(s, s.walls, p.grid, p.law, np.float64(action[0]), np.float64(action[1]))
    if s.clock.step % np.uint32(8) == 0:
        trail.note(s.trail, s.position[0], s.position[1])
    reached = distance_to_goal(s) <= p.radius
    return np.float32(1.0 if reached else 0.0), reached


class RandomMazeWorld(World):
    """A ball has to find its way to a goal, in a maze that is drawn for every episode.

    Args:
        size: cells along each side, 2 to 15.
        generators: names of `envsuite.mazes.levels.GENERATORS`, one of which is drawn for every episode.
        loops: probability that a wall between two cells is taken away.
        physics: generation of MuJoCo whose contacts are reproduced.
    """

    info_dtype = INFO
    action = ACTION
    loops = batch_loops(reset, step, observe)

    def __init__(
        self, *, size: int = 5, generators: Sequence[str] = TRAINING, loops: float = 0.1, physics: Physics = "mj3"
    ):
        self.params = parameters(size, generators, loops=loops, physics=physics)
        self.state_dtype = state_dtype(size)
        self.observation = observation(size)
