"""The reference policy: the shortest path of the maze at hand."""

import numpy as np

from envsuite.core.companions import Players
from envsuite.core.jit import kernel, records
from envsuite.mazes import contact, experts, plans


@kernel
def control_batch(states, params, field, queue, actions):
    """Write the action of every instance; the path is found anew in every step."""
    p = params[0]
    for i in range(states.shape[0]):
        s = states[i]
        row, column = contact.cell_at(p.grid, s.goal[0], s.goal[1])
        plans.distances(s.walls, p.grid, row, column, field, queue)
        experts.steer(s, p.grid, field, actions[i])


class MazeRunner:
    """Follows the shortest path in the maze of each instance.

    Args:
        world: a `envsuite.mazes.procedural.world.RandomMazeWorld`.
    """

    def __init__(self, world):
        self._params = records(world.params)
        side = int(world.params[0]["grid"]["rows"])
        self._field, self._queue = np.empty((side, side), np.int16), np.empty(side * side, np.int16)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Forces, float32 (n, 2)."""
        actions = np.zeros((len(states), 2), np.float32)
        control_batch(states, self._params, self._field, self._queue, actions)
        return actions


class RandomMazePlayers(Players):
    """The planner."""

    def expert(self):
        """A controller that follows the shortest path."""
        return MazeRunner(self.world)
