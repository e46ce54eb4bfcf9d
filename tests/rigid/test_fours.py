"""Arithmetic on four numbers is that of each."""

import math

import numpy as np
import pytest

from envsuite.core import kernel
from envsuite.core.fmath import sincos, sqrt
from envsuite.core.jit import records
from envsuite.rigid.abreast import abreast, abreast_dtype, flat, gather, scatter, subtract_multiple, width
from envsuite.rigid.fours import anywhere, choose

FIELDS = ("x", "y", "out", "table")
SPECIAL = (0.0, -0.0, 1.5, -2.0, math.nan, math.inf, -math.inf, 1e-320, 3.7e5, 0.25)


def record(dtype):
    parts = [("x", dtype, 12), ("y", dtype, 12), ("out", dtype, (12, 12)), ("table", dtype, (3, 5)), ("n", np.int32)]
    return np.dtype(parts)


@kernel
def arithmetic(x, y, out):
    for k in range(x.shape[0]):
        a, b = x[k], y[k]
        out[0, k], out[1, k], out[2, k] = a + b, a - b, a * b
        out[3, k], out[4, k] = a / b, -a
        out[5, k], out[6, k] = min(a, b), max(a, 0.5)
        out[7, k], out[8, k] = sqrt(abs(a)), 2 * a + b / 3
        out[9, k], out[10, k] = sincos(a)
        out[11, k] = choose(a < b, a, choose(b >= 1.0, 0.5, b))
        out[0, k] += 1.0
        out[1, k] *= b


@kernel
def apart(ones):
    for i in range(ones.shape[0]):
        arithmetic(ones[i].x, ones[i].y, ones[i].out)


@kernel
def together(ones, room):
    four, each = abreast(room[0]), (ones[0], ones[1], ones[2], ones[3])
    gather(four, "x", each, 0, 12)
    gather(four, "y", each, 0, 12)
    arithmetic(four.x, four.y, four.out)
    scatter(four, "out", each, 0, 144)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_operations_are_those_of_each_number(dtype):
    rng, ones = np.random.default_rng(0), np.zeros(4, record(dtype))
    for name in ("x", "y"):
        ones[name] = rng.choice(SPECIAL, (4, 12))
        ones[name][:, ::3] = rng.normal(size=(4, 4))
    others, room = ones.copy(), np.zeros(1, abreast_dtype(ones.dtype, FIELDS))
    apart(records(ones))
    together(records(others), records(room))
    for one, other in zip(ones["out"].ravel(), others["out"].ravel(), strict=True):
        assert one.tobytes() == other.tobytes() or (math.isnan(one) and math.isnan(other))


@kernel
def copied(ones, room, first, count):
    four, each = abreast(room[0]), (ones[0], ones[1], ones[2], ones[3])
    gather(four, "table", each, first, count)
    for i in range(four.table.shape[0]):
        for j in range(four.table.shape[1]):
            four.table[i, j] *= 2
    scatter(four, "table", each, first, count)


@pytest.mark.parametrize(("first", "count"), [(0, 15), (3, 9), (14, 1), (5, 0), (2, 4)])
def test_a_part_of_a_field_is_copied_and_nothing_beside_it(first, count):
    ones, room = np.zeros(4, record(np.float64)), np.zeros(1, abreast_dtype(record(np.float64), FIELDS))
    ones["table"] = np.arange(60).reshape(4, 3, 5)
    expected = ones.copy()
    expected["table"].reshape(4, -1)[:, first : first + count] *= 2
    copied(records(ones), records(room), first, count)
    np.testing.assert_array_equal(ones["table"], expected["table"])
    assert not ones["out"].any()
    assert not ones["n"].any()


@kernel
def asked(room, plain, found):
    x = abreast(room[0]).x
    found[0], found[1] = anywhere(x[0] > 0.5), anywhere(x[1] > 0.5)
    found[2], found[3] = width(x), width(plain)
    numbers = flat(x)
    found[4], found[5] = numbers.shape[0], flat(plain).shape[0]
    numbers[4 * 2 + 3] = 7.0
    subtract_multiple(x, abreast(room[0]).y, 1, 3, x[2])


def test_questions_about_four_numbers():
    room, plain, found = np.zeros(1, abreast_dtype(record(np.float64), FIELDS)), np.zeros(3), np.zeros(6)
    room["x"][0, 1] = 0.0, 0.0, 1.0, 0.0
    room["y"][0, 1:3] = [[10.0] * 4, [100.0] * 4]
    asked(records(room), plain, found)
    assert found.tolist() == [0, 1, 4, 1, 48, 3]
    assert room["x"][0, :3].tolist() == [[0, 0, 0, -70], [0, 0, 1, -700], [0, 0, 0, 7]]
