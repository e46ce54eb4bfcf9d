"""The reference player: the shortest path, walked by a network that knows nothing of mazes."""

import math

import numpy as np

from envsuite.core.companions import Players
from envsuite.core.jit import kernel, records
from envsuite.mazes import contact, plans
from envsuite.mazes.ant.walkers import Walker

CENTRING = 1.0
"""How much of its way an ant gives to the middle of the passage, for each metre that it is off, 1/m."""

SLOWING = 0.7
"""Part of the top speed for each metre that is left to the goal, 1/m."""

STAY = 0.4
"""Distance from the goal at which an ant stands still, m."""


@kernel
def head_for(s, grid, distance, goal, wanted):
    """Write the velocity that leads along the middle of passages, and in the goal's cell to the goal.

    Args:
        s: record with `position`.
        grid: record of type `envsuite.mazes.params.Grid`.
        distance: of all cells to the goal's, see `plans.distances`.
        goal: m, (2,).
        wanted: (2,), written; of length 1 at most.
    """
    x, y = s.position[0], s.position[1]
    i, j = contact.cell_at(grid, x, y)
    a, b = plans.next_cell(distance, grid, i, j)
    if a == i and b == j:
        x, y = goal[0] - x, goal[1] - y
        far = math.sqrt(x * x + y * y)
        part = min(1.0, SLOWING * far) / far if far > STAY else 0.0
        wanted[0], wanted[1] = part * x, part * y
        return
    along_x = float(grid.ix * (a - i) + grid.jx * (b - j))
    along_y = float(grid.iy * (a - i) + grid.jy * (b - j))
    off_x = grid.x0 + grid.scale * (grid.ix * i + grid.jx * j) - x
    off_y = grid.y0 + grid.scale * (grid.iy * i + grid.jy * j) - y
    ahead = off_x * along_x + off_y * along_y
    x, y = along_x + CENTRING * (off_x - ahead * along_x), along_y + CENTRING * (off_y - ahead * along_y)
    length = math.sqrt(x * x + y * y)
    wanted[0], wanted[1] = x / length, y / length


@kernel
def head_batch(states, params, distance, wanted):
    """Write the wanted velocity of every instance of a fixed maze."""
    grid = params[0].grid
    for n in range(states.shape[0]):
        s = states[n]
        row, column = contact.cell_at(grid, s.goal[0], s.goal[1])
        row, column = min(max(row, 0), grid.rows - 1), min(max(column, 0), grid.columns - 1)
        head_for(s, grid, distance[row, column], s.goal, wanted[n])


class PathWalker:
    """Plans anew in every step: follows the shortest path, wherever the ant is.

    Args:
        world: a maze with an ant.
        distance: cells between all pairs, [goal row, goal column, row, column]; None to count them.
    """

    def __init__(self, world, distance: np.ndarray | None = None):
        self._params = records(world.params)
        self._distance = plans.table(self._params) if distance is None else distance
        self._walker = Walker(world.ant)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Torques, float32 (n, 8)."""
        wanted = np.zeros((len(states), 2))
        head_batch(states, self._params, self._distance, wanted)
        return self._walker.act(states, wanted)


class WalkingPlayers(Players):
    """The planner with its walker."""

    def expert(self):
        """A controller that follows the shortest path from wherever it is."""
        return PathWalker(self.world)


class LegacyAntMazePlayers(WalkingPlayers):
    """The planner, and D4RL's collectors."""

    def collector(self, name):
        """``"play"`` or ``"diverse"``, see `envsuite.mazes.ant.collectors.Errands`."""
        from envsuite.mazes.ant.collectors import KINDS, Errands

        return Errands(self.world, name) if name in KINDS else super().collector(name)


class OgbenchAntMazePlayers(WalkingPlayers):
    """OGBench's oracle, with teleporters taken into account, and its collectors."""

    def expert(self):
        """The shortest path, in the mean over where teleporters lead."""
        from envsuite.mazes.ogbench.experts import costs

        return PathWalker(self.world, costs(self.world.params[0]))

    def collector(self, name):
        """``"navigate"``, ``"stitch"`` or ``"explore"``, as OGBench collects."""
        from envsuite.mazes.ant.collectors import RoamingAnt
        from envsuite.mazes.ogbench.collectors import KINDS

        return RoamingAnt(self.world, name) if name in KINDS else super().collector(name)
