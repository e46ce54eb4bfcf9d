"""Words."""

import numpy as np

from envsuite.core.companions import Referee, Words, companion
from envsuite.momarl.boards import board_text, parse_move
from envsuite.momarl.breakthrough.kernel import _square, legal


class BreakthroughWords(Words):
    """What is said in `BreakthroughWorld`."""

    def describe(self, state, agent=0):
        """The board in characters."""
        turn = (
            "It is your turn"
            if companion(self.world, Referee).current_player(state) == agent
            else "It is the other's turn"
        )
        way = "down" if agent == 0 else "up"
        return (
            f"{board_text(state['board'], '.XO')}\nColumns are a, b, c from the left, rows 1, 2, 3 from the top. "
            "You are "
            f"{'XO'[agent]} and move {way}, one row at a time: straight or diagonally to an empty square, or "
            "diagonally "
            f"onto a pawn of the other, which is captured. Reach the last row, or capture all. {turn}. Answer "
            "with a pawn's "
            f"square and l, s or r for where it goes as you look at the board, for instance {_square(0, 1)}s."
        )

    def parse(self, text, state, agent=0):
        """Read a square and a way, such as ``a2s``, where that is legal and it is one's turn."""
        height, width = state["board"].shape
        mask = np.zeros(3 * height * width, np.int8)
        if companion(self.world, Referee).current_player(state) == agent:
            ways = [(x, y, way) for x in range(width) for y in range(height) for way in range(3)]
            mask[:] = [legal(state, *one) for one in ways]
        return parse_move(text, self.world.action, mask)
