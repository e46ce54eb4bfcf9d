"""Results in a few lines: scores by task with intervals over training seeds."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from envsuite.evaluation.results import Result
from envsuite.evaluation.tracks import Track
from envsuite.scoring import Estimate, episode_interval, estimate, interquartile_mean, mean

ALL = "all tasks"


@dataclass(frozen=True)
class Row:
    """One task of one method.

    Attributes:
        method: its name.
        task: of the track, or `ALL`.
        score: mean of the track's metric; None for `ALL`.
        normalised: the same where the anchors are 0 and 1; for `ALL` the interquartile mean over runs and tasks (the
            mean, for policies without training seed).
        rating: for `ALL`, where the opponents of the track have ratings.
    """

    method: str
    task: str
    score: Estimate | None
    normalised: Estimate
    rating: Estimate | None = None


def summarise(track: Track, methods: dict[str, list[Result]]) -> list[Row]:
    """Rows of a table: every task of every method, and all tasks together.

    The interval is over training seeds where there are at least two; else it is over the episodes of the one policy,
    and the estimate's ``unit`` says so.

    Args:
        track: what was evaluated.
        methods: results by method.
    """
    rows = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of few runs: the number of runs stands beside every interval
        for method, results in methods.items():
            by_task = {task.name: [one for one in results if one.task == task.name] for task in track.tasks}
            for task in track.tasks:
                if found := by_task[task.name]:
                    values = _values(found, track.metric)
                    rows.append(Row(method, task.name, _estimate(values), _estimate(task.normalise(values))))
            if len(track.tasks) > 1 and all(by_task.values()):
                rows.append(_overall(method, track, by_task))
    return rows


def _overall(method: str, track: Track, by_task: dict[str, list[Result]]) -> Row:
    seeded = all(len(found) > 1 for found in by_task.values())
    columns = []
    for task in track.tasks:
        found = by_task[task.name]
        columns.append(task.normalise(_values(found if seeded else found[:1], track.metric)))
    if seeded:
        total = estimate(columns, interquartile_mean)
    else:
        columns = [column.reshape(-1) for column in columns]
        total = estimate(columns, mean, unit="episode")
    rating = track.rate(estimate(columns, mean, unit=total.unit)) if track.rated else None
    return Row(method, ALL, None, total, rating)


def _values(results: Sequence[Result], metric: str) -> np.ndarray:
    """(N,) scores of runs; (E, 1) scores of the episodes where there is a single policy."""
    if len(results) > 1:
        return np.array([one.score for one in results])
    only = results[0]
    episodes = only.returns if metric == "return" else only.metrics[metric]
    return np.array(episodes, np.float64)[:, np.newaxis]


def _estimate(values: np.ndarray) -> Estimate:
    return episode_interval(values) if values.ndim == 2 else estimate(values[:, np.newaxis], mean)
