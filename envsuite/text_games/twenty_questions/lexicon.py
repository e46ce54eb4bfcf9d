"""What phrases mean: names of objects, phrases of attributes, and the bank of sentences for what matches none."""

from collections import defaultdict
from functools import lru_cache

from envsuite.text_games.oracle.english import plain
from envsuite.text_games.oracle.matching import Bank
from envsuite.text_games.twenty_questions.catalogue import STRANGER, first_guess, places
from envsuite.text_games.twenty_questions.frames import key, unhedged
from envsuite.text_games.twenty_questions.knowledge import FRAMES, HERE, attributes, things

SENTENCES = {
    "is": (
        "is it {}",
        "is it a {}",
        "is it a kind of {}",
        "is it considered {}",
        "would you say it is {}",
        "is the object {}",
    ),
    "has": (
        "does it have {}",
        "has it got {}",
        "is it something with {}",
        "does the object have {}",
        "are there {} on it",
    ),
    "does": (
        "does it {}",
        "can it {}",
        "is it able to {}",
        "is it something that can {}",
        "would it {}",
        "does the object {}",
    ),
    "done": ("do you {} it", "can you {} it", "do people {} it", "is it something you {}", "would you {} it"),
    "for": (
        "is it used for {}",
        "do you use it for {}",
        "is it meant for {}",
        "is it something used for {}",
        "is its purpose {}",
    ),
    "of": ("is it made of {}", "is it made from {}", "is it made out of {}", "is {} what it is made of"),
    "at": ("is it found in {}", "would you find it in {}", "is it in {}", "do you keep it in {}", "is it used in {}"),
    "color": (
        "is it {} in color",
        "is its color {}",
        "is the color of it {}",
        "does it have a {} color",
        "is it colored {}",
    ),
}
"""Ways in which the bank puts every phrase, by frame."""


@lru_cache(maxsize=1)
def objects() -> dict[str, int]:
    """Questions whether it is an object, by the key of each of its names; strangers are there too."""
    found = {}
    for line in (HERE / "strangers.txt").read_text("utf-8").split():
        found[key("is", plain(line.replace("_", " ")))] = places()[STRANGER]
    for k, thing in enumerate(things()):
        for name in thing.names:
            found[key("is", plain(name))] = first_guess() + k
    return found


@lru_cache(maxsize=1)
def phrases() -> dict[tuple[str, str], int]:
    """Attributes by frame and key of a phrase.

    Raises:
        ValueError: a phrase stands for two attributes.
    """
    found: dict[tuple[str, str], int] = {}
    for k, attribute in enumerate(attributes()):
        for frame in FRAMES:
            for phrase in attribute.phrases[frame]:
                place = (frame, key(frame, unhedged(plain(phrase))))
                if found.setdefault(place, k) != k:
                    other = attributes()[found[place]].key
                    raise ValueError(f"the phrase {phrase!r} ({frame}) stands for {other} and {attribute.key}")
    return found


@lru_cache(maxsize=1)
def in_any_frame() -> dict[str, int]:
    """Attributes by the key of a phrase that means the same in every frame where it stands."""
    meant: defaultdict[str, set[int]] = defaultdict(set)
    for (_, words), k in phrases().items():
        meant[words].add(k)
    return {words: next(iter(ks)) for words, ks in meant.items() if len(ks) == 1}


PARAPHRASES = 20
"""Sentences of the bank for every attribute at least."""
BEGINNINGS = ("would you say", "do you think", "can you tell me", "i wonder", "my question is", "so", "let me ask")
"""What sentences of attributes with very few phrases begin with besides."""


@lru_cache(maxsize=1)
def sentences() -> dict[str, int]:
    """The bank: every phrase in one way of putting it at least, in more ways where an attribute has few phrases."""
    found: dict[str, int] = {}
    for k, attribute in enumerate(attributes()):
        for text in (attribute.ask, *attribute.also):
            found.setdefault(unhedged(plain(text)), k)
        before, most = len(found), max(map(len, SENTENCES.values()))
        for way in range(most):
            if way and len(found) - before >= PARAPHRASES:
                break
            for frame in FRAMES:
                for phrase in attribute.phrases[frame] if way < len(SENTENCES[frame]) else ():
                    found.setdefault(unhedged(plain(SENTENCES[frame][way].format(phrase))), k)
        plainest = [text for text, meaning in found.items() if meaning == k]
        for beginning in BEGINNINGS:
            if len(found) - before < PARAPHRASES:
                found |= {f"{beginning} {text}": k for text in plainest}
    return found


@lru_cache(maxsize=1)
def bank() -> Bank:
    """The nearest of `sentences`."""
    return Bank(sentences().items())


@lru_cache(maxsize=1)
def vocabulary() -> dict[int, frozenset[str]]:
    """Stems in the sentences of each attribute; under -1 those of all."""
    found: defaultdict[int, set[str]] = defaultdict(set)
    for text, k in sentences().items():
        found[k].update(key("is", text).split())
    return {k: frozenset(words) for k, words in found.items()} | {-1: frozenset().union(*found.values())}
