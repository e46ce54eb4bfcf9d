"""The state record and the layouts of Ingenious."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Choice, Vector
from envsuite.core.rng import STREAM
from envsuite.momarl.ingenious.params import NAMES, cell_names, places


def state_dtype(cells: int, kinds: int, players: int, rack: int, colors: int) -> np.dtype:
    """The record of an instance.

    Args:
        cells: of the board.
        kinds: of tiles.
        players: number of agents.
        rack: tiles that a player holds.
        colors: of tiles.
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("board", np.int8, (cells,)),  # 0, or the colour from 1 on
            ("bag", np.int16, (kinds,)),  # tiles of each kind
            ("rack", np.int8, (players, rack, 2)),  # 0 where there is no tile; tiles come first
            ("spare", np.int8, (rack, 2)),  # scratch of an exchange
            ("score", np.int16, (players, colors)),
            ("placed", np.uint8, (players,)),  # the player has had its first turn
            ("used", np.uint8),  # bit k: a player began at corner k
            ("current_player", np.uint8),
        ],
        align=True,
    )


def info_dtype(choices: int) -> np.dtype:
    """Metrics: legal moves, points of all colours, and those of the colour with the fewest, which the box counts.

    Args:
        choices: number of actions.
    """
    fields = [("action_mask", np.int8, (choices,)), ("points", np.float32), ("lowest", np.float32)]
    return np.dtype(fields, align=True)


def action_layout(side: int, near: np.ndarray, rack: int) -> Choice:
    """Cell of the first colour, direction of the second, tile of the rack: ``c4-e-0``; tiles change fastest.

    Args:
        side: of the board.
        near: neighbours of its cells.
        rack: tiles that a player holds.
    """
    cells = cell_names(side)
    return Choice(tuple(f"{cells[a]}-{NAMES[way]}-{k}" for a, _, way in places(near) for k in range(rack)))


def observation_layout(cells: int, choices: int, players: int, rack: int, colors: int, most: int) -> Vector:
    """What a player sees.

    Args:
        cells: of the board.
        choices: number of actions.
        players: number of agents.
        rack: tiles that a player holds.
        colors: of tiles.
        most: points of a colour.
    """
    others = players - 1
    return Vector(
        (
            Block("board", cells, 0, 6, "", "row by row: 0 empty, colours from 1 on"),
            Block("rack", 2 * rack, 0, colors, "", "the two colours of each of one's tiles, 0 for none"),
            Block("other racks", 2 * rack * others, 0, colors, "", "of the next players in turn; 0 where hidden"),
            Block("score", colors, 0, most, "", "one's points by colour"),
            Block("other scores", colors * others, 0, most, "", "of the next players in turn"),
            Block("to_move", 1, 0, 1, "", "1 if it is one's turn"),
            Block("action_mask", choices, 0, 1, "", "1 for a legal move; none if it is not one's turn"),
        ),
        dtype=np.int8,
    )
