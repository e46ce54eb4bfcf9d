"""Metrics under the names of `rliable.metrics`.

Inside `library.get_interval_estimates` they are called with all resamples at once, see `Resamples`.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from envsuite.scoring import metrics
from envsuite.scoring.layout import Layout
from envsuite.scoring.resampling import Plan, improvement_bootstrap, metric_draws


class Resamples:
    """Stands for all resamples of a score array in the call of a statistic.

    A statistic made of the metrics below then gives arrays of one number a resample. Anything else that is done with
    this object is an error, upon which the statistic is called on every resample in turn.

    Args:
        layout: the scores.
        plan: how to resample.
        side: stream of random numbers.
        checkpoint: which one to look at, of scores that have some.
    """

    def __init__(self, layout: Layout, plan: Plan, side: int = 0, checkpoint: int | None = None):
        self.layout = layout
        self.plan = plan
        self.side = side
        self.checkpoint = checkpoint
        self._draws: dict[float, np.ndarray] = {}

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of one resample."""
        length, runs, tasks = self.layout.values.shape
        return (runs, tasks, length) if self.layout.curve and self.checkpoint is None else (runs, tasks)

    def __getitem__(self, place: Any) -> "Resamples":
        inner = place[1:] if isinstance(place, tuple) and len(place) == 2 and place[0] is Ellipsis else place[2:]
        plain = isinstance(place, tuple) and (place[0] is Ellipsis or place[:2] == (slice(None), slice(None)))
        if len(self.shape) != 3 or not plain or len(inner) != 1 or not isinstance(inner[0], int | np.integer):
            raise TypeError(f"resamples have no {place!r}")
        found = Resamples(self.layout, self.plan, self.side, range(self.shape[2])[inner[0]])
        found._draws = self._draws
        return found

    def metric(self, kind: int, gamma: float) -> np.ndarray:
        """One of our metrics of every resample, (R,)."""
        if len(self.shape) != 2:
            raise TypeError("resamples have checkpoints")
        if gamma not in self._draws:
            self._draws[gamma] = metric_draws(self.layout, self.plan, [0, 1, 2, 3], gamma, self.side)
        return self._draws[gamma][kind, :, self.checkpoint or 0]


def _metric(scores: Any, function: Callable[..., Any]) -> Any:
    if isinstance(scores, Resamples):
        kind, gamma = metrics.known_kind(function) or (0, 1.0)
        return scores.metric(kind, gamma)
    return function(_array(scores))


def _flat(scores: Any) -> Any:
    """All scores as those of one task: the metrics that know no tasks take any shape, checkpoints put together."""
    if isinstance(scores, Resamples):
        return scores
    array = _array(scores)
    return array.reshape(-1, 1) if isinstance(array, np.ndarray) and array.ndim != 2 else array


def _array(scores: Any) -> Any:
    """Scores as an array, except a list of vectors of unequal lengths, as `"bca"` makes them."""
    if isinstance(scores, list) and len({np.shape(part) for part in scores}) > 1:
        return scores
    return np.asarray(scores)


def aggregate_mean(scores: Any) -> Any:
    """Mean of scores (runs, tasks), or (checkpoints,) of each checkpoint."""
    return _metric(scores, metrics.mean)


def aggregate_median(scores: Any) -> Any:
    """Median over tasks of the mean over runs of scores (runs, tasks), or (checkpoints,) of each checkpoint."""
    return _metric(scores, metrics.median)


def aggregate_iqm(scores: Any) -> Any:
    """Interquartile mean of all scores, of any shape."""
    return _metric(_flat(scores), metrics.interquartile_mean)


def aggregate_optimality_gap(scores: Any, gamma: float = 1) -> Any:
    """Optimality gap of all scores, of any shape."""
    return _metric(
        scores if isinstance(scores, Resamples) else _flat(scores), partial(metrics.optimality_gap, gamma=float(gamma))
    )


def probability_of_improvement(scores_x: Any, scores_y: Any) -> Any:
    """Probability of improvement of X (runs, tasks) on Y (runs, tasks); of scores with checkpoints, their mean."""
    if isinstance(scores_x, Resamples) and isinstance(scores_y, Resamples):
        if (scores_x.side, scores_y.side) != (0, 1) or scores_x.layout.curve:
            raise TypeError("these are not the two sides in order")
        return improvement_bootstrap(scores_x.layout, scores_y.layout, scores_x.plan).draws
    return np.mean(metrics.probability_of_improvement(_array(scores_x), _array(scores_y)))
