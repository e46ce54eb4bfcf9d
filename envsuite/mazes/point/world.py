"""PointMaze (Gymnasium-Robotics 1.4, envs/maze/maze_v4.py and point_maze.py): rules on one record, and the world."""

from typing import Literal

import numpy as np

from envsuite.core import Block, Record, Reward, Vector, batch_loops, field, fmath, kernel, rng
from envsuite.mazes import layouts, trail
from envsuite.mazes.contact import advance, apart
from envsuite.mazes.params import Maze, Physics, centre, centred, law, lay_out, populate
from envsuite.mazes.state import State
from envsuite.mazes.world import MazeWorld

PLACE_NOISE = 0.25  # m, starts and goals are uniform within this distance of a cell's centre, on each axis
APART = 0.5  # m, a start cell's centre is farther than this from the goal
SPEED_BOUND = 8.0  # m/s; a step begins at 5 m/s at most and adds 0.24 m/s; a wall returns at most 1.2 m/s
FAR = layouts.MAX_SIDE / 2  # m

LAYOUTS: dict[str, str] = {
    "umaze": layouts.plain("#####/#OOO#/###O#/#OOO#/#####"),
    "open": layouts.plain(layouts.D4RL["open"]),
    "medium": layouts.plain(layouts.D4RL["medium"]),
    "large": layouts.plain(layouts.D4RL["large"]),
}

_MEDIUM_GOALS = ((2, 6), (5, 1), (6, 5))
_LARGE_GOALS = ((1, 6), (3, 5), (3, 10), (5, 2), (7, 4), (7, 6), (7, 9))
for _name, _goals in (("medium", _MEDIUM_GOALS), ("large", _LARGE_GOALS)):
    _layout = LAYOUTS[_name]
    LAYOUTS[f"{_name}-diverse-g"] = layouts.marked(_layout, {(1, 1): "R"} | dict.fromkeys(_goals, "G"))
    LAYOUTS[f"{_name}-diverse-gr"] = layouts.marked(_layout, dict.fromkeys(((1, 1), *_goals), "C"))


class Params(Maze):
    """The maze, and the options that kernels know."""

    radius = field(0.45, "m", "distance from the goal that counts as success; the original's documentation says 0.5")
    dense = field(type=np.uint8, meaning="whether the reward is exp(-distance)")
    continuing = field(type=np.uint8, meaning="whether the episode goes on at the goal")
    reset_target = field(type=np.uint8, meaning="whether a continuing episode moves the goal when it is reached")


class Info(Record):
    """The metrics."""

    is_success = field(type=np.bool_, meaning="within 0.45 m of the goal")
    distance = field(unit="m", meaning="from the goal")


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
    while apart(p.starts[cell], s.goal) <= APART:
        cell = rng.integers(s.rng, rng.RESET, p.start_count)
    for k in range(2):
        s.position[k] = p.starts[cell, k] + rng.uniform(s.rng, rng.RESET, -PLACE_NOISE, PLACE_NOISE)
        s.velocity[k] = 0.0
    trail.begin(s.trail, s.position)


@kernel
def step(s, p, action):
    """Push the ball for one time step; the reward is that of the place it comes to."""
    advance(s, p.walls, p.grid, p.law, action[0], action[1])
    if s.clock.step % 8 == 0:
        trail.note(s.trail, s.position[0], s.position[1])
    distance = apart(s.position, s.goal)
    reached = distance <= p.radius
    reward = fmath.exp(-distance) if p.dense != 0 else reached * 1.0
    return reward, reached and p.continuing == 0


@kernel
def renew_goal(s, p):
    """Move the goal that has been reached, where the task asks for it; the next observation tells."""
    if p.continuing == 0 or p.reset_target == 0 or p.goal_count < 2:
        return
    while apart(s.position, s.goal) <= p.radius:
        draw_goal(s, p, rng.DYNAMICS)


@kernel
def observe(s, p, o, info):
    """Write what the agent sees, and the metrics."""
    for k in range(2):
        o.position[k], o.velocity[k], o.desired_goal[k] = s.position[k], s.velocity[k], s.goal[k]
    info.distance = apart(s.position, s.goal)
    info.is_success = info.distance <= p.radius


class PointMazeWorld(MazeWorld):
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
        if layout not in LAYOUTS and "#" not in layout:
            raise ValueError(f"layout is {layout!r}, expected one of {sorted(LAYOUTS)} or a layout as text")
        cells = layouts.read(LAYOUTS.get(layout, layout))
        free = layouts.find(cells, "O")
        goals, starts = (marks if len(marks) else free for marks in (layouts.find(cells, of) for of in ("GC", "RC")))
        if not all((starts != goal).any() for goal in goals) or len(goals) == 0:
            raise ValueError(f"layout {layout!r} has no start cell apart from a goal cell")
        self.params = Params.make(
            law=law(physics), dense=reward == "dense", continuing=continuing_task, reset_target=reset_target
        )
        p = self.params[0]
        lay_out(p, cells == layouts.WALL, centred(*cells.shape))
        populate(p, centre(p["grid"], starts), centre(p["grid"], goals))

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

        return reward_of(achieved_goal, desired_goal, dense=bool(self.params[0]["dense"]), radius=self.radius)
