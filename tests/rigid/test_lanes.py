"""Four numbers at once give the same bits as loops over single numbers."""

import numpy as np
import pytest

from envsuite.core import kernel
from envsuite.rigid.lanes import add_products, add_rows, divide, multiply_rows


@kernel
def products(tile, i, j, rows, weights, firsts, seconds, count):
    add_products(tile, i, j, rows, weights, firsts, seconds, count)


@kernel
def added(x, i, rows, weights, first, count):
    add_rows(x, i, rows, weights, first, count)


@kernel
def multiplied(result, rows, first, x, count):
    multiply_rows(result, rows, first, x, count)


@kernel
def divided(x, i, divisor):
    divide(x, i, divisor)


def drawn(dtype):
    rng = np.random.default_rng(0)
    return rng, rng.normal(size=(30, 12)).astype(dtype), rng.normal(size=40).astype(dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_products_are_added_one_after_another(dtype):
    rng, rows, weights = drawn(dtype)
    firsts, seconds = rng.integers(0, 30, (2, 40)).astype(np.int32)
    tile = rng.normal(size=(12, 12)).astype(dtype)
    expected = tile.copy()
    for a in range(4, 8):
        for b in range(8, 12):
            for t in range(40):
                expected[a, b] += weights[t] * rows[firsts[t], a] * rows[seconds[t], b]
    products(tile, 4, 8, rows, weights, firsts, seconds, 40)
    np.testing.assert_array_equal(tile, expected)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_are_added_one_after_another(dtype):
    rng, rows, weights = drawn(dtype)
    x = rng.normal(size=12).astype(dtype)
    expected = x.copy()
    for a in range(8, 12):
        for row in range(5, 25):
            expected[a] += weights[row] * rows[row, a]
    added(x, 8, rows, weights, 5, 20)
    np.testing.assert_array_equal(x, expected)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("count", [0, 3, 4, 10])
def test_rows_are_multiplied_without_what_lies_behind_their_end(dtype, count):
    rng, rows, _ = drawn(dtype)
    x = rng.normal(size=12).astype(dtype)
    rows[:, count:] = np.nan
    result = np.full(30, 7, dtype)
    expected = result.copy()
    for row in range(9, 13):
        expected[row] = 0
        for a in range(count):
            expected[row] += rows[row, a] * x[a]
    multiplied(result, rows, 9, x, count)
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_four_are_divided(dtype):
    _, _, x = drawn(dtype)
    expected = x.copy()
    expected[3:7] /= dtype(0.3)
    divided(x, 3, dtype(0.3))
    np.testing.assert_array_equal(x, expected)
