"""The reference policy: OGBench's oracle, a step towards the next cell, with teleporters taken into account."""

import math

import numpy as np

from envsuite.core.companions import Players
from envsuite.core.jit import kernel, records
from envsuite.mazes import contact, plans
from envsuite.mazes.ogbench.params import STRIDE


def costs(params: np.void) -> np.ndarray:
    """Expected number of cells to every goal cell, by value iteration of the shortest-path problem.

    A teleporter costs the mean of its exits.

    Args:
        params: record of type `envsuite.mazes.ogbench.params.Params`.

    Returns:
        float32 (rows, columns, rows, columns) at [goal row, goal column, row, column]; inf where no path leads.
    """
    grid = params["grid"]
    rows, columns = int(grid["rows"]), int(grid["columns"])
    walls = params["walls"][:rows, :columns] != 0

    def cells(doors, count) -> list[tuple[int, int]]:
        x, y = np.rint((doors[:count] - [grid["x0"], grid["y0"]]) / grid["scale"]).astype(int).T
        return [(int(i), int(j)) for i, j in zip(y, x, strict=True)]

    entries = cells(params["doors_in"], params["in_count"])
    exits = cells(params["doors_out"], params["out_count"])
    cost = np.full((rows, columns, rows, columns), np.inf)
    goals = np.argwhere(~walls)
    cost[goals[:, 0], goals[:, 1], goals[:, 0], goals[:, 1]] = 0
    while True:
        around = [np.roll(cost, shift, axis) for shift, axis in ((1, 2), (-1, 2), (1, 3), (-1, 3))]
        new = np.minimum(cost, np.min(around, axis=0) + 1)  # the outer wall hides that rolling wraps around
        new[:, :, walls] = np.inf
        for i, j in entries:
            through = np.mean([new[:, :, a, b] for a, b in exits], axis=0)
            through[i, j] = 0
            new[:, :, i, j] = through
        if np.allclose(new, cost, rtol=0, atol=1e-9):
            return new.astype(np.float32)
        cost = new


@kernel
def control_batch(states, params, cost, actions):
    """Write the action of every instance."""
    p = params[0]
    for k in range(states.shape[0]):
        s = states[k]
        row, column = contact.cell_at(p.grid, s.goal[0], s.goal[1])
        i, j = contact.cell_at(p.grid, s.position[0], s.position[1])
        a, b = plans.next_cell(cost[row, column], p.grid, i, j)
        x, y = s.goal[0], s.goal[1]
        if a != i or b != j:
            x = p.grid.x0 + p.grid.scale * (p.grid.ix * a + p.grid.jx * b)
            y = p.grid.y0 + p.grid.scale * (p.grid.iy * a + p.grid.jy * b)
        x, y = x - s.position[0], y - s.position[1]
        length = max(math.sqrt(x * x + y * y), STRIDE)
        actions[k, 0], actions[k, 1] = x / length, y / length


class PathWalker:
    """Steps towards the next cell of the path with the fewest cells in the mean.

    Args:
        world: a `envsuite.mazes.ogbench.world.OgbenchMazeWorld`.
    """

    def __init__(self, world):
        self._params = records(world.params)
        self._cost = costs(world.params[0])

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Moves, float32 (n, 2)."""
        actions = np.zeros((len(states), 2), np.float32)
        control_batch(states, self._params, self._cost, actions)
        return actions


class OgbenchMazePlayers(Players):
    """OGBench's oracle, and its collectors."""

    def expert(self):
        """The shortest path, in the mean over where teleporters lead."""
        return PathWalker(self.world)

    def collector(self, name):
        """``"navigate"``, ``"stitch"`` or ``"explore"``, as OGBench collects."""
        from envsuite.mazes.ogbench.collectors import KINDS, Roamer

        return Roamer(self.world, name) if name in KINDS else super().collector(name)
