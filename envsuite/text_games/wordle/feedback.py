"""What a guess is told: for every letter whether it is at its place, elsewhere in the word, or not in it."""

from functools import lru_cache
from typing import Literal

import numpy as np

from envsuite.text_games.wordle.words import WORDS

LETTERS = 5
PATTERNS = 3**LETTERS
ALL_RIGHT = PATTERNS - 1
MARKS = "byg"
"""Not in the word, elsewhere, at its place: the values 0, 1 and 2, by LMRL-Gym's letters."""
Rule = Literal["lmrl", "nyt"]


def feedback(guess: str, word: str, rule: Rule) -> tuple[int, ...]:
    """Marks of a guess, letter by letter.

    Args:
        guess: five letters.
        word: the hidden one.
        rule: ``"lmrl"``: a letter is elsewhere if it is anywhere in the word; ``"nyt"``: the letters of the word are
            used up, first by those at their places, then from left to right.

    Returns:
        Five numbers: 0 for not in the word, 1 for elsewhere, 2 for at its place.
    """
    if rule == "lmrl":
        return tuple(2 if a == b else int(a in word) for a, b in zip(guess, word, strict=True))
    marks = [2 if a == b else 0 for a, b in zip(guess, word, strict=True)]
    left = [b for b, mark in zip(word, marks, strict=True) if mark == 0]
    for k, letter in enumerate(guess):
        if marks[k] == 0 and letter in left:
            left.remove(letter)
            marks[k] = 1
    return tuple(marks)


@lru_cache(maxsize=2)
def table(rule: Rule) -> np.ndarray:
    """The feedback of every guess on every word, uint8 (guesses, words): a digit in base 3 for each letter.

    Args:
        rule: see `feedback`.
    """
    values = 3 ** np.arange(LETTERS)
    rows = [[np.dot(values, feedback(guess, word, rule)) for word in WORDS] for guess in WORDS]
    return np.array(rows, np.uint8)
