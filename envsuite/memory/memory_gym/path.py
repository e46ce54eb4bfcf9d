"""Paths between two cells of a grid, as Memory Gym draws them: a search over random walls and random costs."""

import numpy as np

from envsuite.core import fmath, kernel, rng
from envsuite.core.workspace import workspace

SIDE = 7
"""Cells along each side; Pleines et al. (2023)."""
CELLS = SIDE * SIDE
NEIGHBOURS = ((1, 0), (-1, 0), (0, 1), (0, -1))
WALL_PERCENT = 33
COSTS = 8
"""Costs of steps are uniform in 1, ..., 8."""

SEARCH = np.dtype(
    [
        ("wall", np.uint8, (CELLS,)),
        ("before", np.int16, (CELLS,)),
        ("status", np.uint8, (CELLS,)),
        ("paid", np.float64, (CELLS,)),
        ("hoped", np.float64, (CELLS,)),
        ("queue", np.int16, (CELLS,)),
        ("outer", np.int16, (CELLS,)),
    ],
    align=True,
)
"""Of each cell x SIDE + y: whether it is a wall, the cell before it, 1 if it waits and 2 if it is done, its costs."""


@kernel
def near_wall(w, x, y):
    """Whether a wall is beside a cell, also at a corner."""
    found = False
    for i in range(max(x - 1, 0), min(x + 2, SIDE)):
        for j in range(max(y - 1, 0), min(y + 2, SIDE)):
            if i != x or j != y:
                found = found or w.wall[i * SIDE + j] != 0
    return found


@kernel
def put_walls(g, purpose, w, start, end):
    """Walls inside with probability 0.33, then 4 or 8 at the border, apart from others and from both ends."""
    for x in range(SIDE):
        for y in range(SIDE):
            inside = 0 < x < SIDE - 2 and 0 < y < SIDE - 2
            w.wall[x * SIDE + y] = inside and rng.integers(g, purpose, 100) < WALL_PERCENT
    count = 0
    for x in range(SIDE):
        for y in range(SIDE):
            border = x == 0 or x == SIDE - 1 or y == 0 or y == SIDE - 1
            apart = (
                abs(x - start // SIDE) + abs(y - start % SIDE) > 1 and abs(x - end // SIDE) + abs(y - end % SIDE) > 1
            )
            if border and apart and not near_wall(w, x, y):
                w.outer[count] = x * SIDE + y
                count += 1
    walls = 4 + 4 * rng.integers(g, purpose, 2)
    for _ in range(walls):
        if count > 0:
            chosen = rng.integers(g, purpose, count)
            w.wall[w.outer[chosen]] = 1
            for k in range(chosen, count - 1):
                w.outer[k] = w.outer[k + 1]
            count -= 1


@kernel
def search(g, purpose, w, start, end):
    """Find a way; the chosen cells' predecessors are in ``w.before``. Whether there is one.

    Of the waiting cells the first one is taken that is better than the one that has waited longest, if there is any. So
    ways are seldom the shortest.
    """
    for k in range(CELLS):
        w.before[k], w.status[k], w.paid[k], w.hoped[k] = -1, 0, 0.0, 0.0
    w.queue[0], waiting, found = start, 1, False
    w.status[start] = 1
    while waiting > 0 and not found:
        chosen = 0
        for k in range(waiting):
            if w.hoped[w.queue[k]] < w.hoped[w.queue[0]]:
                chosen = k
                break
        cell = np.int64(w.queue[chosen])
        if cell == end:
            found = True
            continue
        for k in range(chosen, waiting - 1):
            w.queue[k] = w.queue[k + 1]
        waiting -= 1
        w.status[cell] = 2
        for k in range(len(NEIGHBOURS)):
            x, y = cell // SIDE + NEIGHBOURS[k][0], cell % SIDE + NEIGHBOURS[k][1]
            if not (0 <= x < SIDE and 0 <= y < SIDE):
                continue
            there = x * SIDE + y
            if w.status[there] == 2 or w.wall[there]:
                continue
            paid = w.paid[cell] + 1 + rng.integers(g, purpose, COSTS)
            better = w.status[there] == 0
            if better:
                w.paid[there] = paid
                w.status[there] = 1
                w.queue[waiting] = there
                waiting += 1
            elif paid < w.paid[there]:
                better = True
            if better:
                across, along = x - end // SIDE, y - end % SIDE
                w.hoped[there] = w.paid[there] + fmath.sqrt(1.0 * (across * across + along * along))
                w.before[there] = cell
    return found


@kernel
def draw_path(g, purpose, start, end, path):
    """Write a path from its first cell on.

    Args:
        g: stream of random numbers.
        purpose: see `envsuite.core.rng`.
        start: cell x SIDE + y.
        end: likewise.
        path: int (CELLS,), written.

    Returns:
        Its number of cells.
    """
    w = workspace(SEARCH)  # ty: ignore[missing-argument]
    found = False
    while not found:
        put_walls(g, purpose, w, start, end)
        found = search(g, purpose, w, start, end)
    length, cell = 1, end
    while w.before[cell] >= 0:
        cell = np.int64(w.before[cell])
        length += 1
    cell = end
    for k in range(length - 1, -1, -1):
        path[k] = cell
        cell = np.int64(w.before[cell])
    return length
