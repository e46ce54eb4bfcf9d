"""Utilities of vectors of returns, what a policy is worth to a user who has one, and how evenly agents are paid."""

from collections.abc import Callable
from typing import Any

import numpy as np

Utility = Callable[[np.ndarray], Any]
"""From vectors (..., k) to numbers (...,)."""


def sum_of_squares(vectors: Any) -> np.ndarray:
    """Utility that rises with every objective, and prefers extremes.

    Args:
        vectors: (..., k), from 0 on: below, it would fall.

    Returns:
        (...,) float64.

    Raises:
        ValueError: a negative or missing number.
    """
    return np.square(_positive(vectors)).sum(-1)


def product(vectors: Any) -> np.ndarray:
    """Utility that prefers balance, as Nash's bargaining solution does; see `sum_of_squares`."""
    return _positive(vectors).prod(-1)


def scalarised_expected_return(episodes: Any, utility: Utility) -> float:
    """The utility of the mean vector (Roijers et al. 2013), for users who live with many episodes.

    Args:
        episodes: vectors of returns (n, k).
        utility: of vectors.

    Raises:
        ValueError: not a table of numbers.
    """
    return float(utility(_table(episodes).mean(0)))


def expected_scalarised_return(episodes: Any, utility: Utility) -> float:
    """The mean utility of single episodes, for users who live with one; see `scalarised_expected_return`."""
    return float(np.mean(utility(_table(episodes))))


def gini_coefficient(values: Any) -> float:
    """Mean absolute difference between two agents, relative to twice the mean; 0 where all get the same.

    Args:
        values: of each agent (n,), from 0 on and not all 0.

    Raises:
        ValueError: no numbers, or others.
    """
    shares = _shares(values)
    ranks = np.arange(1, len(shares) + 1)
    return float((2 * ranks - len(shares) - 1) @ np.sort(shares) / (len(shares) * shares.sum()))


def jain_index(values: Any) -> float:
    """Squared mean over the mean square (Jain, Chiu and Hawe 1984): 1 where all get the same, 1 / n where one gets all.

    Args:
        values: see `gini_coefficient`.
    """
    shares = _shares(values)
    return float(shares.sum() ** 2 / (len(shares) * np.square(shares).sum()))


def _positive(vectors: Any) -> np.ndarray:
    table = np.asarray(vectors, np.float64)
    if not (table >= 0).all():  # so are missing numbers
        raise ValueError(f"the least of the vectors' numbers is {table.min()}, expected 0 or more")
    return table


def _table(episodes: Any) -> np.ndarray:
    table = np.asarray(episodes, np.float64)
    if table.ndim != 2 or not table.size or not np.isfinite(table).all():
        raise ValueError(f"episodes have the shape {table.shape}, expected finite numbers (n, k)")
    return table


def _shares(values: Any) -> np.ndarray:
    shares = np.asarray(values, np.float64)
    if shares.ndim != 1 or not np.isfinite(shares).all() or not (shares >= 0).all() or not shares.sum() > 0:
        raise ValueError(f"values are {values!r}, expected numbers from 0 on, not all 0")
    return shares
