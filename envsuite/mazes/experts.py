"""A reference policy for point masses that are told their goal."""

import numpy as np

from envsuite.core.companions import Players
from envsuite.core.jit import kernel, records
from envsuite.mazes import contact, plans

PROPORTIONAL, DERIVATIVE = 10.0, -1.0  # gains of D4RL's waypoint controller, 1/m and s/m


@kernel
def steer(s, grid, field, action):
    """Push towards the next cell of the shortest path, or in the goal's cell towards the goal.

    Args:
        s: record with `position`, `velocity` and `goal`.
        grid: record of type `envsuite.mazes.params.Grid`.
        field: distances of all cells to the goal's, see `plans.distances`.
        action: (2,), written.
    """
    i, j = contact.cell_at(grid, s.position[0], s.position[1])
    a, b = plans.next_cell(field, grid, i, j)
    x, y = s.goal[0], s.goal[1]
    if a != i or b != j:
        x = grid.x0 + grid.scale * (grid.ix * a + grid.jx * b)
        y = grid.y0 + grid.scale * (grid.iy * a + grid.jy * b)
    push_x = PROPORTIONAL * (x - s.position[0]) + DERIVATIVE * s.velocity[0]
    push_y = PROPORTIONAL * (y - s.position[1]) + DERIVATIVE * s.velocity[1]
    action[0] = min(max(push_x, -1.0), 1.0)
    action[1] = min(max(push_y, -1.0), 1.0)


@kernel
def control_batch(states, params, distance, actions):
    """Write the action of every instance of a fixed maze."""
    p = params[0]
    for i in range(states.shape[0]):
        s = states[i]
        row, column = contact.cell_at(p.grid, s.goal[0], s.goal[1])
        steer(s, p.grid, distance[row, column], actions[i])


class PathFollower:
    """Plans anew in every step: follows the shortest path, whatever happens to the ball or the goal.

    Args:
        world: a maze of fixed layout.
    """

    def __init__(self, world):
        self._params = records(world.params)
        self._distance = plans.table(self._params)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Forces, float32 (n, 2)."""
        actions = np.zeros((len(states), 2), np.float32)
        control_batch(states, self._params, self._distance, actions)
        return actions


class MazePlayers(Players):
    """The planner."""

    def expert(self):
        """A controller that follows the shortest path from wherever it is."""
        return PathFollower(self.world)
