"""Everything that was said in one episode, one line an event, as it happens."""

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from envsuite.agents.chat.completion import Completion, Usage
from envsuite.evaluation.records import plain, read_lines

Place = tuple[int, int, int]
"""Step, agent, and number of the answer within the turn."""


def message_digest(messages: list[dict[str, Any]]) -> str:
    """SHA-256 (hexadecimal) of messages without pictures, which the settings and the state determine."""
    return hashlib.sha256(json.dumps(messages, sort_keys=True).encode()).hexdigest()


class Journal:
    """The events of an episode, in a file that only grows; a line that was cut off by the writer's end is removed.

    Events (field ``type``): ``system`` (an agent's first message), ``answer`` (a prompt and what came back, with the
    digest of all messages of the request), ``failure`` (a call without an answer), ``step`` (actions and rewards),
    ``end`` (how the episode ended).

    Args:
        path: of the file.
        hide: takes the key out of plain data; None to read only.

    Attributes:
        answers: by place.
        failures: events.
        end: the event, or None.

    Raises:
        ValueError: a line is not such an event.
    """

    def __init__(self, path: Path, hide: Callable[[Any], Any] | None = None):
        self.path = path
        self.answers: dict[Place, dict[str, Any]] = {}
        self.failures: list[dict[str, Any]] = []
        self.end: dict[str, Any] | None = None
        self._notes: dict[tuple[str, int], dict[str, Any]] = {}
        for number, event in enumerate(read_lines(path), 1):
            try:
                self._take(event)
            except (LookupError, TypeError, ValueError) as error:
                raise ValueError(f"{path}, event {number}: {type(error).__name__}: {error}") from None
        self._hide = hide
        self._file = -1
        if hide is not None:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            self._mend()

    def _mend(self) -> None:
        content = self.path.read_bytes()
        tail = content[content.rfind(b"\n") + 1 :]
        if not tail:
            return
        try:
            json.loads(tail)
        except ValueError:
            os.ftruncate(self._file, len(content) - len(tail))
        else:  # only the newline is missing
            os.write(self._file, b"\n")

    def _take(self, event: dict[str, Any]) -> None:
        kind = event["type"]
        if kind == "answer":
            place = (event["step"], event["agent"], event["attempt"])
            if place in self.answers:
                raise ValueError(f"a second answer to {place}")
            completion_of(event)
            _ = event["request"]
            self.answers[place] = event
        elif kind == "failure":
            _ = event["kind"]
            self.failures.append(event)
        elif kind in ("system", "step", "end"):
            self._notes[kind, event.get("step", event.get("agent", 0))] = event
            if kind == "end":
                self.end = event
        else:
            raise ValueError(f"unknown type {kind!r}")

    def _write(self, event: dict[str, Any]) -> None:
        if self._hide is None:
            raise RuntimeError("the journal is open for reading only")
        line = memoryview((json.dumps(self._hide(plain(event)), allow_nan=False) + "\n").encode())
        while line:
            line = line[os.write(self._file, line) :]

    def answer(self, place: Place, prompt: str, digest: str, completion: Completion) -> None:
        """Keep an answer, on disk before anything is done with it: it may have cost money."""
        step, agent, attempt = place
        event = {"type": "answer", "step": step, "agent": agent, "attempt": attempt, "request": digest}
        event |= {"prompt": prompt, **asdict(completion)}
        self._write(event)
        os.fsync(self._file)
        self.answers[place] = event

    def failure(self, place: Place, **what: Any) -> None:
        """Keep a call that gave no answer."""
        step, agent, attempt = place
        event = {"type": "failure", "step": step, "agent": agent, "attempt": attempt, **what}
        self._write(event)
        self.failures.append(event)

    def note(self, kind: str, **what: Any) -> None:
        """Keep what follows from the answers, or compare it with what was kept before.

        Args:
            kind: ``"system"``, ``"step"`` or ``"end"``.
            **what: plain data.

        Raises:
            ValueError: what was kept before is different; the message names the field.
        """
        event = plain({"type": kind, **what})
        if self._hide is not None:
            event = self._hide(event)
        kept = self._notes.get((kind, event.get("step", event.get("agent", 0))))
        if kept is None:
            if self._hide is not None:
                self._write(event)
                if kind == "end":
                    self.end = event
            return
        for name, value in event.items():
            if kept.get(name) != value:
                place = f" of step {event['step']}" if "step" in event else ""
                found = f"{name}{place} is {value!r}, recorded was {kept.get(name)!r}"
                raise ValueError(f"{self.path}: the {kind}'s {found}")

    def close(self) -> None:
        """Close the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def completion_of(event: dict[str, Any]) -> Completion:
    """A recorded answer.

    Raises:
        KeyError: a field is missing.
        TypeError: a field is of another type.
    """
    usage = event["usage"]
    read = Completion(
        event["text"],
        event["refused"],
        event["cut"],
        Usage(**usage) if usage is not None else None,
        event["model"],
        event["fingerprint"],
        event["seconds"],
    )
    if not isinstance(read.text, str):
        raise TypeError(f"text is {read.text!r}, expected a text")
    return read


def recorded(journal: Journal, place: Place, messages: list[dict[str, Any]]) -> Completion | None:
    """The answer that the journal has for this place, if any.

    Raises:
        ValueError: it answered another request.
    """
    event = journal.answers.get(place)
    if event is None:
        return None
    if event["request"] != message_digest(messages):
        step, agent, attempt = place
        raise ValueError(
            f"{journal.path}: the answer at step {step}, agent {agent}, attempt {attempt} was given to another "
            "conversation than the record leads to"
        )
    return completion_of(event)


@dataclass
class Spent:
    """What was used up so far.

    Attributes:
        calls: tries, failed ones included.
        failed: those that gave no answer.
        usage: tokens.
        uncounted: answers whose tokens the endpoint did not count.
    """

    calls: int = 0
    failed: int = 0
    usage: Usage = field(default_factory=Usage)
    uncounted: int = 0

    def add(self, usage: Usage | None) -> None:
        """Count an answer's tokens."""
        self.usage += usage or Usage()
        self.uncounted += usage is None

    def add_journal(self, journal: Journal) -> None:
        """Count all that an episode's record holds."""
        self.calls += len(journal.answers) + len(journal.failures)
        self.failed += len(journal.failures)
        for event in journal.answers.values():
            self.add(completion_of(event).usage)
