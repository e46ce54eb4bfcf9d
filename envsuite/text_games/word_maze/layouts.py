"""The two mazes. Rows count downwards, columns to the right, both from 0."""

from collections import deque

import numpy as np

MAPS = {
    "double_t": (
        "#############",
        "#.....#.....#",
        "###.#####.###",
        "###.#####.###",
        "###.#####.###",
        "###.......###",
        "######.######",
        "######.######",
        "######G######",
        "#############",
    ),
    "umaze": (
        "#####",
        "#...#",
        "#.#.#",
        "#.#G#",
        "#####",
    ),
}
"""Walls ``#``, free cells, the goal ``G``."""
FIRST = {"double_t": (1, 1), "umaze": (3, 1)}
"""(row, column) of the original's fixed start."""
NAMES = ("left", "right", "up", "down")
MOVES = ((0, -1), (0, 1), (-1, 0), (1, 0))
"""(down, right) of each of them."""


def cells_of(name: str) -> list[tuple[int, int]]:
    """Free cells row by row, the goal among them.

    Args:
        name: of the maze.
    """
    return [(i, j) for i, line in enumerate(MAPS[name]) for j, mark in enumerate(line) if mark != "#"]


def goal_of(name: str) -> tuple[int, int]:
    """The goal's cell.

    Args:
        name: of the maze.
    """
    return next((i, line.index("G")) for i, line in enumerate(MAPS[name]) if "G" in line)


def steps_to(name: str, target: tuple[int, int]) -> dict[tuple[int, int], int]:
    """Fewest moves from every free cell to one.

    Args:
        name: of the maze.
        target: the cell.
    """
    free, found, queue = set(cells_of(name)), {target: 0}, deque([target])
    while queue:
        i, j = queue.popleft()
        for down, right in MOVES:
            cell = (i + down, j + right)
            if cell in free and cell not in found:
                found[cell] = found[i, j] + 1
                queue.append(cell)
    return found


def parts_of(name: str) -> np.ndarray:
    """Three parts in which data are collected, int8 (rows, columns): both T's with their corners, and what is between.

    Args:
        name: of the maze; the small one is a single part.
    """
    rows = MAPS[name]
    found = np.zeros((len(rows), len(rows[0])), np.int8)
    if name == "double_t":
        found[:, 6:] = 1
        found[5, 4:9] = found[6:, 6] = 2
    return found
