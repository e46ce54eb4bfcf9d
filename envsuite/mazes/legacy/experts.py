"""The waypoint controller that D4RL collected its data with (d4rl/pointmaze/waypoint_controller.py)."""

import math

import numpy as np

from envsuite.core import Players, Record, field, kernel, rng
from envsuite.core.jit import records
from envsuite.mazes import plans
from envsuite.mazes.layouts import MAX_SIDE

PROPORTIONAL, DERIVATIVE = 10.0, -1.0  # gains, 1/m and s/m
ARRIVED = 0.1  # m from a waypoint, at which the next one is taken
DISPLACEMENT = 0.2  # m, waypoints are moved back by up to this on each axis
MOVED = 1e-3  # m, by which a goal must have moved to be a new one

MAX_WAYPOINTS = MAX_SIDE * MAX_SIDE // 2


class Memory(Record):
    """What the controller keeps in mind."""

    rng = field(type=rng.STREAM)
    planned = field(type=np.uint8, meaning="whether there is a plan")
    goal = field(unit="m", shape=2, meaning="of the plan")
    count = field(type=np.int64, meaning="waypoints")
    index = field(type=np.int64, meaning="of the one that is steered for")
    waypoints = field(unit="m", shape=(MAX_WAYPOINTS, 2))


_MEMORY = Memory.dtype()


@kernel
def plan(memory, s, p, distance, goal_x, goal_y):
    """Lay waypoints along the shortest path, displaced at random, the last of them the goal itself."""
    memory.planned = 1
    memory.goal[0], memory.goal[1] = goal_x, goal_y
    i, j = _nearest(p, s.position[0], s.position[1])
    goal_i, goal_j = _nearest(p, goal_x, goal_y)
    cells = distance[goal_i, goal_j]
    count = 0
    while (i != goal_i or j != goal_j) and count < MAX_WAYPOINTS - 1 and cells[i, j] != plans.UNREACHABLE:
        i, j = plans.next_cell(cells, p.grid, i, j)
        memory.waypoints[count, 0] = i - rng.uniform(memory.rng, rng.AGENT, 0.0, DISPLACEMENT)
        memory.waypoints[count, 1] = j - rng.uniform(memory.rng, rng.AGENT, 0.0, DISPLACEMENT)
        count += 1
    last = max(count - 1, 0)
    memory.waypoints[last, 0], memory.waypoints[last, 1] = goal_x, goal_y
    memory.count = last + 1
    memory.index = 0


@kernel
def _nearest(p, x, y):
    """The indices of a cell nearest to a place, which D4RL takes for the cell."""
    i, j = np.int64(math.floor(x + 0.5)), np.int64(math.floor(y + 0.5))
    return min(max(i, 0), p.grid.rows - 1), min(max(j, 0), p.grid.columns - 1)


@kernel
def follow(memory, s, action):
    """Write the action towards the waypoint, or the next one where this one is reached."""
    at = memory.index
    x, y = memory.waypoints[at, 0] - s.position[0], memory.waypoints[at, 1] - s.position[1]
    if math.sqrt(x * x + y * y) < ARRIVED and at < memory.count - 1:
        at += 1
        memory.index = at
        x, y = memory.waypoints[at, 0] - s.position[0], memory.waypoints[at, 1] - s.position[1]
    action[0] = min(max(PROPORTIONAL * x + DERIVATIVE * s.velocity[0], -1.0), 1.0)
    action[1] = min(max(PROPORTIONAL * y + DERIVATIVE * s.velocity[1], -1.0), 1.0)


@kernel
def control_batch(memories, states, params, distance, actions):
    """Write the controller's action for every instance."""
    p = params[0]
    for i in range(states.shape[0]):
        s, memory = states[i], memories[i]
        moved_x, moved_y = s.goal[0] - memory.goal[0], s.goal[1] - memory.goal[1]
        if memory.planned == 0 or math.sqrt(moved_x * moved_x + moved_y * moved_y) > MOVED:
            plan(memory, s, p, distance, s.goal[0], s.goal[1])
        follow(memory, s, actions[i])


class WaypointController:
    """Follows waypoints along the shortest path with a proportional-derivative law.

    Args:
        world: a `envsuite.mazes.legacy.world.LegacyMazeWorld`.
        keep_plan: keep the plan of an earlier episode as long as the goal is the same, and so steer straight for the
            goal from wherever the next episode starts. The published maximum scores were obtained in this way.
    """

    def __init__(self, world, *, keep_plan: bool = False):
        self._params = records(world.params)
        self._distance = plans.table(self._params)
        self._keep_plan = keep_plan
        self._memories = records(np.zeros(0, _MEMORY))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Forget the plans of some slots, or nothing if plans are kept; begin the random displacements anew."""
        if len(self._memories) != len(mask):
            self._memories = records(np.zeros(len(mask), _MEMORY))
        elif self._keep_plan:
            return
        self._memories[mask] = np.zeros((), _MEMORY)
        rng.begin(self._memories["rng"], seeds, mask)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Forces, float32 (n, 2)."""
        actions = np.zeros((len(states), 2), np.float32)
        control_batch(self._memories, states, self._params, self._distance, actions)
        return actions


class LegacyMazePlayers(Players):
    """D4RL's controller, as a reference and as a collector."""

    def expert(self):
        """D4RL's waypoint controller, which plans anew in every episode."""
        return WaypointController(self.world)

    def collector(self, name):
        """``"wander"``: D4RL's, the waypoint controller with one goal of its own after another."""
        from envsuite.mazes.legacy.collectors import PATIENCE, Wanderer

        if name != "wander":
            return super().collector(name)
        return Wanderer(self.world, PATIENCE.get(self.world.layout.removeprefix("eval-"), max(PATIENCE.values())))
