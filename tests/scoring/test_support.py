"""Optimistic linear support against worked examples and brute force."""

import numpy as np
import pytest

from envsuite.scoring import corner_weights, next_weights, optimistic_value, simplex_weights


def test_two_objectives_by_hand():
    """(4, 0) and (0, 2) are worth the same at weight 1/3; (1, 1.8) splits that corner into two."""
    np.testing.assert_allclose(corner_weights([[4, 0], [0, 2]]), [[0, 1], [1 / 3, 2 / 3], [1, 0]])
    found = corner_weights([[4, 0], [0, 2], [1, 1.8], [0.5, 0.5]])
    np.testing.assert_allclose(found, [[0, 1], [1 / 6, 5 / 6], [3 / 8, 5 / 8], [1, 0]], atol=1e-8)


@pytest.mark.parametrize("objectives", [2, 3, 4])
def test_the_value_is_linear_between_corners(objectives):
    """At no weighting is the value above what interpolation of corners allows: its vertices are all found."""
    optimize = pytest.importorskip("scipy.optimize")
    points = np.random.default_rng(objectives).random((7, objectives))
    corners = corner_weights(points)
    values = (corners @ points.T).max(axis=1)
    for weights in simplex_weights(objectives, 4):
        # the least mixture of corners that makes these weights: on the surface if the corners are all there
        equal = np.vstack([corners.T, np.ones(len(corners))])
        least = optimize.linprog(values, A_eq=equal, b_eq=[*weights, 1.0]).fun
        assert least == pytest.approx((points @ weights).max(), abs=1e-7)


def test_optimistic_value():
    """With 4 and 2 at the extremes nothing can be worth more than the box's corner (4, 2)."""
    assert optimistic_value(np.eye(2), [4.0, 2.0], [1 / 3, 2 / 3]) == pytest.approx(8 / 3)
    assert optimistic_value([[1.0, 0.0]], [4.0], [0.5, 0.5]) == np.inf
    with pytest.raises(ValueError, match="do not fit"):
        optimistic_value(np.eye(2), [4.0], [0.5, 0.5])


def test_next_weights_end_with_the_convex_front():
    """Solving what is asked for finds every supported point, and then nothing is left to ask."""
    points = np.array([[4, 0, 1], [0, 4, 1], [2, 3, 1], [3, 2, 1], [1, 1, 4], [2, 2, 1.5]])
    solved, found = np.eye(3), [points[np.argmax(points @ one)] for one in np.eye(3)]
    for _ in range(20):
        asked = next_weights(solved, np.array(found), 1)
        if not len(asked):
            break
        solved = np.vstack([solved, asked])
        found.append(points[np.argmax(points @ asked[0])])
    assert not len(next_weights(solved, np.array(found), 5))
    weights = simplex_weights(3, 40)
    np.testing.assert_allclose((weights @ np.array(found).T).max(axis=1), (weights @ points.T).max(axis=1), atol=1e-9)
