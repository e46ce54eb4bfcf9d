"""What is known of the 158 objects: names, sizes, and attributes as defaults of categories with exceptions."""

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
FILES = ("kinds", "living", "matter", "function", "use", "shape")
PRIORS = {"yes": 1.0, "mostly": 0.75, "rarely": 0.25, "no": 0.0}
"""How often an attribute holds for an object; from one half on the answer is yes."""
FRAMES = ("is", "has", "does", "done", "for", "of", "at", "color")
"""Ways to ask: is it X, does it have X, does it X, do people X it, is it used for X, is it made of X, is it found in X,
and is it X for a colour, which no article stands before."""


@dataclass(frozen=True)
class Thing:
    """An object.

    Attributes:
        name: the first of its names.
        category: of the 17.
        names: all of them.
        cm: longest dimension, cm.
        kg: mass, kg.
    """

    name: str
    category: str
    names: tuple[str, ...]
    cm: float
    kg: float


@dataclass(frozen=True)
class Attribute:
    """Something that objects are or are not.

    Attributes:
        key: its name.
        ask: the question in full.
        priors: how often it holds, for each object.
        phrases: by frame, what may stand in its place.
        also: further questions in full.
    """

    key: str
    ask: str
    priors: tuple[float, ...]
    phrases: dict[str, tuple[str, ...]]
    also: tuple[str, ...]


def _split(text: str, mark: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(mark) if part.strip())


@lru_cache(maxsize=1)
def things() -> tuple[Thing, ...]:
    """The objects, in the order of their file."""
    data = tomllib.loads((HERE / "objects.toml").read_text("utf-8"))
    return tuple(
        Thing(name, category, (name, *entry.get("also", ())), float(entry["cm"]), float(entry["kg"]))
        for category, members in data.items()
        for name, entry in members.items()
    )


def priors_of(entry: dict[str, Any], key: str) -> tuple[float, ...]:
    """How often an attribute holds for each object.

    Args:
        entry: of a file of facts.
        key: of the attribute.

    Raises:
        ValueError: it names a category or an object that there is not, or an object twice.
    """
    found: dict[str, float] = {}
    categories = set(entry.get("all", "").split())
    if unknown := sorted(categories - {one.category for one in things()}):
        raise ValueError(f"{key}: there is no category {unknown[0]!r}")
    names = {one.name for one in things()}
    for level, prior in PRIORS.items():
        for name in _split(entry.get(level, ""), ","):
            if name not in names:
                raise ValueError(f"{key}: there is no object {name!r}")
            if name in found:
                raise ValueError(f"{key}: {name!r} is named twice")
            found[name] = prior
    return tuple(found.get(one.name, float(one.category in categories)) for one in things())


@lru_cache(maxsize=1)
def attributes() -> tuple[Attribute, ...]:
    """All attributes, in the order of their files."""
    found = []
    for file in FILES:
        for key, entry in tomllib.loads((HERE / "facts" / f"{file}.toml").read_text("utf-8")).items():
            phrases = {frame: _split(entry.get(frame, ""), "|") for frame in FRAMES}
            found.append(
                Attribute(key, entry["ask"], priors_of(entry, key), phrases, _split(entry.get("also", ""), "|"))
            )
    return tuple(found)


def lengths() -> np.ndarray:
    """Longest dimensions of the objects, cm, (158,)."""
    return np.array([one.cm for one in things()])


def masses() -> np.ndarray:
    """Masses of the objects, kg, (158,)."""
    return np.array([one.kg for one in things()])
