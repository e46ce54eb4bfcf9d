"""Tic-tac-toe in pictures."""

from envsuite.language_games.render import LIGHT, PLAYERS, SHADE, TurnPictures

_MARGIN = 0.06


def cells(width: float, height: float) -> tuple[float, float, float]:
    """Left and top of the board in a picture, and the side of a cell, pixels."""
    side = (0.9 - _MARGIN) * height / 3
    return (width - 3 * side) / 2, _MARGIN * height, side


class TicTacToePictures(TurnPictures):
    """The board, a circle for the first agent, a cross for the second."""

    def paint(self, canvas, state, viewer):
        """Draw lines and marks."""
        left, top, side = cells(canvas.width, canvas.height)
        for k in (1, 2):
            canvas.line([(left + k * side, top), (left + k * side, top + 3 * side)], SHADE, 0.04 * side)
            canvas.line([(left, top + k * side), (left + 3 * side, top + k * side)], SHADE, 0.04 * side)
        for k, piece in enumerate(state["board"].tolist()):
            x, y, r = left + (k % 3 + 0.5) * side, top + (k // 3 + 0.5) * side, 0.3 * side
            if piece == 1:
                canvas.circle((x, y), r, None, PLAYERS[0], 0.12 * side)
            elif piece == 2:
                canvas.line([(x - r, y - r), (x + r, y + r)], PLAYERS[1], 0.12 * side)
                canvas.line([(x - r, y + r), (x + r, y - r)], PLAYERS[1], 0.12 * side)
            elif side > 40:
                canvas.text((x, y), str(k), LIGHT, 0.24 * side, "mm")
