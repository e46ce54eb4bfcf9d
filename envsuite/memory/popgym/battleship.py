"""Sink four ships that nobody sees: only hit or miss is told."""

from typing import Annotated

import numpy as np

from envsuite.core import Between, Block, Record, Reward, batch_loops, cut, field, kernel, rng
from envsuite.memory.popgym.base import Info, PopState, PopWorld, clear, grid_before, grid_choices, mark

MOST = 12
"""Rows and columns of the largest board."""
SHIPS = (2, 3, 3, 4)
"""Cells of each; popgym 1.0.7."""
CELLS = sum(SHIPS)


class Params(Record):
    """The options that kernels know."""

    side = field(type=np.int32, meaning="rows and columns")
    ships = field(type=np.int32, shape=len(SHIPS), meaning="cells of each ship")
    previous = field(type=np.int32, meaning="where the previous action is observed, -1 for nowhere")


class State(PopState):
    """The board."""

    hit = field(type=np.int8, meaning="1 if the last shot hit a new cell")
    hits = field(type=np.int16, meaning="cells that were hit")
    ship = field(type=np.int8, shape=MOST * MOST, meaning="number of the ship in each cell, 0 for none, row by row")
    shot = field(type=np.uint8, shape=MOST * MOST, meaning="1 where a shot fell")


@kernel
def free(s, size, start, stride, cells):
    """Whether a ship can lie in these cells."""
    taken = 0
    for k in range(cells):
        taken += s.ship[start + k * stride]
    return taken == 0


@kernel
def reset(s, p):
    """Place one ship after another, in any way in which it overlaps no earlier one, each as likely."""
    clear(s.ship)
    clear(s.shot)
    s.hit, s.hits, s.last = 0, 0, -1
    for n in range(p.ships.shape[0]):
        cells = p.ships[n]
        along = p.side - cells + 1
        placed = False
        while not placed:
            way = rng.integers(s.rng, rng.RESET, 2 * p.side * along)
            across, line, first = way % 2, way // 2 // along, way // 2 % along
            start = first * p.side + line if across else line * p.side + first
            stride = p.side if across else 1
            placed = free(s, p.side, start, stride, cells)
            if placed:
                for k in range(cells):
                    s.ship[start + k * stride] = n + 1


@kernel
def step(s, p, action):
    """Shoot at (row, column). Reward and whether all ships are sunk."""
    cell = action[0] * p.side + action[1]
    hit = s.ship[cell] != 0 and s.shot[cell] == 0
    s.shot[cell], s.hit, s.last = 1, hit, cell
    s.hits += hit
    if s.clock.step >= p.side * p.side:
        cut(s.clock)
    return (1.0 / CELLS if hit else -1.0 / (p.side * p.side - CELLS)), s.hits == CELLS


@kernel
def observe(s, p, observation, info):
    """Write whether the last shot hit, where it fell, and the metrics."""
    clear(observation)
    observation[0] = s.hit
    if p.previous >= 0 and s.last >= 0:
        mark(observation, p.previous, s.last // p.side)
        mark(observation, p.previous + p.side, s.last % p.side)
    info.progress = np.float32(s.hits / CELLS)
    info.is_success = s.hits == CELLS


@kernel
def tell(s, p, info):
    """Write where the ships are, and where shots fell."""
    for k in range(p.side * p.side):
        info.privileged[2 * k] = s.ship[k] != 0
        info.privileged[2 * k + 1] = s.shot[k]


class BattleshipWorld(PopWorld):
    """Shoot at the cells of a board on which four ships are hidden, of 2, 3, 3 and 4 cells.

    Args:
        size: rows and columns.
        previous_action: the observation holds where the last shot fell.
        privileged: ``info["privileged"]`` holds the state for critics.
    """

    plain, full = batch_loops(reset, step, observe), batch_loops(reset, step, observe, tell)
    state_dtype = State.dtype()

    def __init__(
        self,
        *,
        size: Annotated[int, Between(5, MOST)] = 8,
        previous_action: bool = True,
        privileged: bool = False,
    ):
        self.size = size
        self.action = grid_choices(size, size)
        previous = self.sees(
            (Block("hit", 1, 0, 1, "", "1 if the last shot hit a new cell"),),
            grid_before(size, size) if previous_action else (),
        )
        self.reports(Info, 2 * size * size if privileged else 0)
        self.reward = Reward(low=np.array(-1 / (size * size - CELLS)), high=np.array(1 / CELLS))
        self.params = Params.make(side=size, ships=SHIPS, previous=previous)
