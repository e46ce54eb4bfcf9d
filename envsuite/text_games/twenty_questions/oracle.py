"""The oracle of rules: answers a question about an object in words, outside a game as well."""

import re
from collections.abc import Sequence
from typing import Literal

from envsuite.core.language import Refusal
from envsuite.text_games.oracle.reply import OracleReply
from envsuite.text_games.twenty_questions.catalogue import VERSION, questions, truth
from envsuite.text_games.twenty_questions.reader import AND, NOT, OR, PLAIN, Reading, read

ANSWERS = {1: "Yes.", -1: "No.", 0: "I am not sure."}
_SUBJECT = re.compile(r"^(\w+ (?:you|people|wild animals|its \w+|it|there))\b")


def question_text(first: int, form: int, second: int) -> str:
    """A question in full.

    Args:
        first: index in the catalogue.
        form: how it is put, see `envsuite.text_games.twenty_questions.reader`.
        second: index of the other question, if the form joins two.
    """
    text = questions()[first].ask
    if form == NOT:
        return _SUBJECT.sub(r"\1 not", text, count=1)
    if form in (OR, AND):
        other = questions()[second].ask
        return f"{text.rstrip('?')}, {'or' if form == OR else 'and'} {other[0].lower()}{other[1:]}"
    return text


def judged(secret: int, reading: Reading, unclear: int) -> int:
    """The answer to a question: 1, -1, or 0 for not sure.

    Args:
        secret: index of the object.
        reading: of the question.
        unclear: answer to what is not understood.
    """
    last = len(questions()) - 1
    found = [unclear if term == last else 2 * int(truth()[term, secret]) - 1 for term in reading.terms]
    if reading.form == NOT:
        return -found[0]
    return max(found) if reading.form == OR else min(found)


class RulesOracle:
    """Answers by the table of facts.

    Args:
        unclear: what is said to what is not understood: ``"unsure"`` or ``"no"``.
    """

    def __init__(self, unclear: Literal["unsure", "no"] = "unsure"):
        if unclear not in ("unsure", "no"):
            raise ValueError(f"unclear is {unclear!r}, expected one of 'unsure', 'no'")
        self.version = f"{VERSION}-{unclear}"
        self._unclear = -1 if unclear == "no" else 0

    def answer(self, secret: int, question: str, turn: int = 0, history: Sequence[tuple[str, str]] = ()) -> OracleReply:
        """Answer a question; the answer depends on the object and the question alone.

        Args:
            secret: index of the object.
            question: as it was put.
            turn: counts for nothing.
            history: counts for nothing.
        """
        if not 0 <= secret < truth().shape[1]:
            raise ValueError(f"secret is {secret}, expected an index from 0 to {truth().shape[1] - 1}")
        reading = read(question)
        if isinstance(reading, Refusal):
            return OracleReply(ANSWERS[self._unclear], "", 0.0, None, self.version)
        parsed = (reading.first, reading.form, reading.second)
        understood = reading.confidence > 0 or reading.form != PLAIN
        intent = question_text(*parsed) if understood else ""
        text = ANSWERS[judged(secret, reading, self._unclear)]
        return OracleReply(text, intent, reading.confidence, parsed, self.version)
