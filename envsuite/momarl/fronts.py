"""Pareto fronts of sets of points that carry a label, for exact solutions by dynamic programming."""

import numpy as np


def front(points: np.ndarray, tolerance: float = 1e-12) -> np.ndarray:
    """Which points no other dominates; of equal ones the first.

    Args:
        points: (n, k), to be maximised.
        tolerance: differences up to it are none.

    Returns:
        Their indices, by descending first component.
    """
    points = np.asarray(points, np.float64)
    order = np.lexsort(tuple(-points[:, k] for k in range(points.shape[1] - 1, -1, -1)))
    if points.shape[1] == 2:
        best = np.maximum.accumulate(np.concatenate([[-np.inf], points[order, 1]]))[:-1]
        return order[points[order, 1] > best + tolerance]
    kept: list[int] = []
    for i in order:
        if not kept or not (points[kept] >= points[i] - tolerance).all(axis=1).any():
            kept.append(int(i))
    return np.array(kept, np.int64)
