"""Reads what a player writes as one of the commands that are possible."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

import numpy as np

from envsuite.core.language import Refusal, RefusalKind
from envsuite.text_games.textworld.commands import name_of, possible_commands
from envsuite.text_games.textworld.state import (
    CHOP,
    CLOSE_IT,
    COOK,
    DICE,
    DIRECTIONS,
    DRINK,
    DROP,
    EAT,
    EXAMINE,
    GO,
    INSERT,
    INVENTORY,
    LOCK,
    LOOK,
    OPEN_IT,
    PREPARE,
    PUT,
    SLICE,
    TAKE,
    UNLOCK,
)

LONGEST = 2_000
"""Characters of an answer that are read; the last ones."""
SHOWN = 40
"""Characters of an answer that a refusal repeats."""

_VERBS = {
    (GO,): "go walk run move head travel leave enter",
    (TAKE,): "take get grab pick fetch remove collect acquire lift",
    (DROP,): "drop discard release abandon",
    (PUT, INSERT): "put place lay set insert stow store stack",
    (OPEN_IT,): "open uncover",
    (CLOSE_IT,): "close shut cover",
    (UNLOCK,): "unlock",
    (LOCK,): "lock",
    (EAT,): "eat devour taste consume",
    (DRINK,): "drink sip swallow",
    (COOK,): "cook fry roast grill bake",
    (SLICE,): "slice",
    (DICE,): "dice",
    (CHOP,): "chop",
    (PREPARE,): "prepare make",
    (EXAMINE,): "examine x inspect read study check describe search watch",
    (LOOK,): "look l",
    (INVENTORY,): "inventory i inv",
}
VERB_OF = {word: verbs for verbs, words in _VERBS.items() for word in words.split()}
"""Verbs that a first word may mean."""
DIRECTION_OF = {word: k for k, name in enumerate(DIRECTIONS) for word in (name, name[0])}
_LINKS = {"from", "on", "onto", "in", "into", "inside", "with", "using", "off", "out", "of", "upon", "to", "at"}
_FILLERS = {
    "the",
    "a",
    "an",
    "some",
    "my",
    "please",
    "then",
    "i",
    "up",
    "down",
    "around",
    "away",
    "back",
    "and",
    "through",
}
_STATED = re.compile(r"\b(?:action|command)\W{0,3}:(.*)", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:command )?([0-9]{1,4})")
_WORDS = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")


def read_command(text: str, state: np.void, names: Sequence[str]) -> int | Refusal:
    """The index of the command that a text means.

    Args:
        text: what the player wrote; after ``Action:`` or ``Command:``, where that stands in it, else its last line.
        state: a record `State`.
        names: that it refers to.
    """
    return read_answer(
        text,
        possible_commands(state, names),
        lambda said, commands: _Reading(said, state, commands, lambda x: name_of(state, names, x)).index(),
    )


def read_answer(
    text: str, commands: Sequence[str], read: Callable[[str, Sequence[str]], int | Refusal]
) -> int | Refusal:
    """The index of the command that a text means: as it is listed, its number, or what a reading of the text finds.

    Args:
        text: what the player wrote; after ``Action:`` or ``Command:``, where that stands in it, else its last line.
        commands: that are possible.
        read: finds the index for a text in lower case that is no command of the list.
    """
    said = text[-LONGEST:].strip()
    if not said:
        return Refusal(RefusalKind.EMPTY, "the answer is empty; answer with one command, such as look")
    stated = _STATED.findall(said)
    said = (stated[-1] if stated and stated[-1].strip() else said.splitlines()[-1]).strip(" \t\"'`*{}[]<>().,!?")
    lowered = " ".join(said.lower().split())
    for k, command in enumerate(commands):
        if command.lower() == lowered:
            return k
    if numbered := _NUMBERED.fullmatch(lowered):
        k = int(numbered[1])
        if k < len(commands):
            return k
        return Refusal(RefusalKind.OUT_OF_RANGE, f"{lowered} does not exist: there are {len(commands)}, from 0 on")
    return read(lowered, commands)


class Reading:
    """A text that is not written as commands are listed: other words for its verb, and fewer for its things.

    Attributes:
        verb_of: verbs that a first word may mean.
        alone: verbs that name nothing.
        nameless: verbs whose arguments are no things.
        skipped: words that mean nothing anywhere.
        look: the verb of looking around, which is one of `examine` where something is named.
        examine: see `look`.
        inventory: the verb that ``i`` stands for.
    """

    verb_of: ClassVar[Mapping[str, tuple[int, ...]]] = VERB_OF
    alone: ClassVar[tuple[int, ...]] = (LOOK, INVENTORY, PREPARE)
    nameless: ClassVar[tuple[int, ...]] = (GO, LOOK, INVENTORY, PREPARE)
    skipped: ClassVar[set[str]] = {"please", "then", "i", "to"}
    look, examine, inventory = LOOK, EXAMINE, INVENTORY

    def __init__(self, said: str, state: np.void, commands: Sequence[str], name: Callable[[int], str]):
        self.said, self.commands, self.name = said, commands, name
        self.words = _WORDS.findall(said)
        self.rows = state["commands"][: int(state["command_count"])].tolist()

    def index(self) -> int | Refusal:
        """The command that is meant, or why there is none."""
        words = [word for word in self.words if word not in self.skipped] or self.words
        if not words:
            return self._refuse(RefusalKind.UNREADABLE, "no words found")
        if words == ["i"] or self.words in (["i"], ["my", "inventory"]):
            return self._only(self.inventory)
        return self.read(words)

    def read(self, words: list[str]) -> int | Refusal:
        """The command that words mean.

        Args:
            words: of the text, at least one.
        """
        verbs = self.verb_of.get(words[0])
        if verbs is None:
            return self._refuse(RefusalKind.UNKNOWN_NAME, f"{words[0][:SHOWN]!r} is no verb here")
        rest = words[1:]
        if verbs == (self.look,) and [word for word in rest if word not in _FILLERS | _LINKS]:
            verbs = (self.examine,)
        if len(verbs) == 1 and verbs[0] in self.alone:
            return self._only(verbs[0])
        return self._things(verbs, rest)

    def _only(self, verb: int) -> int | Refusal:
        return self._choose([k for k, row in enumerate(self.rows) if row[0] == verb])

    def _things(self, verbs: tuple[int, ...], rest: list[str]) -> int | Refusal:
        """The command whose things the words name."""
        parts: list[list[str]] = [[]]
        for word in rest:
            if word in _LINKS:
                parts.append([])
            elif word not in _FILLERS:
                parts[-1].append(word)
        parts = [part for part in parts if part][:2]
        if not parts:
            return self._refuse(RefusalKind.UNREADABLE, "say what you mean by naming a thing")
        fitting = []
        for k, (verb, first, second) in enumerate(self.rows):
            if verb in verbs:
                scores = [self.fit(parts[0], first)]
                if len(parts) > 1:
                    scores.append(self.fit(parts[1], second) if second >= 0 else 0)
                if min(scores) > 0:
                    fitting.append((min(scores), k))
        best = max((score for score, _ in fitting), default=0)
        found = [k for score, k in fitting if score == best]
        return self._choose(found) if found else self._unknown(parts)

    def fit(self, words: list[str], x: int) -> int:
        """2 if the words are a thing's name, 1 if they are a part of it, 0 if they are not.

        Args:
            words: of a text.
            x: the thing.
        """
        name = _WORDS.findall(self.name(x).lower())
        if words == [word for word in name if word not in _LINKS | _FILLERS]:
            return 2
        return int(bool(words) and set(words) <= set(name))

    def _unknown(self, parts: list[list[str]]) -> Refusal:
        """Say which thing is not there, or that this cannot be done with it."""
        objects = {x for verb, *named in self.rows if verb not in self.nameless for x in named if x >= 0}
        for part in parts:
            if not any(self.fit(part, x) for x in objects):
                return self._refuse(RefusalKind.UNKNOWN_NAME, f"there is no {' '.join(part)[:SHOWN]} within reach")
        return self._refuse(RefusalKind.ILLEGAL, "that cannot be done now")

    def _choose(self, found: list[int]) -> int | Refusal:
        if len(found) == 1:
            return found[0]
        if not found:
            return self._refuse(RefusalKind.ILLEGAL, "that cannot be done now")
        shown = ", ".join(self.commands[k] for k in found[:4])
        return self._refuse(RefusalKind.AMBIGUOUS, f"this may mean {shown}")

    def _refuse(self, kind: RefusalKind, reason: str) -> Refusal:
        said = self.said if len(self.said) <= SHOWN else self.said[:SHOWN] + "..."
        return Refusal(kind, f"{said!r} is no possible command: {reason}")


class _Reading(Reading):
    """A text about directions and things."""

    def read(self, words):
        """The command that words mean: a direction, or a verb and things."""
        direction = [DIRECTION_OF[word] for word in words if word in DIRECTION_OF]
        moving = words[0] in DIRECTION_OF or GO in VERB_OF.get(words[0], ())
        if moving and len(set(direction)) == 1:
            return self._choose([k for k, row in enumerate(self.rows) if row[0] == GO and row[1] == direction[0]])
        if moving:
            kind = RefusalKind.AMBIGUOUS if direction else RefusalKind.UNREADABLE
            return self._refuse(kind, "say one of north, east, south and west")
        if words[0] == "put" and "down" in words[1:] and not _LINKS & set(words[1:]):
            return self._things((DROP,), words[1:])
        return super().read(words)
