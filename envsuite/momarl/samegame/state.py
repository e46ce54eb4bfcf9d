"""The parameter and state records and the layouts of SameGame."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Choice, Vector
from envsuite.core.rng import STREAM

MOST_COLORS = 10

PARAMS = np.dtype(
    [
        ("colors", np.int32),
        ("team", np.uint8),  # everybody gets what the mover gets
        ("by_color", np.uint8),  # each colour is an objective
        ("clearing", np.float32),  # bonus for an empty board
        ("offset", np.int32),  # a group of n tiles pays (n - offset) ** 2
    ],
    align=True,
)


def state_dtype(height: int, width: int) -> np.dtype:
    """The record of an instance.

    Args:
        height: rows, the first at the top.
        width: columns.
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("board", np.int8, (height, width)),  # 0, or the colour from 1 on
            ("stack", np.int16, (height * width,)),  # cells of the group being removed
            ("current_player", np.uint8),
            ("left", np.int32),  # tiles
        ],
        align=True,
    )


def info_dtype(choices: int) -> np.dtype:
    """Metrics: tiles that may be chosen, and tiles left.

    Args:
        choices: squares of the board.
    """
    return np.dtype([("action_mask", np.int8, (choices,)), ("left", np.float32)], align=True)


def action_layout(height: int, width: int) -> Choice:
    """Tiles by row and column from the top left, row by row.

    Args:
        height: rows.
        width: columns.
    """
    return Choice(tuple(f"r{i}c{j}" for i in range(height) for j in range(width)))


def observation_layout(height: int, width: int, colors: int) -> Vector:
    """What a player sees: one plane a colour, whether it is to move, and the mask.

    Args:
        height: rows.
        width: columns.
        colors: of tiles.
    """
    cells = height * width
    planes = [Block(f"color_{k}", cells, 0, 1, "", "1 where a tile of this colour is") for k in range(colors)]
    return Vector(
        (
            *planes,
            Block("to_move", 1, 0, 1, "", "1 if it is one's turn"),
            Block(
                "action_mask", cells, 0, 1, "", "1 for a tile of a group of two or more; none if it is not one's turn"
            ),
        ),
        dtype=np.int8,
    )
