"""Intervals and profiles under the names of `rliable.library`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from envsuite.scoring.intervals import profile_estimate
from envsuite.scoring.layout import to_layout
from envsuite.scoring.resampling import Plan
from envsuite.scoring.rliable.bootstraps import (
    StratifiedBootstrap,
    StratifiedIndependentBootstrap,
    as_seed,
    make_interval,
)

__all__ = [
    "Float",
    "Intervals",
    "StratifiedBootstrap",
    "StratifiedIndependentBootstrap",
    "average_score_distributions",
    "create_performance_profile",
    "get_interval_estimates",
    "mean_score_deviation",
    "run_score_deviation",
    "score_distributions",
]

Float = float | np.float32 | np.float64

#: Methods with their (K,) values, and with their (2, K) intervals: lower row, upper row.
Intervals = tuple[dict[str, np.ndarray], dict[str, np.ndarray]]


def get_interval_estimates(
    score_dict: Mapping[str, Any],
    func: Callable[..., Any],
    method: str = "percentile",
    task_bootstrap: bool = False,
    reps: int = 50_000,
    confidence_interval_size: float = 0.95,
    random_state: Any = None,
) -> Intervals:
    """Values of a statistic and its bootstrap intervals.

    A `func` made of the functions of `envsuite.scoring.rliable.metrics` is computed by kernels; any other is called
    once a resample.

    Args:
        score_dict: {name: (N, M) or (N, M, L) scores}, or {name: (X, Y)} for a `func` of two arguments.
        func: takes scores and returns a vector of K metrics.
        method: ``"percentile"``, ``"basic"``, ``"norm"``, ``"bc"``, ``"bca"``, or our ``"expanded"``.
        task_bootstrap: draw tasks too.
        reps: number of resamples.
        confidence_interval_size: coverage aimed at.
        random_state: an integer, `numpy.random.RandomState` or `numpy.random.Generator`; None is 0.

    Returns:
        {name: (K,) values} and {name: (2, K) intervals}; of a `func` that returns a number the value is a number, and K
        is 1.
    """
    plan = Plan(reps, as_seed(random_state), task_bootstrap)
    values, intervals = {}, {}
    for name, given in score_dict.items():
        sides = [to_layout(np.asarray(side)) for side in (given if isinstance(given, tuple | list) else [given])]
        value, intervals[name] = make_interval(func, sides, plan, method, confidence_interval_size)
        values[name] = value[()]
    return values, intervals


def run_score_deviation(scores: Any, tau: float) -> Any:
    """Share of the scores of single runs above `tau`."""
    return np.mean(np.asarray(scores) > tau)


def mean_score_deviation(scores: Any, tau: float) -> Any:
    """Share of the tasks whose mean over runs is above `tau`."""
    return np.mean(np.mean(scores, axis=0) > tau)


#: (T,) `run_score_deviation` at each of T thresholds: ``score_distributions(scores, thresholds)``.
score_distributions = np.vectorize(run_score_deviation, excluded=[0])
#: (T,) `mean_score_deviation` at each of T thresholds.
average_score_distributions = np.vectorize(mean_score_deviation, excluded=[0])


def create_performance_profile(
    score_dict: Mapping[str, Any],
    tau_list: Sequence[float] | np.ndarray,
    use_score_distribution: bool = True,
    custom_profile_func: Callable[..., Any] | None = None,
    method: str = "percentile",
    task_bootstrap: bool = False,
    reps: int = 2000,
    confidence_interval_size: float = 0.95,
    random_state: Any = None,
) -> Intervals:
    """Performance profiles and their pointwise intervals.

    Args:
        score_dict: {name: (N, M) scores}.
        tau_list: (T,) thresholds.
        use_score_distribution: share of runs above; else share of tasks whose mean is above.
        custom_profile_func: takes scores and the thresholds and returns (T,) shares.
        method: as in `get_interval_estimates`, like the rest.
        task_bootstrap: see there.
        reps: see there.
        confidence_interval_size: see there.
        random_state: see there.

    Returns:
        {name: (T,) shares} and {name: (2, T) intervals}.
    """
    seed = as_seed(random_state)
    if custom_profile_func is not None:
        profile = custom_profile_func
        return get_interval_estimates(
            score_dict,
            lambda scores: profile(scores, tau_list),
            method,
            task_bootstrap,
            reps,
            confidence_interval_size,
            seed,
        )
    values, intervals = {}, {}
    for name, scores in score_dict.items():
        found = profile_estimate(
            np.asarray(scores),
            tau_list,
            "run" if use_score_distribution else "task",
            method=method,  # ty: ignore[invalid-argument-type] - checked there
            task_bootstrap=task_bootstrap,
            confidence=confidence_interval_size,
            resamples=reps,
            seed=seed,
        )
        values[name], intervals[name] = found.value, np.stack([found.low, found.high])
    return values, intervals
