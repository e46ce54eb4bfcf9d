"""Intervals over episodes, for policies without a training seed: scripted ones, or one network as it is.

They say how well *this* policy is known, and nothing of what another training run would give.
"""

from collections.abc import Callable
from statistics import NormalDist
from typing import Any

import numpy as np

from envsuite.scoring.intervals import Estimate, check_confidence


def episode_interval(
    values,
    statistic: Callable[..., np.ndarray] = np.mean,
    *,
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> Estimate:
    """Percentile bootstrap of a statistic of independent episodes (Efron 1979).

    Args:
        values: (n,) numbers, for instance one return an episode.
        statistic: reduces the last axis, called with ``axis=-1``.
        confidence: coverage aimed at, in (0, 1).
        resamples: number of resamples.
        seed: of the resampling; the same seed gives the same interval.

    Returns:
        The statistic of the values with its interval; with a single value the interval is unbounded.

    Raises:
        ValueError: no values, values that are not finite, or a confidence outside (0, 1).
    """
    data = np.asarray(values, np.float64).reshape(-1)
    if data.size == 0:
        raise ValueError("no values: an interval needs at least one")
    if not np.isfinite(data).all():
        raise ValueError(f"value {data[~np.isfinite(data)][0]} is not finite")
    check_confidence(confidence)
    point = float(statistic(data, axis=-1))
    if data.size == 1:
        return Estimate(point, -np.inf, np.inf, 1, 1, "episode", "none", confidence)
    generator = np.random.Generator(np.random.Philox(seed))
    chunk = max(1, 4_000_000 // data.size)  # keeps memory bounded for long inputs
    results = [
        statistic(data[generator.integers(data.size, size=(min(chunk, resamples - done), data.size))], axis=-1)
        for done in range(0, resamples, chunk)
    ]
    tail = (1 - confidence) / 2
    low, high = np.quantile(np.concatenate(results), [tail, 1 - tail])
    return Estimate(point, float(low), float(high), data.size, 1, "episode", "percentile", confidence)


def proportion_interval(successes: int, trials: int, *, confidence: float = 0.95) -> Estimate:
    """Share of successes with the score interval of Wilson (1927), which is right near 0 and 1 too.

    Args:
        successes: how many episodes succeeded.
        trials: how many were played, at least 1.
        confidence: coverage aimed at, in (0, 1).

    Raises:
        ValueError: a count or the confidence is out of range.
    """
    if trials < 1 or not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials, expected 0 <= successes <= trials >= 1")
    check_confidence(confidence)
    low, high = wilson(successes / trials, trials, confidence)
    return Estimate(successes / trials, float(low), float(high), trials, 1, "episode", "wilson", confidence)


def wilson(share: Any, trials: Any, confidence: float) -> tuple[np.ndarray, np.ndarray]:
    """Score interval of shares, element by element.

    Args:
        share: in [0, 1].
        trials: each above 0.
        confidence: coverage aimed at.

    Returns:
        Lower and upper ends.
    """
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    share, trials = np.asarray(share, np.float64), np.asarray(trials, np.float64)
    stretch = 1 + z * z / trials
    centre = (share + z * z / (2 * trials)) / stretch
    reach = z / stretch * np.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    return np.maximum(0.0, centre - reach), np.minimum(1.0, centre + reach)
