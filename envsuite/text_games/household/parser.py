"""Reads what a player writes as one of the commands that are possible."""

import numpy as np

from envsuite.core.language import Refusal
from envsuite.text_games.household.commands import name_of, possible_commands
from envsuite.text_games.household.state import (
    CLEAN_IT,
    CLOSE_IT,
    COOL_IT,
    EXAMINE,
    GO,
    HEAT_IT,
    INVENTORY,
    LOOK,
    MOVE,
    OPEN_IT,
    SLICE,
    TAKE,
    USE,
)
from envsuite.text_games.textworld.parser import Reading, read_answer

_VERBS = {
    GO: "go walk run head travel enter approach goto return",
    TAKE: "take get grab pick fetch remove collect lift",
    MOVE: "move put place lay set insert stow store drop leave",
    OPEN_IT: "open",
    CLOSE_IT: "close shut",
    CLEAN_IT: "clean wash rinse",
    HEAT_IT: "heat warm cook",
    COOL_IT: "cool chill refrigerate",
    USE: "use turn switch toggle light",
    SLICE: "slice cut chop",
    EXAMINE: "examine x inspect check study search read",
    LOOK: "look l",
    INVENTORY: "inventory inv",
}


class HouseholdReading(Reading):
    """A text about receptacles, things and rooms, which are all named."""

    verb_of = {word: (verb,) for verb, words in _VERBS.items() for word in words.split()}
    alone = nameless = (LOOK, INVENTORY)
    skipped = {"please", "then", "i"}
    look, examine, inventory = LOOK, EXAMINE, INVENTORY

    def fit(self, words, x):
        """As in `Reading`; kinds may also be written as several words, such as sink basin 1."""
        kind, joined = self.name(x).split()[0], "".join(words)
        if joined == self.name(x).replace(" ", ""):
            return 2
        return 1 if joined == kind else super().fit(words, x)


def read_command(text: str, state: np.void) -> int | Refusal:
    """The index of the command that a text means.

    Args:
        text: what the player wrote; after ``Action:`` or ``Command:``, where that stands in it, else its last line.
        state: a record `envsuite.text_games.household.state.State`.
    """
    return read_answer(
        text,
        possible_commands(state),
        lambda said, commands: HouseholdReading(said, state, commands, lambda x: name_of(state, x)).index(),
    )
