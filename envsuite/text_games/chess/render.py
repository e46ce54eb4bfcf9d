"""Draws a chess board; the pieces are outlines of this project's own."""

import numpy as np

from envsuite.core.canvas import Canvas
from envsuite.core.companions import Pictures
from envsuite.text_games.chess.game import ENDINGS, MATE, OPEN
from envsuite.text_games.chess.notation import square_name
from envsuite.text_games.chess.position import BISHOP, BLACK, KING, KNIGHT, PAWN, QUEEN, ROOK, attacked, king_of

PAPER, INK = (240, 238, 232), (54, 52, 50)
LIGHT, DARK = (240, 222, 190), (176, 132, 96)
LIGHT_MOVED, DARK_MOVED, IN_CHECK = (246, 234, 120), (206, 184, 70), (222, 84, 70)
READABLE = 200
"""Pixels of height from which a picture has words."""
_MARGIN, _LINE = 0.045, 0.075
"""Shares of a picture's height: for letters and numbers beside the board, and for the line of words below."""
_WHITE = ((252, 251, 246), (40, 38, 38), (40, 38, 38))
_BLACK = ((52, 50, 54), (16, 15, 17), (236, 234, 228))
"""Fill, edge and details of pieces."""

# outlines in a square from -0.5 to 0.5, y down
_FOOT = np.array([(-0.29, 0.4), (-0.29, 0.32), (-0.2, 0.26), (0.2, 0.26), (0.29, 0.32), (0.29, 0.4)])
_BODIES = {
    PAWN: np.array([(-0.09, -0.06), (0.09, -0.06), (0.17, 0.27), (-0.17, 0.27)]),
    ROOK: np.array(
        [
            (-0.19, 0.27),
            (-0.15, -0.1),
            (-0.23, -0.17),
            (-0.23, -0.37),
            (-0.13, -0.37),
            (-0.13, -0.28),
            (-0.05, -0.28),
            (-0.05, -0.37),
            (0.05, -0.37),
            (0.05, -0.28),
            (0.13, -0.28),
            (0.13, -0.37),
            (0.23, -0.37),
            (0.23, -0.17),
            (0.15, -0.1),
            (0.19, 0.27),
        ]
    ),
    KNIGHT: np.array(
        [
            (-0.21, 0.27),
            (-0.17, 0.13),
            (-0.02, -0.02),
            (-0.03, -0.08),
            (-0.13, -0.02),
            (-0.2, 0.06),
            (-0.29, 0.05),
            (-0.33, -0.04),
            (-0.27, -0.14),
            (-0.17, -0.26),
            (-0.14, -0.39),
            (-0.05, -0.31),
            (0.0, -0.4),
            (0.06, -0.3),
            (0.18, -0.19),
            (0.25, 0.0),
            (0.25, 0.27),
        ]
    ),
    BISHOP: np.array(
        [
            (0.0, -0.34),
            (0.12, -0.2),
            (0.16, -0.06),
            (0.12, 0.05),
            (0.08, 0.09),
            (0.15, 0.27),
            (-0.15, 0.27),
            (-0.08, 0.09),
            (-0.12, 0.05),
            (-0.16, -0.06),
            (-0.12, -0.2),
        ]
    ),
    QUEEN: np.array(
        [
            (-0.19, 0.27),
            (-0.34, -0.2),
            (-0.19, -0.02),
            (-0.18, -0.31),
            (-0.06, -0.05),
            (0.0, -0.35),
            (0.06, -0.05),
            (0.18, -0.31),
            (0.19, -0.02),
            (0.34, -0.2),
            (0.19, 0.27),
        ]
    ),
    KING: np.array(
        [
            (-0.18, 0.27),
            (-0.3, 0.04),
            (-0.29, -0.1),
            (-0.19, -0.17),
            (-0.07, -0.13),
            (0.0, -0.22),
            (0.07, -0.13),
            (0.19, -0.17),
            (0.29, -0.1),
            (0.3, 0.04),
            (0.18, 0.27),
        ]
    ),
}
_BALLS = {
    PAWN: ((0.0, -0.18, 0.14),),
    BISHOP: ((0.0, -0.37, 0.05),),
    QUEEN: tuple(
        (x, y, 0.045) for x, y in ((-0.34, -0.23), (-0.18, -0.34), (0.0, -0.38), (0.18, -0.34), (0.34, -0.23))
    ),
}
_STROKES = {
    ROOK: (((-0.15, -0.1), (0.15, -0.1)),),
    KNIGHT: (((0.1, -0.2), (0.17, -0.02), (0.17, 0.2)), ((-0.17, -0.17), (-0.13, -0.19))),
    BISHOP: (((0.0, -0.18), (0.0, 0.0)), ((-0.08, -0.09), (0.08, -0.09))),
    QUEEN: (((-0.2, 0.12), (0.2, 0.12)),),
    KING: (((-0.21, 0.12), (0.21, 0.12)), ((0.0, -0.12), (0.0, 0.1))),
}


def draw_piece(canvas: Canvas, center: tuple[float, float], side: float, piece: int) -> None:
    """Draw a piece.

    Args:
        canvas: to draw on.
        center: of its square, pixels.
        side: of its square, pixels.
        piece: kind, negative for a black one.
    """
    kind = abs(piece)
    fill, edge, detail = _WHITE if piece > 0 else _BLACK
    middle, thick = np.asarray(center, np.float64), 0.028 * side
    if kind == KING:
        for width, color in ((0.1, edge), (0.045, fill)):
            over = 0.0 if color is fill else 0.02
            canvas.line(middle + side * np.array([(0.0, -0.43 - over), (0.0, -0.18)]), color, width * side)
            canvas.line(middle + side * np.array([(-0.09 - over, -0.34), (0.09 + over, -0.34)]), color, width * side)
    for x, y, radius in _BALLS.get(kind, ()) if kind != PAWN else ():
        canvas.circle(tuple(middle + side * np.array([x, y])), radius * side, fill, edge, thick)
    canvas.polygon(middle + side * _BODIES[kind], fill, edge, thick)
    if kind == PAWN:
        x, y, radius = _BALLS[PAWN][0]
        canvas.circle(tuple(middle + side * np.array([x, y])), radius * side, fill, edge, thick)
    canvas.polygon(middle + side * _FOOT, fill, edge, thick)
    for stroke in _STROKES.get(kind, ()):
        canvas.line(middle + side * np.array(stroke), detail, thick)


def _place(size: tuple[int, int]) -> tuple[float, float, float]:
    """Left and top of the board in a picture, and the side of its squares, pixels."""
    width, height = size
    beside, below = (_MARGIN * height, (_MARGIN + _LINE) * height) if height >= READABLE else (0.0, 0.0)
    side = min((width - beside) / 8, (height - below) / 8)
    return beside + (width - beside - 8 * side) / 2, (height - below - 8 * side) / 2, side


def square_at(place: tuple[float, float], size: tuple[int, int]) -> int | None:
    """The square that a click meant, None beside the board.

    Args:
        place: across and down the picture, as shares of its width and height.
        size: (width, height) of the picture, pixels.
    """
    left, top, side = _place(size)
    file, down = int((place[0] * size[0] - left) // side), int((place[1] * size[1] - top) // side)
    return 16 * (7 - down) + file if 0 <= file < 8 and 0 <= down < 8 else None


class ChessPictures(Pictures):
    """The board from White's side; the squares of the last move are yellow, and that of a king in check red."""

    size = (460, 500)
    fps = 2

    def draw(self, state, size):
        """Draw the board and a line of words."""
        game, position = state["game"], state["game"]["position"]
        canvas = Canvas(*size, PAPER)
        left, top, side = _place(size)
        checked = [king_of(position, one) for one in (1, BLACK) if attacked(position, king_of(position, one), -one)]
        for square in (16 * rank + file for rank in range(8) for file in range(8)):
            x, y = left + (square & 7) * side, top + (7 - (square >> 4)) * side
            bright = ((square & 7) + (square >> 4)) % 2
            color = LIGHT if bright else DARK
            if square in (game["last_from"], game["last_to"]):
                color = LIGHT_MOVED if bright else DARK_MOVED
            canvas.rectangle((x, y, x + side, y + side), IN_CHECK if square in checked else color)
            if piece := int(position["squares"][square]):
                draw_piece(canvas, (x + side / 2, y + side / 2), side, piece)
        if size[1] >= READABLE:
            self._write(canvas, state, left, top, side)
        return canvas.to_array()

    def _write(self, canvas: Canvas, state, left: float, top: float, side: float) -> None:
        height = canvas.height
        for k in range(8):
            y, x = top + (7.5 - k) * side, left + (k + 0.5) * side
            canvas.text((left - 0.5 * _MARGIN * height, y), str(k + 1), INK, 0.7 * _MARGIN * height, "mm")
            canvas.text((x, top + 8 * side + 0.5 * _MARGIN * height), "abcdefgh"[k], INK, 0.7 * _MARGIN * height, "mm")
        middle = (left, height - 0.5 * _LINE * height)
        canvas.text(middle, situation(state), INK, 0.55 * _LINE * height, "lm")


def situation(state: np.void) -> str:
    """What is the case, in a few words.

    Args:
        state: a record of a game of chess.
    """
    game = state["game"]
    if game["ending"] != OPEN:
        how = ENDINGS[int(game["ending"])]
        return (
            f"{how}: {'White' if game['result'] > 0 else 'Black'} has won" if game["ending"] == MATE else f"draw: {how}"
        )
    text = f"White to move, move {int(game['position']['number'])}"
    if game["own_move"] < 0 and state["clock"]["step"] > 0:
        return f"{text}; the last one was illegal"
    if game["reply"] >= 0:
        text += f"; Black went {square_name(int(game['reply']) & 127)} {square_name(int(game['reply']) >> 7 & 127)}"
    return text


class ChessEndgamesPictures(ChessPictures):
    """Likewise."""
