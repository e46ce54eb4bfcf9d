"""An oracle that asks a language model, from a cache where it can, and falls back on rules where it cannot."""

import asyncio
import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from envsuite.agents.chat.client import CallError, Endpoint
from envsuite.core.files import write_atomic
from envsuite.text_games.oracle.reply import Oracle, OracleReply

TEMPLATE = "oracle-2"
"""Version of the prompt."""
ROLE = "You answer questions about a secret. The secret is:"
HOW = "Answer with Yes. or No. alone, and with No. where you are not sure."
_YES_NO = re.compile(r"^\W*(yes|no)\b", re.IGNORECASE)


def prompt(
    role: str, secret: str, how: str, question: str, history: Sequence[tuple[str, str]] = ()
) -> list[dict[str, str]]:
    """The conversation that a model is sent.

    Args:
        role: who it is; the secret follows.
        secret: in words.
        how: how to answer.
        question: as it was put.
        history: questions before it, and their answers.
    """
    said = [
        {"role": who, "content": text}
        for pair in history
        for who, text in zip(("user", "assistant"), pair, strict=True)
    ]
    system = {"role": "system", "content": f"{role} {secret}. {how}"}
    return [system, *said, {"role": "user", "content": question}]


def yes_or_no(text: str, secret: int, turn: int) -> str:
    """The answer of a model to a question of yes and no: ``"Yes."``, ``"No."``, or empty for neither.

    Args:
        text: of the model.
        secret: counts for nothing.
        turn: counts for nothing.
    """
    found = _YES_NO.match(text)
    return f"{found.group(1).capitalize()}." if found else ""


class ModelOracle:
    """Asks a language model at temperature 0; the same question about the same secret is asked once.

    The rules read the question in any case, so that guesses are judged by them and replies tell what was understood.

    Args:
        rules: the oracle to fall back on, which also reads questions.
        secrets: all secrets in words.
        cache: folder of answers, one file each, named by the SHA-256 of the model and all that it is shown.
        endpoint: where the model is asked; None to answer from the cache alone.
        role: who the model is told to be; the secret follows.
        how: how it is told to answer.
        normalise: makes an answer of the model's text, the secret and the turn; an empty one counts as none.
        remember: the model is shown what was said before, and its answer holds for this course of the talk alone.
    """

    def __init__(
        self,
        rules: Oracle,
        secrets: Sequence[str],
        cache: Path,
        endpoint: Endpoint | None = None,
        *,
        model: str = "",
        role: str = ROLE,
        how: str = HOW,
        normalise: Callable[[str, int, int], str] = yes_or_no,
        remember: bool = False,
    ):
        if endpoint is None and not model:
            raise ValueError("model is empty, expected the model's name where there is no endpoint")
        self._rules, self._secrets, self._cache, self._normalise = rules, tuple(secrets), cache, normalise
        self._role, self._how, self._remember = role, how, remember
        self._endpoint = None
        self.model = model or (endpoint.model if endpoint else "")
        if endpoint is not None:
            self._endpoint = replace(endpoint, parameters={**endpoint.parameters, "temperature": 0})
        told = hashlib.sha256(f"{role} {how}".encode()).hexdigest()[:8]
        self.version = f"{rules.version}+{TEMPLATE}-{told}+{self.model}"

    def place(self, secret: int, question: str, history: Sequence[tuple[str, str]] = ()) -> Path:
        """The file of an answer.

        Args:
            secret: index.
            question: as it was put.
            history: what was said before, if the model is shown it.
        """
        talk = prompt(self._role, self._secrets[secret], self._how, question, history if self._remember else ())
        parts = json.dumps([self.model, TEMPLATE, talk])
        return self._cache / f"{hashlib.sha256(parts.encode()).hexdigest()}.json"

    def answer(self, secret: int, question: str, turn: int = 0, history: Sequence[tuple[str, str]] = ()) -> OracleReply:
        """Answer a question.

        In the reply, ``fallback`` tells why the rules did: ``"not cached"``, the kind of a `CallError`, or
        ``"unreadable"``.

        Args:
            secret: index of what is asked about.
            question: as it was put.
            turn: number of questions before it.
            history: those questions and their answers.
        """
        by_rules = replace(self._rules.answer(secret, question, turn, history), version=self.version)
        place = self.place(secret, question, history)
        if place.is_file():
            text, why = json.loads(place.read_text("utf-8"))["answer"], "unreadable"
        elif self._endpoint is None:
            text, why = "", "not cached"
        else:
            text, why = self._ask(self._endpoint, secret, question, history, place)
        answer = self._normalise(text, secret, turn) if text else ""
        return replace(by_rules, text=answer) if answer else replace(by_rules, fallback=why)

    def _ask(
        self, endpoint: Endpoint, secret: int, question: str, history: Sequence[tuple[str, str]], place: Path
    ) -> tuple[str, str]:
        """The model's text, and why there is none."""
        talk = prompt(self._role, self._secrets[secret], self._how, question, history if self._remember else ())

        async def call() -> str:
            async with endpoint.client(1) as client:
                return (await endpoint.complete(client, talk)).text

        try:
            text = asyncio.run(call())
        except CallError as error:
            return "", error.kind
        place.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(
            place, json.dumps({"question": question, "secret": self._secrets[secret], "answer": text}).encode()
        )
        return text, "unreadable"
