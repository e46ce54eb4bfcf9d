"""Wordle in words."""

import re

from envsuite.core import Words
from envsuite.core.language import Refusal, RefusalKind
from envsuite.text_games.wordle.feedback import LETTERS, MARKS
from envsuite.text_games.wordle.words import WORDS
from envsuite.text_games.wordle.world import INVALID, TRIES

_STATED = re.compile(r"\b(?:action|guess|word)\W{0,3}:(.*)", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z]{5}|[A-Za-z](?: [A-Za-z]){4}")
_INDEX = {word: k for k, word in enumerate(WORDS)}
_SPELLED = tuple(" ".join(word) for word in WORDS)


class WordleWords(Words):
    """Tries with their feedback; answers are words."""

    def describe(self, state, agent=0):
        """The tries so far, and the rules."""
        made = int(state["tries"])
        lines = [self.told(state, k) for k in range(made)] or ["No guess so far."]
        lines.append(f"Tries left: {TRIES - made}.")
        return "\n".join([*lines, self.instructions(state, agent)])

    def told(self, state, k: int) -> str:
        """A try and its feedback, letter by letter.

        Args:
            state: the record.
            k: which try.
        """
        guess = int(state["guess"][k])
        if guess == INVALID:
            return f"Try {k + 1}: no word of the list."
        told = int(self.world.params[0]["told"][guess, int(state["word"])])
        marks = " ".join(MARKS[told // 3**j % 3] for j in range(LETTERS))
        return f"Try {k + 1}: {' '.join(WORDS[guess])} -> {marks}"

    def instructions(self, state, agent=0):
        """The rules."""
        count = int(self.world.params[0]["count"])
        often = "however often" if self.world.rule == "lmrl" else "each letter of the word once"
        return (
            f"Find a common English word of {LETTERS} letters in {TRIES} tries. Each letter of a guess is marked: g if "
            f"it is at its place, y if it is elsewhere in the word ({often}), b otherwise. Each guess but the right "
            f"one costs 1. There are {count} words; one that is none of them costs a try. Answer with one word, "
            "for example: water or w a t e r"
        )

    def answers(self, state, agent=0):
        """The words that are used, letter by letter."""
        used = self.world.params[0]["used"][: self.world.params[0]["count"]].tolist()
        return [_SPELLED[k] for k in used]

    def parse(self, text, state, agent=0):
        """Read a word of five letters, which stands alone or after the word guess or action."""
        if not text.strip():
            return Refusal(RefusalKind.EMPTY, "the answer is empty; answer with a word of five letters")
        answer = [text, *_STATED.findall(text)][-1].strip(" \t\r\n\"'`*.,!{}")
        if not _WORD.fullmatch(answer):
            several = sum(len(one) == LETTERS and one.isalpha() for one in answer[:1000].split()) > 1
            kind = RefusalKind.AMBIGUOUS if several else RefusalKind.UNREADABLE
            return Refusal(kind, "no word of five letters stands alone; answer with one, such as: water")
        return _INDEX.get(answer.replace(" ", "").lower(), INVALID)
