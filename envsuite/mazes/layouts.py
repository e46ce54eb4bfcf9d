"""Layouts: mazes as text, one character a cell.

``#`` is a wall, ``O`` free, ``G`` a goal cell, ``R`` a start cell, ``C`` both; rows are separated by ``/``.
"""

import numpy as np

MAX_SIDE = 32
"""Rows and columns that a layout may have; parameter records hold this many, so that all mazes share kernels."""

WALL, FREE, GOAL, START, BOTH = "#OGRC"

# D4RL (Fu et al. 2020, arXiv 2004.07219), d4rl/pointmaze/maze_model.py.
D4RL: dict[str, str] = {
    "open": "#######/#OOOOO#/#OOGOO#/#OOOOO#/#######",
    "umaze": "#####/#GOO#/###O#/#OOO#/#####",
    "medium": "########/#OO##OO#/#OO#OOO#/##OOO###/#OO#OOO#/#O#OO#O#/#OOO#OG#/########",
    "large": (
        "############/#OOOO#OOOOO#/#O##O#O#O#O#/#OOOOOO#OOO#/#O####O###O#/#OO#O#OOOOO#/##O#O#O#O###/#OO#OOO#OGO#/"
        "############"
    ),
    "eval-umaze": "#####/#OOG#/#O###/#OOO#/#####",
    "eval-medium": "########/#OOOOOG#/#O#O##O#/#OOOO#O#/###OO###/#OOOOOO#/#OO##OO#/########",
    "eval-large": (
        "############/#OO#OOO#OGO#/##O###O#O#O#/#OO#O#OOOOO#/#O##O#OO##O#/#OOOOOO#OOO#/#O##O#O#O###/#OOOO#OOOOO#/"
        "############"
    ),
}

# OGBench (Park et al. 2024, arXiv 2410.20092), ogbench/locomaze/maze.py; medium and large are those of D4RL.
GIANT = (
    "################/#O#OOOOOO##OOOO#/#O#O##O#O#OO##O#/#OOO#OO#OOO#OOO#/#O###O######O#O#/#OOO#OOO#OOOO#O#/"
    "###O#O#OO#O#O###/#OOO#OO#OOO#OOO#/#O#O#O######O#O#/#O###OOO#OOO##O#/#OOOOO#OOO#OOOO#/################"
)
TELEPORT = (
    "############/#OOOOO#O#OO#/##O#OOO#OO##/##O###OOOOO#/#OOOO#O#O#O#/#O##O#O#O#O#/#O##O#O#O#O#/#OOOO#OOO#O#/"
    "############"
)


def plain(layout: str) -> str:
    """A layout without marks: every cell that is not a wall is free."""
    return "".join(one if one in "#/" else FREE for one in layout)


def marked(layout: str, marks: dict[tuple[int, int], str]) -> str:
    """Put marks on cells.

    Args:
        layout: a layout.
        marks: (row, column) to ``G``, ``R`` or ``C``.
    """
    rows = [list(row) for row in layout.split("/")]
    for (i, j), mark in marks.items():
        rows[i][j] = mark
    return "/".join("".join(row) for row in rows)


def read(layout: str) -> np.ndarray:
    """Read a layout.

    Args:
        layout: rows separated by ``/`` or line ends.

    Returns:
        Array (rows, columns) of single characters.

    Raises:
        ValueError: ragged or too large, an unknown character, a gap in the outer wall, or no free cell.
    """
    rows = layout.strip().replace("\n", "/").split("/")
    if len({len(row) for row in rows}) != 1:
        raise ValueError(f"the rows of layout {layout!r} have different lengths, {[len(row) for row in rows]}")
    cells = np.array([list(row) for row in rows])
    if cells.ndim != 2 or max(cells.shape) > MAX_SIDE or min(cells.shape) < 3:
        raise ValueError(f"layout {layout!r} has shape {cells.shape}, expected 3 to {MAX_SIDE} rows and columns")
    if unknown := sorted(set(cells.ravel().tolist()) - set("#OGRC")):
        raise ValueError(f"unknown character {unknown[0]!r} in layout {layout!r}, expected '#', 'O', 'G', 'R' or 'C'")
    border = np.concatenate([cells[0], cells[-1], cells[:, 0], cells[:, -1]])
    if (border != WALL).any():
        raise ValueError(f"layout {layout!r} is open at its edge, expected '#' all around")
    if (cells == WALL).all():
        raise ValueError(f"layout {layout!r} has no free cell")
    return cells


def find(cells: np.ndarray, characters: str) -> np.ndarray:
    """Indices of the cells that bear one of some characters, row by row.

    Args:
        cells: from `read`.
        characters: for example ``"OG"``.

    Returns:
        int64 (n, 2), row and column.
    """
    return np.argwhere(np.isin(cells, list(characters)))
