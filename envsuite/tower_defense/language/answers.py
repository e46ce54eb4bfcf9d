"""Commands from JSON or by name, and what can be wrong with a text."""

import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from envsuite.core import Choice, Choices
from envsuite.core.language import Refusal, RefusalKind, parse_choice, parse_choices, parse_numbers
from envsuite.tower_defense.params import COMMANDS, ERRORS, SHOW, UNIT, WAIT

TEXT_FAULTS = {
    20: "not JSON",
    21: "a key is missing or unknown",
    22: "a value has the wrong type",
    23: "the command's number is outside 0 to 11",
    24: "a coordinate is outside -3 to 3",
    25: "empty, or a refusal to act",
    26: "more than one command",
    27: "out of time or of length",
}
"""Why a text is no command, in the order 25, 20, 26, 21, 22, 23, 24 in which it is found out; 27 is for those who run
language agents to report."""

_KINDS = {
    20: RefusalKind.UNREADABLE,
    21: RefusalKind.WRONG_COUNT,
    22: RefusalKind.UNREADABLE,
    23: RefusalKind.OUT_OF_RANGE,
    24: RefusalKind.OUT_OF_RANGE,
    25: RefusalKind.EMPTY,
    26: RefusalKind.AMBIGUOUS,
}


@dataclass(frozen=True)
class TextFault(Refusal):
    """A text that is no command.

    Attributes:
        code: one of `TEXT_FAULTS`, or an error of `envsuite.tower_defense.params.ERRORS` that the encoding of actions
            has no way to commit.
    """

    code: int = 20


def _fault(code: int, detail: str) -> TextFault:
    return TextFault(_KINDS[code], f"error {code}, {TEXT_FAULTS[code]}: {detail}", code)


def parse(text: str, world, p: np.void) -> Any:
    """Read a command.

    JSON with the keys X, Y and Action is understood in every encoding; besides, each encoding has a form of its own: a
    name, ``x: 3, y: 4, command: hero``, or three numbers in brackets.

    Args:
        text: the answer.
        world: a `envsuite.tower_defense.kernel.BulwarkWorld`.
        p: parameters of the level that is played.

    Returns:
        An action of the world, or a `TextFault`.
    """
    if not text.strip():
        return _fault(25, "answer with one command")
    found = _objects(text)
    if not found:
        return _plain(text, world.action)
    if len(found) > 1:
        return _fault(26, f"{len(found)} JSON objects; give one")
    data = found[0]
    if set(data) == {"action"} and isinstance(data["action"], str):
        return _plain(data["action"], world.action)
    command = read_command(data)
    return command if isinstance(command, TextFault) else encoded(command, world, p)


def _objects(text: str) -> list[dict]:
    """All JSON objects in a text, outermost only."""
    decoder, found, at = json.JSONDecoder(), [], text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            found.append(value)
        at = text.find("{", end)
    return found


def _plain(text: str, layout) -> Any:
    if isinstance(layout, Choice):
        read: Any = parse_choice(text, layout)
        if isinstance(read, Refusal) and read.kind is RefusalKind.UNKNOWN_NAME:
            return _fault(20, "neither a JSON object nor the name of a command, such as build_ballista_S0 or wait")
    elif isinstance(layout, Choices):
        read = parse_choices(text, layout)
    else:
        read = parse_numbers(text, layout)
    if isinstance(read, Refusal):
        code = {RefusalKind.EMPTY: 25, RefusalKind.AMBIGUOUS: 26, RefusalKind.OUT_OF_RANGE: 23}.get(read.kind, 20)
        return _fault(code, read.reason)
    return read


def read_command(data: dict) -> tuple[int, float, float] | TextFault:
    """The command (c, x, y) of a JSON object, or what is wrong with it."""
    keys = ("X", "Y", "Action")
    if missing := [key for key in keys if key not in data]:
        return _fault(21, f"{missing[0]!r} is missing; the keys are X, Y and Action")
    if extra := sorted(set(data) - set(keys)):
        return _fault(21, f"{extra[0]!r} is unknown; the keys are X, Y and Action")
    for key in keys:
        value = data[key]
        good = isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))
        if isinstance(value, bool) or not good or (key == "Action" and value != int(value)):
            wanted = "an integer" if key == "Action" else "a number"
            return _fault(22, f"{key} is {json.dumps(value)[:40]}, expected {wanted}")
    if not 0 <= data["Action"] < len(COMMANDS):
        return _fault(23, f"Action is {data['Action']}, expected 0 to {len(COMMANDS) - 1}")
    for key in keys[:2]:
        if not -3 <= data[key] <= 3:
            return _fault(24, f"{key} is {data[key]}, expected -3 to 3")
    return int(data["Action"]), float(data["X"]), float(data["Y"])


def encoded(command: tuple[int, float, float], world, p) -> Any:
    """A command as an action of the world's encoding."""
    kind, x, y = command
    if world.actions == "xyc":
        return np.array([x / 3, y / 3, 2 * (kind + 0.5) / len(COMMANDS) - 1], np.float32)
    if world.actions in ("grid", "flat"):
        bins = int(p["grid"])
        column, row = (min(int((value + 3) / 6 * bins), bins - 1) for value in (x, y))
        if world.actions == "flat":
            return (column * bins + row) * len(COMMANDS) + kind
        return np.array([column, row, kind], np.int64)
    return _site_action(kind, round(x * UNIT), round(y * UNIT), p)


def _site_action(kind: int, x: int, y: int, p) -> Any:
    from envsuite.tower_defense.kernel.commands import number_of, site_at

    if kind == WAIT:
        return 0
    site = int(site_at(p, x, y)) if kind <= SHOW else -1
    if kind <= SHOW and site < 0:
        return TextFault(RefusalKind.ILLEGAL, f"error 6, {ERRORS[6]}: ({x / UNIT:g}, {y / UNIT:g})", 6)
    return 0 if kind == SHOW else int(number_of(p, kind, site, x, y))
