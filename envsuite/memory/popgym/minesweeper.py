"""Minesweeper without a board to look at: only the number of the last cell is told."""

from typing import Annotated

import numpy as np

from envsuite.core import Between, Record, Reward, batch_loops, cut, field, kernel, rng
from envsuite.memory.popgym.base import Info, PopState, PopWorld, clear, grid_before, grid_choices, mark, one_of

MOST = 8
"""Rows and columns of the largest board."""


class Params(Record):
    """The options that kernels know."""

    side = field(type=np.int32, meaning="rows and columns")
    mines = field(type=np.int32, meaning="number")
    cells = field(type=np.int32, meaning="without a mine, and steps at most")
    values = field(type=np.int32, meaning="that the number of a cell may have")
    previous = field(type=np.int32, meaning="where the previous action is observed, -1 for nowhere")


class State(PopState):
    """The board."""

    shown = field(type=np.int16, meaning="mines in and around the last cell")
    opened = field(type=np.int16, meaning="cells without a mine")
    number = field(type=np.uint8, shape=MOST * MOST, meaning="mines in and around each cell")
    mine = field(type=np.uint8, shape=MOST * MOST, meaning="1 for a mine, row by row")
    open = field(type=np.uint8, shape=MOST * MOST, meaning="1 where a cell was opened")


@kernel
def count(s, p, row, column):
    """Count a mine in the nine cells in and around its own."""
    for i in range(max(row - 1, 0), min(row + 2, p.side)):
        for j in range(max(column - 1, 0), min(column + 2, p.side)):
            s.number[i * p.side + j] += 1


@kernel
def reset(s, p):
    """Hide the mines: every choice of cells is as likely."""
    clear(s.mine)
    clear(s.open)
    clear(s.number)
    s.shown, s.opened, s.last, hidden = 0, 0, -1, 0
    while hidden < p.mines:
        places = rng.uniform4(s.rng, rng.RESET, 0.0, np.float64(p.side * p.side))
        for k in range(4):
            cell = np.int64(places[k])
            if hidden < p.mines and s.mine[cell] == 0:
                s.mine[cell] = 1
                count(s, p, cell // p.side, cell % p.side)
                hidden += 1


@kernel
def step(s, p, action):
    """Open the cell (row, column). Reward and whether it was a mine or all others are open."""
    cell = action[0] * p.side + action[1]
    s.last, s.shown = cell, s.number[cell]
    if s.mine[cell] != 0:
        s.open[cell] = 1
        return -0.5 - 1.0 / p.cells, True
    new = s.open[cell] == 0
    s.open[cell] = 1
    s.opened += new
    if s.clock.step >= p.cells and s.opened < p.cells:
        cut(s.clock)
    return (1.0 / p.cells if new else -0.5 / (p.cells - 2)), s.opened == p.cells


@kernel
def observe(s, p, observation, info):
    """Write the number of the last cell, which cell it was, and the metrics."""
    clear(observation)
    mark(observation, 0, s.shown)
    if p.previous >= 0 and s.last >= 0:
        mark(observation, p.previous, s.last // p.side)
        mark(observation, p.previous + p.side, s.last % p.side)
    info.progress = np.float32(s.opened / p.cells)
    info.is_success = s.opened == p.cells


@kernel
def tell(s, p, info):
    """Write where the mines are, and which cells are open."""
    for k in range(p.side * p.side):
        info.privileged[2 * k], info.privileged[2 * k + 1] = s.mine[k], s.open[k]


class MineSweeperWorld(PopWorld):
    """Open all cells without a mine; what earlier cells said is not shown.

    Args:
        size: rows and columns.
        mines: number, at most a quarter of the cells.
        previous_action: the observation holds the cell opened last.
        privileged: ``info["privileged"]`` holds the state for critics.

    Raises:
        ValueError: too many mines.
    """

    plain, full = batch_loops(reset, step, observe), batch_loops(reset, step, observe, tell)
    state_dtype = State.dtype()

    def __init__(
        self,
        *,
        size: Annotated[int, Between(3, MOST)] = 4,
        mines: Annotated[int, Between(1, MOST * MOST // 4)] = 2,
        previous_action: bool = True,
        privileged: bool = False,
    ):
        if mines > size * size // 4:
            raise ValueError(f"mines is {mines}, expected at most {size * size // 4} of {size * size} cells")
        self.size, self.mines = size, mines
        cells, values = size * size - mines, min(mines, 9) + 1
        self.action = grid_choices(size, size)
        number = one_of("number", values, "1 for the mines in and around the last cell; 0 mines at first")
        previous = self.sees((number,), grid_before(size, size) if previous_action else ())
        self.reports(Info, 2 * size * size if privileged else 0)
        self.reward = Reward(low=np.array(-0.5 - 1 / cells), high=np.array(1 / cells))
        self.params = Params.make(side=size, mines=mines, cells=cells, values=values, previous=previous)
