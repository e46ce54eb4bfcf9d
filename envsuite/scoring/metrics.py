"""Point metrics of scores: arrays in, plain numbers out.

A score is one training run on one task at one checkpoint, averaged over its evaluation episodes. Definitions follow
Agarwal et al., "Deep Reinforcement Learning at the Edge of the Statistical Precipice" (NeurIPS 2021); for unequal
numbers of runs every score weighs 1 / (M N_m), so that tasks count alike.

Every function takes scores as ``(N runs, M tasks)``, as ``(N, M, L checkpoints)`` (then the result has L numbers),
or as a list of M NumPy vectors of unequal lengths.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

import numpy as np

from envsuite.scoring.layout import Layout, Scores, to_layout


def _task_means(layout: Layout) -> np.ndarray:
    return layout.values.sum(axis=1) / layout.sizes  # (L, M); the padding is 0


def mean(scores: Scores) -> Any:
    """Mean over tasks of the mean over runs.

    Raises:
        ValueError: bad scores, as in all functions here.
    """
    layout = to_layout(scores)
    return layout.squeeze(_task_means(layout).mean(axis=1))


def median(scores: Scores) -> Any:
    """Median over tasks of the mean over runs."""
    layout = to_layout(scores)
    return layout.squeeze(np.median(_task_means(layout), axis=1))


def interquartile_mean(scores: Scores) -> Any:
    """Mean of the middle half of all scores.

    With T = N M scores, the lowest and the highest floor(T / 4) are left out. With unequal numbers of runs a weight of
    1/4 is cut from each end, of the last score in part.
    """
    layout = to_layout(scores)
    order = layout.order()
    ranked = np.take_along_axis(layout.values.reshape(len(order), -1), order, axis=1)
    total = order.shape[1]
    if not layout.ragged:
        cut = total // 4
        return layout.squeeze(ranked[:, cut : total - cut].mean(axis=1))
    weights = (1.0 / (layout.tasks * layout.sizes))[order % layout.tasks]
    upper = np.cumsum(weights, axis=1)
    kept = np.clip(upper, 0.25, 0.75) - np.clip(upper - weights, 0.25, 0.75)
    return layout.squeeze((kept * ranked).sum(axis=1) / kept.sum(axis=1))


def optimality_gap(scores: Scores, gamma: float = 1.0) -> Any:
    """How far scores stay below `gamma` on average, scores above it counted as `gamma`; lower is better.

    Args:
        scores: see the module.
        gamma: the score beyond which improvement does not matter, finite.
    """
    if not np.isfinite(gamma):
        raise ValueError(f"gamma is {gamma}, expected a finite number")
    layout = to_layout(scores)
    below = np.where(layout.valid, np.minimum(layout.values, gamma), 0.0)
    return layout.squeeze(gamma - (below.sum(axis=1) / layout.sizes).mean(axis=1))


def outcomes(x: Layout, y: Layout) -> np.ndarray:
    """Every run of X against every run of Y on the same task.

    Returns:
        (L, N_X, N_Y, M) int32: 2 if the score of X is higher, 1 if equal, 0 if lower or if a run does not exist.

    Raises:
        ValueError: X and Y differ in tasks or checkpoints.
    """
    if x.tasks != y.tasks or x.curve != y.curve or len(x.values) != len(y.values):
        raise ValueError(
            f"X has {x.tasks} tasks and {len(x.values)} checkpoints, Y {y.tasks} and {len(y.values)}; expected the same"
        )
    left, right = x.values[:, :, None, :], y.values[:, None, :, :]
    both = x.valid[:, None, :] & y.valid[None, :, :]
    return np.where(both, 2 * (left > right) + (left == right), 0).astype(np.int32)


def probability_of_improvement(x: Scores, y: Scores) -> Any:
    """Probability that a run of X scores higher than a run of Y on a task drawn at random, ties counted half.

    The mean over tasks of the statistic of Mann and Whitney (1947) divided by N_X N_Y.

    Args:
        x: scores of X, see the module.
        y: scores of Y on the same tasks.
    """
    left, right = to_layout(x), to_layout(y)
    wins = outcomes(left, right).sum(axis=(1, 2)) / (2.0 * left.sizes * right.sizes)
    return left.squeeze(wins.mean(axis=1))


def performance_profile(scores: Scores, thresholds: Any, kind: Literal["run", "task"] = "run") -> np.ndarray:
    """Share of scores above each threshold (Dolan and Moré 2002, score form).

    Args:
        scores: see the module, without checkpoints.
        thresholds: (K,) numbers.
        kind: ``"run"``: share of the scores of single runs; ``"task"``: share of the tasks whose mean over runs is
            above (biased, wider intervals).

    Returns:
        (K,) float64.
    """
    layout = to_layout(scores)
    levels = check_profile(layout, thresholds, kind)
    if kind == "task":
        return (_task_means(layout)[0][:, None] > levels).mean(axis=0)
    above = (layout.values[0][:, :, None] > levels) & layout.valid[:, :, None]
    return (above.sum(axis=0) / layout.sizes[:, None]).mean(axis=0)


def check_profile(layout: Layout, thresholds: Any, kind: str) -> np.ndarray:
    """The thresholds as an array.

    Raises:
        ValueError: not a vector of numbers, an unknown kind, or scores with checkpoints.
    """
    levels = np.asarray(thresholds, np.float64)
    if levels.ndim != 1 or levels.size == 0 or np.isnan(levels).any():
        raise ValueError(f"thresholds have shape {levels.shape}, expected a vector of numbers without NaN")
    if kind not in ("run", "task"):
        raise ValueError(f"kind is {kind!r}, expected 'run' or 'task'")
    if layout.curve:
        raise ValueError("scores have checkpoints, expected those of one checkpoint")
    return levels


def normalise(scores: Any, low: Any, high: Any) -> np.ndarray:
    """Scores in units of the distance from the reference `low` to the reference `high`: (x - low) / (high - low).

    Args:
        scores: array (N, M, ...).
        low: score of the random policy, a number or (M,).
        high: score of the expert or other reference, a number or (M,).

    Raises:
        ValueError: the references are equal or not finite.
    """
    array, bottom, top = (np.asarray(part, np.float64) for part in (scores, low, high))
    bottom, top = np.broadcast_arrays(bottom, top)
    bad = ~(np.isfinite(bottom) & np.isfinite(top)) | (bottom == top)
    if bad.any():
        raise ValueError(f"references {bottom[bad].flat[0]} and {top[bad].flat[0]} are no scale")
    trailing = (1,) * (array.ndim - 1 - bottom.ndim) if bottom.ndim else ()
    bottom, top = bottom.reshape(bottom.shape + trailing), top.reshape(top.shape + trailing)
    return (array - bottom) / (top - bottom)


#: Metrics that kernels compute, with the number by which they know them.
KINDS = {mean: 0, median: 1, interquartile_mean: 2, optimality_gap: 3}


def known_kind(metric: Any) -> tuple[int, float] | None:
    """The kernel's number of a metric and its gamma, or None for a metric of the user's own."""
    gamma = 1.0
    if isinstance(metric, partial) and not metric.args and set(metric.keywords) == {"gamma"}:
        gamma, metric = float(metric.keywords["gamma"]), metric.func
        if metric is not optimality_gap:
            return None
        if not np.isfinite(gamma):
            raise ValueError(f"gamma is {gamma}, expected a finite number")
    try:
        kind = KINDS.get(metric)
    except TypeError:  # not hashable
        return None
    return None if kind is None else (kind, gamma)


def metric_name(metric: Any) -> str:
    """What tables and figures call a metric."""
    inner: Sequence[Any] = (metric.func, metric.keywords) if isinstance(metric, partial) else (metric, {})
    name = getattr(inner[0], "__name__", type(inner[0]).__name__).strip("<>").replace("_", " ")
    options = ", ".join(f"{key} {value:g}" for key, value in inner[1].items())
    return f"{name} ({options})" if options else name
