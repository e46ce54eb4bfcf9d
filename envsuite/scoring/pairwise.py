"""Two methods on the same tasks: difference with its own interval, permutation test, probability of improvement."""

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from envsuite.scoring.intervals import (
    Estimate,
    Method,
    check_interval,
    interval,
    plain,
    student_interval,
    studentized,
    takes_student,
)
from envsuite.scoring.layout import Layout, Scores, to_layout
from envsuite.scoring.metrics import interquartile_mean, known_kind
from envsuite.scoring.resampling import RESAMPLES, Plan, bootstrap, improvement_bootstrap
from envsuite.scoring.studentized import as_mean

#: Labellings of a permutation test where not all can be tried.
DRAWS = 10_000


@dataclass(frozen=True)
class Comparison:
    """A difference between two methods.

    Attributes:
        difference: metric of X minus metric of Y, with its interval.
        p_value: two-sided, of the permutation test.
        exact: whether the test tried all labellings.
        paired: whether runs were taken in pairs of the same seed.
    """

    difference: Estimate
    p_value: float
    exact: bool
    paired: bool

    def __str__(self) -> str:
        test = f"p = {self.p_value:.2g}, {'exact' if self.exact else 'sampled'} permutation test"
        return f"{self.difference}, {test}{', paired' * self.paired}"


def difference(
    x: Scores,
    y: Scores,
    metric: Callable[..., Any] = interquartile_mean,
    *,
    paired: bool = False,
    method: Method = "expanded",
    task_bootstrap: bool = False,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
    threads: int = 1,
    unit: str = "run",
) -> Estimate:
    """Metric of X minus metric of Y with an interval; arguments not listed are those of `bootstrap_interval`.

    Overlap of the two single intervals says little; this interval is the answer. For the mean on one task with at most
    five runs the default is Welch's t interval, paired Student's.

    Args:
        x: scores of X.
        y: scores of Y on the same tasks.
        metric: see `bootstrap_interval`.
        paired: runs n of X and of Y have the same seed in every task, so the same run indices are drawn for both.
        method: see there.
        task_bootstrap: both sides draw the same tasks.
        confidence: see there.
        resamples: see there.
        seed: see there.
        threads: see there.
        unit: see `estimate`.

    Raises:
        ValueError: X and Y differ in tasks or checkpoints, or, paired, in numbers of runs.
    """
    left, right, plan = _two(x, y, paired), to_layout(y), Plan(resamples, seed, task_bootstrap, threads)
    check_interval([left, right], plan, method, confidence, metric)
    runs = min(left.runs, right.runs)
    if takes_student([left, right], plan, method, metric):
        value = metric(left) - metric(right)
        pair = (_gaps(left, right), confidence) if paired else (left, confidence, right)
        return Estimate(value, *student_interval(*pair), runs, 1, unit, "student-t", confidence)
    if method == "studentized":
        one, other = as_mean(metric, left), as_mean(metric, right)
        low, high = studentized([_gaps(one, other)] if paired else [one, other], plan, confidence)
        return Estimate(metric(left) - metric(right), low, high, runs, left.tasks, unit, method, confidence)
    if task_bootstrap and not paired:
        boot = _same_tasks(left, right, metric, plan)
    else:
        boot = bootstrap(metric, left, plan, 0).minus(bootstrap(metric, right, plan, 0 if paired else 1), paired=paired)
    low, high = interval(boot, method, confidence)
    return Estimate(plain(boot.value), low, high, runs, left.tasks, unit, method, confidence)


def compare(
    x: Scores,
    y: Scores,
    metric: Callable[..., Any] = interquartile_mean,
    *,
    paired: bool = False,
    draws: int = DRAWS,
    seed: int = 0,
    **options: Any,
) -> Comparison:
    """Difference with interval and permutation test.

    Args:
        x: scores of X, without checkpoints.
        y: scores of Y on the same tasks.
        metric: see `bootstrap_interval`.
        paired: see `difference`.
        draws: see `permutation_test`.
        seed: of everything random.
        **options: more for `difference`.
    """
    found = difference(x, y, metric, paired=paired, seed=seed, **options)
    p_value, exact = _permutation(x, y, metric, paired, draws, seed)
    return Comparison(found, p_value, exact, paired)


def improvement(
    x: Scores,
    y: Scores,
    *,
    method: Method = "expanded",
    task_bootstrap: bool = False,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
    threads: int = 1,
) -> Estimate:
    """Probability that X improves on Y with an interval; both sides are drawn independently.

    Args:
        x: scores of X.
        y: scores of Y on the same tasks.
        method: see `bootstrap_interval`, like the rest.
        task_bootstrap: see there.
        confidence: see there.
        resamples: see there.
        seed: see there.
        threads: see there.
    """
    left, right, plan = _two(x, y, False), to_layout(y), Plan(resamples, seed, task_bootstrap, threads)
    check_interval([left, right], plan, method, confidence)
    boot = improvement_bootstrap(left, right, plan)
    low, high = interval(boot, method, confidence)
    runs = min(left.runs, right.runs)
    return Estimate(plain(boot.value), low, high, runs, left.tasks, "run", method, confidence)


def permutation_test(
    x: Scores,
    y: Scores,
    metric: Callable[..., Any] = interquartile_mean,
    *,
    paired: bool = False,
    draws: int = DRAWS,
    seed: int = 0,
) -> float:
    """Two-sided p-value of the hypothesis that X and Y do not differ.

    Labels X and Y are swapped among the runs of each task; paired, between the two runs of a seed. If there are at most
    `draws` labellings all are tried and the p-value is exact, else as many are drawn and the observed one is counted
    in (Phipson and Smyth 2010).

    Args:
        x: scores of X, without checkpoints.
        y: scores of Y on the same tasks.
        metric: see `bootstrap_interval`.
        paired: see `difference`.
        draws: number of labellings.
        seed: of the drawing.
    """
    return _permutation(x, y, metric, paired, draws, seed)[0]


def _two(x: Scores, y: Scores, paired: bool) -> Layout:
    left, right = to_layout(x), to_layout(y)
    if left.tasks != right.tasks or left.curve != right.curve or len(left.values) != len(right.values):
        raise ValueError(
            f"X has {left.tasks} tasks and {len(left.values)} checkpoints, Y {right.tasks} and {len(right.values)}; "
            "expected the same"
        )
    if paired and (left.sizes != right.sizes).any():
        raise ValueError(f"paired runs: X has {left.sizes.tolist()} runs by task, Y {right.sizes.tolist()}")
    return left


def _gaps(x: Layout, y: Layout) -> Layout:
    return Layout(x.values - y.values, x.sizes, x.curve)


def _same_tasks(x: Layout, y: Layout, metric: Callable[..., Any], plan: Plan) -> Any:
    """Independent runs on jointly drawn tasks: through the slow path, whose sides share the tasks."""
    from envsuite.scoring.resampling import custom_draws, custom_influence, two_sided

    def gap(left: Any, right: Any) -> Any:
        return np.asarray(metric(left)) - np.asarray(metric(right))

    value = np.asarray(gap(x.array(), y.array()), np.float64)
    draws = custom_draws(gap, value.shape, plan, (x, 0), (y, 1))
    return two_sided(
        x,
        y,
        plan,
        value,
        draws,
        lambda: np.concatenate([custom_influence(metric, x), -custom_influence(metric, y)]),
    )


def _permutation(
    x: Scores, y: Scores, metric: Callable[..., Any], paired: bool, draws: int, seed: int
) -> tuple[float, bool]:
    left, right = _two(x, y, paired), to_layout(y)
    if left.curve:
        raise ValueError("scores have checkpoints, expected those of one checkpoint")
    key = Plan(draws, seed).key(2)
    observed = float(metric(left.array()) - metric(right.array()))
    exact = _labellings(left, right, paired) <= draws
    pooled = to_layout([np.concatenate(pair) for pair in zip(left.columns(), right.columns(), strict=True)])
    blocks = _all_labels(left, right, paired) if exact else _drawn_labels(left, right, paired, key, draws)
    extreme, total = 0, 0
    near = 1e-12 * max(1.0, float(np.abs(pooled.values).max()))
    for labels in blocks:
        found = _label_differences(metric, pooled, labels, left, right)
        extreme += int((np.abs(found) >= abs(observed) - near).sum())
        total += len(labels)
    return (extreme / total, True) if exact else ((extreme + 1) / (total + 1), False)


def _labellings(x: Layout, y: Layout, paired: bool) -> int:
    if paired:
        return 2 ** int(x.sizes.sum())
    return math.prod(math.comb(int(a + b), int(a)) for a, b in zip(x.sizes, y.sizes, strict=True))


def _all_labels(x: Layout, y: Layout, paired: bool) -> Iterator[np.ndarray]:
    """All labellings, (R, N, M) int8 as `kernels.draw_labels` makes them."""
    options = []
    for a, b in zip(x.sizes, y.sizes, strict=True):
        if paired:
            chosen = [
                [n + a * swap for n, swap in enumerate(swaps)] for swaps in itertools.product((0, 1), repeat=int(a))
            ]
        else:
            chosen = [list(places) for places in itertools.combinations(range(int(a + b)), int(a))]
        table = np.zeros((len(chosen), int((x.sizes + y.sizes).max())), np.int8)
        for row, places in zip(table, chosen, strict=True):
            row[places] = 1
        options.append(table)
    ways = itertools.product(*(range(len(table)) for table in options))
    while block := list(itertools.islice(ways, 1024)):
        picks = np.array(block)
        yield np.stack([table[picks[:, m]] for m, table in enumerate(options)], axis=2)


def _drawn_labels(x: Layout, y: Layout, paired: bool, key: np.uint64, draws: int) -> Iterator[np.ndarray]:
    from envsuite.scoring import kernels

    for first in range(0, draws, 1024):
        last = min(first + 1024, draws)
        labels = np.zeros((last - first, int((x.sizes + y.sizes).max()), x.tasks), np.int8)
        for number in range(first, last):
            kernels.draw_labels(key, number, x.sizes, y.sizes, paired, labels[number - first])
        yield labels


def _label_differences(
    metric: Callable[..., Any], pooled: Layout, labels: np.ndarray, x: Layout, y: Layout
) -> np.ndarray:
    from envsuite.scoring import kernels

    known, out = known_kind(metric), np.empty(len(labels))
    if known is not None:
        scores = pooled.values[0], pooled.order()[0]
        kernels.labelled_differences(*known, *scores, labels, x.sizes, y.sizes, x.ragged, y.ragged, out)
        return out
    columns = pooled.columns()
    for r, own in enumerate(labels):
        sides = [
            to_layout([column[own[: len(column), m] == side] for m, column in enumerate(columns)]).array()
            for side in (1, 0)
        ]
        out[r] = float(metric(sides[0]) - metric(sides[1]))
    return out
