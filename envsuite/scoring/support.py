"""Optimistic linear support: which weighting of the objectives to solve next (Roijers et al. 2015, JAIR 52)."""

import itertools
from typing import Any

import numpy as np

from envsuite.scoring import multiobjective as mo
from envsuite.scoring.optional import need


def corner_weights(points: Any) -> np.ndarray:
    """Weights at which the best of the points changes: vertices of the piecewise linear, convex value over weights.

    The corners of the simplex, where one objective has all weight, are among them. All sets of K of the points and
    corners' sides are tried, so there should not be many hundred points.

    Args:
        points: (n, K) values of policies, n >= 1, all to be maximised; dominated ones do not matter.

    Returns:
        (C, K) float64, each once, in lexicographic order.

    Raises:
        ValueError: see `multiobjective.nondominated`.
    """
    front = mo.nondominated(points)
    count, size = front.shape
    if not count:
        raise ValueError("there are no points")
    # unknowns: K weights and the value; a row is "this point has this value" or "this weight is 0"
    scale = max(1e-300, np.abs(front).max())
    rows = np.zeros((count + size, size + 1))
    rows[:count, :size], rows[:count, size] = front / scale, -1.0
    rows[count:, :size] = np.eye(size)
    sets = np.array(list(itertools.combinations(range(count + size), size)))
    systems = np.zeros((len(sets), size + 1, size + 1))
    systems[:, 0, :size] = 1.0
    systems[:, 1:] = rows[sets]
    regular = np.abs(np.linalg.det(systems)) > 1e-12
    right = np.zeros((int(regular.sum()), size + 1, 1))
    right[:, 0] = 1.0
    found = np.linalg.solve(systems[regular], right)[:, :, 0]
    weights, value = found[:, :size], found[:, size:]
    kept = (weights >= -1e-9).all(axis=1) & (weights @ rows[:count, :size].T <= value + 1e-9).all(axis=1)
    rounded = np.abs(np.round(weights[kept], 9))
    return np.unique(rounded / rounded.sum(axis=1, keepdims=True), axis=0)


def optimistic_value(weights: Any, values: Any, at: Any) -> float:
    """The most that any policy could be worth at a weighting, if the values found elsewhere are the best there are.

    Args:
        weights: (m, K), those that have been solved.
        values: (m,), the best weighted sum at each.
        at: (K,), another weighting.

    Returns:
        The optimum of the linear program max ``at u`` with ``weights u <= values``; infinity where nothing bounds it.

    Raises:
        ValueError: shapes do not fit, or `values` contradict each other.
        ImportError: the extra ``scoring`` (scipy) is not installed.
    """
    solved, best, place = (np.asarray(one, np.float64) for one in (weights, values, at))
    if solved.ndim != 2 or best.shape != (len(solved),) or place.shape != (solved.shape[1],):
        raise ValueError(f"weights {solved.shape}, values {best.shape} and at {place.shape} do not fit together")
    program = need("scipy.optimize", "scoring").linprog
    found = program(-place, A_ub=solved, b_ub=best, bounds=(None, None), method="highs")
    if found.status in (3, 4):  # unbounded
        return np.inf
    if found.status != 0:
        raise ValueError(f"values {best} at weights {solved} leave no value possible: {found.message}")
    return -float(found.fun)


def next_weights(weights: Any, points: Any, count: int) -> np.ndarray:
    """The weightings whose solution could better what is known the most.

    Args:
        weights: (m, K), those that have been solved.
        points: (n, K), the values found so far.
        count: how many are wanted.

    Returns:
        At most `count` corner weights, (c, K), by descending possible improvement; those that have been solved and
        those where nothing can be gained are left out.
    """
    solved, table = np.asarray(weights, np.float64), np.asarray(points, np.float64)
    best = (solved @ table.T).max(axis=1)
    corners = corner_weights(table)
    new = corners[(np.abs(corners[:, None] - solved).max(axis=2) > 1e-6).all(axis=1)]
    gains = np.array([optimistic_value(solved, best, one) - (table @ one).max() for one in new])
    order = np.argsort(-gains, kind="stable")
    least = 1e-9 * max(1.0, np.abs(table).max())
    return new[[k for k in order if gains[k] > least][:count]].reshape(-1, solved.shape[1])
