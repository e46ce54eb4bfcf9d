"""Intervals and profiles under the names of `rliable.library`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from envsuite.scoring.intervals import check_interval, interval, profile_estimate
from envsuite.scoring.layout import Layout, to_layout
from envsuite.scoring.metrics import performance_profile
from envsuite.scoring.resampling import (
    Bootstrap,
    Plan,
    correction,
    custom_draws,
    custom_influence,
    samples,
    two_sided,
)
from envsuite.scoring.rliable.metrics import Resamples

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
        method: ``"percentile"``, ``"basic"``, ``"bc"``, ``"bca"``, or our ``"expanded"``.
        task_bootstrap: draw tasks too.
        reps: number of resamples.
        confidence_interval_size: coverage aimed at.
        random_state: an integer, `numpy.random.RandomState` or `numpy.random.Generator`; None is 0.

    Returns:
        {name: (K,) values} and {name: (2, K) intervals}.
    """
    plan = Plan(reps, _seed(random_state), task_bootstrap)
    values, intervals = {}, {}
    for name, given in score_dict.items():
        sides = [to_layout(np.asarray(side)) for side in (given if isinstance(given, tuple | list) else [given])]
        if len(sides) > 2:
            raise ValueError(f"{name!r} has {len(sides)} score arrays, expected one or a pair")
        check_interval(sides, plan, method, confidence_interval_size)
        boot = _bootstrap(func, sides, plan)
        values[name] = boot.value
        intervals[name] = np.stack(interval(boot, method, confidence_interval_size))
    return values, intervals


def run_score_deviation(scores: Any, tau: float) -> float:
    """Share of the scores of single runs above `tau`."""
    return float(performance_profile(np.asarray(scores), [tau], "run")[0])


def mean_score_deviation(scores: Any, tau: float) -> float:
    """Share of the tasks whose mean over runs is above `tau`."""
    return float(performance_profile(np.asarray(scores), [tau], "task")[0])


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
    seed = _seed(random_state)
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


def _seed(random_state: Any) -> int:
    if random_state is None:
        return 0
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    return int(random_state)


def _bootstrap(func: Callable[..., Any], sides: list[Layout], plan: Plan) -> Bootstrap:
    value = np.asarray(func(*(side.array() for side in sides)), np.float64)
    pairs = [(side, number) for number, side in enumerate(sides)]
    draws = _all_at_once(func, value.shape, plan, pairs)
    if draws is None:
        draws = custom_draws(func, value.shape, plan, *pairs)
    if len(sides) == 1:
        own = sides[0]
        return Bootstrap(value, draws, *correction(own, plan.task_bootstrap), lambda: custom_influence(func, own))
    x, y = sides
    return two_sided(
        x,
        y,
        plan,
        value,
        draws,
        lambda: np.concatenate(
            [
                custom_influence(lambda scores: func(scores, y.array()), x),
                custom_influence(lambda scores: func(x.array(), scores), y),
            ]
        ),
    )


def _all_at_once(
    func: Callable[..., Any], shape: tuple[int, ...], plan: Plan, pairs: list[tuple[Layout, int]]
) -> np.ndarray | None:
    """The statistic of all resamples by one call, or None if it does not consist of our metrics."""
    try:
        found = np.asarray(func(*(Resamples(side, plan, number) for side, number in pairs)), np.float64)
    except (TypeError, ValueError, AttributeError, IndexError, KeyError):
        return None
    if found.shape != (*shape, plan.resamples):
        return None
    draws = np.moveaxis(found, -1, 0)
    few = Plan(min(3, plan.resamples), plan.seed, plan.task_bootstrap)
    for r, resample in enumerate(samples(few, *pairs)):  # a statistic that mixed resamples would show here
        if not np.allclose(draws[r], func(*resample), rtol=1e-9, atol=1e-12):
            return None
    return draws
