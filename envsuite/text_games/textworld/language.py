"""Text worlds in words: what players are told, and how their answers become commands."""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from envsuite.core.companions import Words
from envsuite.core.language import Refusal
from envsuite.text_games.textworld.commands import name_of, possible_commands
from envsuite.text_games.textworld.parser import read_command
from envsuite.text_games.textworld.phrases import COMMANDS, STYLES, Book, split_words
from envsuite.text_games.textworld.state import HIDES_PLACE, NONE
from envsuite.text_games.textworld.telling import LONG, SHORT, SILENT, list_all, tell_all

DETAILS = {"none": SILENT, "brief": SHORT, "detailed": LONG}


class Parts(NamedTuple):
    """Parts of a description.

    Attributes:
        description: the room, its ways and what is in it.
        inventory: what is carried; empty where that is hidden.
        objective: as much of it as the player is told.
        recipe: what the cookbook says, whether or not it has been read; empty without one.
    """

    description: str
    inventory: str
    objective: str
    recipe: str


class TextWords(Words):
    """The room, its ways and things, the inventory, the score and the task; answers are commands."""

    @cached_property
    def book(self) -> Book:
        """Phrases of the world."""
        return Book(self.world.names, self.world.objectives, STYLES.index(self.world.style))

    @cached_property
    def token_length(self) -> int:
        """Words of a description at most; what goes beyond is cut off."""
        return self.world.size.tokens

    @cached_property
    def vocabulary(self) -> tuple[str, ...]:
        """All words, in alphabetical order after the empty one."""
        return self.book.vocabulary

    @cached_property
    def command_shape(self) -> tuple[int, int]:
        """Commands at once, and words of a command, at most."""
        name = max(len(split_words(name)) for name in self.world.names)
        return self.world.size.commands, max(len(split_words(text)) + text.count("{") * (name - 1) for text in COMMANDS)

    @cached_property
    def longest(self) -> int:
        """Characters of a description at most."""
        listed = self.world.size.commands * (20 + 2 * max(map(len, self.world.names))) if self.world.listed else 0
        return self.token_length * (1 + max(map(len, self.vocabulary))) + listed

    def write(self, states):
        """Descriptions without the rules."""
        tokens = np.empty((len(states), self.token_length), np.int32)
        counts = self._tell(states, tokens)
        texts = [self.book.text(row[:count]) for row, count in zip(tokens.tolist(), counts.tolist(), strict=True)]
        if not self.world.listed:
            return texts
        lists = (possible_commands(state, self.world.names) for state in states)
        return [f"{text}\nYou can: {'; '.join(one)}." for text, one in zip(texts, lists, strict=True)]

    def write_tokens(self, states, out):
        """The same as numbers of words."""
        text, (count, words) = out[:, : self.token_length], self.command_shape
        self._tell(states, text)
        if out.shape[1] > self.token_length:
            commands = out[:, self.token_length :].reshape(-1, count, words)
            list_all(states, *self.book.tables, self.book.capitals, commands)

    def _tell(self, states: np.ndarray, out: np.ndarray, detail: int | None = None) -> np.ndarray:
        counts = np.empty(len(states), np.int32)
        detail = DETAILS[self.world.goal] if detail is None else detail
        tell_all(states, *self.book.tables, self.book.capitals, detail, out, counts)
        return counts

    def parts(self, state: np.void) -> Parts:
        """The parts of a description, without what the last command did.

        Args:
            state: a record `State`.
        """
        states = np.array([state] * 3)
        for name, value in (("won", 0), ("lost", 0), ("refused", 0), ("learned", 0)):
            states[name] = value
        states["last"]["verb"] = NONE
        states["learned"][2] = 1
        tokens = np.empty((3, self.token_length), np.int32)
        counts = [int(self._tell(states[:1], tokens[:1])[0]), *self._tell(states[1:], tokens[1:], SILENT).tolist()]
        objective, recipe = (self.book.text(tokens[k, counts[1] : counts[k]].tolist()) for k in (0, 2))
        if self.world.goal == "brief":
            objective = self._objective(state)
        lines = self.book.text(tokens[1, : counts[1]].tolist()).split("\n")
        hidden = bool(state["game"]["rules"] & HIDES_PLACE)
        return Parts(lines[0], "" if hidden else lines[1], objective, recipe if state["game"]["recipe_length"] else "")

    def _objective(self, state: np.void) -> str:
        """The objective as the world or its file has it, at any length."""
        told = self.world.objectives[min(int(state["level"]), len(self.world.objectives) - 1)]
        for slot, x in (("{0}", int(state["game"]["target"])), ("{1}", int(state["game"]["goal"]))):
            told = told if x < 0 else told.replace(slot, name_of(state, self.world.names, x))
        return told

    def describe(self, state, agent=0):
        """What happened, the room, the inventory, the score, the task, and the rules."""
        (text,) = self.write(state.reshape(1) if isinstance(state, np.ndarray) else np.array([state]))
        return f"{text}\n{self.instructions(state, agent)}"

    def instructions(self, state, agent=0):
        """The kinds of commands."""
        food = (
            " eat food; drink;"
            if state["game"]["meal"] < 0
            else (
                " eat food; drink; cook food with a stove, oven or BBQ; slice, dice or chop food with the knife; "
                "prepare meal (in the kitchen); examine cookbook;"
            )
        )
        return (
            "Commands: go north, east, south or west; open or close something; unlock or lock it with a key; take "
            "something, or take it from something; put something on something; insert something into something; drop; "
            f"{food[1:]} examine; look; inventory. Answer with one command, such as: "
            "take the lamp from the table."
        )

    def answers(self, state, agent=0):
        """The possible commands."""
        return possible_commands(state, self.world.names)

    def parse(self, text, state, agent=0) -> int | Refusal:
        """Read a command: as it is listed, or with other words for its verb and fewer for its things."""
        return read_command(text, state, self.world.names)
