"""Clicks on squares: first the piece, then where it goes."""

from envsuite.core.companions import Controls
from envsuite.text_games.chess.game import INDEX, NAMES, narrow
from envsuite.text_games.chess.position import BISHOP, KNIGHT, PAWN, QUEEN, ROOK
from envsuite.text_games.chess.render import ChessPictures, square_at

_BECOMES = {"n": KNIGHT, "b": BISHOP, "r": ROOK}


class ChessControls(Controls):
    """Two clicks make a move; C and L castle. A pawn becomes a queen, or what N, B or R say while they are held."""

    def __init__(self, world):
        super().__init__(world)
        self._chosen: int | None = None

    def keys(self):
        """Castling to the short and to the long side."""
        return {("c",): NAMES.index("e1g1"), ("l",): NAMES.index("e1c1")}

    def click(self, place, held, state):
        """The move to the square at `place` of the piece that was clicked before; None for a first click."""
        square = square_at(place, ChessPictures.size)
        squares = state["game"]["position"]["squares"]
        if square is None or squares[square] > 0:
            self._chosen = square
            return None
        here, self._chosen = self._chosen, None
        if here is None or squares[here] <= 0:
            return None
        promoted = 0
        if squares[here] == PAWN and square >> 4 == 7:
            promoted = next((kind for key, kind in _BECOMES.items() if key in held), QUEEN) - 1
        action = int(INDEX[narrow(here), narrow(square), promoted])
        return action if action >= 0 else None


class ChessEndgamesControls(ChessControls):
    """Likewise."""
