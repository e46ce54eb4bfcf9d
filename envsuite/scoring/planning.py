"""How many runs: power of comparisons, and tolerance intervals for single future runs."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from envsuite.scoring.intervals import check_confidence, student_quantile
from envsuite.scoring.layout import Scores, to_layout
from envsuite.scoring.metrics import interquartile_mean
from envsuite.scoring.optional import need
from envsuite.scoring.resampling import Plan, bootstrap

_MOST = 1_000_000  # runs beyond which no answer is looked for


def run_spread(
    scores: Scores, metric: Callable[..., Any] = interquartile_mean, *, resamples: int = 20_000, seed: int = 0
) -> float:
    """Standard error of a metric times the root of the number of runs, from pilot scores.

    For the mean on one task this is the standard deviation between runs.

    Args:
        scores: pilot scores with at least 2 runs, without checkpoints.
        metric: see `bootstrap_interval`.
        resamples: number of resamples.
        seed: of the resampling.
    """
    layout = to_layout(scores)
    if layout.curve or layout.runs < 2:
        raise ValueError(f"{layout.runs} runs, {len(layout.values)} checkpoints; expected 2 runs or more and one")
    boot = bootstrap(metric, layout, Plan(resamples, seed))
    return float(math.sqrt(boot.inflation * layout.sizes.mean()) * boot.draws.std(axis=0))


def power(
    runs: int, delta: float, spread: float, *, tasks: int = 1, paired: bool = False, confidence: float = 0.95
) -> float:
    """Probability to find a true difference between two methods, by the two-sided t-test.

    Student's t with 2 M (N - 1) degrees of freedom, paired M (N - 1), and non-centrality delta / standard error.

    Args:
        runs: N runs of each method on each task, at least 2.
        delta: true difference of the metric.
        spread: of each method, see `run_spread`; paired, of the difference.
        tasks: M.
        paired: whether runs come in pairs of the same seed.
        confidence: 1 minus the level of the test.
    """
    special = need("scipy.special", "scoring")
    _check_power(delta, spread, confidence)
    if runs < 2 or tasks < 1:
        raise ValueError(f"{runs} runs on {tasks} tasks, expected at least 2 on at least 1")
    freedom = tasks * (runs - 1) * (1 if paired else 2)
    centre = abs(delta) / (spread * math.sqrt((1 if paired else 2) / runs))
    limit = float(student_quantile(0.5 + confidence / 2, freedom))
    return _found(special, freedom, centre, limit)


def _found(special: Any, freedom: float, centre: float, limit: float) -> float:
    """Probability that a non-central t is beyond `limit` on either side."""
    tails = 1 - special.nctdtr(freedom, centre, limit), special.nctdtr(freedom, centre, -limit)
    if not np.isfinite(tails).all():  # far out, where SciPy has no number; nearly normal there
        return float(special.ndtr(centre - limit))
    return float(sum(tails))


def runs_needed(
    delta: float,
    spread: float,
    *,
    tasks: int = 1,
    paired: bool = False,
    confidence: float = 0.95,
    wanted: float = 0.8,
) -> int:
    """Fewest runs of each method that find a difference with the wanted probability.

    Args:
        delta: true difference of the metric, not 0.
        spread: see `power`, like `tasks`, `paired` and `confidence`.
        tasks: M.
        paired: see there.
        confidence: see there.
        wanted: probability to find the difference.

    Raises:
        ValueError: settings out of range, or more than a million runs are needed.
    """
    check_confidence(wanted)
    _check_power(delta, spread, confidence)

    def enough(runs: int) -> bool:
        return power(runs, delta, spread, tasks=tasks, paired=paired, confidence=confidence) >= wanted

    high = 2
    while not enough(high):
        high *= 2
        if high > _MOST:
            raise ValueError(f"delta is {delta} with a spread of {spread}: more than {_MOST:,} runs are needed")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if middle >= 2 and enough(middle) else (middle, high)
    return high


def _check_power(delta: float, spread: float, confidence: float) -> None:
    check_confidence(confidence)
    if delta == 0 or not math.isfinite(delta):
        raise ValueError(f"delta is {delta}, expected a finite number other than 0")
    if not spread > 0 or not math.isfinite(spread):
        raise ValueError(f"spread is {spread}, expected a finite number above 0")


@dataclass(frozen=True)
class Tolerance:
    """Range that holds a share of future runs.

    Attributes:
        low: lowest run; -inf never, the one-sided range is [low, inf).
        high: highest run, inf if one-sided.
        share: share of future runs inside.
        confidence: how sure that is.
        runs: number of runs seen.
    """

    low: float
    high: float
    share: float
    confidence: float
    runs: int

    def __str__(self) -> str:
        share = f"{100 * self.share:.3g} % of runs with {100 * self.confidence:.3g} % confidence"
        return f"[{self.low:.4g}, {self.high:.4g}] holds {share} (N={self.runs})"


def prediction_interval(values: Any, runs: int = 1, *, confidence: float = 0.95) -> tuple[float, float]:
    """Where the mean of future runs will lie, if they are like those seen.

    Student's interval ``mean ± t s √(1/N + 1/K)`` with N - 1 degrees of freedom, for K new runs (Hahn 1969, "Factors
    for calculating two-sided prediction intervals for samples from a normal distribution"). Exact for normal scores.

    Args:
        values: (N,) scores of independent runs on one task, N >= 2.
        runs: K, at least 1.
        confidence: probability that the interval holds it.

    Returns:
        Lower and upper end.
    """
    data = np.asarray(values, np.float64).reshape(-1)
    check_confidence(confidence)
    if len(data) < 2 or runs < 1:
        raise ValueError(f"{len(data)} runs seen and {runs} new ones, expected at least 2 and 1")
    if not np.isfinite(data).all():
        raise ValueError(f"value {data[~np.isfinite(data)][0]} is not finite")
    reach = float(student_quantile(0.5 + confidence / 2, len(data) - 1)) * data.std(ddof=1)
    reach *= math.sqrt(1 / len(data) + 1 / runs)
    return float(data.mean() - reach), float(data.mean() + reach)


def prediction_power(values: Any, delta: float, runs: float = 1, *, confidence: float = 0.95) -> float:
    """Probability that the mean of future runs falls outside `prediction_interval`, if their true mean is another.

    From the non-central t with N - 1 degrees of freedom and non-centrality ``delta / (s √(1/N + 1/K))``, for normal
    scores with the spread seen. However many new runs there are, it stays below what K = ∞ gives: the N runs seen
    limit it.

    Args:
        values: (N,) scores of independent runs on one task, N >= 2.
        delta: how far their true mean lies from that of the runs seen, not 0.
        runs: K, at least 1; may be `math.inf`.
        confidence: of the interval.
    """
    data = np.asarray(values, np.float64).reshape(-1)
    prediction_interval(data, 1, confidence=confidence)  # refuses bad values
    spread = float(data.std(ddof=1))
    if spread <= 1e-13 * float(np.abs(data).max()):  # equal but for rounding
        return 1.0
    _check_power(delta, spread, confidence)
    if runs < 1:
        raise ValueError(f"{runs} new runs, expected at least 1")
    centre = abs(delta) / (spread * math.sqrt(1 / len(data) + 1 / runs))
    limit = float(student_quantile(0.5 + confidence / 2, len(data) - 1))
    return _found(need("scipy.special", "scoring"), len(data) - 1, centre, limit)


def prediction_runs(values: Any, delta: float, *, confidence: float = 0.95, wanted: float = 0.8) -> int | None:
    """Fewest future runs whose mean falls outside `prediction_interval` with the wanted probability.

    Args:
        values: see `prediction_power`, like `delta` and `confidence`.
        delta: see there.
        confidence: see there.
        wanted: probability to find the difference.

    Returns:
        None where no number of them gives it: then more runs would have to be seen first.
    """
    check_confidence(wanted)
    if prediction_power(values, delta, math.inf, confidence=confidence) <= wanted:
        return None
    return next(k for k in range(1, _MOST + 1) if prediction_power(values, delta, k, confidence=confidence) >= wanted)


def tolerance_interval(values: Any, *, confidence: float = 0.95, sides: Literal[1, 2] = 2) -> Tolerance:
    """What a single future run will do: the range of the runs seen, and the share of runs that it covers.

    Non-parametric (Wilks 1941). It shows spread; for the mean take `bootstrap_interval`.

    Args:
        values: (N,) scores of independent runs on one task, N >= 2 (N >= 1 one-sided).
        confidence: how sure to be.
        sides: 2 for [lowest, highest], 1 for the worst run alone.
    """
    data = np.asarray(values, np.float64).reshape(-1)
    if not np.isfinite(data).all():
        raise ValueError(f"value {data[~np.isfinite(data)][0]} is not finite")
    share = tolerance_share(len(data), confidence=confidence, sides=sides)
    return Tolerance(float(data.min()), float(data.max()) if sides == 2 else math.inf, share, confidence, len(data))


def tolerance_confidence(runs: int, share: float, *, sides: Literal[1, 2] = 2) -> float:
    """Confidence that the range of N runs covers a share β of future runs (Wilks 1941).

    ``1 - N β^(N-1) + (N-1) β^N`` for the range, ``1 - β^N`` for what lies above the worst run.

    Args:
        runs: N.
        share: β in (0, 1).
        sides: 2 or 1.
    """
    _check_tolerance(runs, sides)
    if not 0 < share < 1:
        raise ValueError(f"share is {share}, expected a number in (0, 1)")
    if sides == 1:
        return 1 - share**runs
    return 1 - runs * share ** (runs - 1) + (runs - 1) * share**runs


def tolerance_share(runs: int, *, confidence: float = 0.95, sides: Literal[1, 2] = 2) -> float:
    """Largest share of future runs that the range of N runs covers with this confidence, see `tolerance_confidence`."""
    check_confidence(confidence)
    _check_tolerance(runs, sides)
    if sides == 1:
        return (1 - confidence) ** (1 / runs)
    low, high = 0.0, 1.0
    for _ in range(100):
        middle = 0.5 * (low + high)
        if middle in (0.0, 1.0):
            break
        low, high = (middle, high) if tolerance_confidence(runs, middle) >= confidence else (low, middle)
    return low


def tolerance_runs(share: float, *, confidence: float = 0.95, sides: Literal[1, 2] = 2) -> int:
    """Fewest runs whose range covers a share of future runs with this confidence, see `tolerance_confidence`."""
    check_confidence(confidence)
    runs = sides
    while tolerance_confidence(runs, share, sides=sides) < confidence:
        runs += 1
        if runs > _MOST:
            raise ValueError(f"share is {share}: more than {_MOST:,} runs are needed")
    return runs


def _check_tolerance(runs: int, sides: int) -> None:
    if sides not in (1, 2):
        raise ValueError(f"sides is {sides!r}, expected 1 or 2")
    if runs < sides:
        raise ValueError(f"{runs} runs, expected at least {sides}")
