"""Shortest paths on the cells of a maze."""

import numpy as np

from envsuite.core.jit import kernel
from envsuite.mazes import contact

#: Steps to the neighbours of a cell, (row, column), in the order in which D4RL's planner tries them.
MOVES = ((0, -1), (0, 1), (-1, 0), (1, 0))

UNREACHABLE = 32767


@kernel
def distances(walls, grid, row, column, distance, queue):
    """Count the cells between every cell and a goal cell, breadth first.

    Args:
        walls: (rows, columns) uint8 or larger.
        grid: record of type `envsuite.mazes.params.Grid`.
        row: of the goal cell.
        column: of the goal cell.
        distance: int16 (rows, columns), written; `UNREACHABLE` where no path leads.
        queue: int16 (rows * columns,), scratch.
    """
    for i in range(grid.rows):
        for j in range(grid.columns):
            distance[i, j] = UNREACHABLE
    distance[row, column] = 0
    queue[0] = row * grid.columns + column
    head, tail = 0, 1
    while head < tail:
        cell = np.int64(queue[head])
        i, j = cell // grid.columns, cell % grid.columns
        head += 1
        for di, dj in MOVES:
            if not contact.is_wall(walls, grid, i + di, j + dj) and distance[i + di, j + dj] == UNREACHABLE:
                distance[i + di, j + dj] = distance[i, j] + 1
                queue[tail] = (i + di) * grid.columns + j + dj
                tail += 1


@kernel
def all_distances(walls, grid, distance, queue):
    """Distances between all pairs of cells.

    Args:
        walls: (rows, columns) uint8 or larger.
        grid: record of type `envsuite.mazes.params.Grid`.
        distance: int16 (rows, columns, rows, columns), written at [goal row, goal column, row, column].
        queue: int16 (rows * columns,), scratch.
    """
    for i in range(grid.rows):
        for j in range(grid.columns):
            distances(walls, grid, i, j, distance[i, j], queue)


@kernel
def next_cell(distance, grid, i, j):
    """The neighbour that is nearest to the goal, the first of equals; the cell itself at the goal or without a path."""
    best_i, best_j = i, j
    if i < 0 or j < 0 or i >= grid.rows or j >= grid.columns:
        return best_i, best_j
    best = distance[i, j]
    for di, dj in MOVES:
        a, b = i + di, j + dj
        if 0 <= a < grid.rows and 0 <= b < grid.columns and distance[a, b] < best:
            best, best_i, best_j = distance[a, b], a, b
    return best_i, best_j


def table(params: np.ndarray) -> np.ndarray:
    """Distances between all pairs of cells of a fixed maze.

    Args:
        params: parameter records of shape (1,) of type `envsuite.mazes.params.Maze`.

    Returns:
        int16 (rows, columns, rows, columns), see `all_distances`.
    """
    grid = params[0]["grid"]
    rows, columns = int(grid["rows"]), int(grid["columns"])
    distance = np.empty((rows, columns, rows, columns), np.int16)
    _fill_table(params, distance, np.empty(rows * columns, np.int16))
    return distance


@kernel
def _fill_table(params, distance, queue):
    all_distances(params[0].walls, params[0].grid, distance, queue)
