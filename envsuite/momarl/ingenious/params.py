"""The board and the tiles of Ingenious, from its rules (Knizia 2004) and MOMAland 0.2.0."""

import numpy as np

from envsuite.core import Record, field

COLORS = ("red", "green", "blue", "orange", "yellow", "purple")
DIRECTIONS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""Steps on the board in axial coordinates (q, r): q counts rows downwards, r runs along a row. Opposite ones are three
apart."""
NAMES = ("se", "sw", "w", "nw", "ne", "e")
"""Where the directions point in a picture whose rows lie across."""
MOST_POINTS = 18
"""Of a colour and a player; teams have as much for each of theirs."""
TILES = 120


class Params(Record):
    """The board, the tiles, and the options that kernels know."""

    near = field(type=np.int16, shape=("cells", 6), meaning="cells next to each, -1 beyond the edge")
    place = field(type=np.int16, shape=("places", 3), meaning="of a tile: cells of both colours, direction")
    corner = field(type=np.int16, shape=6)
    touch = field(type=np.uint8, shape="cells", meaning="bit k: the cell lies next to corner k")
    kind = field(type=np.int8, shape=("kinds", 2), meaning="colours of tiles")
    stock = field(type=np.int16, shape="kinds", meaning="how many there are")
    most = field(type=np.int16, meaning="points of a colour")
    teams = field(type=np.int32, meaning="players that are alike modulo this number share their points")
    open = field(type=np.uint8, meaning="racks are seen by all")
    compat = field(type=np.uint8, meaning="as in MOMAland 0.2")


def board_cells(side: int) -> list[tuple[int, int]]:
    """Axial coordinates (q, r) of a hexagon's cells, row by row from the top.

    Args:
        side: cells on an edge.
    """
    n = side - 1
    return [(q, r) for q in range(-n, n + 1) for r in range(max(-n, -q - n), min(n, -q + n) + 1)]


def neighbours(side: int) -> np.ndarray:
    """Cell by cell and direction by direction the cell next to it, -1 beyond the edge: (cells, 6) int16."""
    cells = board_cells(side)
    number = {cell: k for k, cell in enumerate(cells)}
    found = [[number.get((q + a, r + b), -1) for a, b in DIRECTIONS] for q, r in cells]
    return np.array(found, np.int16)


def places(near: np.ndarray) -> np.ndarray:
    """Where a tile can lie: cell of its first colour, cell of its second, direction; (places, 3) int16."""
    found = [(k, int(one), way) for k, row in enumerate(near) for way, one in enumerate(row) if one >= 0]
    return np.array(found, np.int16)


def corners(side: int) -> list[int]:
    """The cells of the six corners, whose colours are those of `COLORS`, in the order of `DIRECTIONS`."""
    cells = board_cells(side)
    return [cells.index(((side - 1) * a, (side - 1) * b)) for a, b in DIRECTIONS]


def cell_names(side: int) -> list[str]:
    """A letter for the row from the top, a number along it from the left."""
    found, count = [], {}
    for q, _ in board_cells(side):
        count[q] = count.get(q, -1) + 1
        found.append(f"{chr(ord('a') + q + side - 1)}{count[q]}")
    return found


def tiles(colors: int, side: int) -> list[tuple[int, int, int]]:
    """The bag: first colour, second colour (from 1 on), how many.

    Six colours: six of each mixed pair, five of each double; fewer: as many of each pair, doubles included, as 120
    tiles have. Twice as many on boards of side nine and ten.
    """
    pairs = [(a, b) for a in range(1, colors + 1) for b in range(a, colors + 1)]
    twice = 2 if side >= 9 else 1
    if colors == len(COLORS):
        return [(a, b, twice * (5 if a == b else 6)) for a, b in pairs]
    return [(a, b, twice * (TILES // len(pairs))) for a, b in pairs]
