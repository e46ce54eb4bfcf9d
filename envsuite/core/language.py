"""Shared machinery for worlds that speak: refusals, number lists, named choices, unit-carrying phrases."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from envsuite.core.layout import Choice, Choices, Layout, Vector

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_WORD = re.compile(r"[A-Za-z_][\w-]*|(?<![\w.-])\d+")
_WHOLE = re.compile(r"(?<![\w.])-?\d+(?!\w|\.\d)")
_MARKS = " \t\r\n.,:*`'\"[](){}"
"""What may stand around an answer of one number."""
_DIGITS = 18  # of an index; Python refuses to read some thousands


class RefusalKind(StrEnum):
    """Ways in which a text fails to be an action, in order of precedence."""

    EMPTY = "empty"
    UNREADABLE = "unreadable"
    WRONG_COUNT = "wrong_count"
    OUT_OF_RANGE = "out_of_range"
    UNKNOWN_NAME = "unknown_name"
    AMBIGUOUS = "ambiguous"
    ILLEGAL = "illegal"


@dataclass(frozen=True)
class Refusal:
    """A text that is no valid action.

    Attributes:
        kind: what is wrong with it.
        reason: one sentence that tells the author how to do better.
        code: the world's own number for it; 0 for none.
    """

    kind: RefusalKind
    reason: str
    code: int = 0


def parse_numbers(text: str, layout: Vector) -> np.ndarray | Refusal:
    """Read an action vector from a text: the last run of as many numbers as the action has.

    Numbers may stand in brackets, be separated by spaces or commas, and be preceded by an explanation.

    Args:
        text: the answer.
        layout: what it should hold.

    Returns:
        Array of the layout's shape and type, or why there is none.
    """
    if not text.strip():
        return Refusal(RefusalKind.EMPTY, f"the answer is empty; give {_wanted(layout)}")
    bracketed = re.findall(r"\[([^\[\]]*)\]", text)
    numbers = [float(found) for found in NUMBER.findall(bracketed[-1] if bracketed else text)]
    size = layout.low.size
    if not numbers:
        return Refusal(RefusalKind.UNREADABLE, f"no number found; give {_wanted(layout)}")
    if len(numbers) != size:
        return Refusal(RefusalKind.WRONG_COUNT, f"{len(numbers)} numbers found; give {_wanted(layout)}")
    for value, low, high in zip(numbers, layout.low.reshape(-1), layout.high.reshape(-1), strict=True):
        if not low <= value <= high:
            return Refusal(RefusalKind.OUT_OF_RANGE, f"{value:g} is outside [{low:g}, {high:g}]")
    return np.array(numbers, layout.dtype).reshape(layout.shape)


def wanted(layout: Layout) -> str:
    """What an answer should hold, in words.

    Args:
        layout: of the action.
    """
    if isinstance(layout, Choice):
        return f"one of: {', '.join(layout.names)}"
    if isinstance(layout, Choices):
        return "; ".join(f"{name}: one of {', '.join(names)}" for name, names in layout.heads)
    return _wanted(layout)


def _wanted(layout: Vector) -> str:
    names = ", ".join(block.name if block.size == 1 else f"{block.size} x {block.name}" for block in layout.blocks)
    return f"{layout.low.size} numbers in brackets: {names}"


def parse_choice(text: str, layout: Choice) -> int | Refusal:
    """Read one of several named alternatives from a text; names win over indices.

    Args:
        text: the answer; case does not matter.
        layout: the alternatives.

    Returns:
        The index of the alternative, or why there is none.
    """
    options = ", ".join(layout.names)
    if not text.strip():
        return Refusal(RefusalKind.EMPTY, f"the answer is empty; choose one of: {options}")
    words = [word.lower() for word in _WORD.findall(text)]
    named = [index for index, name in enumerate(layout.names) if name.lower() in words]
    if len(named) == 1:
        return named[0]
    if named:
        found = ", ".join(layout.names[index] for index in named)
        return Refusal(RefusalKind.AMBIGUOUS, f"the answer names several choices ({found}); name one")
    digits = text.strip(_MARKS)
    if digits.isdecimal():
        return number_among(digits, len(layout.names))
    return Refusal(RefusalKind.UNKNOWN_NAME, f"no known choice found; choose one of: {options}")


def number_among(digits: str, count: int) -> int | Refusal:
    """Read an index, however many digits a text has.

    Args:
        digits: decimal digits alone.
        count: of the alternatives.
    """
    few = len(digits) <= _DIGITS
    if few and int(digits) < count:
        return int(digits)
    return Refusal(
        RefusalKind.OUT_OF_RANGE, f"{digits if few else digits[:_DIGITS] + '...'} is outside [0, {count - 1}]"
    )


def parse_choices(text: str, layout: Choices) -> np.ndarray | Refusal:
    """Read one alternative for each of several choices, as ``name: alternative`` pairs or as indices.

    Args:
        text: the answer.
        layout: the choices.

    Returns:
        Integer array of shape (choices,), or why there is none.
    """
    if not text.strip():
        return Refusal(RefusalKind.EMPTY, "the answer is empty")
    picked = []
    for name, names in layout.heads:
        match = re.search(rf"\b{re.escape(name)}\b[\s:=*`'\"\[(]*([\w-]+)", text, re.IGNORECASE)
        if match is None:
            return Refusal(RefusalKind.WRONG_COUNT, f"nothing chosen for {name!r}; options: {', '.join(names)}")
        choice = parse_choice(match.group(1), Choice(tuple(names)))
        if isinstance(choice, Refusal):
            return Refusal(choice.kind, f"{name}: {choice.reason}")
        picked.append(choice)
    return np.array(picked, layout.dtype)


def parse_whole(text: str, bounds: Sequence[tuple[str, int, int]]) -> list[int] | Refusal:
    """Read whole numbers from a text: those in its last brackets that hold any, or its only ones.

    Args:
        text: the answer.
        bounds: what each number is, its least and its greatest value.

    Returns:
        The numbers, or why there are none.
    """
    wanted = " and ".join(f"{name} ({low} to {high})" for name, low, high in bounds)
    if not text.strip():
        return Refusal(RefusalKind.EMPTY, f"the answer is empty; give {wanted}")
    bracketed = [one for part in re.findall(r"\[([^\[\]]*)\]", text) if (one := _WHOLE.findall(part))]
    found = bracketed[-1] if bracketed else _WHOLE.findall(text)
    if not found:
        return Refusal(RefusalKind.UNREADABLE, f"no whole number found; give {wanted}")
    if len(found) != len(bounds):
        return Refusal(RefusalKind.WRONG_COUNT, f"{len(found)} numbers found; give {wanted}, in brackets if need be")
    for digits, (name, low, high) in zip(found, bounds, strict=True):
        few = len(digits) <= _DIGITS
        if not few or not low <= int(digits) <= high:
            told = digits if few else digits[:_DIGITS] + "..."
            return Refusal(RefusalKind.OUT_OF_RANGE, f"{name} is {told}, expected {low} to {high}")
    return [int(digits) for digits in found]


def parse_action(text: str, layout: Layout) -> np.ndarray | int | Refusal:
    """Read an action from a text, as its layout wants it.

    Args:
        text: the answer.
        layout: numbers, a choice or several choices.

    Returns:
        The action, or why there is none.
    """
    if isinstance(layout, Choice):
        return parse_choice(text, layout)
    return parse_choices(text, layout) if isinstance(layout, Choices) else parse_numbers(text, layout)


def said(value: float, decimals: int = 1) -> str:
    """A number with fixed digits, without a sign before 0.

    Args:
        value: the number.
        decimals: digits behind the point.
    """
    return f"{round(float(value), decimals) + 0.0:.{decimals}f}"


def vector_text(values: np.ndarray, decimals: int = 2) -> str:
    """Numbers as a language agent reads them best: ``(0.12, -0.30, 1.00)``."""
    rounded = np.round(np.asarray(values, np.float64), decimals) + 0.0  # no negative zeros
    return "(" + ", ".join(f"{value:.{decimals}f}" for value in rounded.reshape(-1)) + ")"
