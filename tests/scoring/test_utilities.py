"""Utilities and fairness against closed forms and plain definitions."""

import numpy as np
import pytest

from envsuite.scoring import (
    expected_scalarised_return,
    gini_coefficient,
    jain_index,
    product,
    scalarised_expected_return,
    sum_of_squares,
)


def test_utilities():
    vectors = [[1.0, 2.0], [3.0, 0.0]]
    np.testing.assert_array_equal(sum_of_squares(vectors), [5, 9])
    np.testing.assert_array_equal(product(vectors), [2, 0])


def test_the_order_of_mean_and_utility_matters():
    episodes = [[2.0, 0.0], [0.0, 2.0]]
    assert scalarised_expected_return(episodes, product) == 1
    assert expected_scalarised_return(episodes, product) == 0
    assert scalarised_expected_return(episodes, sum_of_squares) == 2
    assert expected_scalarised_return(episodes, sum_of_squares) == 4
    weights = np.array([0.3, 0.7])  # for linear utilities it does not
    ways = [way(episodes, lambda v: v @ weights) for way in (scalarised_expected_return, expected_scalarised_return)]
    assert ways == pytest.approx([1, 1])


def test_fairness_of_extremes():
    assert gini_coefficient([3, 3, 3]) == pytest.approx(0)
    assert jain_index([3, 3, 3]) == pytest.approx(1)
    assert gini_coefficient([0, 0, 0, 8]) == pytest.approx(3 / 4)
    assert jain_index([0, 0, 0, 8]) == pytest.approx(1 / 4)


def test_gini_is_the_mean_difference():
    values = np.random.default_rng(0).exponential(size=40)
    apart = np.abs(values[:, np.newaxis] - values).mean()
    assert gini_coefficient(values) == pytest.approx(apart / (2 * values.mean()))
    assert jain_index(values) == pytest.approx(values.mean() ** 2 / np.mean(values**2))


@pytest.mark.parametrize("wrong", [[], [0, 0], [1, -1], [1, np.nan], [[1, 2]]])
def test_refuses_what_is_no_share(wrong):
    for measure in (gini_coefficient, jain_index):
        with pytest.raises(ValueError, match="expected numbers from 0 on"):
            measure(wrong)


def test_refuses_what_utilities_fall_with():
    for utility in (sum_of_squares, product):
        with pytest.raises(ValueError, match="expected 0 or more"):
            utility([1.0, -0.5])
    with pytest.raises(ValueError, match="expected finite numbers"):
        scalarised_expected_return([1.0, 2.0], product)
