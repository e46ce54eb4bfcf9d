"""Results in a few lines: scores by task with intervals over training seeds."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from envsuite.agents.distance import EXPLOITABILITY, Distance
from envsuite.evaluation.results import Result
from envsuite.evaluation.tracks import Track
from envsuite.scoring import Estimate, episode_interval, estimate, interquartile_mean, mean

ALL = "all tasks"
EXACT = "exact"
"""Method of estimates that are no estimates: of policies whose probabilities are known."""


@dataclass(frozen=True)
class Row:
    """One task of one method.

    Attributes:
        method: its name.
        task: of the track, or `ALL`.
        score: mean of the track's metric; None for `ALL`.
        normalised: the same where the anchors are 0 and 1; for `ALL` the interquartile mean over runs and tasks (the
            mean, for policies without training seed).
        ratings: for `ALL`, where the opponents of the track have ratings: by environment.
        distance: exploitability, where all policies have one.
        distance_normalised: the same where uniformly random play is 0 and an equilibrium 1.
    """

    method: str
    task: str
    score: Estimate | None
    normalised: Estimate
    ratings: dict[str, Estimate] = field(default_factory=dict)
    distance: Estimate | None = None
    distance_normalised: Estimate | None = None


def summarise(track: Track, methods: dict[str, list[Result]]) -> list[Row]:
    """Rows of a table: every task of every method, and all tasks together.

    The interval is over training seeds where there are at least two; else it is over the episodes of the one policy,
    or, for its distance from an equilibrium, that of the distance. The estimate's ``unit`` says so.

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
                    score = _scored(found, track, lambda one: one)
                    normalised = _scored(found, track, task.normalise)
                    rows.append(Row(method, task.name, score, normalised, {}, *_distances(found)))
            if len(track.tasks) > 1 and all(by_task.values()):
                rows.append(_overall(method, track, by_task))
    return rows


def _overall(method: str, track: Track, by_task: dict[str, list[Result]]) -> Row:
    seeded = all(len(found) > 1 for found in by_task.values())
    if track.metric == EXPLOITABILITY and not seeded:
        return Row(method, ALL, None, _together(track, by_task))
    columns = {}
    for task in track.tasks:
        found = by_task[task.name]
        columns[task.name] = task.normalise(_values(found if seeded else found[:1], track.metric)).reshape(-1)
    unit = "run" if seeded else "episode"
    total = estimate(list(columns.values()), interquartile_mean if seeded else mean, unit=unit)
    ratings = {
        env_id: track.rate(env_id, estimate([columns[task.name] for task in tasks], mean, unit=unit))
        for env_id, tasks in track.ladders.items()
    }
    return Row(method, ALL, None, total, ratings)


def _together(track: Track, by_task: dict[str, list[Result]]) -> Estimate:
    """Mean over tasks of one policy's normalised distances; ends as if the errors of all tasks went the same way."""
    parts = [_scored(by_task[task.name][:1], track, task.normalise) for task in track.tasks]
    value, low, high = (float(np.mean([getattr(one, end) for one in parts])) for end in ("value", "low", "high"))
    exact = all(one.method == EXACT for one in parts)
    return Estimate(value, low, high, 1, len(parts), "policy", EXACT if exact else "mean of ends")


def _scored(found: Sequence[Result], track: Track, scale: Callable[[Any], Any]) -> Estimate:
    if track.metric == EXPLOITABILITY:
        scaled = _distance(found, scale)
        assert scaled is not None, "a result of a track of distances has one"
        return scaled
    return _estimate(scale(_values(found, track.metric)))


def _distances(found: Sequence[Result]) -> tuple[Estimate | None, Estimate | None]:
    """Exploitability as it is, and normalised."""
    first = found[0].distance
    return _distance(found, lambda one: one), None if first is None else _distance(found, first.normalise)


def _distance(found: Sequence[Result], scale: Callable[[Any], Any]) -> Estimate | None:
    """Mean exploitability on a scale, over training seeds; of a single policy with the interval of its distance."""
    known = [one.distance for one in found if one.distance is not None]
    if len(known) < len(found):
        return None
    if len(known) > 1:
        return _estimate(scale(np.array([one.exploitability for one in known])))
    return of_policy(known[0], scale)


def of_policy(distance: Distance, scale: Callable[[Any], Any] = float) -> Estimate:
    """The exploitability of one policy, with the interval that it has by itself.

    Args:
        distance: of the policy.
        scale: from exploitability to another scale.
    """
    value, *ends = (scale(one) + 0.0 for one in (distance.exploitability, distance.low, distance.high))  # no -0
    method = "counted moves" if distance.samples else EXACT
    return Estimate(value, min(ends), max(ends), 1, unit="policy", method=method)


def _values(results: Sequence[Result], metric: str) -> np.ndarray:
    """(N,) scores of runs; (E, 1) scores of the episodes where there is a single policy."""
    if len(results) > 1:
        return np.array([one.score for one in results])
    return np.array(results[0].values(metric), np.float64)[:, np.newaxis]


def _estimate(values: np.ndarray) -> Estimate:
    return episode_interval(values) if values.ndim == 2 else estimate(values[:, np.newaxis], mean)
