"""Endless Mystery Path: the rules on one record, and the world."""

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
from envsuite.core.workspace import workspace
from envsuite.memory.memory_gym.path import CELLS, SIDE, draw_path

MOVES = ("wait", "right", "up", "down")
SEGMENT = SIDE + 1
"""Columns of a segment; one more cell leads to the next."""
COLUMNS = 1024
"""That a record holds."""
PAST = 6
"""Columns behind the agent in which the path is seen, its own among them."""

ROOM = np.dtype([("path", np.int16, (CELLS,))], align=True)


class Params(Record):
    """The options that kernels know."""

    stamina = field(type=np.int32, meaning="steps in which a new tile has to be reached")


class State(StateRecord):
    """The path and the agent. Of each column bit y of a set stands for row y."""

    enters = field(type=np.int8, shape=COLUMNS + 1, meaning="row in which the path enters each column")
    visited = field(type=np.uint8, shape=COLUMNS, meaning="set of rows of the path where the agent has been")
    rested = field(type=np.uint8, shape=COLUMNS, meaning="likewise, since the last fall")
    fallen = field(type=np.uint8, shape=COLUMNS, meaning="set of rows where it fell")
    known = field(type=np.int32, meaning="columns that are drawn")
    x = field(type=np.int32, meaning="column of the agent")
    y = field(type=np.int32, meaning="row of the agent")
    furthest = field(type=np.int32, meaning="column on the path that was reached")
    stamina = field(type=np.int32, meaning="steps that are left until a new tile has to be reached")
    off = field(type=np.uint8, meaning="1 if the agent has fallen off the path; then it goes back to the start")
    falls = field(type=np.int32, meaning="how often it fell")
    tiles = field(type=np.int32, meaning="tiles of the path reached")


class Info(Record):
    """The metrics."""

    tiles = field(type=np.int32, meaning="tiles of the path reached")
    falls = field(type=np.int32, meaning="how often the agent fell off the path")
    is_success = field(type=np.bool_, meaning="a hundred tiles were reached")
    privileged = field(type=np.float32, shape="three", meaning="for critics: one-hot the next move along the path")


@kernel
def extend(s):
    """Draw a segment; paths that go back are drawn anew."""
    w = workspace(ROOM)  # ty: ignore[missing-argument]
    first, back, length = np.int64(s.enters[s.known]), True, 0
    while back:
        end = (SIDE - 1) * SIDE + rng.integers(s.rng, rng.DYNAMICS, SIDE)
        length = draw_path(s.rng, rng.DYNAMICS, first, end, w.path)
        back = False
        for k in range(1, length):
            back = back or w.path[k] // SIDE < w.path[k - 1] // SIDE
    for k in range(1, length):
        column = w.path[k] // SIDE
        if column > w.path[k - 1] // SIDE:
            s.enters[s.known + column] = w.path[k] % SIDE
    last = w.path[length - 1] % SIDE
    s.enters[s.known + SIDE], s.enters[s.known + SEGMENT] = last, last
    s.known += SEGMENT


@kernel
def on_path(s, x, y):
    """Whether a cell is on the path."""
    a, b = s.enters[x], s.enters[x + 1]
    return min(a, b) <= y <= max(a, b)


@kernel
def reset(s, p):
    """Draw the first segments; the agent is at the beginning of the path."""
    for k in range(COLUMNS):
        s.enters[k], s.visited[k], s.rested[k], s.fallen[k] = 0, 0, 0, 0
    s.known = 0
    s.enters[0] = rng.integers(s.rng, rng.RESET, SIDE)
    for _ in range(3):
        extend(s)
    s.x, s.y = 0, s.enters[0]
    s.visited[0] = s.rested[0] = np.uint8(1 << s.y)
    s.furthest, s.stamina, s.off, s.falls, s.tiles = 0, p.stamina, 0, 0, 0


@kernel
def fall(s, p, bit):
    """Leave the path: the end, where one should have known; else stamina is full again."""
    over = s.x < s.furthest or s.fallen[s.x] & bit != 0
    s.fallen[s.x] |= bit
    s.falls += 1
    s.off = 1
    for k in range(s.furthest + 2):
        s.rested[k] = 0
    s.rested[0], s.stamina = np.uint8(1 << s.enters[0]), p.stamina
    return over


@kernel
def step(s, p, action):
    """Move, or be put back to the start after a fall; 0.1 for each new tile."""
    if s.off:
        s.x, s.y, s.off = 0, s.enters[0], 0
    elif action == 1:
        s.x += 1
    elif action >= 2:
        s.y = min(max(s.y + (1 if action == 3 else -1), 0), SIDE - 1)
    while s.known < s.x + 2 * SEGMENT and s.known + SEGMENT <= COLUMNS:
        extend(s)
    reward, over, bit = 0.0, False, np.uint8(1 << s.y)
    if on_path(s, s.x, s.y):
        if s.visited[s.x] & bit == 0:
            s.visited[s.x] |= bit
            s.tiles += 1
            reward = 0.1
        if s.rested[s.x] & bit == 0:
            s.rested[s.x] |= bit
            s.stamina = p.stamina
        s.furthest = max(s.furthest, s.x)
    else:
        over = fall(s, p, bit)
    s.stamina -= 1
    return reward, over or s.stamina == 0 or s.x + 2 >= COLUMNS


@kernel
def next_move(s, x, y):
    """The move along the path from one of its cells."""
    leaves = s.enters[x + 1]
    return 1 if y == leaves else (2 if leaves < y else 3)


@kernel
def observe(s, o, info):
    """The row, whether the agent has fallen, whether it is in the first column, and the path behind."""
    for k in range(SIDE):
        o.row[k] = k == s.y
    o.fallen = s.off
    o.begins = s.x == 0
    for k in range(PAST):
        for y in range(SIDE):
            x = s.x - k
            seen = x >= 0 and not s.off and on_path(s, x, y)
            if seen and k == 0:
                # only what lies between where the path enters the column and the agent
                seen = min(s.enters[x], s.y) <= y <= max(s.enters[x], s.y)
            o.past[k * SIDE + y] = seen
    move = next_move(s, s.x, s.y) if not s.off else 0
    for k in range(3):
        info.privileged[k] = move == k + 1
    info.tiles, info.falls, info.is_success = s.tiles, s.falls, s.tiles >= 100


class EndlessMysteryPathWorld(World):
    """Follow a path that goes on for ever and is seen only behind; a step beside it leads back to the start.

    Args:
        stamina: steps in which a tile has to be reached that was not reached since the last fall, counted from the step
            of the last such tile or fall.
    """

    loops = batch_loops(reset, step, observe)
    action = Choice(MOVES)
    state_dtype = State.dtype()
    info_dtype = Info.dtype(three=3)
    reward = Reward(low=np.array(0.0), high=np.array(0.1))
    observation = Vector(
        (
            Block("row", SIDE, 0, 1, "", "1 for the row of the agent"),
            Block("fallen", 1, 0, 1, "", "1 if the agent has just left the path"),
            Block("begins", 1, 0, 1, "", "1 in the first column"),
            Block(
                "past", PAST * SIDE, 0, 1, "", "1 for cells of the path behind, column by column from the agent's own"
            ),
        ),
        np.int8,
    )

    def __init__(self, *, stamina: Annotated[int, Between(2, 10_000)] = 20):
        self.params = Params.make(stamina=stamina)
