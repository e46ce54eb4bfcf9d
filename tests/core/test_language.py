"""Reading answers of language agents."""

import re

import numpy as np
import pytest

from envsuite.core.language import (
    Refusal,
    RefusalKind,
    parse_choice,
    parse_choices,
    parse_numbers,
    parse_whole,
    said,
    vector_text,
)
from envsuite.core.layout import Block, Choice, Choices, Vector

PLACE = [("row", 1, 8), ("column", 1, 9)]
VECTOR = Vector((Block("thrust", 1, 0.0, 1.0), Block("rate", 2, -2.0, 2.0, "rad/s")))


@pytest.mark.parametrize(
    "text",
    ["[0.5, -1, 2]", "0.5 -1 2", "First I climb by 3 m, so: [0.5,-1.0,2.0]", "[1, 2] no: [ .5  -1e0  +2 ]"],
)
def test_reads_numbers(text):
    np.testing.assert_array_equal(parse_numbers(text, VECTOR), np.array([0.5, -1, 2], np.float32))


@pytest.mark.parametrize(
    ("text", "kind", "mention"),
    [
        ("", RefusalKind.EMPTY, "3 numbers"),
        ("  \n", RefusalKind.EMPTY, "3 numbers"),
        ("full thrust", RefusalKind.UNREADABLE, "thrust, 2 x rate"),
        ("[0.5, 1]", RefusalKind.WRONG_COUNT, "2 numbers found"),
        ("[0.5, 1, 2.5]", RefusalKind.OUT_OF_RANGE, "2.5 is outside [-2, 2]"),
        ("[0.5, nan, 1]", RefusalKind.WRONG_COUNT, "2 numbers found"),
        ("[1e999, 0, 0]", RefusalKind.OUT_OF_RANGE, "inf"),
    ],
)
def test_refuses_other_texts(text, kind, mention):
    refusal = parse_numbers(text, VECTOR)
    assert isinstance(refusal, Refusal)
    assert refusal.kind is kind
    assert mention in refusal.reason


CHOICE = Choice(("left", "right", "stay"))


@pytest.mark.parametrize(
    ("text", "index"), [("left", 0), ("RIGHT!", 1), ("I would stay here.", 2), ("2", 2), (" 0 ", 0)]
)
def test_reads_choices(text, index):
    assert parse_choice(text, CHOICE) == index


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", RefusalKind.EMPTY),
        ("left or right", RefusalKind.AMBIGUOUS),
        ("leftover", RefusalKind.UNKNOWN_NAME),
        ("3", RefusalKind.OUT_OF_RANGE),
        ("9" * 5000, RefusalKind.OUT_OF_RANGE),  # more digits than Python reads
        ("-1", RefusalKind.UNKNOWN_NAME),
    ],
)
def test_refuses_unclear_choices(text, kind):
    assert parse_choice(text, CHOICE).kind is kind


def test_reads_several_choices():
    layout = Choices((("move", ("stay", "left")), ("fire", ("no", "yes"))))
    np.testing.assert_array_equal(parse_choices("move: left, fire=yes", layout), [1, 1])
    np.testing.assert_array_equal(parse_choices("Fire no; move 0", layout), [0, 0])
    np.testing.assert_array_equal(parse_choices("move: **left**, fire = [yes]", layout), [1, 1])
    assert parse_choices("move: left", layout).kind is RefusalKind.WRONG_COUNT
    assert parse_choices("move: up, fire: no", layout).kind is RefusalKind.UNKNOWN_NAME


def test_numbers_as_text_have_no_negative_zero():
    assert [said(-0.04), said(-0.06), said(2.345, 2), said(-0.4, 0)] == ["0.0", "-0.1", "2.35", "0"]
    assert vector_text(np.array([0.126, -0.001, 12])) == "(0.13, 0.00, 12.00)"


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("3 5", [3, 5]), ("3-5", [3, 5]), ("row 3, column 5.", [3, 5]), ("[3 5], after 2 misses [so far]", [3, 5])],
)
def test_whole_numbers_stand_in_the_last_brackets_that_hold_any(text, numbers):
    assert parse_whole(text, PLACE) == numbers


@pytest.mark.parametrize(
    ("text", "kind", "hint"),
    [
        (" ", RefusalKind.EMPTY, r"row \(1 to 8\) and column \(1 to 9\)"),
        ("the corner", RefusalKind.UNREADABLE, "no whole number"),
        ("1.5 2.5", RefusalKind.UNREADABLE, "no whole number"),
        ("4", RefusalKind.WRONG_COUNT, "1 numbers found"),
        ("-3 5", RefusalKind.OUT_OF_RANGE, "row is -3, expected 1 to 8"),
        ("3 " + "9" * 5000, RefusalKind.OUT_OF_RANGE, r"column is 9{18}\.\.\., expected 1 to 9"),
    ],
)
def test_whole_numbers_are_refused_with_reasons(text, kind, hint):
    refusal = parse_whole(text, PLACE)
    assert refusal.kind is kind
    assert re.search(hint, refusal.reason)


def test_choices_may_be_numbers():
    assert [parse_choice(one, Choice(("0", "1"))) for one in ("1.", "[1]", "The answer is 1", "**0**")] == [1, 1, 1, 0]
    assert parse_choice("-1", Choice(("0", "1"))).kind is RefusalKind.UNKNOWN_NAME
    assert parse_choice("(2).", CHOICE) == 2
