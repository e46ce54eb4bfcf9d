"""All questions about a city, in a fixed order, and their answers."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from envsuite.text_games.guess_city.knowledge import cities

RULES = 2
"""Version of the oracle; to be raised when an answer changes."""
VERSION = f"guess-city-rules-{RULES}"
"""The same in words."""

LANDMARK, OTHER = "landmark", "something else"
ASKS = {
    "continent": ("Which continent is it on?", "It lies in {}."),
    "region": ("Which part of the world is it in?", "It belongs to {}."),
    "language": (
        "Which family of languages does the majority speak?",
        "Most people speak a language of this family: {}.",
    ),
    "script": ("Which script do people write?", "People write like this: {}."),
    "currency": ("What is the money called?", "People pay with this: {}."),
    "religion": ("What is the main religion?", "As to religion: {}."),
    "ruler": ("Which power ruled the country in colonial times?", "In colonial times it was ruled by {}."),
    "side": ("On which side do people drive?", "People drive on the {}."),
    "dish": ("What do people like to eat?", "People like this dish: {}."),
    "sport": ("Which sport is the most popular?", "The favourite sport is {}."),
    "festival": ("Which festival is well known there?", "A well-known festival is {}."),
    "neighbours": ("How many countries border on its country?", "Number of countries that border on its country: {}."),
    "hemisphere": ("Which hemisphere is it in?", "It lies in the {} hemisphere."),
    "latitude": ("How far from the equator is it?", "It lies {}."),
    "longitude": ("How far east or west is it?", "It lies {}."),
    "capital": ("Is it the capital of its country?", "{}, as to being the capital."),
    "water": ("Does it lie by the sea or a river?", "It lies {}."),
    "elevation": ("How high above the sea does it lie?", "Its height above the sea is {}."),
    "mountains": ("Are there mountains nearby?", "{}, as to mountains nearby."),
    "climate": ("What is the climate like?", "The climate is {}."),
    "population": ("How many people live there?", "People in the city itself: {}."),
    "founded": ("When was it founded?", "It was founded {}."),
    "metro": ("Does it have a metro?", "{}, as to a metro."),
    "olympics": ("Has it hosted the Summer Olympic Games?", "{}, as to Summer Olympic Games."),
    "rank": ("How large is it within its country?", "In its country it is {} of the cities."),
    "landmark kind": ("What kind of landmark does it have?", "Its landmark is of this kind: {}."),
    "industry": ("Which industry is it known for?", "It is known for this: {}."),
    "former name": ("Did it have another name in former times?", "{}, as to another name in former times."),
    "government": ("What form of government does its country have?", "Its country is {}."),
    "people": ("How many people live in its country?", "People in the whole country: {}."),
    "area": ("How large is its country?", "The area of its country is {}."),
    "coast": ("Does its country have a coast?", "{}, as to a coast of its country."),
    "commonwealth": ("Is its country in the Commonwealth of Nations?", "{}, as to the Commonwealth."),
    "european union": ("Is its country in the European Union?", "{}, as to the Union."),
    "nuclear weapons": ("Does its country have nuclear weapons?", "{}, as to nuclear weapons."),
    "world cup": ("Has its country hosted the World Cup of football?", "{}, as to a World Cup up to 2022."),
    "sea": ("Which ocean does it lie on?", "It lies on this sea: {}."),
    "island": ("Is it on an island?", "{}, as to an island."),
    "football cup": (
        "Has a football club of the city won the Champions League or the Copa Libertadores?",
        "{}, as to these cups.",
    ),
    "world expo": ("Has it hosted a World Expo?", "{}, as to a World Expo of the first rank."),
    LANDMARK: ("What is its most famous landmark?", "It is known for {}."),
}
"""Open questions, and what answers look like."""
WORDS = {
    "area": "country's area",
    "dish": "usual food",
    "festival": "well-known festival",
    "founded": "foundation",
    "language": "family of languages",
    "government": "country's form of government",
    "neighbours": "number of neighbours",
    "people": "country's population",
    "rank": "rank",
    "ruler": "colonial ruler",
    "side": "driving side",
    "water": "position",
}
"""What topics are called in questions of yes and no."""
BINARY = (
    *("capital", "mountains", "metro", "olympics", "former name", "coast", "commonwealth", "european union"),
    *("nuclear weapons", "world cup", "island", "football cup", "world expo"),
)
"""Open questions of which the answer is yes or no."""


@dataclass(frozen=True)
class Question:
    """One of them.

    Attributes:
        name: short; names of actions.
        ask: in full.
        kind: ``"open"``, ``"whether"`` (yes or no, about one value of an open question), ``"guess"`` or ``"other"``.
        topic: the open question.
        value: index of the value that a question of yes and no is about, or of the city of a guess.
    """

    name: str
    ask: str
    kind: str
    topic: str = ""
    value: int = 0


@lru_cache(maxsize=1)
def values() -> dict[str, tuple[str, ...]]:
    """Possible answers of each open question, in the order of the alphabet; landmarks are those of the cities."""
    found = {topic: tuple(sorted({one.facts[topic] for one in cities()})) for topic in ASKS if topic != LANDMARK}
    return found | {LANDMARK: tuple(one.landmark for one in cities())}


@lru_cache(maxsize=1)
def questions() -> tuple[Question, ...]:
    """All of them; actions are their indices."""
    found = [Question(topic, ask, "open", topic) for topic, (ask, _) in ASKS.items()]
    for topic, options in values().items():
        if topic in BINARY or topic == LANDMARK:
            continue
        found += [
            Question(f"{topic} is {option}", f"Is its {WORDS.get(topic, topic)} {option}?", "whether", topic, k)
            for k, option in enumerate(options)
        ]
    found += [Question(f"guess {one.name}", f"Is it {one.name}?", "guess", "", k) for k, one in enumerate(cities())]
    return (*found, Question(OTHER, "A question that was not understood:", "other"))


@lru_cache(maxsize=1)
def places() -> dict[str, int]:
    """Index of each question by its name."""
    return {one.name: k for k, one in enumerate(questions())}


def first_guess() -> int:
    """Index of the question whether it is the first city; the others follow in their order."""
    return len(questions()) - 1 - len(cities())


@lru_cache(maxsize=1)
def answers() -> np.ndarray:
    """Codes of answers, int16 (questions, cities), read-only.

    The index of the value and 1 more for an open question; 1 for yes and -1 for no for all others; 0 for what is not
    understood.
    """
    rows = []
    for one in questions():
        if one.kind == "open" and one.topic == LANDMARK:
            rows.append(np.arange(1, len(cities()) + 1))
        elif one.kind in ("open", "whether"):
            codes = np.array([values()[one.topic].index(city.facts[one.topic]) for city in cities()])
            rows.append(codes + 1 if one.kind == "open" else np.where(codes == one.value, 1, -1))
        elif one.kind == "guess":
            rows.append(np.where(np.arange(len(cities())) == one.value, 1, -1))
        else:
            rows.append(np.zeros(len(cities()), int))
    found = np.stack(rows).astype(np.int16)
    found.flags.writeable = False
    return found
