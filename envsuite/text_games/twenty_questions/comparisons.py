"""Questions about sizes, letters and words, which are no attributes."""

import re
from functools import lru_cache

import numpy as np

from envsuite.text_games.oracle.english import plain, stem
from envsuite.text_games.twenty_questions.catalogue import COMPARISONS, LONGER_NAMES, places, references, truth
from envsuite.text_games.twenty_questions.knowledge import lengths, masses, things

_MORE_LENGTH = r"(?:bigger|larger|longer|taller|wider|greater|higher|broader|huger)(?: in size| in length)?"
_LESS_LENGTH = r"(?:smaller|shorter|tinier|littler|less tall|less long|less big)(?: in size| in length)?"
_NUMBERS = {
    word: k
    for k, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
        ]
    )
} | {"a": 1, "an": 1, "twenty": 20, "thirty": 30, "fifty": 50, "hundred": 100, "half": 0.5, "a hundred": 100}
_AMOUNT = r"(\d+(?:\.\d+)?|" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + r")"
_CM = {"mm": 0.1, "cm": 1.0, "inch": 2.54, "inches": 2.54, "foot": 30.48, "feet": 30.48, "ft": 30.48, "yard": 91.44}
_CM |= {"yards": 91.44, "meter": 100.0, "meters": 100.0, "m": 100.0, "km": 1e5, "mile": 160934.4, "miles": 160934.4}
_KG = {"g": 1e-3, "gram": 1e-3, "grams": 1e-3, "kg": 1.0, "kilo": 1.0, "kilos": 1.0, "kgs": 1.0, "ounce": 0.02835}
_KG |= {"ounces": 0.02835, "pound": 0.45359, "pounds": 0.45359, "lb": 0.45359, "lbs": 0.45359, "ton": 1000.0}
_KG |= {"tons": 1000.0, "tonne": 1000.0, "tonnes": 1000.0}
_HAVE = r"(?:is|are|does|do|can|could|would|will)(?: \w+)*? "

_THAN = (
    (re.compile(rf"{_HAVE}(?:.*\b)?{_MORE_LENGTH} (?:or \w+ )?than (.+)$"), "longer"),
    (re.compile(rf"{_HAVE}(?:.*\b)?{_LESS_LENGTH} (?:or \w+ )?than (.+)$"), "shorter"),
    (re.compile(rf"{_HAVE}(?:heavier|weigh more|weighs more) than (.+)$"), "heavier"),
    (re.compile(rf"{_HAVE}(?:lighter|weigh less|weighs less|less heavy) than (.+)$"), "lighter"),
    (re.compile(rf"{_HAVE}(?:weigh|weighs) (?:over|at least) (.+)$"), "heavier"),
    (re.compile(rf"{_HAVE}(?:weigh|weighs) under (.+)$"), "lighter"),
    (re.compile(rf"{_HAVE}(?:more than|over|at least) (.+?)(?: long| tall| wide| in length| in size| in "
        rf"height)?$"), "longer"),
    (re.compile(rf"{_HAVE}(?:less than|under) (.+?)(?: long| tall| wide| in length| in size| in height)?$"), "shorter"),
    (re.compile(rf"{_HAVE}fit (?:in|inside|into|inside of|in to|within|in the palm of) (.+)$"), "shorter"),
)  # fmt: skip
_SIZE_ONLY = re.compile(r"^(?:the size of |the length of |that of )?(?:a |an |the |your |my |average |standard |"
    r"typical |normal |regular |"
                        r"single |sized |size |full |entire |whole |one )*(.+?)(?: sized| is)?$")  # fmt: skip
_LETTER = (
    re.compile(r"\b(?:start|starts|begin|begins|starting|beginning) with (?:the )?(?:letter |an? )?([a-z])$"),
    re.compile(r"\bfirst letter (?:of (?:it|its name|the word|the name) )?(?:is )?(?:an? )?([a-z])$"),
)
_COUNT = re.compile(rf"\b(more than|over|at least|fewer than|less than|under) {_AMOUNT} letters\b")
_OR_MORE = re.compile(rf"\b{_AMOUNT} or (more|fewer|less) letters\b|\b{_AMOUNT} letters or (more|less|fewer)\b")
_WORDS = re.compile(r"\b(?:two|2|multiple|several|more than one|more than 1) words?\b")
_WORD = re.compile(r"\b(?:one|1|single|a single|just one) word\b")


def _number(text: str) -> float:
    return float(_NUMBERS[text]) if text in _NUMBERS else float(text)


@lru_cache(maxsize=1)
def _things() -> dict[str, tuple[float, float]]:
    """Lengths and masses of references and objects, by the stems of their names."""
    found = {}
    for thing in things():
        for name in thing.names:
            found[_stems(name)] = (thing.cm, thing.kg)
    for reference in references():
        for name in reference.names:
            found[_stems(name)] = (reference.cm, reference.kg)
    return found


def _stems(text: str) -> str:
    return " ".join(stem(word) for word in plain(text).split())


@lru_cache(maxsize=4)
def _table(kind: str) -> list[tuple[int, np.ndarray]]:
    """Questions of a kind of comparison, with their answers."""
    adjective = dict(COMPARISONS)[kind]
    known = places()
    found = []
    for one in references():
        place = known.get(f"{adjective} than {one.name}")
        if place is not None:
            found.append((place, truth()[place]))
    return found


def comparison(kind: str, bound: float) -> int | None:
    """The question of a kind that has the same answers as a comparison with a bound; None where there is none.

    Args:
        kind: of the question, see `envsuite.text_games.twenty_questions.catalogue.COMPARISONS`.
        bound: cm, or kg.
    """
    values = lengths() if kind in ("longer", "shorter") else masses()
    answers = values > bound if kind in ("longer", "heavier") else values < bound
    return next((place for place, row in _table(kind) if np.array_equal(row, answers)), None)


def _compared(kind: str, target: str) -> int | None:
    target = target.removesuffix(" is")
    measured = re.match(rf"^(?:about )?{_AMOUNT} (\w+)(?: long| tall| wide| in length| in weight| in height)?$", target)
    if measured and (unit := measured.group(2)) in _CM | _KG:
        if unit in _KG:
            kind = {"longer": "heavier", "shorter": "lighter"}.get(kind, kind)
        elif kind in ("heavier", "lighter"):
            return None
        return comparison(kind, _number(measured.group(1)) * (_CM | _KG)[unit])
    match = _SIZE_ONLY.match(target)
    name = _stems(match.group(1) if match else target)
    if name not in _things():
        return None
    cm, kg = _things()[name]  # a thing may have one of both
    exact = next((one for one in references() if name in {_stems(other) for other in one.names}), None)
    place = None
    if exact is not None:
        place = places().get(f"{dict(COMPARISONS)[kind]} than {exact.name}")
    return place if place is not None else comparison(kind, cm if kind in ("longer", "shorter") else kg)


def read_comparison(text: str) -> tuple[int, bool] | None:
    """The question about sizes, letters or words that a text puts, and whether it is put the other way round.

    Args:
        text: tidy.

    Returns:
        None where it puts none, or one that has no equal in the catalogue.
    """
    if re.search(r"\b(?:not|never)\b", text):
        return None
    for pattern in _LETTER:
        if match := pattern.search(text):
            return places()[f"begins with {match.group(1)}"], False
    if match := _COUNT.search(text):
        more, number = match.group(1) in ("more than", "over", "at least"), _number(match.group(2))
        bound = int(number) - (match.group(1) in ("at least", "fewer than", "less than", "under"))
        return (places()[f"more than {bound} letters"], not more) if bound in LONGER_NAMES else None
    if match := _OR_MORE.search(text):
        number, word = (one for one in match.groups() if one)
        bound = int(_number(number)) - (word == "more")
        return (places()[f"more than {bound} letters"], word != "more") if bound in LONGER_NAMES else None
    if _WORDS.search(text):
        return places()["several words"], False
    if _WORD.search(text):
        return places()["several words"], True
    for pattern, kind in _THAN:
        if (match := pattern.match(text)) and (place := _compared(kind, match.group(1))) is not None:
            return place, False
    return None
