"""Stratified bootstrap: for each task, runs drawn with replacement.

The same seed draws the same runs for every metric, for every number of threads, and for all checkpoints of a curve:
a resampled run is a whole run.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from envsuite.scoring.layout import Layout, to_layout
from envsuite.scoring.metrics import known_kind, metric_name, outcomes, performance_profile, probability_of_improvement

#: Resamples that intervals rest on unless told otherwise.
RESAMPLES = 20_000

_AT_ONCE = 256  # resamples of indices that the slow path holds in memory


@dataclass(frozen=True)
class Plan:
    """How to resample.

    Attributes:
        resamples: number of resamples.
        seed: the same seed draws the same resamples.
        task_bootstrap: draw tasks too, with replacement: what if the suite had been another draw of tasks?
        threads: threads of the kernels; results do not depend on it.
    """

    resamples: int = RESAMPLES
    seed: int = 0
    task_bootstrap: bool = False
    threads: int = 1

    def __post_init__(self):
        for name, least in (("resamples", 1), ("threads", 1), ("seed", 0)):
            value = getattr(self, name)
            if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
                raise ValueError(f"{name} is {value!r}, expected an integer >= {least}")

    def key(self, side: int) -> np.uint64:
        """The generator's key for one side of a comparison."""
        return np.random.SeedSequence([int(self.seed), side]).generate_state(1, np.uint64)[0]

    def fill(self, work: Callable[[int, int], None]) -> None:
        """Call ``work(first, last)`` for parts of the resamples, on all threads."""
        if self.threads == 1:
            work(0, self.resamples)
            return
        edges = np.linspace(0, self.resamples, self.threads + 1).astype(int)
        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(work, edges[:-1], edges[1:]))


@dataclass(frozen=True)
class Bootstrap:
    """Resampled values of a statistic and what intervals need besides.

    Attributes:
        value: (...) the statistic of the scores themselves.
        draws: (R, ...) of the resamples.
        inflation: by how much the variance of the draws has to grow to be without bias.
        freedom: degrees of freedom behind it.
        influence: gives (T, ...) the share of each score in the statistic, by leaving it out, divided by the number
            of scores in its stratum.
    """

    value: np.ndarray
    draws: np.ndarray
    inflation: float
    freedom: float
    influence: Callable[[], np.ndarray]

    def project(self, weights: np.ndarray) -> "Bootstrap":
        """The same for a weighted sum over the last axis."""
        return Bootstrap(
            self.value @ weights,
            self.draws @ weights,
            self.inflation,
            self.freedom,
            lambda: self.influence() @ weights,
        )

    def minus(self, other: "Bootstrap", *, paired: bool) -> "Bootstrap":
        """The same for the difference; paired draws are of the same runs."""

        def influence() -> np.ndarray:
            own, their = self.influence(), other.influence()
            return own - their if paired else np.concatenate([own, -their])

        return Bootstrap(
            self.value - other.value,
            self.draws - other.draws,
            max(self.inflation, other.inflation),
            min(self.freedom, other.freedom),
            influence,
        )


def correction(layout: Layout, task_bootstrap: bool) -> tuple[float, float]:
    """Variance inflation and degrees of freedom of the small-sample correction.

    Drawing N of N runs under-estimates the variance of a task's mean by (N - 1) / N; with unequal numbers the
    variances 1 / N_m of the tasks are added up, true over resampled. If tasks are drawn, they are the sample.
    """
    if task_bootstrap:
        return layout.tasks / (layout.tasks - 1), layout.tasks - 1
    sizes = layout.sizes.astype(np.float64)
    return float((1 / sizes).sum() / ((sizes - 1) / sizes**2).sum()), float((sizes - 1).sum())


def bootstrap(metric: Callable[..., Any], layout: Layout, plan: Plan, side: int = 0) -> Bootstrap:
    """Bootstrap of a metric.

    Args:
        metric: one of `envsuite.scoring.metrics` (computed by kernels), or a function of scores in the form that
            `Layout.array` gives them; it may return a number or an array.
        layout: the scores.
        plan: how to resample.
        side: which stream of random numbers.
    """
    known = known_kind(metric)
    if known is None:
        value = np.asarray(metric(layout.array()), np.float64)
        draws = custom_draws(metric, value.shape, plan, (layout, side))

        def influence() -> np.ndarray:
            return custom_influence(metric, layout)
    else:
        kind, gamma = known
        value = np.asarray(metric(layout))
        draws = metric_draws(layout, plan, [kind], gamma, side)[0]
        draws = draws if layout.curve else draws[:, 0]

        def influence() -> np.ndarray:
            return _influence(layout, kind, gamma)

    return Bootstrap(value, draws, *correction(layout, plan.task_bootstrap), influence)


def metric_draws(layout: Layout, plan: Plan, kinds: list[int], gamma: float, side: int = 0) -> np.ndarray:
    """Our metrics of all resamples in one pass.

    Returns:
        (K, R, L) float64.
    """
    from envsuite.scoring import kernels

    out = np.empty((len(kinds), plan.resamples, len(layout.values)))
    inputs = (np.array(kinds), gamma, layout.values, layout.order(), layout.sizes, layout.ragged)
    key = plan.key(side)
    plan.fill(lambda first, last: kernels.resample_metrics(key, first, last, plan.task_bootstrap, *inputs, out))
    return out


def _influence(layout: Layout, kind: int, gamma: float) -> np.ndarray:
    from envsuite.scoring import kernels

    out = np.empty((int(layout.sizes.sum()), len(layout.values)))
    kernels.leave_one_out(kind, gamma, layout.values, layout.order(), layout.sizes, out)
    return _centred(out if layout.curve else out[:, 0], layout)


def _centred(left_out: np.ndarray, layout: Layout) -> np.ndarray:
    """From values with one score left out to influence: (N_m - 1) / N_m times how far below its task's average."""
    task = np.flatnonzero(layout.valid.ravel()) % layout.tasks
    result = np.empty_like(left_out)
    for m, size in enumerate(layout.sizes):
        own = left_out[task == m]
        result[task == m] = (own.mean(axis=0) - own) * (size - 1) / size
    return result


def custom_influence(metric: Callable[..., Any], layout: Layout) -> np.ndarray:
    """Influence on a metric of the user's own, which has to take a list of M arrays of unequal lengths."""
    columns, rows = layout.columns(), []
    for place in np.flatnonzero(layout.valid.ravel()):
        n, m = divmod(int(place), layout.tasks)
        left = to_layout([*columns[:m], np.delete(columns[m], n, axis=0), *columns[m + 1 :]]).array()
        try:
            rows.append(np.asarray(metric(left), np.float64))
        except (TypeError, ValueError, IndexError, AttributeError) as error:
            raise ValueError(
                f"method 'bca' leaves out one score at a time, and {metric_name(metric)!r} does not take "
                f"a list of vectors of unequal lengths: {error}"
            ) from error
    return _centred(np.array(rows), layout)


def samples(plan: Plan, *sides: tuple[Layout, int]) -> Iterator[tuple[Any, ...]]:
    """The resampled scores themselves, one tuple a resample, in the form `Layout.array` gives; slow.

    Args:
        plan: how to resample.
        *sides: the scores of each side with its stream of random numbers; sides draw the same tasks.
    """
    from envsuite.scoring import kernels

    tables = [(layout, plan.key(side), layout.array(), np.zeros(layout.values.shape[1:], np.int64))
              for layout, side in sides]  # fmt: skip
    tasks = np.arange(sides[0][0].tasks)
    for r in range(plan.resamples):
        if plan.task_bootstrap:
            kernels.draw_tasks(tables[0][1], r, tasks)
        resample = []
        for layout, key, scores, drawn in tables:
            kernels.draw_runs(key, r, tasks, layout.sizes, drawn)
            if isinstance(scores, list):
                resample.append([scores[t][drawn[: layout.sizes[t], j]] for j, t in enumerate(tasks)])
            else:
                resample.append(scores[drawn, tasks])
        yield tuple(resample)


def custom_draws(
    metric: Callable[..., Any], shape: tuple[int, ...], plan: Plan, *sides: tuple[Layout, int]
) -> np.ndarray:
    """A function of the user's own on all resamples, (R, *shape)."""
    draws = np.empty((plan.resamples, *shape))
    for r, resample in enumerate(samples(plan, *sides)):
        draws[r] = metric(*resample)
    return draws


def profile_bootstrap(layout: Layout, thresholds: np.ndarray, kind: str, plan: Plan) -> Bootstrap:
    """Bootstrap of a performance profile at checked thresholds."""
    from envsuite.scoring import kernels

    rank = np.argsort(thresholds, kind="stable")
    ascending, values = thresholds[rank], layout.values[0]
    out = np.empty((plan.resamples, len(rank)))
    key = plan.key(0)
    if kind == "run":
        work, cells = kernels.resample_run_profile, (np.searchsorted(ascending, values, side="left"),)
    else:
        work, cells = kernels.resample_task_profile, (values, ascending)
    plan.fill(lambda first, last: work(key, first, last, plan.task_bootstrap, *cells, layout.sizes, out))
    draws = np.empty_like(out)
    draws[:, rank] = out

    def metric(scores: Any) -> np.ndarray:
        return performance_profile(scores, thresholds, "run" if kind == "run" else "task")

    return Bootstrap(
        metric(layout), draws, *correction(layout, plan.task_bootstrap), lambda: custom_influence(metric, layout)
    )


def improvement_bootstrap(x: Layout, y: Layout, plan: Plan) -> Bootstrap:
    """Bootstrap of the probability of improvement; both sides are drawn independently."""
    from envsuite.scoring import kernels

    wins = outcomes(x, y)
    out = np.empty((plan.resamples, len(wins)))
    keys = plan.key(0), plan.key(1)
    plan.fill(
        lambda first, last: kernels.resample_improvement(
            *keys, first, last, plan.task_bootstrap, wins, x.sizes, y.sizes, out
        )
    )
    return two_sided(
        x,
        y,
        plan,
        np.asarray(probability_of_improvement(x, y)),
        out if x.curve else out[:, 0],
        lambda: np.concatenate(
            [
                custom_influence(lambda scores: probability_of_improvement(scores, y), x),
                custom_influence(lambda scores: probability_of_improvement(x, scores), y),
            ]
        ),
    )


def two_sided(
    x: Layout, y: Layout, plan: Plan, value: np.ndarray, draws: np.ndarray, influence: Callable[[], np.ndarray]
) -> Bootstrap:
    """A bootstrap of two independent sides; corrected, cautiously, by the side with the fewer runs."""
    (left, few), (right, fewer) = (correction(side, plan.task_bootstrap) for side in (x, y))
    return Bootstrap(value, draws, max(left, right), min(few, fewer), influence)
