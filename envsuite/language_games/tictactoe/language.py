"""Tic-tac-toe in words."""

import re

from envsuite.core.language import Refusal, RefusalKind
from envsuite.language_games.language import TurnWords, number_of
from envsuite.language_games.tictactoe.world import CELLS

MARKS = "OX"

RULES = (
    "Tic-tac-toe: two players mark the cells of a board of three by three in turn, and who has three in a row wins, "
    "across, down or along a diagonal. The cells have the numbers 0 to 8, row by row from the top. Answer with the "
    "number of an empty cell in brackets, for instance [4]."
)


class TicTacToeWords(TurnWords):
    """The board, with numbers in empty cells; answers are these numbers."""

    def instructions(self, state, agent=0):
        """The rules."""
        return RULES

    def situation(self, state, agent):
        """The board."""
        cells = [MARKS[one - 1] if one else str(k) for k, one in enumerate(state["board"].tolist())]
        rows = "\n".join(" | ".join(cells[3 * k : 3 * k + 3]) for k in range(3))
        return f"{rows}\nYou are {MARKS[agent]}, the other is {MARKS[1 - agent]}."

    def say(self, move):
        """The number of the cell."""
        return str(move)

    def read(self, text):
        """Numbers of cells."""
        numbers = [number_of(one) for one in re.findall(r"\d+", text)]
        if any(one is None or one >= CELLS for one in numbers):
            return Refusal(RefusalKind.OUT_OF_RANGE, "there is no cell of this number, expected 0 to 8")
        return {one for one in numbers if one is not None}
