"""Reading answers of language agents."""

import numpy as np
import pytest

from envsuite.core.language import (
    Refusal,
    RefusalKind,
    parse_choice,
    parse_choices,
    parse_numbers,
    said,
    vector_text,
)
from envsuite.core.layout import Block, Choice, Choices, Vector

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
    assert parse_choices("move: left", layout).kind is RefusalKind.WRONG_COUNT
    assert parse_choices("move: up, fire: no", layout).kind is RefusalKind.UNKNOWN_NAME


def test_numbers_as_text_have_no_negative_zero():
    assert [said(-0.04), said(-0.06), said(2.345, 2), said(-0.4, 0)] == ["0.0", "-0.1", "2.35", "0"]
    assert vector_text(np.array([0.126, -0.001, 12])) == "(0.13, 0.00, 12.00)"
