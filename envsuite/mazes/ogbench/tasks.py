"""OGBench's tasks in its mazes, whatever moves in them (ogbench/locomaze/maze.py)."""

from typing import Literal

import numpy as np

from envsuite.core import Record, field, kernel, rng
from envsuite.mazes import layouts
from envsuite.mazes.contact import apart
from envsuite.mazes.ogbench.params import (
    DOOR_RADIUS,
    DOORS_IN,
    DOORS_OUT,
    LAYOUTS,
    PLACE_NOISE,
    TASKS,
    UNIT,
    vertices,
)
from envsuite.mazes.params import centre, lay_out, populate
from envsuite.mazes.world import MazeWorld

MazeName = Literal["medium", "large", "giant", "teleport"]
TaskName = Literal[1, 2, 3, 4, 5, "any", "free"]


class Info(Record):
    """The metrics."""

    distance = field(unit="m", meaning="from the goal")
    is_success = field(type=np.bool_, meaning="the goal was reached by this step")
    task = field(type=np.int64, meaning="1 to 5; 0 where start and goal are free")
    teleported = field(type=np.bool_, meaning="in this step")


@kernel
def draw_task(s, p):
    """Draw a task, and start and goal near the centres of its cells."""
    start = rng.integers(s.rng, rng.RESET, p.start_count)
    goal = start
    if p.paired == 0:
        goal = rng.integers(s.rng, rng.RESET, p.goal_count)
    s.task = p.first_task + start if p.paired != 0 else 0
    for k in range(2):
        s.position[k] = p.starts[start, k] + rng.uniform(s.rng, rng.RESET, -PLACE_NOISE, PLACE_NOISE)
        s.goal[k] = p.goals[goal, k] + rng.uniform(s.rng, rng.RESET, -PLACE_NOISE, PLACE_NOISE)


@kernel
def arrive(s, p, info):
    """Whether the goal is reached; look before teleporting."""
    info.is_success = apart(s.position, s.goal) <= p.radius
    return info.is_success


@kernel
def paid(p, reached):
    """Reward, and whether the episode ends."""
    reward = 1.0 if reached else 0.0
    return reward - 1.0 if p.cost != 0 else reward, reached and p.terminates != 0


@kernel
def teleport(s, p):
    """Leave by a door drawn at random where a teleporter is entered; whether that was so."""
    for k in range(p.in_count):
        if apart(s.position, p.doors_in[k]) <= DOOR_RADIUS:
            door = rng.integers(s.rng, rng.DYNAMICS, p.out_count)
            s.position[0], s.position[1] = p.doors_out[door, 0], p.doors_out[door, 1]
            return True
    return False


@kernel
def measure(s, info):
    """Write the metrics."""
    info.distance = apart(s.position, s.goal)
    info.task = s.task


@kernel
def open_info(s, p, info):
    """What steps write of their own, before the first."""
    info.is_success = apart(s.position, s.goal) <= p.radius
    info.teleported = False


def options(task: TaskName, reward: str, terminate_at_goal: bool) -> dict:
    """The options of a world as fields of `envsuite.mazes.ogbench.params.Tasks`."""
    return {
        "paired": task != "free",
        "first_task": 1 if isinstance(task, str) else task,
        "cost": reward == "cost",
        "terminates": terminate_at_goal,
    }


class OgbenchTasksWorld(MazeWorld):
    """A maze with OGBench's tasks.

    Attributes:
        maze: its name.
    """

    maze: MazeName

    def set_tasks(self, maze: MazeName, task: TaskName) -> None:
        """Write a maze and its tasks into the parameters.

        Args:
            maze: its name.
            task: 1 to 5; ``"any"`` of them; or ``"free"``, all cells.
        """
        self.maze = maze
        walls = layouts.read(LAYOUTS[maze]) == layouts.WALL
        if task == "free":
            starts, goals = np.argwhere(~walls), vertices(walls)
        else:
            pairs = TASKS[maze] if task == "any" else TASKS[maze][int(task) - 1 : int(task)]
            starts, goals = (np.array([pair[k] for pair in pairs]) for k in (0, 1))
        p = self.params[0]
        lay_out(p, walls, (UNIT, -UNIT, -UNIT, 0, 1, 1, 0))
        populate(p, centre(p["grid"], starts), centre(p["grid"], goals))
        for name, doors in (("in", DOORS_IN.get(maze, ())), ("out", DOORS_OUT.get(maze, ()))):
            p[f"{name}_count"] = len(doors)
            if doors:
                p[f"doors_{name}"] = centre(p["grid"], np.array(doors))

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

        return reward_of(achieved_goal, desired_goal, dense=False, radius=self.radius) - float(self.params[0]["cost"])

    def doors(self) -> tuple[np.ndarray, np.ndarray]:
        """Teleporters, (n, 2), and the places they lead to, (m, 2), m."""
        p = self.params[0]
        return p["doors_in"][: p["in_count"]], p["doors_out"][: p["out_count"]]
