"""Runs as groups to be compared: one name for all runs of a method."""

from collections.abc import Iterable, Mapping
from typing import Any

import envsuite
from envsuite.evaluation.runs import RunRecord, find_runs
from envsuite.scoring import RunCurve, RunScores
from envsuite.scoring.loaders.folders import Unfinished, load_metrics, taken

Groups = Mapping[str, list[RunRecord]]

RETURN = "mean_return"
"""The metric for which environments have anchors."""


def run_groups(
    places: Iterable[str],
    env_id: str | None = None,
    algorithm: str | None = None,
    unfinished: Unfinished = "warn",
) -> dict[str, list[RunRecord]]:
    """Find the runs of each method.

    Args:
        places: ``[NAME=]PLACE``, see `envsuite.evaluation.runs.find_runs`; without a name the runs are named by their
            algorithm, those of a sweep also by what was tried.
        env_id: only of this environment.
        algorithm: only of this algorithm.
        unfinished: what to do with runs that failed, go on, were stopped or were killed, see
            `envsuite.scoring.loaders.folders.taken`.

    Raises:
        FileNotFoundError: a place does not exist.
        ValueError: there are no runs, failed ones, or two of one method, environment and training seed.
    """
    groups: dict[str, list[RunRecord]] = {}
    seen: dict[tuple[str, str, int], RunRecord] = {}
    for text in places:
        name, equals, place = text.partition("=")
        if not equals or "/" in name or "*" in name:
            name, place = "", text
        for run in find_runs(place, env_id, algorithm):
            if not taken(run.path, run.status, unfinished):
                continue
            tried = (run.data.get("sweep") or "").partition("/")[2]
            method = name or f"{run.algorithm} {tried}".rstrip()
            other = seen.setdefault((method, run.env_id, run.seed), run)
            if other is not run:
                if other.path.resolve() == run.path.resolve():
                    continue
                raise ValueError(
                    f"{other.path} and {run.path} are both {method} on {run.env_id} with training seed {run.seed}; "
                    "seeds stand for independent runs: name the groups apart (NAME=PLACE), or leave one out"
                )
            groups.setdefault(method, []).append(run)
    if not groups:
        raise ValueError("there are no such runs")
    return groups


def run_scores(groups: Groups, metric: str = RETURN) -> RunScores:
    """Learning curves of all runs; task is the environment's id.

    Args:
        groups: see `run_groups`.
        metric: which number of ``metrics.jsonl`` is the score.

    Raises:
        ValueError: a run has no such number, or runs on one environment saw different behaviour of it.
    """
    table: dict[tuple[str, str], dict[Any, RunCurve]] = {}
    behaviours: dict[str, RunRecord] = {}
    for method, runs in groups.items():
        for run in runs:
            first = behaviours.setdefault(run.env_id, run)
            mine, theirs = run.data.get("env_behaviour"), first.data.get("env_behaviour")
            if mine != theirs:
                raise ValueError(
                    f"{first.path} ran {run.env_id} with behaviour {theirs}, {run.path} with {mine}: "
                    "their scores cannot be compared"
                )
            curve = load_metrics(run.path / "metrics.jsonl", metric)
            table.setdefault((method, run.env_id), {})[run.seed] = curve
    return RunScores(table)


def anchors(tasks: Iterable[str], metric: str = RETURN) -> dict[str, tuple[float, float]]:
    """Returns that count as 0 and 1, of the environments that have them.

    Args:
        tasks: ids.
        metric: only for `RETURN` there are any.
    """
    cards = envsuite.cards()
    found = {}
    for task in tasks:
        card = cards.get(task)
        if metric == RETURN and card and card.scale:
            zero, one = card.scale
            found[task] = (zero.mean, one.mean)
    return found
