"""Random mazes, drawn inside kernels: a spanning tree over cells, by one of several generators, and some loops.

A maze of n x n cells is kept as (2 n + 1) x (2 n + 1) squares: cell (r, c) is square (2 r + 1, 2 c + 1), the squares
between neighbouring cells are walls or passages. Every generator joins all cells, so that every maze can be solved.
"""

import numpy as np

from envsuite.core import rng
from envsuite.core.jit import kernel

BACKTRACKER, WILSON, ROOMS, PRIM, DIVISION = range(5)

GENERATORS: dict[str, int] = {
    "backtracker": BACKTRACKER,
    "wilson": WILSON,
    "rooms": ROOMS,
    "prim": PRIM,
    "division": DIVISION,
}
"""Depth-first search with backtracking: long winding corridors. Wilson (1996): uniform over all spanning trees. Rooms
joined by depth-first corridors. Prim: short dead ends. Recursive division: long straight walls."""

SCRATCH = 4
"""Scratch numbers that a generator needs for each cell."""


@kernel
def _neighbour(cell, direction, n):
    """The cell above, below, left or right of a cell; -1 outside."""
    r, c = cell // n, cell % n
    if direction == 0:
        return cell - n if r > 0 else -1
    if direction == 1:
        return cell + n if r < n - 1 else -1
    if direction == 2:
        return cell - 1 if c > 0 else -1
    return cell + 1 if c < n - 1 else -1


@kernel
def _open(walls, a, b, n):
    """Open two neighbouring cells and the square between them."""
    walls[2 * (a // n) + 1, 2 * (a % n) + 1] = 0
    walls[2 * (b // n) + 1, 2 * (b % n) + 1] = 0
    walls[a // n + b // n + 1, a % n + b % n + 1] = 0


@kernel
def _closed(walls, cell, n):
    return walls[2 * (cell // n) + 1, 2 * (cell % n) + 1] != 0


@kernel
def _grow(g, walls, n, scratch, anywhere):
    """Grow a tree from its newest cell (depth first) or from any of its cells (in the manner of Prim).

    Cells that are open already are seeds of the tree only once they are reached: rooms must be joined by the caller.
    """
    count = 1
    scratch[0] = rng.integers(g, rng.RESET, n * n)
    walls[2 * (scratch[0] // n) + 1, 2 * (scratch[0] % n) + 1] = 0
    while count > 0:
        at = rng.integers(g, rng.RESET, count) if anywhere else count - 1
        cell = np.int64(scratch[at])
        choices = 0
        for direction in range(4):
            other = _neighbour(cell, direction, n)
            if other >= 0 and _closed(walls, other, n):
                choices += 1
        if choices == 0:
            scratch[at] = scratch[count - 1]
            count -= 1
            continue
        pick = rng.integers(g, rng.RESET, choices)
        for direction in range(4):
            other = _neighbour(cell, direction, n)
            if other >= 0 and _closed(walls, other, n):
                if pick == 0:
                    _open(walls, cell, other, n)
                    scratch[count] = other
                    count += 1
                    break
                pick -= 1


@kernel
def _wilson(g, walls, n, scratch):
    """Join each cell to the tree by a random walk whose loops are erased (Wilson 1996)."""
    first = rng.integers(g, rng.RESET, n * n)
    walls[2 * (first // n) + 1, 2 * (first % n) + 1] = 0
    for start in range(n * n):
        cell = np.int64(start)
        while _closed(walls, cell, n):
            other = np.int64(-1)
            while other < 0:
                direction = rng.integers(g, rng.RESET, 4)
                other = _neighbour(cell, direction, n)
            scratch[cell] = other  # the last way out of a cell is the one without loops
            cell = other
        cell = np.int64(start)
        while _closed(walls, cell, n):
            other = np.int64(scratch[cell])
            inside = not _closed(walls, other, n)
            _open(walls, cell, other, n)
            if inside:
                break
            walls[2 * (other // n) + 1, 2 * (other % n) + 1] = 1  # not in the tree yet
            cell = other


@kernel
def _rooms(g, walls, n, scratch):
    """A depth-first maze from which the walls inside of some rectangles are taken."""
    _grow(g, walls, n, scratch, False)
    for _ in range(max(1, n // 2)):
        height = 2 + rng.integers(g, rng.RESET, 2)
        width = 2 + rng.integers(g, rng.RESET, 2)
        top = 2 * rng.integers(g, rng.RESET, n - min(height, n) + 1) + 1
        left = 2 * rng.integers(g, rng.RESET, n - min(width, n) + 1) + 1
        for i in range(top, top + 2 * min(height, n) - 1):
            for j in range(left, left + 2 * min(width, n) - 1):
                walls[i, j] = 0


@kernel
def _divide(g, walls, n, scratch):
    """Cut an empty room by walls with one gap each, over and over."""
    for i in range(1, 2 * n):
        for j in range(1, 2 * n):
            walls[i, j] = 0
    scratch[0], scratch[1], scratch[2], scratch[3] = 0, 0, n, n  # top, left, height, width
    count = 1
    while count > 0:
        count -= 1
        top, left = np.int64(scratch[4 * count]), np.int64(scratch[4 * count + 1])
        height, width = np.int64(scratch[4 * count + 2]), np.int64(scratch[4 * count + 3])
        if height < 2 or width < 2:
            continue
        level = height > width or (height == width and rng.integers(g, rng.RESET, 2) == 0)
        cut = 1 + rng.integers(g, rng.RESET, (height if level else width) - 1)
        gap = rng.integers(g, rng.RESET, width if level else height)
        length = 2 * (width if level else height) - 1
        for k in range(length):
            if k != 2 * gap:
                if level:
                    walls[2 * (top + cut), 2 * left + 1 + k] = 1
                else:
                    walls[2 * top + 1 + k, 2 * (left + cut)] = 1
        at = 4 * count
        scratch[at], scratch[at + 1] = top, left
        scratch[at + 2], scratch[at + 3] = (cut, width) if level else (height, cut)
        scratch[at + 4], scratch[at + 5] = (top + cut, left) if level else (top, left + cut)
        scratch[at + 6], scratch[at + 7] = (height - cut, width) if level else (height, width - cut)
        count += 2


@kernel
def draw(g, generator, loops, walls, scratch):
    """Draw a maze.

    Args:
        g: record of type `envsuite.core.rng.STREAM`.
        generator: a value of `GENERATORS`.
        loops: probability that a wall between two cells is taken away afterwards.
        walls: uint8 (2 n + 1, 2 n + 1), written: 1 where a wall is.
        scratch: int16 (`SCRATCH` n n,), written.
    """
    side = walls.shape[0]
    n = side // 2
    for i in range(side):
        for j in range(side):
            walls[i, j] = 1
    if generator == BACKTRACKER:
        _grow(g, walls, n, scratch, False)
    elif generator == PRIM:
        _grow(g, walls, n, scratch, True)
    elif generator == WILSON:
        _wilson(g, walls, n, scratch)
    elif generator == ROOMS:
        _rooms(g, walls, n, scratch)
    else:
        _divide(g, walls, n, scratch)
    if loops > 0.0:
        for i in range(1, side - 1):
            for j in range(1 + i % 2, side - 1, 2):
                if walls[i, j] != 0 and rng.uniform(g, rng.RESET, 0.0, 1.0) < loops:
                    walls[i, j] = 0
