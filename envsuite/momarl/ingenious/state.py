"""The state record and the layouts of Ingenious."""

import numpy as np

from envsuite.core import Block, Choice, Record, StateRecord, Vector, field
from envsuite.momarl.ingenious.params import NAMES, cell_names, places


class State(StateRecord):
    """The board, the bag and the players."""

    board = field(type=np.int8, shape="cells", meaning="0, or the colour from 1 on")
    bag = field(type=np.int16, shape="kinds", meaning="tiles of each kind")
    rack = field(type=np.int8, shape=("players", "rack", 2), meaning="0 where there is no tile; tiles come first")
    spare = field(type=np.int8, shape=("rack", 2), meaning="scratch of an exchange")
    score = field(type=np.int16, shape=("players", "colors"))
    placed = field(type=np.uint8, shape="players", meaning="the player has had its first turn")
    used = field(type=np.uint8, meaning="bit k: a player began at corner k")
    current_player = field(type=np.uint8)


class Info(Record):
    """The metrics."""

    action_mask = field(type=np.int8, shape="choices", meaning="1 for a legal move")
    points = field(meaning="of all colours")
    lowest = field(meaning="of the colour with the fewest, which the box counts")


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
