"""Point estimates that never come without an interval."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np


@dataclass(frozen=True)
class Estimate:
    """An estimate, its interval, and the number of values behind it."""

    value: float
    low: float
    high: float
    count: int

    def __str__(self) -> str:
        return f"{self.value:.4g} [{self.low:.4g}, {self.high:.4g}]"


def bootstrap_interval(
    values,
    statistic: Callable[..., np.ndarray] = np.mean,
    *,
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> Estimate:
    """Percentile bootstrap of a statistic of independent values (Efron 1979).

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
    _check_confidence(confidence)
    point = float(statistic(data, axis=-1))
    if data.size == 1:
        return Estimate(point, -np.inf, np.inf, 1)
    generator = np.random.Generator(np.random.Philox(seed))
    chunk = max(1, 4_000_000 // data.size)  # keeps memory bounded for long inputs
    results = [
        statistic(data[generator.integers(data.size, size=(min(chunk, resamples - done), data.size))], axis=-1)
        for done in range(0, resamples, chunk)
    ]
    tail = (1 - confidence) / 2
    low, high = np.quantile(np.concatenate(results), [tail, 1 - tail])
    return Estimate(point, float(low), float(high), data.size)


def proportion_interval(successes: int, trials: int, *, confidence: float = 0.95) -> Estimate:
    """Share of successes with the score interval of Wilson (1927), which is right near 0 and 1 too.

    Args:
        successes: how many succeeded.
        trials: how many were tried, at least 1.
        confidence: coverage aimed at, in (0, 1).

    Raises:
        ValueError: a count or the confidence is out of range.
    """
    if trials < 1 or not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials, expected 0 <= successes <= trials >= 1")
    _check_confidence(confidence)
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    share = successes / trials
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    reach = z / (1 + z * z / trials) * np.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    return Estimate(share, max(0.0, float(centre - reach)), min(1.0, float(centre + reach)), trials)


def _check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is {confidence}, expected a number in (0, 1)")
