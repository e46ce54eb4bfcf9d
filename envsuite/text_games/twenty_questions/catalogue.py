"""All questions that can be put, in a fixed order, and the answers about each object."""

import tomllib
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from envsuite.text_games.twenty_questions.knowledge import HERE, attributes, lengths, masses, things

RULES = 1
"""Version of the oracle; to be raised when an answer changes."""
VERSION = f"twenty-questions-rules-{RULES}"
"""The same in words."""

YES = 0.5
"""An attribute that holds at least so often is affirmed."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"
LONGER_NAMES = tuple(range(3, 13))
STRANGER = "guess a stranger"
"""The question whether it is a thing that is none of the objects, such as a pear."""
OTHER = "something else"
"""The question that the oracle does not understand, which is the last one."""


@dataclass(frozen=True)
class Question:
    """One of them.

    Attributes:
        name: short; names of actions.
        ask: in full, as it stands in a dialogue.
        kind: ``"attribute"``, ``"longer"``, ``"shorter"``, ``"heavier"``, ``"lighter"``, ``"letter"``, ``"name"``,
            ``"guess"``, ``"stranger"`` or ``"other"``.
    """

    name: str
    ask: str
    kind: str


@dataclass(frozen=True)
class Reference:
    """A thing that sizes are compared with.

    Attributes:
        name: the first of its names.
        names: all of them.
        cm: longest dimension, cm; nan for none that makes sense.
        kg: mass, kg; likewise.
    """

    name: str
    names: tuple[str, ...]
    cm: float
    kg: float

    def measure(self, kind: str) -> float:
        """What a kind of comparison looks at; nan for none."""
        return self.cm if kind in ("longer", "shorter") else self.kg


@lru_cache(maxsize=1)
def references() -> tuple[Reference, ...]:
    """Things that sizes are compared with."""
    data = tomllib.loads((HERE / "references.toml").read_text("utf-8"))
    return tuple(
        Reference(name, (name, *entry.get("also", ())), float(entry.get("cm", "nan")), float(entry.get("kg", "nan")))
        for name, entry in data.items()
    )


def article(name: str) -> str:
    """A name with the article that it takes, if any.

    Args:
        name: of an object.
    """
    if name in _BARE or name[0].isdecimal() or name.startswith("half "):
        return name
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


_BARE = frozenset(
    [
        "pants",
        "shoes",
        "boots",
        "socks",
        "paper",
        "toothpaste",
        "scissors",
        "broccoli",
        "spinach",
        "corn",
        "peas",
        "celery",
        "glue",
        "lego",
        "gloves",
        "pliers",
    ]
)

COMPARISONS = (("longer", "bigger"), ("shorter", "smaller"), ("heavier", "heavier"), ("lighter", "lighter"))
"""Kinds of comparisons, and the adjective of each."""


@lru_cache(maxsize=1)
def questions() -> tuple[Question, ...]:
    """All of them; actions are their indices."""
    found = [Question(one.key.replace("_", " "), one.ask, "attribute") for one in attributes()]
    for kind, adjective in COMPARISONS:
        found += [
            Question(f"{adjective} than {one.name}", f"Is it {adjective} than {article(one.name)}?", kind)
            for one in references()
            if one.measure(kind) > 0
        ]
    found += [Question(f"begins with {one}", f"Does its name begin with {one.upper()}?", "letter") for one in LETTERS]
    found += [
        Question(f"more than {k} letters", f"Does its name have more than {k} letters?", "name") for k in LONGER_NAMES
    ]
    found.append(Question("several words", "Does its name have more than one word?", "name"))
    found += [Question(f"guess {one.name}", f"Is it {article(one.name)}?", "guess") for one in things()]
    found.append(Question(STRANGER, "Is it something that is none of the objects?", "stranger"))
    return (*found, Question(OTHER, "A question that was not understood:", "other"))


@lru_cache(maxsize=1)
def places() -> dict[str, int]:
    """Index of each question by its name."""
    return {one.name: k for k, one in enumerate(questions())}


def first_guess() -> int:
    """Index of the question whether it is the first object; the others follow in their order."""
    return len(questions()) - 2 - len(things())


@lru_cache(maxsize=1)
def truth() -> np.ndarray:
    """Whether the answer is yes, uint8 (questions, objects), read-only; zeros for what is not understood."""
    names = [one.name for one in things()]
    letters = np.array([sum(letter in LETTERS for letter in name) for name in names])
    cm, kg = lengths(), masses()
    rows = [np.array(one.priors) >= YES for one in attributes()]
    for kind, _ in COMPARISONS:
        values = cm if kind in ("longer", "shorter") else kg
        sign = 1 if kind in ("longer", "heavier") else -1
        rows += [sign * values > sign * one.measure(kind) for one in references() if one.measure(kind) > 0]
    rows += [np.array([name[0] == one for name in names]) for one in LETTERS]
    rows += [letters > k for k in LONGER_NAMES]
    rows.append(np.array([" " in name for name in names]))
    rows += [*np.eye(len(names), dtype=bool), *np.zeros((2, len(names)), bool)]
    found = np.stack(rows).astype(np.uint8)
    found.flags.writeable = False
    return found
