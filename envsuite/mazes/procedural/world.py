"""Random mazes: rules on one record, and the world."""

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from envsuite.core import Between, Block, Record, StateRecord, Vector, batch_loops, field, kernel, rng
from envsuite.mazes import levels, trail
from envsuite.mazes.contact import advance, apart
from envsuite.mazes.levels import GENERATORS, SCRATCH
from envsuite.mazes.params import Grid, Law, Physics, centred, law
from envsuite.mazes.trail import Trail
from envsuite.mazes.world import MazeWorld

PLACE_NOISE = 0.25  # m, starts and goals are uniform within this distance of a cell's centre, as in PointMaze
SPEED_BOUND = 8.0  # m/s, as in PointMaze

TRAINING = ("backtracker", "wilson", "rooms")
HELD_OUT = ("prim", "division")


class Params(Record):
    """Where cells lie, the law of motion, and how mazes are drawn."""

    grid = field(type=Grid)
    law = field(type=Law)
    radius = field(0.45, "m", "distance from the goal that counts as success, as in PointMaze")
    loops = field(meaning="probability that a wall between two cells is taken away")
    generator_count = field(type=np.int64)
    generators = field(type=np.int64, shape=len(GENERATORS), meaning="of which one is drawn for every episode")


class State(StateRecord):
    """A ball, where it is to go, and the walls."""

    position = field(unit="m", shape=2)
    velocity = field(unit="m/s", shape=2)
    goal = field(unit="m", shape=2)
    generator = field(type=np.int64, meaning="that drew the walls")
    walls = field(type=np.uint8, shape=("side", "side"), meaning="1 where one is")
    scratch = field(type=np.int16, shape="scratch", meaning="of the generators")
    trail = field(type=Trail, meaning="where it came from, for pictures")


class Info(Record):
    """The metrics."""

    distance = field(unit="m", meaning="from the goal")
    is_success = field(type=np.bool_, meaning="within 0.45 m of the goal")
    generator = field(type=np.int64, meaning="see `envsuite.mazes.levels.GENERATORS`")


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
    trail.begin(s.trail, s.position)


@kernel
def _place(s, p, place, cell, n):
    """Write a place near the centre of a cell."""
    x = p.grid.x0 + 2 * (cell % n) + 1
    y = p.grid.y0 - 2 * (cell // n) - 1
    place[0] = x + rng.uniform(s.rng, rng.RESET, -PLACE_NOISE, PLACE_NOISE)
    place[1] = y + rng.uniform(s.rng, rng.RESET, -PLACE_NOISE, PLACE_NOISE)


@kernel
def step(s, p, action):
    """Push the ball for one time step; 1 and the end at the goal, else 0."""
    advance(s, s.walls, p.grid, p.law, action[0], action[1])
    if s.clock.step % 8 == 0:
        trail.note(s.trail, s.position[0], s.position[1])
    reached = apart(s.position, s.goal) <= p.radius
    return reached * 1.0, reached


@kernel
def observe(s, p, o, info):
    """Write what the agent sees, and the metrics."""
    for k in range(2):
        o.position[k], o.velocity[k], o.goal[k] = s.position[k], s.velocity[k], s.goal[k]
    side = p.grid.rows
    for i in range(side):
        for j in range(side):
            o.walls[i * side + j] = s.walls[i, j]
    info.distance = apart(s.position, s.goal)
    info.is_success = info.distance <= p.radius
    info.generator = s.generator


class RandomMazeWorld(MazeWorld):
    """A ball has to find its way to a goal, in a maze that is drawn for every episode.

    Args:
        size: cells along each side.
        generators: names of `envsuite.mazes.levels.GENERATORS`, one of which is drawn for every episode.
        loops: probability that a wall between two cells is taken away.
        physics: generation of MuJoCo whose contacts are reproduced.

    Raises:
        ValueError: unknown generators.
    """

    info_dtype = Info.dtype()
    action = Vector(
        (
            Block("force to the right", 1, -1.0, 1.0, "", "1 is 100 N"),
            Block("force upwards", 1, -1.0, 1.0, "", "1 is 100 N"),
        ),
        out_of_range="clip",
    )
    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        size: Annotated[int, Between(2, 15)] = 5,
        generators: Sequence[str] = TRAINING,
        loops: Annotated[float, Between(0, 1)] = 0.1,
        physics: Physics = "mj3",
    ):
        if isinstance(generators, str) or not 0 < len(generators) <= len(GENERATORS):
            raise ValueError(f"generators is {generators!r}, expected a list of names among {sorted(GENERATORS)}")
        if unknown := sorted(set(generators) - set(GENERATORS)):
            raise ValueError(f"unknown generator {unknown[0]!r}, expected one of {sorted(GENERATORS)}")
        side = 2 * size + 1
        self.params = Params.make(law=law(physics), loops=loops, generator_count=len(generators))
        self.params[0]["grid"] = (side, side, *centred(side, side))
        self.params[0]["generators"][: len(generators)] = [GENERATORS[name] for name in generators]
        self.state_dtype = State.dtype(side=side, scratch=SCRATCH * size * size + 8)
        self.observation = Vector(
            (
                Block("position", 2, -side / 2, side / 2, "m", "right and up from the middle"),
                Block("velocity", 2, -SPEED_BOUND, SPEED_BOUND, "m/s"),
                Block("goal", 2, -side / 2, side / 2, "m"),
                Block("walls", side * side, 0.0, 1.0, "", "1 where a wall is, row by row from the top"),
            )
        )
