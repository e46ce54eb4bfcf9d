"""The studentised bootstrap of means: resamples in units of their own standard error."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from envsuite.scoring.layout import Layout
from envsuite.scoring.metrics import KINDS, known_kind, mean, optimality_gap
from envsuite.scoring.resampling import Plan


def as_mean(metric: Callable[..., Any] | None, layout: Layout) -> Layout:
    """Scores whose mean is the metric: of the mean themselves, of the optimality gap how far each stays below.

    Raises:
        ValueError: the metric is no mean.
    """
    kind, gamma = known_kind(metric) or (None, 0.0)
    if kind == KINDS[mean]:
        return layout
    if kind == KINDS[optimality_gap]:
        below = np.where(layout.valid, gamma - np.minimum(layout.values, gamma), 0.0)
        return Layout(below, layout.sizes, layout.curve)
    raise ValueError("method 'studentized' is for the mean and the optimality gap alone")


def studentized_interval(sides: Sequence[Layout], plan: Plan, confidence: float) -> tuple[Any, Any]:
    """Interval of the mean, or of the difference of the means of two independent sides.

    The bootstrap-t of Efron ("Nonparametric standard errors and confidence intervals", 1981), stratified by task:
    quantiles of (mean of a resample - mean) / standard error of the resample take the place of Student's.

    Args:
        sides: the scores, one side or two.
        plan: how to resample; tasks are not drawn.
        confidence: coverage aimed at.

    Returns:
        Lower and upper end, floats or (L,). An end is infinite where too many resamples have no spread at all, such as
        those of a few zeros and ones.
    """
    parts = [_parts(layout, plan, side) for side, layout in enumerate(sides)]
    signs = (1.0, -1.0)[: len(parts)]
    centre = sum(sign * layout_mean for sign, (layout_mean, *_) in zip(signs, parts, strict=True))
    error = np.sqrt(sum(variance for _, variance, _, _ in parts))
    shift = sum(sign * shifts for sign, (_, _, shifts, _) in zip(signs, parts, strict=True))
    spread = np.sqrt(sum(variances for _, _, _, variances in parts))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(shift == 0, 0.0, shift / spread)
    ratio.sort(axis=0)
    tail = int((1 - confidence) / 2 * len(ratio))
    low, high = ratio[tail], ratio[len(ratio) - 1 - tail]
    with np.errstate(invalid="ignore"):
        ends = centre - np.where(error > 0, high * error, 0.0), centre - np.where(error > 0, low * error, 0.0)
    layout = sides[0]
    return layout.squeeze(ends[0]), layout.squeeze(ends[1])


def _parts(layout: Layout, plan: Plan, side: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Mean (L,), its squared standard error (L,), and of each resample the mean less the mean and its own (R, L)."""
    from envsuite.scoring import kernels

    means = layout.values.sum(axis=1) / layout.sizes
    centred = np.where(layout.valid, layout.values - means[:, None], 0.0)
    centred[np.abs(centred) < 1e-13 * np.abs(layout.values).max()] = 0.0  # rounding
    own = (centred**2).sum(axis=1) / (layout.sizes * (layout.sizes - 1.0))
    out = np.empty((2, plan.resamples, len(means)))
    key = plan.key(side)
    plan.fill(lambda first, last: kernels.resample_moments(key, first, last, centred, layout.sizes, out))
    return means.mean(axis=1), own.sum(axis=1) / layout.tasks**2, out[0], out[1]
