"""What an oracle is and what it answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class OracleReply:
    """An answer, and how it came about.

    Attributes:
        text: the answer.
        intent: what the question was understood as; empty where it was not.
        confidence: 1 for a phrase that is known, the cosine of the nearest known one otherwise, 0 for none.
        parsed: the action that the question stands for; None where it stands for none.
        version: of the oracle; scores got with different versions do not compare.
        fallback: why another oracle than the wanted one answered; empty where none did.
    """

    text: str
    intent: str
    confidence: float
    parsed: Any
    version: str
    fallback: str = ""


class Oracle(Protocol):
    """Who answers questions about a secret: a pure function of what is asked and of the version.

    Attributes:
        version: changes with every change of an answer.
    """

    version: str

    def answer(self, secret: int, question: str, turn: int = 0, history: Sequence[tuple[str, str]] = ()) -> OracleReply:
        """Answer a question.

        Args:
            secret: index of what is asked about.
            question: as it was put.
            turn: number of questions before it.
            history: those questions and their answers.
        """
        ...
