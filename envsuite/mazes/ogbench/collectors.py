"""What OGBench's point maze data were collected by (Park et al. 2024, arXiv 2410.20092, appendix on datasets)."""

import math

import numpy as np

from envsuite.core import Record, field, fmath, kernel, rng
from envsuite.core.jit import records
from envsuite.mazes import contact, layouts, plans
from envsuite.mazes.ogbench.params import LAYOUTS, PLACE_NOISE, STRIDE, UNIT, vertices

STITCH_CELLS = 4
"""Cells on the way between start and goal of an episode that is to be stitched."""

EXPLORE_STEPS = 10
"""Steps for which an explorer keeps its direction."""

NAVIGATE, STITCH, EXPLORE = 0, 1, 2
KINDS = {"navigate": NAVIGATE, "stitch": STITCH, "explore": EXPLORE}


class Memory(Record):
    """What a collector keeps in mind."""

    rng = field(type=rng.STREAM)
    steps = field(type=np.int64)
    cell = field(type=np.int64, shape=2, meaning="row and column of the goal")
    goal = field(unit="m", shape=2)
    direction = field(shape=2, meaning="of length 1")


_MEMORY = Memory.dtype()


@kernel
def _set_goal(r, grid, i, j):
    r.cell[0], r.cell[1] = i, j
    for k in range(2):
        noise = rng.uniform(r.rng, rng.AGENT, -PLACE_NOISE, PLACE_NOISE)
        r.goal[k] = noise + (grid.scale * (j - 1) if k == 0 else grid.scale * (i - 1))


@kernel
def draw_goal(r, s, grid, kind, places, distance):
    """Draw a vertex; or, to be stitched, any cell that is just so many cells away from the start."""
    if kind == NAVIGATE:
        at = rng.integers(r.rng, rng.AGENT, len(places))
        _set_goal(r, grid, places[at, 0], places[at, 1])
        return
    i, j = contact.cell_at(grid, s.position[0], s.position[1])
    fit = 0
    for k in range(len(places)):
        fit += distance[i, j, places[k, 0], places[k, 1]] == STITCH_CELLS
    left = rng.integers(r.rng, rng.AGENT, max(fit, 1))
    _set_goal(r, grid, i, j)  # a cell without such a neighbour, in the teleporter's dead end, is its own goal
    for k in range(len(places)):
        if distance[i, j, places[k, 0], places[k, 1]] == STITCH_CELLS:
            if left == 0:
                _set_goal(r, grid, places[k, 0], places[k, 1])
            left -= 1


@kernel
def roam_batch(roamers, states, params, kind, places, distance, actions):
    """Write the action of every instance."""
    grid, radius = params[0].grid, params[0].radius
    for n in range(states.shape[0]):
        s, r, action = states[n], roamers[n], actions[n]
        if kind == EXPLORE:
            if r.steps % EXPLORE_STEPS == 0:
                angle = rng.uniform(r.rng, rng.AGENT, 0.0, 2.0 * math.pi)
                r.direction[0], r.direction[1] = fmath.cos(angle), fmath.sin(angle)
            action[0], action[1] = r.direction[0], r.direction[1]
        else:
            x, y = r.goal[0] - s.position[0], r.goal[1] - s.position[1]
            if r.steps == 0 or (kind == NAVIGATE and math.sqrt(x * x + y * y) <= radius):
                draw_goal(r, s, grid, kind, places, distance)
            i, j = contact.cell_at(grid, s.position[0], s.position[1])
            a, b = plans.next_cell(distance[r.cell[0], r.cell[1]], grid, i, j)
            x, y = r.goal[0], r.goal[1]
            if a != i or b != j:
                x, y = grid.scale * (b - 1), grid.scale * (a - 1)
            x, y = x - s.position[0], y - s.position[1]
            length = max(math.sqrt(x * x + y * y), STRIDE)
            action[0], action[1] = x / length, y / length
        r.steps += 1


class Roamer:
    """Walks to goals of its own, whatever the episode's goal; does not know of teleporters.

    Args:
        world: a `envsuite.mazes.ogbench.tasks.OgbenchTasksWorld`.
        kind: ``"navigate"``: to vertices, one after another; ``"stitch"``: to a cell four cells away, and stays there;
            ``"explore"``: in a direction that is drawn every ten steps.
    """

    def __init__(self, world, kind: str):
        self._params = records(world.params)
        self._distance = plans.table(self._params)
        self._kind = KINDS[kind]
        walls = layouts.read(LAYOUTS[world.maze]) == layouts.WALL
        assert float(world.params[0]["grid"]["scale"]) == UNIT
        found = vertices(walls) if kind == "navigate" else np.argwhere(~walls)
        self._places = np.ascontiguousarray(found)
        self._roamers = records(np.zeros(0, _MEMORY))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Forget the goals of some slots."""
        if len(self._roamers) != len(mask):
            self._roamers = records(np.zeros(len(mask), _MEMORY))
        for i in np.flatnonzero(mask):
            self._roamers[i] = np.zeros((), _MEMORY)
            self._roamers[i]["rng"]["key"] = rng.seed_key(int(seeds[i]))

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Moves, float32 (n, 2)."""
        actions = np.zeros((len(states), 2), np.float32)
        roam_batch(self._roamers, states, self._params, self._kind, self._places, self._distance, actions)
        return actions
