"""Household tasks in words: what players are told, and how their answers become commands."""

from functools import cached_property

import numpy as np

from envsuite.core.companions import Words
from envsuite.text_games.household.commands import possible_commands
from envsuite.text_games.household.names import NAMES
from envsuite.text_games.household.parser import read_command
from envsuite.text_games.household.phrases import COMMANDS, PHRASES
from envsuite.text_games.household.state import COMMANDS as MOST_COMMANDS
from envsuite.text_games.household.state import TOKENS
from envsuite.text_games.household.telling import list_all, tell_all
from envsuite.text_games.textworld.phrases import STYLES, Book, split_words


class HouseholdWords(Words):
    """The room, what is here, what was seen elsewhere, what is carried, and the task; answers are commands."""

    token_length = TOKENS
    command_shape = MOST_COMMANDS, max(len(split_words(text)) + text.count("{") for text in COMMANDS)

    @cached_property
    def book(self) -> Book:
        """Phrases of the world."""
        return Book(NAMES, (), STYLES.index(self.world.style), PHRASES, COMMANDS)

    @cached_property
    def vocabulary(self) -> tuple[str, ...]:
        """All words, in alphabetical order after the empty one."""
        return self.book.vocabulary

    @cached_property
    def longest(self) -> int:
        """Characters of a description at most."""
        return TOKENS * (1 + max(map(len, self.vocabulary)))

    def write(self, states):
        """Descriptions without the rules."""
        tokens, counts = np.empty((len(states), TOKENS), np.int32), np.empty(len(states), np.int32)
        tell_all(states, *self.book.tables, self.book.capitals, tokens, counts)
        return [self.book.text(row[:count]) for row, count in zip(tokens.tolist(), counts.tolist(), strict=True)]

    def write_tokens(self, states, out):
        """The same as numbers of words."""
        tell_all(states, *self.book.tables, self.book.capitals, out[:, :TOKENS], np.empty(len(states), np.int32))
        if out.shape[1] > TOKENS:
            list_all(states, *self.book.tables, self.book.capitals, out[:, TOKENS:].reshape(-1, *self.command_shape))

    def describe(self, state, agent=0):
        """What happened, what is here, what was seen, what is carried, the task, and the rules."""
        (text,) = self.write(state.reshape(1) if isinstance(state, np.ndarray) else np.array([state]))
        return f"{text}\n{self.instructions(state, agent)}"

    def instructions(self, state, agent=0):
        """The kinds of commands."""
        return (
            "What is in or on a receptacle is seen only there, and only when it is open. You can carry one thing. "
            "Commands: go to a receptacle or room; open or close the receptacle where you are; take a thing from it; "
            "move a thing to it; clean a thing with a sinkbasin; heat it with a microwave; cool it with a fridge; "
            "slice a thing with the knife that you carry; use a desklamp; examine; look; inventory. Answer with one "
            "command, such as: take mug 1 from countertop 2."
        )

    def answers(self, state, agent=0):
        """The possible commands."""
        return possible_commands(state)

    def parse(self, text, state, agent=0):
        """Read a command: as it is listed, or with other words for its verb and fewer for its things."""
        return read_command(text, state)
