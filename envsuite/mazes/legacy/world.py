"""maze2d (D4RL, Fu et al. 2020, arXiv 2004.07219; d4rl/pointmaze/maze_model.py): rules on one record, and the world."""

from typing import Literal

import numpy as np

from envsuite.core import Block, Record, Reward, Vector, batch_loops, field, fmath, kernel, rng
from envsuite.mazes import layouts, trail
from envsuite.mazes.contact import advance, apart
from envsuite.mazes.params import Maze, Physics, law, lay_out, populate
from envsuite.mazes.state import State
from envsuite.mazes.world import MazeWorld

PLACE_NOISE = 0.1  # m, starts and random goals are uniform within this distance of a cell's indices, on each axis
SPEED_NOISE = 0.1  # m/s, standard deviation of initial velocities, on each axis
SPEED_BOUND = 8.0  # m/s; a step begins at 5 and adds 0.24 at most; a wall returns some 0.06, or 1.2 from its depth
WALL_SHIFT = -0.2
"""Where the original puts the centre of cell (0, 0), m: its walls are shifted by 1, the origin of its ball by 1.2."""


class Params(Maze):
    """The maze, and the options that kernels know."""

    radius = field(0.5, "m", "distance from the goal within which the sparse reward is 1")
    dense = field(type=np.uint8, meaning="whether the reward is exp(-distance)")
    random_goal = field(type=np.uint8, meaning="whether every episode draws its goal")


class Info(Record):
    """The metrics."""

    distance = field(unit="m", meaning="from the goal")
    is_success = field(type=np.bool_, meaning="within 0.5 m of the goal")
    goal = field(unit="m", shape=2)


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
    trail.begin(s.trail, s.position)


@kernel
def step(s, p, action):
    """Push the ball for one time step; the reward is that of the place it comes to; nothing ends the episode."""
    advance(s, p.walls, p.grid, p.law, action[0], action[1])
    if s.clock.step % 8 == 0:
        trail.note(s.trail, s.position[0], s.position[1])
    distance = apart(s.position, s.goal)
    if p.dense != 0:
        return fmath.exp(-distance), False
    return 1.0 if distance <= p.radius else 0.0, False


@kernel
def observe(s, p, o, info):
    """Write what the agent sees, and the metrics."""
    for k in range(2):
        o.position[k], o.velocity[k], info.goal[k] = s.position[k], s.velocity[k], s.goal[k]
    info.distance = apart(s.position, s.goal)
    info.is_success = info.distance <= p.radius


class LegacyMazeWorld(MazeWorld):
    """maze2d: a ball in a maze has to reach a goal that it is not told, and to stay there.

    Args:
        layout: ``"open"``, ``"umaze"``, ``"medium"``, ``"large"``, ``"eval-umaze"``, ``"eval-medium"``,
            ``"eval-large"``, or a layout as text with one ``G``, see `envsuite.mazes.layouts`.
        reward: ``"sparse"``, 1 within 0.5 m of the goal and else 0; or ``"dense"``, exp(-distance in metres).
        goal: ``"fixed"``, at the layout's goal cell; or ``"random"``, drawn every episode near a free cell.
        physics: generation of MuJoCo whose contacts are reproduced.

    Raises:
        ValueError: an unknown name, a malformed layout, or one that does not have exactly one goal.
    """

    state_dtype, info_dtype = State.dtype(), Info.dtype()
    observation = Vector(
        (
            Block("position", 2, -1.0, float(layouts.MAX_SIDE), "m", "along the rows, along the columns"),
            Block("velocity", 2, -SPEED_BOUND, SPEED_BOUND, "m/s"),
        ),
        dtype=np.float64,
    )
    action = Vector(
        (
            Block("force down the rows", 1, -1.0, 1.0, "", "1 is 100 N"),
            Block("force along the columns", 1, -1.0, 1.0, "", "1 is 100 N"),
        ),
        out_of_range="clip",
    )
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
        if layout not in layouts.D4RL and "#" not in layout:
            raise ValueError(f"layout is {layout!r}, expected one of {sorted(layouts.D4RL)} or a layout as text")
        cells = layouts.read(layouts.D4RL.get(layout, layout))
        goals, free = layouts.find(cells, "G"), layouts.find(cells, "OG")
        if len(goals) != 1:
            raise ValueError(f"layout {layout!r} has {len(goals)} goal cells, expected 1")
        self.layout = layout
        self.params = Params.make(law=law(physics), dense=reward == "dense", random_goal=goal == "random")
        lay_out(self.params[0], cells == layouts.WALL, (1.0, WALL_SHIFT, WALL_SHIFT, 1, 0, 0, 1))
        # the ball starts at the indices of a cell, not at its centre
        populate(self.params[0], free, free if goal == "random" else goals)


REFERENCE_SCORES: dict[tuple[str, str], tuple[float, float]] = {
    ("open", "sparse"): (0.01, 20.66),
    ("umaze", "sparse"): (23.85, 161.86),
    ("medium", "sparse"): (13.13, 277.39),
    ("large", "sparse"): (6.7, 273.99),
    ("open", "dense"): (11.17817, 27.166538620695782),
    ("umaze", "dense"): (68.537689, 193.66285642381482),
    ("medium", "dense"): (44.264742, 297.4552547777125),
    ("large", "dense"): (30.569041, 303.4857382709002),
    ("eval-umaze", "sparse"): (36.63, 141.4),
    ("eval-umaze", "dense"): (56.95455, 178.21373133248397),
    ("eval-medium", "sparse"): (13.07, 204.93),
    ("eval-medium", "dense"): (42.28578, 235.5658957482388),
    ("eval-large", "sparse"): (16.4, 302.22),
    # D4RL repeats here the minimum of eval-umaze.
    ("eval-large", "dense"): (56.95455, 326.09647655082637),
}
"""Published minimum and maximum return of each layout and reward (d4rl/infos.py, version 1; version 0 for open)."""


def reference_score(episode_return: float, layout: str, reward: str) -> float:
    """Normalise a return as D4RL does, 100 times (R - minimum) / (maximum - minimum).

    Args:
        episode_return: undiscounted return of an episode, or a mean of such.
        layout: name of a layout of D4RL.
        reward: ``"sparse"`` or ``"dense"``.

    Raises:
        ValueError: nothing was published for this layout and reward.
    """
    if (layout, reward) not in REFERENCE_SCORES:
        raise ValueError(f"no scores published for {(layout, reward)}, only for {sorted(REFERENCE_SCORES)}")
    low, high = REFERENCE_SCORES[layout, reward]
    return 100 * (episode_return - low) / (high - low)
