"""What antmaze data were collected by: D4RL's goals, one an episode, and the moves of OGBench's collectors."""

import numpy as np

from envsuite.core import Record, field, kernel, rng
from envsuite.core.jit import records
from envsuite.mazes import plans
from envsuite.mazes.ant.experts import head_for
from envsuite.mazes.ant.legacy import beyond
from envsuite.mazes.ant.walkers import Walker
from envsuite.mazes.ogbench.collectors import Roamer
from envsuite.mazes.tasks import GOAL_CELLS

KINDS = ("play", "diverse")
"""D4RL's, in `Errands`."""


class Errand(Record):
    """Where an ant is sent."""

    rng = field(type=rng.STREAM)
    drawn = field(type=np.uint8, meaning="whether there is a goal yet")
    cell = field(type=np.int64, shape=2, meaning="row and column of the goal")
    goal = field(unit="m", shape=2)


_ERRAND = Errand.dtype()


@kernel
def send_batch(errands, states, params, distance, cells, wanted):
    """Write the wanted velocity of every instance; draw goals where there is none."""
    grid = params[0].grid
    for n in range(states.shape[0]):
        e = errands[n]
        if e.drawn == 0:
            at = rng.integers(e.rng, rng.AGENT, len(cells))
            i, j = cells[at, 0], cells[at, 1]
            e.drawn, e.cell[0], e.cell[1] = 1, i, j
            e.goal[0] = max(
                grid.x0 + grid.scale * (grid.ix * i + grid.jx * j) + beyond(e.rng, rng.AGENT, grid.scale), 0.0
            )
            e.goal[1] = max(
                grid.y0 + grid.scale * (grid.iy * i + grid.jy * j) + beyond(e.rng, rng.AGENT, grid.scale), 0.0
            )
        head_for(states[n], grid, distance[e.cell[0], e.cell[1]], e.goal, wanted[n])


class Errands:
    """Walks to a goal of its own, one an episode, and stays there; the goal of the task is not looked at.

    Args:
        world: a `envsuite.mazes.ant.legacy.LegacyAntMazeWorld`.
        kind: ``"diverse"``: to any free cell; ``"play"``: to one of D4RL's cells chosen by hand.

    Raises:
        ValueError: no cells were chosen by hand in this layout.
    """

    def __init__(self, world, kind: str):
        if kind == "play" and world.layout not in GOAL_CELLS:
            raise ValueError(f"layout is {world.layout!r}, expected one of {sorted(GOAL_CELLS)} to play in")
        self._params, self._walker = records(world.params), Walker(world.ant)
        self._distance = plans.table(self._params)
        p = world.params[0]
        rows, columns = int(p["grid"]["rows"]), int(p["grid"]["columns"])
        free = np.argwhere(p["walls"][:rows, :columns] == 0)
        self._cells = np.array(GOAL_CELLS[world.layout]) if kind == "play" else np.ascontiguousarray(free)
        self._errands = records(np.zeros(0, _ERRAND))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Forget the goals of some slots."""
        if len(self._errands) != len(mask):
            self._errands = records(np.zeros(len(mask), _ERRAND))
        self._errands[mask] = np.zeros((), _ERRAND)
        rng.begin(self._errands["rng"], seeds, mask)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Torques, float32 (n, 8)."""
        wanted = np.zeros((len(states), 2))
        send_batch(self._errands, states, self._params, self._distance, self._cells, wanted)
        return self._walker.act(states, wanted)


class RoamingAnt:
    """Walks to goals of its own, whatever the episode's goal; does not know of teleporters.

    Args:
        world: a `envsuite.mazes.ant.ogbench.OgbenchAntMazeWorld`.
        kind: ``"navigate"``, ``"stitch"`` or ``"explore"``, see `envsuite.mazes.ogbench.collectors.Roamer`.
    """

    def __init__(self, world, kind: str):
        self._roamer, self._walker = Roamer(world, kind), Walker(world.ant)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Forget the goals of some slots."""
        self._roamer.reset(mask, seeds)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Torques, float32 (n, 8)."""
        return self._walker.act(states, self._roamer.act(observations, states).astype(np.float64))
