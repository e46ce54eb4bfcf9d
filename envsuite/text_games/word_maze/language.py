"""The maze in words."""

import re

import numpy as np

from envsuite.core import Words
from envsuite.core.language import Refusal, RefusalKind
from envsuite.text_games.word_maze.layouts import NAMES
from envsuite.text_games.word_maze.world import UNKNOWN

_SIDES = ("to your left", "to your right", "above you", "below you")
_DIRECTION = re.compile(rf"\b({'|'.join(NAMES)})\b", re.IGNORECASE)
_STATED = re.compile(r"\b(?:action\W{0,3}:|move)\s*(\w*)", re.IGNORECASE)


class WordMazeWords(Words):
    """Places and walls; answers are moves."""

    def describe(self, state, agent=0):
        """What is observed, with what was before where that belongs to it, and the rules."""
        if self.world.all_seen:
            told = f"{self.places(state)} {self.walls(int(state['row']), int(state['column']))}"
        else:
            told = "\n".join(self.history(state))
        return f"{told}\n{self.instructions(state, agent)}"

    def instructions(self, state, agent=0):
        """The rules."""
        p = self.world.params[0]
        price = f"Each move that does not reach the goal pays {float(p['moved']):g}, the goal {float(p['paid']):g}."
        return (
            "You are in a maze, the same in every episode. Rows count downwards and columns to the right. Each step "
            "moves you to the next cell, or leaves you where you are if there is a wall. "
            f"{price} After 100 moves it is over. "
            "Answer with one of: move left, move right, move up, move down"
        )

    def places(self, state: np.void) -> str:
        """Where the goal is and where one is.

        Args:
            state: the record.
        """
        p = self.world.params[0]
        goal = self.cell(int(p["goal_row"]), int(p["goal_column"]))
        return f"The goal is in {goal}. You are in {self.cell(int(state['row']), int(state['column']))}."

    def cell(self, row: int, column: int) -> str:
        """A cell in words.

        Args:
            row: its row.
            column: its column.
        """
        blank = " " if self.world.spaced else ""
        return f"row {blank.join(str(row))}, column {blank.join(str(column))}"

    def walls(self, row: int, column: int) -> str:
        """The walls around a cell.

        Args:
            row: its row.
            column: its column.
        """
        p = self.world.params[0]
        found = [
            side for k, side in enumerate(_SIDES) if p["wall"][row + int(p["down"][k]), column + int(p["right"][k])]
        ]
        if not found:
            return "There is no wall next to you."
        return f"There {'is a wall' if len(found) == 1 else 'are walls'} {', '.join(found)}."

    def history(self, state: np.void) -> list[str]:
        """The last 40 texts: observations, and the moves between them.

        Args:
            state: the record.
        """
        texts = []
        for k in reversed(range(int(state["kept"]))):
            move = int(state["past_move"][k])
            if move >= 0:
                texts.append("You answered something that is no command." if move == UNKNOWN else f"move {NAMES[move]}")
            texts.append(self.walls(int(state["past_row"][k]), int(state["past_column"][k])))
        return texts

    def answers(self, state, agent=0):
        """The directions."""
        return [f"move {name}" for name in NAMES]

    def parse(self, text, state, agent=0):
        """Read a direction: after the word move or action, or the only one in the answer."""
        if self.world.literal:
            exact = text.strip("\n")
            return NAMES.index(exact[5:]) if exact.startswith("move ") and exact[5:] in NAMES else self._unknown(text)
        if not text.strip():
            return Refusal(RefusalKind.EMPTY, "the answer is empty; answer with one of: move left, right, up, down")
        stated = [word.lower() for word in _STATED.findall(text) if word.lower() in NAMES]
        found = set(stated) or {word.lower() for word in _DIRECTION.findall(text)}
        if not found:
            return Refusal(
                RefusalKind.UNKNOWN_NAME, "no direction found; answer with one of: move left, right, up, down"
            )
        if len(found) > 1:
            named = ", ".join(sorted(found))
            return Refusal(RefusalKind.AMBIGUOUS, f"the answer holds several directions ({named}); name one")
        return NAMES.index(found.pop())

    @staticmethod
    def _unknown(text: str) -> int | Refusal:
        return UNKNOWN if text.strip() else Refusal(RefusalKind.EMPTY, "the answer is empty; answer with: move left")
