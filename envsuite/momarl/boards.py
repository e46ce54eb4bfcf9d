"""What games of two players on a board of squares share: layouts, language, pictures."""

import numpy as np

from envsuite.core import Block, Choice, Record, Vector, field
from envsuite.core.canvas import Canvas
from envsuite.core.language import Refusal, RefusalKind, parse_choice

DISCS = ((214, 62, 62), (238, 190, 44))
READABLE = 200
"""Pixels of height from which a picture has words."""
LINE = 0.085
"""Share of a picture's height that its line of words takes."""


class Info(Record):
    """The metrics of a game of two."""

    action_mask = field(type=np.int8, shape="choices", meaning="1 for a legal move")
    moves = field(meaning="made by both")
    won = field(meaning="1 won, 0 undecided or drawn, -1 lost")


def board_layout(height: int, width: int, choices: int) -> Vector:
    """What a player sees of a board: its own pieces, the other's, whether it is to move, and what it may do.

    Args:
        height: rows, the first at the top.
        width: columns.
        choices: number of actions.
    """
    cells = height * width
    return Vector(
        (
            Block("own", cells, 0, 1, "", "1 where an own piece is, row by row"),
            Block("other", cells, 0, 1, "", "1 where a piece of the other is"),
            Block("to_move", 1, 0, 1, "", "1 if it is one's turn"),
            Block("action_mask", choices, 0, 1, "", "1 for a legal move; none if it is not one's turn"),
        ),
        dtype=np.int8,
    )


def board_text(board: np.ndarray, marks: str) -> str:
    """A board in characters, the first row on top.

    Args:
        board: (height, width), 0 or a piece from 1 on.
        marks: the character of 0, 1 and so on.
    """
    return "\n".join("".join(marks[int(cell)] for cell in row) for row in board)


def turn_text(state: np.void, agent: int, other: str = "the other") -> str:
    """Say whether it is a player's turn, or who else's."""
    return "It is your turn" if state["current_player"] == agent else f"It is {other}'s turn"


def parse_move(text: str, layout: Choice, mask: np.ndarray) -> int | Refusal:
    """Read one of the legal moves.

    Args:
        text: the answer.
        layout: all moves.
        mask: (choices,), nonzero for a legal move.
    """
    choice = parse_choice(text, layout)
    if not isinstance(choice, Refusal) and not mask[choice]:
        legal = [layout.names[k] for k in np.flatnonzero(mask)]
        shown = ", ".join(legal[:20]) if legal else "none, it is not your turn"
        return Refusal(RefusalKind.ILLEGAL, f"{layout.names[choice]} is not legal now; legal moves: {shown}")
    return choice


def turn_line(state: np.void, names: tuple[str, str]) -> tuple[str, int]:
    """Who is to move or has won, in words, and the number of that player.

    Args:
        state: a record with `current_player` and `winner`.
        names: of the players' pieces.
    """
    if state["winner"]:
        player = int(state["winner"]) - 1
        return f"{names[player]} has won", player
    player = int(state["current_player"])
    return f"{names[player]} to move, move {int(state['clock']['step']) + 1}", player


def _place(shape: tuple[int, int], size: tuple[int, int]) -> tuple[float, float, float, float]:
    """Left and top of a board in a picture, the side of its squares, and the height of the line below it, pixels."""
    (rows, columns), (width, height) = shape, size
    below = LINE * height if height >= READABLE else 0.0
    cell = min(width / columns, (height - below) / rows)
    return (width - columns * cell) / 2, (height - below - rows * cell) / 2, cell, below


def square_at(place: tuple[float, float], shape: tuple[int, int], size: tuple[int, int]) -> tuple[int, int] | None:
    """The square that a click meant: row and column; None beside the board.

    Args:
        place: across and down the picture, as shares of its width and height.
        shape: (rows, columns) of the board.
        size: (width, height) of the picture, pixels.
    """
    left, top, cell, _ = _place(shape, size)
    i, j = int((place[1] * size[1] - top) // cell), int((place[0] * size[0] - left) // cell)
    return (i, j) if 0 <= i < shape[0] and 0 <= j < shape[1] else None


def draw_board(
    board: np.ndarray, size: tuple[int, int], field, hole, colors=DISCS, *, line: str = "", player: int = -1
) -> np.ndarray:
    """Draw a board of round pieces, and a line of words below it where the picture is large enough to read.

    Args:
        board: (height, width), 0 or a piece from 1 on.
        size: (width, height) in pixels.
        field: colour of a square, or two for a chequered board.
        hole: colour of an empty square's hole; None for none.
        colors: of the pieces.
        line: the words.
        player: whose piece stands before the line; -1 for nobody's.

    Returns:
        uint8 array (height, width, 3).
    """
    width, height = size
    rows, columns = board.shape
    canvas = Canvas(width, height, (236, 236, 232))
    left, top, cell, below = _place(board.shape, size)
    if below:
        y = height - below / 2
        if player >= 0:
            canvas.circle((left + 0.5 * below, y), 0.3 * below, colors[player], (110, 110, 106), 0.03 * below)
        canvas.text((left + (1.0 if player >= 0 else 0.3) * below, y), line, (50, 50, 50), 0.55 * below, "lm")
    for i in range(rows):
        for j in range(columns):
            x, y = left + j * cell, top + i * cell
            canvas.rectangle((x, y, x + cell, y + cell), field[(i + j) % len(field)])
            piece = int(board[i, j])
            if piece or hole:
                canvas.circle((x + cell / 2, y + cell / 2), 0.4 * cell, colors[piece - 1] if piece else hole)
    return canvas.to_array()
