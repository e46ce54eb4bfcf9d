"""Goals and rewards of Gymnasium-Robotics' mazes (1.4, envs/maze/maze_v4.py), whatever moves in them."""

import numpy as np

from envsuite.core import Record, field, fmath, kernel, rng
from envsuite.mazes import layouts
from envsuite.mazes.contact import apart
from envsuite.mazes.params import centre, centred, lay_out, populate
from envsuite.mazes.world import MazeWorld

PLACE_NOISE = 0.25
"""Starts and goals are uniform within this distance of a cell's centre, on each axis, in cells."""

APART = 0.5
"""A start cell's centre is farther than this from the goal, in cells."""

LAYOUTS: dict[str, str] = {
    "umaze": layouts.plain("#####/#OOO#/###O#/#OOO#/#####"),
    "open": layouts.plain(layouts.D4RL["open"]),
    "medium": layouts.plain(layouts.D4RL["medium"]),
    "large": layouts.plain(layouts.D4RL["large"]),
}

GOAL_CELLS: dict[str, tuple[tuple[int, int], ...]] = {
    "medium": ((2, 6), (5, 1), (6, 5)),
    "large": ((1, 6), (3, 5), (3, 10), (5, 2), (7, 4), (7, 6), (7, 9)),
}
"""Chosen by hand; D4RL's collections of the tier play go to the same."""

for _name, _goals in GOAL_CELLS.items():
    _layout = LAYOUTS[_name]
    LAYOUTS[f"{_name}-diverse-g"] = layouts.marked(_layout, {(1, 1): "R"} | dict.fromkeys(_goals, "G"))
    LAYOUTS[f"{_name}-diverse-gr"] = layouts.marked(_layout, dict.fromkeys(((1, 1), *_goals), "C"))


class Goals(Record):
    """The options that kernels know."""

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
    cell, noise = rng.integers(s.rng, purpose, p.goal_count), PLACE_NOISE * p.grid.scale
    for k in range(2):
        s.goal[k] = p.goals[cell, k] + rng.uniform(s.rng, purpose, -noise, noise)


@kernel
def draw_task(s, p):
    """Draw a goal, and a start in a cell apart from it."""
    draw_goal(s, p, rng.RESET)
    cell, noise = rng.integers(s.rng, rng.RESET, p.start_count), PLACE_NOISE * p.grid.scale
    while apart(p.starts[cell], s.goal) <= APART * p.grid.scale:
        cell = rng.integers(s.rng, rng.RESET, p.start_count)
    for k in range(2):
        s.position[k] = p.starts[cell, k] + rng.uniform(s.rng, rng.RESET, -noise, noise)


@kernel
def judge(s, p):
    """Reward of the place that was reached, and whether the episode ends there."""
    distance = apart(s.position, s.goal)
    reached = distance <= p.radius
    return fmath.exp(-distance) if p.dense != 0 else reached * 1.0, reached and p.continuing == 0


@kernel
def renew_goal(s, p):
    """Move the goal that has been reached, where the task asks for it; the next observation tells."""
    if p.continuing == 0 or p.reset_target == 0 or p.goal_count < 2:
        return
    while apart(s.position, s.goal) <= p.radius:
        draw_goal(s, p, rng.DYNAMICS)


@kernel
def measure(s, p, info):
    """Write the metrics."""
    info.distance = apart(s.position, s.goal)
    info.is_success = info.distance <= p.radius


class GoalMazeWorld(MazeWorld):
    """A maze with goals that the agent is told."""

    def lay_out(self, layout: str, scale: float) -> None:
        """Write a layout into the parameters.

        Args:
            layout: one of `LAYOUTS`, or a layout as text.
            scale: side of a cell, m.

        Raises:
            ValueError: an unknown name or a malformed layout, or one without two distinct cells to start and end in.
        """
        if layout not in LAYOUTS and "#" not in layout:
            raise ValueError(f"layout is {layout!r}, expected one of {sorted(LAYOUTS)} or a layout as text")
        cells = layouts.read(LAYOUTS.get(layout, layout))
        free = layouts.find(cells, "O")
        goals, starts = (marks if len(marks) else free for marks in (layouts.find(cells, of) for of in ("GC", "RC")))
        if not all((starts != goal).any() for goal in goals) or len(goals) == 0:
            raise ValueError(f"layout {layout!r} has no start cell apart from a goal cell")
        p = self.params[0]
        lay_out(p, cells == layouts.WALL, centred(*cells.shape, scale))
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
