"""What games of two players in turn have in common in words."""

import re
from collections.abc import Mapping
from functools import cached_property

import numpy as np

from envsuite.core import Words
from envsuite.core.jit import records
from envsuite.core.language import Refusal, RefusalKind
from envsuite.core.loops import seen_by
from envsuite.core.world import allocate
from envsuite.language_games.turns import TurnWorld

_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_SHOWN = 20
SMALL = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


class TurnWords(Words):
    """The rules, what a player knows of the situation, and its legal moves; answers stand in brackets."""

    def __init__(self, world: TurnWorld):
        super().__init__(world)
        # memory for the kernel that tells legal moves: it is asked twice for each text
        seen = np.zeros((1, 2, *world.observation.shape), world.observation.dtype)
        self._state, self._params = allocate(world, 1), records(world.params)
        self._rows = records(seen_by(world.loops, world.observation, seen))
        self._info = records(np.zeros((1, 2), world.info_dtype))
        self._masks = _masks(self._info)
        self._rules: dict[int, str] = {}

    def __setstate__(self, state):
        self.__dict__.update(state)
        self._masks = _masks(self._info)  # pickled, it is no view any more

    def situation(self, state: np.void, agent: int) -> str:
        """What a player knows beyond the rules.

        Args:
            state: one record of the world's ``state_dtype``.
            agent: index of the agent.
        """
        raise NotImplementedError

    def ending(self, state: np.void, agent: int) -> str:
        """How a game that is over has ended for a player.

        Args:
            state: one record of the world's ``state_dtype``.
            agent: index of the agent.
        """
        total = float(state["total"]) * (1 if agent == 0 else -1)
        return "You have won" if total > 0 else "You have lost" if total < 0 else "It is a draw"

    def say(self, move: int) -> str:
        """A move in words.

        Args:
            move: index of the action.
        """
        return self.world.action.names[move]

    def read(self, text: str) -> "set[int] | Refusal":
        """The moves that a text names.

        Args:
            text: in small letters, without brackets.
        """
        raise NotImplementedError

    def describe(self, state, agent=0):
        """The rules, the situation, and whose turn it is."""
        if agent not in self._rules:  # they are the same in every state
            self._rules[agent] = self.instructions(state, agent)
        return f"{self._rules[agent]}\n{self.situation(state, agent)}\n{self._turn(state, agent)}"

    def _turn(self, state, agent: int) -> str:
        legal = self._legal(state, agent)
        if len(legal):
            return f"It is your turn. Legal moves: {self._listed(legal)}."
        if state["over"]:
            return f"The game is over. {self.ending(state, agent)}."
        return "It is the other player's turn."

    def _legal(self, state, agent: int) -> np.ndarray:
        """The moves that the world's own kernel calls legal, in order."""
        self._state[0] = state
        self.world.loops.observe(self._state, self._params, self._rows, self._info, 0, 1)
        return self._masks[agent].nonzero()[0]

    def _listed(self, moves: np.ndarray) -> str:
        said = self._said
        shown = ", ".join([said[move] for move in moves[:_SHOWN].tolist()])
        return f"{shown} and {len(moves) - _SHOWN} more" if len(moves) > _SHOWN else shown

    @cached_property
    def _said(self) -> list[str]:
        """All moves in words, in brackets."""
        return [f"[{self.say(move)}]" for move in range(len(self.world.action.names))]

    @cached_property
    def _exact(self) -> dict[str, int]:
        """Moves by what is said of them: most answers are copied from the list, and need not be read."""
        return {said: move for move, said in enumerate(self._said)}

    def answers(self, state, agent=0):
        """The legal moves, in brackets."""
        return [self._said[move] for move in self._legal(state, agent)]

    def parse(self, text, state, agent=0):
        """Read the last move in brackets, or the only one where there are no brackets."""
        legal = self._legal(state, agent)
        found = self._exact[text] if text in self._exact else self._read(text)
        if not isinstance(found, Refusal) and self._masks[agent, found]:
            return found
        wanted = f"legal moves: {self._listed(legal)}" if len(legal) else "it is not your turn"
        if isinstance(found, Refusal):
            return Refusal(found.kind, f"{found.reason}; {wanted}")
        return Refusal(RefusalKind.ILLEGAL, f"{self._said[found]} is not legal now; {wanted}")

    def _read(self, text: str) -> int | Refusal:
        """The one move that a text names, legal or not."""
        if not text.strip():
            return Refusal(RefusalKind.EMPTY, "the answer is empty")
        bracketed = _BRACKETS.findall(text)
        found = self.read((bracketed[-1] if bracketed else text).lower())
        if isinstance(found, Refusal):
            return found
        if not found:
            return Refusal(RefusalKind.UNKNOWN_NAME, "no move found")
        if len(found) > 1:
            named = ", ".join(self._said[move] for move in sorted(found))
            return Refusal(RefusalKind.AMBIGUOUS, f"the answer names several moves ({named}); name one")
        return found.pop()


def _masks(info: np.ndarray) -> np.ndarray:
    """The legal moves of both players, a view."""
    return np.asarray(info["action_mask"])[0]


def words_in(text: str, moves: Mapping[str, int]) -> set[int]:
    """The moves whose names are among the words of a text.

    Args:
        text: in small letters.
        moves: by name.
    """
    return {moves[word] for word in re.findall(r"[a-z]+", text) if word in moves}


def number_of(text: str) -> int | None:
    """A number in digits or as a word up to twelve; None for anything else."""
    if text in SMALL:
        return SMALL.index(text)
    return int(text) if text.isdecimal() and len(text) < 10 else None
