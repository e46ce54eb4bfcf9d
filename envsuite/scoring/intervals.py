"""Intervals of metrics by the stratified bootstrap, and estimates that never come without one."""

import os
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any, Literal

import numpy as np

from envsuite.scoring.layout import Layout, Scores, to_layout
from envsuite.scoring.metrics import check_profile, interquartile_mean, mean, median
from envsuite.scoring.optional import need
from envsuite.scoring.resampling import RESAMPLES, Bootstrap, Plan, bootstrap, profile_bootstrap
from envsuite.scoring.studentized import as_mean, studentized_interval

Method = Literal["expanded", "percentile", "basic", "bc", "bca", "studentized"]

METHODS = ("expanded", "percentile", "basic", "bc", "bca", "studentized")

_NORMAL = NormalDist()
_FEW = 5  # runs below which the bootstrap is too narrow


class FewRunsWarning(UserWarning):
    """Too few training runs for an interval to hold what it promises."""


@dataclass(frozen=True)
class Estimate:
    """A value with its interval and what it rests on.

    Attributes:
        value: the metric, a float, or (L,) for scores with checkpoints.
        low: lower end of the interval, like `value`.
        high: upper end.
        runs: independent replicates of each task (of the task that has the fewest).
        tasks: number of tasks.
        unit: what a replicate is: ``"run"``, or ``"episode"`` for policies without a training seed.
        method: how the interval was made.
        confidence: coverage aimed at.
    """

    value: Any
    low: Any
    high: Any
    runs: int
    tasks: int = 1
    unit: str = "run"
    method: str = "expanded"
    confidence: float = 0.95

    def __str__(self) -> str:
        if np.ndim(self.value):
            return "\n".join(str(replace(self, value=v, low=a, high=b)) for v, a, b in self._rows())
        return f"{self.value:.4g} [{self.low:.4g}, {self.high:.4g}] ({self.basis})"

    @property
    def basis(self) -> str:
        """The numbers behind the estimate in words, such as ``N=5 runs, M=3 tasks``."""
        tasks = f", M={self.tasks} task{'s' * (self.tasks != 1)}" if self.unit == "run" or self.tasks > 1 else ""
        return f"N={self.runs} {self.unit}{'s' * (self.runs != 1)}{tasks}"

    def _rows(self) -> Any:
        return zip(self.value, self.low, self.high, strict=True)


def bootstrap_interval(
    scores: Scores,
    metric: Callable[..., Any] = interquartile_mean,
    *,
    method: Method = "expanded",
    task_bootstrap: bool = False,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
    threads: int = 1,
) -> tuple[Any, Any]:
    """Interval of a metric by the stratified bootstrap over training runs.

    Methods: ``"percentile"`` as in Agarwal et al. (2021); ``"basic"``, ``"bc"`` and ``"bca"`` after Davison and
    Hinkley, "Bootstrap Methods and their Application" (1997), chapter 5, where the acceleration of ``"bca"`` comes from
    leaving out one (run, task) score at a time; ``"expanded"``, the default, after Hesterberg, "What Teachers Should
    Know About the Bootstrap" (The American Statistician, 2015): percentiles of probability
    ``Φ(-sqrt(N / (N - 1)) t)`` with Student's t of M (N - 1) degrees of freedom, since resampling N of N runs is too
    narrow; ``"studentized"``, of the mean and the optimality gap alone, the bootstrap-t of Efron (1981), the best of
    them where scores are skewed. With one task and N <= 5 no bootstrap holds: for the mean (and the median, which is
    then the same) the default is Student's interval. ``docs/scoring.md`` has a table of how often they hold the truth.

    Args:
        scores: (N runs, M tasks), (N, M, L checkpoints), or a list of M NumPy vectors. A run is a training seed and
            its score an average over episodes; episodes are no runs (see `episode_interval`).
        metric: one of `mean`, `median`, `interquartile_mean`, `optimality_gap` (also as
            ``functools.partial(optimality_gap, gamma=...)``), which are fast, or any function of scores that returns a
            number or an array.
        method: see above.
        task_bootstrap: draw tasks too, with replacement.
        confidence: coverage aimed at, in (0, 1).
        resamples: number of resamples; at least 2,000 for the default, whose tails are thin.
        seed: of the resampling; the same seed gives the same bits.
        threads: threads to use; the result does not depend on it.

    Returns:
        Lower and upper end: floats, or arrays (L,) for scores with checkpoints, for which whole runs are drawn.

    Raises:
        ValueError: bad scores or settings, or a task with a single run, which says nothing of its spread.

    Warns:
        FewRunsWarning: fewer than five runs, or an end of a studentised interval that is infinite.
    """
    found = estimate(
        scores,
        metric,
        method=method,
        task_bootstrap=task_bootstrap,
        confidence=confidence,
        resamples=resamples,
        seed=seed,
        threads=threads,
    )
    return found.low, found.high


def estimate(
    scores: Scores,
    metric: Callable[..., Any] = interquartile_mean,
    *,
    method: Method = "expanded",
    task_bootstrap: bool = False,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
    threads: int = 1,
    unit: str = "run",
) -> Estimate:
    """A metric with its interval; see `bootstrap_interval`.

    Args:
        scores: see there.
        metric: see there.
        method: see there.
        task_bootstrap: see there.
        confidence: see there.
        resamples: see there.
        seed: see there.
        threads: see there.
        unit: ``"run"``, or ``"episode"`` where there is no training seed; it is printed.
    """
    layout = to_layout(scores)
    plan = Plan(resamples, seed, task_bootstrap, threads)
    check_interval([layout], plan, method, confidence, metric)
    if takes_student([layout], plan, method, metric):
        low, high = student_interval(layout, confidence)
        value, used = metric(layout), "student-t"
    elif method == "studentized":
        value, used = metric(layout), method
        low, high = studentized([as_mean(metric, layout)], plan, confidence)
    else:
        boot = bootstrap(metric, layout, plan)
        low, high = interval(boot, method, confidence)
        value, used = plain(boot.value), method
    return Estimate(value, low, high, layout.runs, layout.tasks, unit, used, confidence)


def studentized(sides: Sequence[Layout], plan: Plan, confidence: float) -> tuple[Any, Any]:
    """Studentised interval of the mean, or of the difference of two, with a warning where an end is infinite."""
    found = studentized_interval(sides, plan, confidence)
    if not np.isfinite(found).all():
        _warn("too many resamples have no spread: the studentised interval is infinite, more runs have to differ")
    return found


def profile_estimate(
    scores: Scores,
    thresholds: Any,
    kind: Literal["run", "task"] = "run",
    *,
    method: Method = "expanded",
    task_bootstrap: bool = False,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
    threads: int = 1,
) -> Estimate:
    """Performance profile with a pointwise band; see `performance_profile` and `bootstrap_interval`.

    Args:
        scores: see `performance_profile`, like `thresholds` and `kind`.
        thresholds: (K,) numbers.
        kind: see there.
        method: see `bootstrap_interval`, like the rest.
        task_bootstrap: see there.
        confidence: see there.
        resamples: see there.
        seed: see there.
        threads: see there.

    Returns:
        An estimate whose numbers are (K,) arrays.
    """
    layout = to_layout(scores)
    levels = check_profile(layout, thresholds, kind)
    plan = Plan(resamples, seed, task_bootstrap, threads)
    check_interval([layout], plan, method, confidence)
    boot = profile_bootstrap(layout, levels, kind, plan)
    low, high = interval(boot, method, confidence)
    return Estimate(boot.value, low, high, layout.runs, layout.tasks, "run", method, confidence)


def interval(boot: Bootstrap, method: str, confidence: float) -> tuple[Any, Any]:
    """Ends of the interval of a bootstrap, floats or arrays of the statistic's shape."""
    tail = (1 - confidence) / 2
    draws = boot.draws.reshape(len(boot.draws), -1)
    value = boot.value.reshape(-1)
    if method in ("bc", "bca"):
        acceleration = _acceleration(boot) if method == "bca" else np.zeros(value.shape)
        low, high = _corrected(draws, value, acceleration, tail)
    else:
        if method == "expanded":
            tail = _NORMAL.cdf(-float(np.sqrt(boot.inflation) * student_quantile(1 - tail, boot.freedom)))
        low, high = np.quantile(draws, [tail, 1 - tail], axis=0)
        if method == "basic":
            low, high = 2 * value - high, 2 * value - low
    return plain(low.reshape(boot.value.shape)), plain(high.reshape(boot.value.shape))


def _corrected(draws: np.ndarray, value: np.ndarray, acceleration: np.ndarray, tail: float) -> tuple[Any, Any]:
    """Bias-corrected percentiles; draws that equal the value count half, also when rounding parts them."""
    ends = np.empty((2, len(value)))
    for k in range(len(value)):
        column = draws[:, k]
        near = 1e-12 * max(1.0, abs(value[k]), float(np.abs(column).max()))
        share = 0.5 * ((column < value[k] - near).mean() + (column <= value[k] + near).mean())
        share = min(max(share, 0.5 / len(column)), 1 - 0.5 / len(column))
        bias = _NORMAL.inv_cdf(share)
        for row, z in enumerate((_NORMAL.inv_cdf(tail), _NORMAL.inv_cdf(1 - tail))):
            shifted = bias + (bias + z) / (1 - acceleration[k] * (bias + z))
            ends[row, k] = np.quantile(column, _NORMAL.cdf(shifted))
    return ends[0], ends[1]


def _acceleration(boot: Bootstrap) -> np.ndarray:
    """Acceleration of a stratified sample (Davison and Hinkley 1997) from influences over their stratum's size."""
    influence = boot.influence()
    influence = influence.reshape(len(influence), -1)
    square = (influence**2).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(square > 0, (influence**3).sum(axis=0) / (6 * square**1.5), 0.0)


def check_interval(
    sides: Sequence[Layout], plan: Plan, method: str, confidence: float, metric: Callable[..., Any] | None = None
) -> None:
    """Refuse what has no interval and warn of what has a poor one.

    Args:
        sides: the scores, or those of both sides of a comparison.
        plan: how to resample.
        method: of the interval.
        confidence: of the interval.
        metric: the metric, where Student's interval may be taken instead.
    """
    if method not in METHODS:
        raise ValueError(f"method is {method!r}, expected one of {', '.join(METHODS)}")
    check_confidence(confidence)
    if method == "studentized":
        as_mean(metric, sides[0])
        if plan.task_bootstrap:
            raise ValueError("method 'studentized' does not draw tasks, expected task_bootstrap=False")
    for layout in sides:
        if layout.runs < 2:
            where = f" of task {int(layout.sizes.argmin())}" if layout.ragged else ""
            raise ValueError(f"a single run{where} says nothing of the spread between runs, expected at least 2")
        if plan.task_bootstrap and layout.tasks < 2:
            raise ValueError("task_bootstrap draws tasks, and there is only one")
    runs, tasks = min(layout.runs for layout in sides), sides[0].tasks
    if tasks == 1 and runs <= _FEW:
        if metric is not None and takes_student(sides, plan, method, metric):
            note = "no bootstrap interval holds, this is Student's t interval of the mean"
        else:
            note = "no bootstrap interval holds; take the mean, whose default interval is Student's"
        _warn(f"one task with {runs} runs: {note}")
    elif runs < _FEW:
        _warn(f"{runs} runs: intervals of fewer than {_FEW} runs miss the truth more often than they say")


def _warn(message: str) -> None:
    """Warn at the line that called the package."""
    frame, level, package = sys._getframe(1), 2, os.path.dirname(__file__)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(package):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, FewRunsWarning, stacklevel=level)


def check_confidence(confidence: float) -> None:
    """Refuse a confidence outside (0, 1)."""
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is {confidence}, expected a number in (0, 1)")


def takes_student(sides: Sequence[Layout], plan: Plan, method: str, metric: Callable[..., Any]) -> bool:
    """Whether the interval is Student's: by default, for the mean on one task with too few runs for a bootstrap."""
    few = sides[0].tasks == 1 and min(layout.runs for layout in sides) <= _FEW
    return few and method == "expanded" and not plan.task_bootstrap and metric in (mean, median)


def student_interval(layout: Layout, confidence: float, other: Layout | None = None) -> tuple[Any, Any]:
    """Student's interval of the mean on one task, or Welch's (1947) of the difference to the mean of another method."""
    centre, variance, freedom = _moments(layout)
    if other is not None:
        centre_other, variance_other, freedom_other = _moments(other)
        total = variance + variance_other
        parts = variance**2 / freedom + variance_other**2 / freedom_other
        freedom = np.divide(total**2, parts, out=np.full(parts.shape, freedom), where=parts > 0)
        centre, variance = centre - centre_other, total
    reach = np.sqrt(variance) * student_quantile(0.5 + confidence / 2, freedom)
    return layout.squeeze(centre - reach), layout.squeeze(centre + reach)


def _moments(layout: Layout) -> tuple[np.ndarray, np.ndarray, Any]:
    """Mean, its squared standard error and the degrees of freedom, of each checkpoint."""
    values = layout.values[:, :, 0]
    return values.mean(axis=1), values.var(axis=1, ddof=1) / values.shape[1], float(values.shape[1] - 1)


def student_quantile(probability: float, freedom: Any) -> Any:
    """Quantile of Student's t distribution."""
    return need("scipy.special", "scoring").stdtrit(freedom, probability)


def plain(array: Any) -> Any:
    """A float for an array without axes, else the array."""
    return float(array) if np.ndim(array) == 0 else array
