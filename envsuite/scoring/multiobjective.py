"""Metrics of sets of return vectors; every objective is maximised.

Points are (n, K) arrays, one row a policy. Dominated rows and repetitions are left out first, except where a
function says otherwise. Definitions as in Felten et al., "A Toolkit for Reliable Benchmarking and Research in
Multi-Objective Reinforcement Learning" (NeurIPS 2023), and Hayes et al. (2022).
"""

import itertools
from typing import Any

import numpy as np

from envsuite.scoring.optional import need


def nondominated(points: Any) -> np.ndarray:
    """The Pareto front: rows that no other row dominates, each once, in the order given.

    Args:
        points: (n, K) finite numbers, n >= 0.

    Returns:
        (m, K) float64.

    Raises:
        ValueError: wrong shape, or a number that is not finite; as in all functions here.
    """
    return _front(_check(points))


def cardinality(points: Any) -> int:
    """Number of points of the Pareto front."""
    return len(nondominated(points))


def hypervolume(points: Any, reference: Any) -> float:
    """Measure of what the points dominate above a reference point (Zitzler and Thiele 1999), exact.

    Args:
        points: (n, K). Those not above the reference in every objective add nothing.
        reference: (K,), a constant of the benchmark.

    Returns:
        The volume, in the product of the objectives' units; 0 without points.

    Raises:
        ImportError: more than four objectives and the extra ``scoring`` (moocore) is not installed.
    """
    table = _check(points)
    corner = np.asarray(reference, np.float64)
    if corner.shape != (table.shape[1],) or not np.isfinite(corner).all():
        raise ValueError(f"reference is {reference}, expected {table.shape[1]} finite numbers")
    above = table[(table > corner).all(axis=1)]
    if len(above) == 0:
        return 0.0
    front = np.ascontiguousarray(_front(above) - corner)
    objectives = front.shape[1]
    if objectives == 1:
        return float(front.max())
    if objectives > 4:
        return float(need("moocore", "scoring").hypervolume(front, ref=np.zeros(objectives), maximise=True))
    from envsuite.scoring import volume

    if objectives == 2:
        return float(volume.volume2(front[np.argsort(-front[:, 0], kind="stable")]))
    if objectives == 3:
        scratch = np.empty((2, len(front) + 1))
        return float(volume.volume3(front[np.argsort(-front[:, 2], kind="stable")], *scratch))
    front = front[np.argsort(-front[:, 3], kind="stable")]
    return float(volume.volume4(front, np.argsort(-front[:, 2], kind="stable")))


def simplex_weights(objectives: int, divisions: int) -> np.ndarray:
    """Equally spaced weights: all vectors of multiples of 1 / divisions that add up to 1 (Das and Dennis 1998).

    Args:
        objectives: K, at least 1.
        divisions: H, at least 1; there are (H + K - 1 choose K - 1) weights.

    Returns:
        (W, K) float64.
    """
    if objectives < 1 or divisions < 1:
        raise ValueError(f"{objectives} objectives and {divisions} divisions, expected at least 1 of each")
    bars = itertools.combinations(range(divisions + objectives - 1), objectives - 1)
    edges = np.array([(-1, *places, divisions + objectives - 1) for places in bars])
    return (np.diff(edges, axis=1) - 1) / divisions


def expected_utility(points: Any, weights: Any) -> float:
    """Mean over weights of the best point's weighted sum (Zintgraf et al. 2015).

    Args:
        points: (n, K), n >= 1.
        weights: (W, K) numbers >= 0 that add up to 1, a constant of the benchmark; see `simplex_weights`.
    """
    table = _check(points, 1)
    return float((_check_weights(weights, table) @ table.T).max(axis=1).mean())


def maximum_utility_loss(points: Any, reference_set: Any, weights: Any) -> float:
    """Greatest loss over weights of the best point against the best of a reference set (Zintgraf et al. 2015).

    Args:
        points: (n, K), n >= 1.
        reference_set: (Z, K), for instance the known front, Z >= 1.
        weights: see `expected_utility`.
    """
    table, known = _pair(points, reference_set)
    mix = _check_weights(weights, table)
    return float(((mix @ known.T).max(axis=1) - (mix @ table.T).max(axis=1)).max())


def inverted_generational_distance(points: Any, reference_set: Any) -> float:
    """Mean over the reference set of the distance to the nearest point (Coello and Reyes Sierra 2004).

    Args:
        points: (n, K), n >= 1.
        reference_set: (Z, K), the known front, Z >= 1.
    """
    table, known = _pair(points, reference_set)
    gaps = known[:, None, :] - _front(table)
    return float(np.sqrt((gaps**2).sum(axis=2)).min(axis=1).mean())


def inverted_generational_distance_plus(points: Any, reference_set: Any) -> float:
    """The same with what a point falls short of the reference as distance (Ishibuchi et al. 2015).

    Args:
        points: (n, K), n >= 1.
        reference_set: (Z, K), the known front, Z >= 1.
    """
    table, known = _pair(points, reference_set)
    gaps = np.maximum(known[:, None, :] - _front(table), 0.0)
    return float(np.sqrt((gaps**2).sum(axis=2)).min(axis=1).mean())


def sparsity(points: Any) -> float:
    """Squared gaps between neighbours, added over objectives, divided by the front's points less one (Xu et al. 2020).

    0 for fewer than two points, so a front of one point looks perfect: a figure to go with others.

    Args:
        points: (n, K), n >= 1.
    """
    front = _front(_check(points, 1))
    if len(front) < 2:
        return 0.0
    return float((np.diff(np.sort(front, axis=0), axis=0) ** 2).sum() / (len(front) - 1))


def _front(table: np.ndarray) -> np.ndarray:
    from envsuite.scoring import volume

    out = np.zeros(len(table), bool)
    volume.dominated(table, out)
    return table[~out]


def _check(points: Any, least: int = 0) -> np.ndarray:
    table = np.asarray(points, np.float64)
    if table.ndim != 2 or table.shape[1] < 1:
        raise ValueError(f"points have shape {table.shape}, expected (points, objectives)")
    if len(table) < least:
        raise ValueError("there are no points")
    if not np.isfinite(table).all():
        raise ValueError(f"point {table[~np.isfinite(table).all(axis=1)][0]} is not finite")
    return np.ascontiguousarray(table)


def _pair(points: Any, reference_set: Any) -> tuple[np.ndarray, np.ndarray]:
    table, known = _check(points, 1), _check(reference_set, 1)
    if table.shape[1] != known.shape[1]:
        raise ValueError(f"points have {table.shape[1]} objectives, the reference set {known.shape[1]}")
    return table, known


def _check_weights(weights: Any, table: np.ndarray) -> np.ndarray:
    mix = _check(weights, 1)
    if mix.shape[1] != table.shape[1]:
        raise ValueError(f"weights have {mix.shape[1]} numbers, points {table.shape[1]} objectives")
    if (mix < 0).any() or not np.allclose(mix.sum(axis=1), 1.0, rtol=0, atol=1e-9):
        raise ValueError("weights hold a number below 0, or do not add up to 1")
    return mix
