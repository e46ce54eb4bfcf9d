"""Learning curves of several runs: metric against steps or time, area under it, single runs to highlight.

Nothing is smoothed and nothing interpolated: between two evaluations a run holds its previous value.
"""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from envsuite.scoring.intervals import Estimate, Method, check_interval, interval, plain
from envsuite.scoring.layout import Scores, to_layout
from envsuite.scoring.metrics import interquartile_mean
from envsuite.scoring.resampling import Plan, bootstrap

_SHORT = 0.9  # a run that ends before this share of the longest is suspicious


class UnequalLengthWarning(UserWarning):
    """Some runs end well before others, and hold their last value."""


@dataclass(frozen=True)
class Curve:
    """A metric along training.

    Attributes:
        x: (L,) steps or seconds.
        estimate: the metric with its band, (L,) each.
        label: what `x` is.
    """

    x: np.ndarray
    estimate: Estimate
    label: str = "environment steps"


def sample_efficiency(
    scores: Scores,
    x: Any,
    metric: Callable[..., Any] = interquartile_mean,
    *,
    label: str = "environment steps",
    method: Method = "expanded",
    task_bootstrap: bool = False,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
    threads: int = 1,
) -> Curve:
    """Metric against steps (or wall time, see `on_grid`) with a pointwise band of whole runs drawn together.

    Args:
        scores: (N runs, M tasks, L checkpoints), or a list of M arrays (N_m, L).
        x: (L,) steps or seconds of the checkpoints, ascending.
        metric: see `bootstrap_interval`, like the rest.
        label: what `x` is.
        method: see there.
        task_bootstrap: see there.
        confidence: see there.
        resamples: see there.
        seed: see there.
        threads: see there.
    """
    layout, places = to_layout(scores), _checkpoints(scores, x)
    plan = Plan(resamples, seed, task_bootstrap, threads)
    check_interval([layout], plan, method, confidence)
    boot = bootstrap(metric, layout, plan)
    low, high = interval(boot, method, confidence)
    found = Estimate(boot.value, low, high, layout.runs, layout.tasks, "run", method, confidence)
    return Curve(places, found, label)


def area_under_curve(
    scores: Scores,
    x: Any,
    metric: Callable[..., Any] = interquartile_mean,
    *,
    method: Method = "expanded",
    task_bootstrap: bool = False,
    confidence: float = 0.95,
    resamples: int = 20_000,
    seed: int = 0,
    threads: int = 1,
) -> Estimate:
    """Average height of the metric's curve: the area by the trapezoidal rule, divided by the range of `x`.

    The same runs are drawn for all checkpoints, without which the interval would be far too narrow.

    Args:
        scores: see `sample_efficiency`, like the rest.
        x: (L,), L >= 2.
        metric: see there.
        method: see there.
        task_bootstrap: see there.
        confidence: see there.
        resamples: see there.
        seed: see there.
        threads: see there.
    """
    layout, places = to_layout(scores), _checkpoints(scores, x)
    if len(places) < 2:
        raise ValueError("one checkpoint has no area under it, expected at least 2")
    plan = Plan(resamples, seed, task_bootstrap, threads)
    check_interval([layout], plan, method, confidence)
    widths = np.diff(places)
    weights = (np.append(widths, 0.0) + np.insert(widths, 0, 0.0)) / (2 * (places[-1] - places[0]))
    boot = bootstrap(metric, layout, plan).project(weights)
    low, high = interval(boot, method, confidence)
    return Estimate(plain(boot.value), low, high, layout.runs, layout.tasks, "run", method, confidence)


def common_grid(
    places: Sequence[np.ndarray], *, points: int | None = None, end: Literal["longest", "shortest"] = "longest"
) -> np.ndarray:
    """Checkpoints for runs that were evaluated at different ones: from where every run has a value.

    Args:
        places: for each run its (L_i,) steps or seconds, ascending.
        points: that many equally spaced places; by default every place at which any run has a value.
        end: where the grid stops: at the end of the longest run, where shorter ones hold their last value, or of the
            shortest.

    Returns:
        (L,) float64.

    Raises:
        ValueError: no runs, or none of the runs overlaps all others.

    Warns:
        UnequalLengthWarning: a run ends before 90 % of the longest, and the grid goes on.
    """
    if not places or any(len(own) == 0 for own in places):
        raise ValueError("a run has no checkpoints")
    if end not in ("longest", "shortest"):
        raise ValueError(f"end is {end!r}, expected 'longest' or 'shortest'")
    start = max(float(own[0]) for own in places)
    ends = np.array([float(own[-1]) for own in places])
    stop = float(ends.max() if end == "longest" else ends.min())
    if stop < start:
        raise ValueError(f"a run ends at {stop:g} and another begins at {start:g}: they have no checkpoint in common")
    if end == "longest" and ends.min() < _SHORT * stop:
        warnings.warn(
            f"a run ends at {ends.min():g}, the longest at {stop:g}: it holds its last value",
            UnequalLengthWarning,
            stacklevel=2,
        )
    if points is not None:
        return np.linspace(start, stop, points)
    every = np.unique(np.concatenate([np.asarray(own, np.float64) for own in places]))
    return every[(every >= start) & (every <= stop)]


def on_grid(places: Any, values: Any, grid: Any) -> np.ndarray:
    """Values of one run at other places, holding the previous one.

    Args:
        places: (L_i,) steps or seconds, ascending.
        values: (L_i,) scores there.
        grid: (L,) where values are wanted, none before the first of `places`.

    Returns:
        (L,) float64.
    """
    own, held, wanted = (np.asarray(part, np.float64) for part in (places, values, grid))
    if own.shape != held.shape or own.ndim != 1 or own.size == 0:
        raise ValueError(f"places have shape {own.shape} and values {held.shape}, expected the same vector shape")
    if (np.diff(own) < 0).any():
        raise ValueError("places are not ascending")
    if wanted.size and wanted.min() < own[0]:
        raise ValueError(f"the grid begins at {wanted.min():g}, before the first value at {own[0]:g}")
    return held[np.searchsorted(own, wanted, side="right") - 1]


def highlight_runs(values: Any, percentiles: Sequence[float] = (10, 50, 90)) -> np.ndarray:
    """The runs whose final score is nearest to percentiles of all, to be drawn whole over a band.

    Args:
        values: (N,) final scores of the runs on one task.
        percentiles: in [0, 100].

    Returns:
        (P,) int64 indices of runs; of equally near ones the first.
    """
    data = np.asarray(values, np.float64)
    if data.ndim != 1 or data.size == 0 or not np.isfinite(data).all():
        raise ValueError(f"final scores have shape {data.shape}, expected a vector of finite numbers")
    return np.array([int(np.abs(data - level).argmin()) for level in np.percentile(data, percentiles)])


def _checkpoints(scores: Scores, x: Any) -> np.ndarray:
    layout, places = to_layout(scores), np.asarray(x, np.float64)
    if not layout.curve or places.shape != (len(layout.values),):
        expected = f"({len(layout.values)},)" if layout.curve else "scores with an axis of checkpoints"
        raise ValueError(f"x has shape {places.shape}, expected {expected}")
    if (np.diff(places) <= 0).any():
        raise ValueError("x is not ascending")
    return places
