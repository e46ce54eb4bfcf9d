"""Records and options are declared once, and hold their users to it."""

from typing import Annotated, Literal

import numpy as np
import pytest

from envsuite.core import Between, Record, StateRecord, World, field
from envsuite.core.declare import allowed, check_options, declarations


class Inner(Record):
    speed = field(2.0, "m/s")


class Params(Record):
    """A record of all kinds of fields."""

    gravity = field(9.8, "m/s^2", "of free fall", low=0, high=100, source="Newton")
    count = field(3, type=np.int32)
    walls = field(type=np.uint8, shape=("rows", 2))
    inner = field(type=Inner)
    body = field(type=lambda real: np.dtype([("mass", real)]))


class More(Params):
    last = field(1.5)


class State(StateRecord):
    height = field(unit="m")


class Declared(World):
    def __init__(
        self,
        *,
        width: Annotated[int, Between(4, 20)] = 7,
        share: Annotated[float, Between(0, 1)] = 0.5,
        mode: Literal["a", "b"] = "a",
        flag: bool = True,
        seed: int | None = None,
        other: Annotated[int, Between(1, 2)] | None = None,
    ):
        self.given = width, share, mode, flag


def test_types_follow_the_declaration():
    expected = np.dtype(
        [
            ("gravity", np.float32),
            ("count", np.int32),
            ("walls", np.uint8, (4, 2)),
            ("inner", np.dtype([("speed", np.float32)], align=True)),
            ("body", np.dtype([("mass", np.float32)])),
        ],
        align=True,
    )
    assert Params.dtype(np.float32, rows=4) == expected
    assert list(More.fields) == [*Params.fields, "last"]
    assert State.dtype().names == ("clock", "rng", "height")
    assert State.dtype() is State.dtype()  # Numba looks one object up at once


def test_values_are_defaults_or_given_and_inside():
    made = Params.make(np.float64, {"rows": 2}, gravity=1.6, body=(3.0,))
    assert made.shape == (1,)
    assert (made["gravity"], made["count"], made["body"]["mass"]) == (1.6, 3, 3.0)
    with pytest.raises(ValueError, match="gravity is 101, expected a number from 0 to 100"):
        Params.make(sizes={"rows": 2}, gravity=101)
    with pytest.raises(ValueError, match="gravity is nan"):
        Params.make(sizes={"rows": 2}, gravity=float("nan"))
    with pytest.raises(ValueError, match="Params has no field 'gravty'; its fields are gravity, count"):
        Params.make(sizes={"rows": 2}, gravty=1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"width": 3}, "width is 3, expected a whole number from 4 to 20"),
        ({"width": 7.0}, "width is 7.0, expected a whole number from 4 to 20"),
        ({"width": True}, "width is True, expected a whole number from 4 to 20"),
        ({"width": "seven"}, "width is 'seven', expected a whole number from 4 to 20"),
        ({"share": 1.1}, "share is 1.1, expected a number from 0 to 1"),
        ({"share": float("nan")}, "share is nan, expected a number from 0 to 1"),
        ({"mode": "c"}, "mode is 'c', expected one of 'a', 'b'"),
        ({"flag": 1}, "flag is 1, expected True or False"),
    ],
)
def test_options_are_held_to_their_annotations(options, message):
    with pytest.raises(ValueError, match=message):
        Declared(**options)


def test_options_that_are_right_pass():
    world = Declared(width=np.int64(4), share=1, mode="b", flag=np.False_, seed=None, other=None)
    assert world.given == (4, 1, "b", False)


def test_worlds_show_what_they_declare():
    found = declarations(Declared)
    assert found == {"Params": Params, "State": State}
    assert allowed(Annotated[int, Between(4, 20)]) == "a whole number from 4 to 20"
    assert allowed(Literal["a", "b"]) == "one of 'a', 'b'"
    assert allowed(int | None) == "a whole number or None"


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
