"""The memory task of MiniGrid: the rules on one record, and the world."""

from typing import Annotated

import numpy as np

from envsuite.core import (
    Between,
    Block,
    Choice,
    Record,
    Reward,
    StateRecord,
    Vector,
    World,
    batch_loops,
    field,
    kernel,
    rng,
)

MOVES = ("left", "right", "forward", "pickup", "drop", "toggle", "done")
FORWARD = 2
AHEAD = np.array(((1, 0), (0, 1), (-1, 0), (0, -1)))
"""Columns and rows of a step to the east, south, west and north."""
UNSEEN, EMPTY, WALL, KEY, BALL = 0, 1, 2, 5, 6
"""Numbers of objects in MiniGrid."""
GREEN, GREY = 1, 5
VIEW = 7
"""Cells along each side of what the agent sees; it stands in the middle of the last row."""


class Params(Record):
    """The options."""

    side = field(type=np.int32, meaning="cells along each side")
    shortest = field(type=np.int32, meaning="column in which the shortest hallway ends")
    limit = field(type=np.int32, meaning="steps on which the reward of success is based")


class State(StateRecord):
    """The grid and the agent."""

    grid = field(type=np.uint8, shape=("side", "side"), meaning="object in each cell, by row and column")
    sight = field(
        type=np.uint8, shape=(VIEW, VIEW), meaning="object in each cell that the agent sees, by column and row"
    )
    column = field(type=np.int32, meaning="of the agent")
    row = field(type=np.int32, meaning="of the agent")
    direction = field(type=np.int32, meaning="it faces: 0 east, 1 south, 2 west, 3 north")
    end = field(type=np.int32, meaning="column of the hall at the end")
    up = field(type=np.uint8, meaning="1 if the matching object is the upper one")
    outcome = field(type=np.int8, meaning="1 after success, -1 after failure, else 0")


class Info(Record):
    """The metrics."""

    is_success = field(type=np.bool_, meaning="the matching object was reached")
    privileged = field(
        type=np.float32, shape="four", meaning="for critics: place, direction, side of the matching object"
    )


@kernel
def build(s, p, end):
    """Walls of the room at the start, of the hallway to a column, and of the hall behind it."""
    side = p.side
    middle = side // 2
    for row in range(side):
        for column in range(side):
            outer = row == 0 or column == 0 or row == side - 1 or column == side - 1
            s.grid[row, column] = WALL if outer else EMPTY
    for column in range(1, 5):
        s.grid[middle - 2, column], s.grid[middle + 2, column] = WALL, WALL
    for column in range(4, end):
        s.grid[middle - 1, column], s.grid[middle + 1, column] = WALL, WALL
    s.grid[middle - 1, 4], s.grid[middle + 1, 4] = WALL, WALL
    for row in range(side):
        s.grid[row, end + 2] = WALL
        if row != middle:
            s.grid[row, end] = WALL


@kernel
def reset(s, p):
    """Draw the hallway's length, the agent's column and the objects."""
    middle = p.side // 2
    end = p.shortest + rng.integers(s.rng, rng.RESET, p.side - 2 - p.shortest)
    build(s, p, end)
    s.end = end + 1
    s.column, s.row, s.direction = 1 + rng.integers(s.rng, rng.RESET, end), middle, 0
    first = KEY if rng.integers(s.rng, rng.RESET, 2) == 0 else BALL
    upper = BALL if rng.integers(s.rng, rng.RESET, 2) == 0 else KEY
    s.grid[middle - 1, 1] = first
    s.grid[middle - 2, s.end], s.grid[middle + 2, s.end] = upper, KEY + BALL - upper
    s.up, s.outcome = first == upper, 0
    look(s, p)


@kernel
def step(s, p, action):
    """Turn or go; the cells beside the two objects end the episode."""
    if action == 0:
        s.direction = (s.direction + 3) % 4
    elif action == 1:
        s.direction = (s.direction + 1) % 4
    elif action == FORWARD:
        column, row = s.column + AHEAD[s.direction, 0], s.row + AHEAD[s.direction, 1]
        if s.grid[row, column] == EMPTY:
            s.column, s.row = column, row
    look(s, p)
    if s.column != s.end or abs(s.row - p.side // 2) != 1:
        return 0.0, False
    right = (s.row < p.side // 2) == (s.up != 0)
    s.outcome = 1 if right else -1
    # another time limit than the original's may be set
    return (max(0.0, 1.0 - 0.9 * (np.int64(s.clock.step) / p.limit)) if right else 0.0), True


@kernel
def place_of(s, i, j):
    """Column and row on the grid of a cell of the view."""
    ahead, aside = VIEW - 1 - j, i - VIEW // 2
    right = (s.direction + 1) % 4
    column = s.column + ahead * AHEAD[s.direction, 0] + aside * AHEAD[right, 0]
    row = s.row + ahead * AHEAD[s.direction, 1] + aside * AHEAD[right, 1]
    return column, row


@kernel
def look(s, p):
    """Write what is in view: walls hide what is behind them, spreading row by row as in MiniGrid."""
    for i in range(VIEW):
        for j in range(VIEW):
            s.sight[i, j] = UNSEEN
    s.sight[VIEW // 2, VIEW - 1] = EMPTY
    for j in range(VIEW - 1, -1, -1):
        for i in range(VIEW - 1):
            spread(s, p, i, j, 1)
        for i in range(VIEW - 1, 0, -1):
            spread(s, p, i, j, -1)


@kernel
def spread(s, p, i, j, aside):
    """From a seen cell that is no wall one sees the next one, the one ahead, and the one between them."""
    if s.sight[i, j] == UNSEEN or s.sight[i, j] == WALL:
        return
    see(s, p, i + aside, j)
    if j > 0:
        see(s, p, i + aside, j - 1)
        see(s, p, i, j - 1)


@kernel
def see(s, p, i, j):
    """Write one cell of the view; outside the grid there are walls."""
    if s.sight[i, j] != UNSEEN:
        return
    column, row = place_of(s, i, j)
    inside = 0 <= column < p.side and 0 <= row < p.side
    s.sight[i, j] = s.grid[row, column] if inside else WALL


@kernel
def observe(s, p, o, info):
    """Object, colour and state of each cell in view, and the direction."""
    for i in range(VIEW):
        for j in range(VIEW):
            seen, at = s.sight[i, j], 3 * (i * VIEW + j)
            o.cells[at] = seen
            o.cells[at + 1] = GREY if seen == WALL else (GREEN if seen >= KEY else 0)
            o.cells[at + 2] = 0
    o.direction = s.direction
    info.is_success = s.outcome > 0
    info.privileged[0], info.privileged[1] = s.column / p.side, s.row / p.side
    info.privileged[2], info.privileged[3] = s.direction / 4.0, s.up


class MiniGridMemoryWorld(World):
    """Look at the object in the room, walk down the hallway, and go to the same object at its end.

    Args:
        size: cells along each side of the grid, an odd number.
        random_length: hallways have different lengths.

    Raises:
        ValueError: an even size.
    """

    loops = batch_loops(reset, step, observe)
    info_dtype = Info.dtype(four=4)
    action = Choice(MOVES)
    reward = Reward(low=np.array(0.0), high=np.array(1.0))
    observation = Vector(
        (
            Block("cells", 3 * VIEW * VIEW, 0, 10, "", "object, colour and state of each cell, column by column"),
            Block("direction", 1, 0, 3, "", "east, south, west, north"),
        ),
        np.uint8,
    )

    def __init__(self, *, size: Annotated[int, Between(7, 99)] = 9, random_length: bool = False):
        if size % 2 == 0:
            raise ValueError(f"size is {size}, expected an odd number")
        self.params = Params.make(side=size, shortest=4 if random_length else size - 3, limit=5 * size * size)
        self.state_dtype = State.dtype(side=size)
