"""Declarations of records and options."""

from typing import Literal

import numpy as np
import pytest

from envsuite.core.declare import Record, check_options, field


class First(Record):
    """One base."""

    mass = field(1.0, "kg")


class Second(Record):
    """Another."""

    count = field(2, type=np.uint8)


class Both(First, Second):
    """Fields of its own come last."""

    size = field(3.0, "m", shape="agents")


def test_a_record_of_several_bases_has_the_fields_of_all():
    assert list(Both.fields) == ["mass", "count", "size"]
    assert Both.dtype(np.float32, agents=2) == np.dtype(
        [("mass", "f4"), ("count", "u1"), ("size", "f4", 2)], align=True
    )


class Thing:
    """With options."""

    @check_options
    def __init__(self, *, mode: Literal["a"] | None = None, other: Literal["a", "b"] | None = "b"):
        self.mode, self.other = mode, other


def test_options_that_may_be_none_are_checked():
    assert Thing().mode is None
    assert Thing(mode="a", other=None).other is None
    for name, said in (("mode", "'a'"), ("other", "'a', 'b'")):
        with pytest.raises(ValueError, match=f"{name} is 'c', expected one of {said}"):
            Thing(**{name: "c"})
