"""Sentences of text worlds, and their compilation into tokens.

A phrase has variants in each style. ``{0}`` and ``{1}`` stand for names, ``{a0}`` and ``{a1}`` for names with an
indefinite article. Sentences become words of a fixed vocabulary, so that a kernel can write them.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from envsuite.text_games.textworld.state import VERBS

STYLES = ("plain", "varied", "terse")

PHRASES: dict[str, tuple[tuple[str, ...], ...]] = {
    "room": (
        ("You are in the {0}.",),
        ("You are in the {0}.", "This is the {0}.", "You find yourself in the {0}.", "You have come to the {0}."),
        ("Room: {0}.",),
    ),
    "way": (
        ("You can go {1}.",),
        ("You can go {1}.", "There is a way {1}.", "A passage leads {1}.", "Nothing bars the way {1}."),
        ("Exit: {1}.",),
    ),
    "open way": (
        ("{A0} to the {1} is open.",),
        ("{A0} to the {1} is open.", "{A0} stands open to the {1}.", "To the {1} there is an open {0}."),
        ("Exit: {1}, open {0}.",),
    ),
    "closed way": (
        ("{A0} to the {1} is closed.",),
        ("{A0} to the {1} is closed.", "{A0} bars the way {1}.", "To the {1} there is a closed {0}."),
        ("Exit: {1}, closed {0}.",),
    ),
    "locked way": (
        ("{A0} to the {1} is locked.",),
        ("{A0} to the {1} is locked.", "{A0} to the {1} has a lock, and it is shut.", "To the {1} a {0} is locked."),
        ("Exit: {1}, locked {0}.",),
    ),
    "closed box": (
        ("There is {a0}, which is closed.",),
        ("There is {a0}, which is closed.", "You see {a0}. It is closed.", "Here stands {a0}, closed."),
        ("{A0}, closed.",),
    ),
    "locked box": (
        ("There is {a0}, which is locked.",),
        ("There is {a0}, which is locked.", "You see {a0}. It is locked.", "Here stands {a0}, locked."),
        ("{A0}, locked.",),
    ),
    "empty box": (
        ("There is {a0}, which is open and empty.",),
        ("There is {a0}, which is open and empty.", "You see {a0}, open, with nothing inside."),
        ("{A0}, open, empty.",),
    ),
    "full box": (
        ("There is {a0}, which is open. In it you see",),
        ("There is {a0}, which is open. In it you see", "You see {a0}. It is open and holds"),
        ("{A0}, open, with",),
    ),
    "solid box": (("There is {a0}.",), ("There is {a0}.", "You see {a0}."), ("{A0}.",)),
    "empty table": (
        ("There is {a0}. Nothing is on it.",),
        ("There is {a0}. Nothing is on it.", "You see {a0}, with nothing on it.", "Here is {a0}. It is bare."),
        ("{A0}, empty.",),
    ),
    "full table": (
        ("There is {a0}. On it you see",),
        ("There is {a0}. On it you see", "You see {a0}. On it lies", "Here is {a0}, and on it"),
        ("{A0}, with",),
    ),
    "floor": (
        ("On the floor you see",),
        ("On the floor you see", "On the floor lies", "At your feet you notice"),
        ("Floor:",),
    ),
    "inventory": (("You carry",), ("You carry", "You are carrying", "You have with you"), ("Inventory:",)),
    "empty hands": (
        ("You carry nothing.",),
        ("You carry nothing.", "Your hands are empty.", "You have nothing with you."),
        ("Inventory: nothing.",),
    ),
    "score": (("Score: {0} of {1}.",),) * 3,
    "won": (("You have won.",),) * 3,
    "lost": (("You have lost.",),) * 3,
    "refused": (("That is not possible.",),) * 3,
    "go": (("You go {1}.",), ("You go {1}.", "You walk {1}.", "You head {1}."), ("{1}.",)),
    "take": (
        ("You take the {0}.",),
        ("You take the {0}.", "You pick up the {0}.", "The {0} is yours now."),
        ("Taken.",),
    ),
    "drop": (("You drop the {0}.",), ("You drop the {0}.", "You let the {0} fall."), ("Dropped.",)),
    "put": (
        ("You put the {0} on the {1}.",),
        ("You put the {0} on the {1}.", "You lay the {0} on the {1}."),
        ("Done.",),
    ),
    "insert": (
        ("You put the {0} into the {1}.",),
        ("You put the {0} into the {1}.", "The {0} goes into the {1}."),
        ("Done.",),
    ),
    "open": (("You open the {0}.",), ("You open the {0}.", "The {0} opens."), ("Opened.",)),
    "close": (("You close the {0}.",), ("You close the {0}.", "You shut the {0}."), ("Closed.",)),
    "unlock": (
        ("You unlock the {0} with the {1}.",),
        ("You unlock the {0} with the {1}.", "The {1} turns in the {0}, which is unlocked now."),
        ("Unlocked.",),
    ),
    "lock": (("You lock the {0} with the {1}.",),) * 2 + (("Locked.",),),
    "eat": (("You eat the {0}.",), ("You eat the {0}.", "You eat the {0}. Not bad."), ("Eaten.",)),
    "drink": (("You drink the {0}.",),) * 2 + (("Drunk.",),),
    "cook": (("You cook the {0} with the {1}.",),) * 2 + (("Cooked.",),),
    "slice": (("You slice the {0}.",),) * 2 + (("Sliced.",),),
    "dice": (("You dice the {0}.",),) * 2 + (("Diced.",),),
    "chop": (("You chop the {0}.",),) * 2 + (("Chopped.",),),
    "prepare meal": (("You prepare the meal.",),) * 2 + (("Prepared.",),),
    "examine": (
        ("You look at the {0} and see nothing special.",),
        ("You look at the {0} and see nothing special.", "There is nothing special about the {0}."),
        ("Nothing special.",),
    ),
    "look": (("You look around.",), ("You look around.", "You have a look around."), ("",)),
    "search": (("You check what you carry.",), ("You check what you carry.", "You look through your things."), ("",)),
    "read": (
        ("You read the recipe.",),
        ("You read the recipe.", "You open the cookbook and read."),
        ("Read.",),
    ),
    "recipe": (("The recipe needs",),) * 2 + (("Recipe:",),),
    "then prepare": (("Prepare the meal in the kitchen and eat it.",),) * 3,
    "to slice": (("sliced",),) * 3,
    "to dice": (("diced",),) * 3,
    "to chop": (("chopped",),) * 3,
    "to fry": (("fried",),) * 3,
    "to roast": (("roasted",),) * 3,
    "to grill": (("grilled",),) * 3,
    "raw": (("raw",),) * 3,
    "burned": (("burned",),) * 3,
    "as it is": (("as it is",),) * 3,
    "and": (("and",),) * 3,
    "comma": ((",",),) * 3,
    "semicolon": ((";",),) * 3,
    "stop": ((".",),) * 3,
    "line": (("\n",),) * 3,
    "a": (("a",),) * 3,
    "task": (("Your task:",),) * 2 + (("Task:",),),
    "get": (("take the {0}",),) * 3,
    "lay": (("put the {0} on the {1}",),) * 3,
    "stow": (("put the {0} into the {1}",),) * 3,
    "leave": (("leave the {0} in the {1}",),) * 3,
    "reach": (("go to the {0}",),) * 3,
    "open it": (("open the {0}",),) * 3,
    "close it": (("close the {0}",),) * 3,
    "unlock it": (("unlock the {0}",),) * 3,
    "lock it": (("lock the {0}",),) * 3,
    "eat it": (("eat the {0}",),) * 3,
    "do it": (("cook or cut the {0}",),) * 3,
}
KEYS = tuple(PHRASES)
DIRECTIONS_AT, NUMBERS_AT, NAMES_AT, ARTICLES_AT, OBJECTIVES_AT, COMMANDS_AT = range(-6, 0)
"""Where further groups of phrases stand among the first ones: at their end, after those of the keys."""

DIRECTION_WORDS = ("north", "east", "south", "west")
NUMBERS = tuple(str(k) for k in range(200))
_ALONE = ("look", "inventory", "prepare meal")
_LINKS = {"take": "from", "put": "on", "insert": "into"}
COMMANDS = tuple(
    verb if verb in _ALONE else f"{verb} {{0}}{rest}"
    for verb in VERBS
    for rest in ("", f" {_LINKS.get(verb, 'with')} {{1}}")
)
"""How a player writes what each verb does, to one object and to two."""

FIRST, SECOND, FIRST_WITH_ARTICLE, SECOND_WITH_ARTICLE, FIRST_CAPITAL = range(-2, -7, -1)
"""Tokens that stand for other phrases: as they are, with an article, and with an article that begins a sentence."""
_SLOTS = {
    "{0}": FIRST,
    "{1}": SECOND,
    "{a0}": FIRST_WITH_ARTICLE,
    "{a1}": SECOND_WITH_ARTICLE,
    "{A0}": FIRST_CAPITAL,
}
_TOKEN = re.compile(r"\{[^}]*\}|\n|[^\W_]+(?:['-][^\W_]+)*|[^\w\s]|_")
_TIGHT = set(".,;:!?)\n")
LONGEST_OBJECTIVE = 400
"""Words of an objective at most."""


def split_words(text: str) -> list[str]:
    """Words, marks and slots of a text.

    Args:
        text: any.
    """
    return _TOKEN.findall(text)


def article(name: str) -> str:
    """A name with its indefinite article.

    Args:
        name: of a thing.
    """
    if name.split()[-1:] in (["oil"], ["milk"], ["water"], ["food"], ["fruit"]):
        return f"some {name}"
    return f"{'an' if name[:1].lower() in set('aeiou') else 'a'} {name}"


@dataclass(frozen=True)
class Book:
    """All phrases of a world as tokens.

    Attributes:
        names: what rooms, doors and things are called.
        objectives: templates, one for each level, or one for all.
        style: index into `STYLES`.
        phrases: for each key its variants in each style.
        commands: how a player writes what each verb does, to one object and to two.
    """

    names: tuple[str, ...]
    objectives: tuple[str, ...]
    style: int
    phrases: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=lambda: PHRASES)
    commands: tuple[str, ...] = COMMANDS

    @cached_property
    def _texts(self) -> tuple[list[str], list[int]]:
        texts, firsts = [], []
        for variants in self.phrases.values():
            firsts.append(len(texts))
            texts += variants[self.style]
        firsts.append(len(texts))
        articles = tuple(map(article, self.names))
        for group in (DIRECTION_WORDS, NUMBERS, self.names, articles, self.objectives, self.commands):
            firsts.append(len(texts))
            texts += [" ".join(split_words(text)[:LONGEST_OBJECTIVE]) for text in group]
        return texts, firsts

    @cached_property
    def vocabulary(self) -> tuple[str, ...]:
        """Every word and mark that a text can hold; the first stands for nothing."""
        words = {word for text in self._texts[0] for word in split_words(text) if word not in _SLOTS}
        return ("", *sorted(words | {"A", "An", "Some"}))

    @cached_property
    def capitals(self) -> np.ndarray:
        """For each word the one that begins a sentence in its place, int32 (words,)."""
        number = {word: k for k, word in enumerate(self.vocabulary)}
        return np.array([number.get(word.capitalize(), k) for word, k in number.items()], np.int32)

    @cached_property
    def tables(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Tokens of all phrases, int32; where each begins, int32 (phrases + 1,); the first phrase of each key, int32.

        After the keys follow the first phrases of directions, numbers, names, names with articles, objectives, and
        commands.
        """
        texts, firsts = self._texts
        number = {word: k for k, word in enumerate(self.vocabulary)} | _SLOTS
        rows = [[number[word] for word in split_words(text)] for text in texts]
        starts = np.cumsum([0, *map(len, rows)])
        return (
            np.array([token for row in rows for token in row], np.int32),
            starts.astype(np.int32),
            np.array(firsts, np.int32),
        )

    @cached_property
    def _spaced(self) -> list[str]:
        return [word if word in _TIGHT or not word else f" {word}" for word in self.vocabulary]

    def text(self, tokens: Sequence[int]) -> str:
        """Tokens as a text.

        Args:
            tokens: indices into `vocabulary`.
        """
        return "".join([self._spaced[token] for token in tokens]).replace("\n ", "\n").strip()
