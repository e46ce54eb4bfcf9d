"""Multi-objective metrics against brute force, closed forms and moocore."""

import itertools
import math

import numpy as np
import pytest

from envsuite.scoring import (
    cardinality,
    expected_utility,
    hypervolume,
    inverted_generational_distance,
    inverted_generational_distance_plus,
    maximum_utility_loss,
    nondominated,
    simplex_weights,
    sparsity,
)


def points(count, objectives, seed=0, digits=None):
    found = np.random.default_rng(seed).random((count, objectives))
    return found if digits is None else np.round(found, digits)


def inclusion_exclusion(table, reference):
    """Volume of a union of boxes from the volumes of all intersections."""
    above = np.maximum(np.asarray(table) - reference, 0.0)
    total = 0.0
    for size in range(1, len(above) + 1):
        for chosen in itertools.combinations(above, size):
            total -= (-1) ** size * np.prod(np.min(chosen, axis=0))
    return total


@pytest.mark.parametrize("objectives", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("digits", [None, 1])
def test_hypervolume_is_that_of_inclusion_and_exclusion(objectives, digits):
    for seed in range(5):
        table = points(9, objectives, seed, digits)
        for reference in (np.full(objectives, -0.2), np.full(objectives, 0.3)):
            assert hypervolume(table, reference) == pytest.approx(inclusion_exclusion(table, reference), abs=1e-12)


@pytest.mark.parametrize("objectives", [2, 3, 4, 6])
def test_hypervolume_agrees_with_moocore(objectives):
    moocore = pytest.importorskip("moocore")
    for count, digits in ((1, None), (30, None), (120, None), (120, 1)):
        table = points(count, objectives, count, digits) + 0.1
        sphere = table / np.linalg.norm(table, axis=1, keepdims=True)  # none dominates another
        for each in (table, sphere):
            theirs = moocore.hypervolume(each, ref=np.full(objectives, 0.05), maximise=True)
            assert hypervolume(each, np.full(objectives, 0.05)) == pytest.approx(float(theirs), rel=1e-10, abs=1e-12)


def test_hypervolume_of_worked_examples():
    assert hypervolume([[1, 3], [2, 2], [3, 1]], [0, 0]) == 6.0
    assert hypervolume([[2, 2, 2], [1, 1, 1]], [0, 0, 0]) == 8.0
    assert hypervolume([[3, 2, 1, 1], [1, 1, 1, 2]], [0, 0, 0, 0]) == 7.0
    assert hypervolume(np.empty((0, 3)), [0, 0, 0]) == 0.0
    assert hypervolume([[1.0, 0.0], [-1.0, 5.0]], [0, 0]) == 0.0, "points not above the reference add nothing"
    assert hypervolume([[1, 1], [5, -1]], [0, 0]) == 1.0


def test_hypervolume_grows_with_a_point_and_scales():
    table = points(12, 4)
    whole = hypervolume(table, np.zeros(4))
    assert whole >= hypervolume(table[:11], np.zeros(4))
    assert hypervolume(table * [1, 2, 3, 4], np.zeros(4)) == pytest.approx(24 * whole)
    assert hypervolume(table + 5, np.full(4, 5.0)) == pytest.approx(whole)
    assert hypervolume(table[:, [2, 0, 3, 1]], np.zeros(4)) == pytest.approx(whole)


@pytest.mark.parametrize("objectives", [1, 2, 3, 5])
def test_nondominated_points_are_those_that_no_other_dominates(objectives):
    table = points(60, objectives, objectives, 1)
    expected = [
        row
        for i, row in enumerate(table)
        if not any((other >= row).all() and (other > row).any() for other in table)
        and not any((other == row).all() for other in table[:i])
    ]
    assert nondominated(table).tolist() == np.array(expected).tolist()
    assert cardinality(table) == len(expected)


def test_simplex_weights_are_all_of_them():
    assert simplex_weights(2, 4).tolist() == [[0, 1], [0.25, 0.75], [0.5, 0.5], [0.75, 0.25], [1, 0]]
    found = simplex_weights(4, 6)
    assert len(found) == math.comb(9, 3) == len(np.unique(found, axis=0))
    assert found.sum(axis=1) == pytest.approx(np.ones(84))
    assert simplex_weights(1, 3).tolist() == [[1.0]]


def test_utilities():
    weights = simplex_weights(2, 2)
    assert expected_utility([[1, 3], [3, 1]], weights) == pytest.approx((3 + 2 + 3) / 3)
    assert maximum_utility_loss([[1, 3]], [[1, 3], [3, 1], [2.5, 2.5]], weights) == pytest.approx(2.0)
    assert maximum_utility_loss([[1, 3], [3, 1]], [[1, 3], [3, 1], [2.5, 2.5]], weights) == pytest.approx(0.5)
    assert maximum_utility_loss([[4, 4]], [[3, 3]], weights) == pytest.approx(-1.0)


def test_distances_from_a_known_front():
    known = [[0.0, 4.0], [3.0, 0.0]]
    assert inverted_generational_distance([[0, 4]], known) == pytest.approx((0 + 5) / 2)
    assert inverted_generational_distance_plus([[0, 4]], known) == pytest.approx((0 + 3) / 2)
    better = [[1.0, 5.0], [4.0, 1.0]]
    assert inverted_generational_distance_plus(better, known) == 0.0
    assert inverted_generational_distance(better, known) == pytest.approx(np.sqrt(2))


@pytest.mark.parametrize("objectives", [2, 3])
def test_distances_agree_with_moocore(objectives):
    moocore = pytest.importorskip("moocore")
    table, known = points(20, objectives, 1), points(15, objectives, 2)
    front = nondominated(table)
    theirs = moocore.igd(front, ref=known, maximise=True)
    assert inverted_generational_distance(table, known) == pytest.approx(float(theirs))
    theirs = moocore.igd_plus(front, ref=known, maximise=True)
    assert inverted_generational_distance_plus(table, known) == pytest.approx(float(theirs))


def test_sparsity_adds_squared_gaps():
    assert sparsity([[0, 4], [1, 2], [3, 0]]) == pytest.approx((1 + 4 + 4 + 4) / 2)
    assert sparsity([[0, 4], [1, 2], [3, 0], [0, 0]]) == pytest.approx(6.5), "dominated points do not count"
    assert sparsity([[1, 1]]) == 0.0


@pytest.mark.parametrize(
    ("call", "mention"),
    [
        (lambda: hypervolume([1.0, 2.0], [0, 0]), r"shape \(2,\)"),
        (lambda: hypervolume([[1.0, np.nan]], [0, 0]), "not finite"),
        (lambda: hypervolume([[1.0, 2.0]], [0]), "expected 2 finite numbers"),
        (lambda: expected_utility(np.empty((0, 2)), [[1, 0]]), "no points"),
        (lambda: expected_utility([[1, 2]], [[1, 1]]), "add up to 1"),
        (lambda: expected_utility([[1, 2]], [[1, 0, 0]]), "3 numbers"),
        (lambda: sparsity(np.empty((0, 2))), "no points"),
        (lambda: inverted_generational_distance([[1, 2]], [[1, 2, 3]]), "the reference set 3"),
        (lambda: simplex_weights(0, 3), "0 objectives"),
    ],
)
def test_bad_input_is_named(call, mention):
    with pytest.raises(ValueError, match=mention):
        call()
