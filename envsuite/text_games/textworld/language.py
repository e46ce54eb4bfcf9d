"""Text worlds in words: what players are told, and how their answers become commands."""

from functools import cached_property

import numpy as np

from envsuite.core.companions import Words
from envsuite.core.language import Refusal
from envsuite.text_games.textworld.commands import possible_commands
from envsuite.text_games.textworld.parser import read_command
from envsuite.text_games.textworld.phrases import COMMANDS, STYLES, Book, split_words
from envsuite.text_games.textworld.telling import LONG, SHORT, SILENT, list_all, tell_all

DETAILS = {"none": SILENT, "brief": SHORT, "detailed": LONG}


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

    def _tell(self, states: np.ndarray, out: np.ndarray) -> np.ndarray:
        counts = np.empty(len(states), np.int32)
        tell_all(states, *self.book.tables, self.book.capitals, DETAILS[self.world.goal], out, counts)
        return counts

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

    def parse(self, text, state, agent=0) -> int | Refusal:
        """Read a command: as it is listed, or with other words for its verb and fewer for its things."""
        return read_command(text, state, self.world.names)
