"""Whether new training runs of a baseline agree with the published ones."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import envsuite
from envsuite.evaluation.baselines import Baseline, Published, same_behaviour
from envsuite.evaluation.runs import RunRecord, find_runs
from envsuite.evaluation.scripts import new_seeds
from envsuite.scoring import prediction_interval, prediction_power, prediction_runs

LOSS = 0.2
"""Share of what a baseline learns, whose loss `reproduce` is to find unless told otherwise."""

WANTED = 0.8
"""Probability with which it is to find it."""

MOST_NEW = 5
"""New training runs, at most, unless told otherwise."""

_MACHINE = ("seed", "threads")  # settings that a new run may change


@dataclass(frozen=True)
class Check:
    """What new runs of a baseline could find.

    Attributes:
        share: of what is learned, which is lost.
        loss: the same in units of the score: of the distance of the published mean from the random policy's.
        runs: new ones.
        power: probability that their mean then lies outside of the interval.
        needed: fewest new runs for which that is `WANTED`; None where no number is enough, since the published runs
            spread too much.
    """

    share: float
    loss: float
    runs: int
    power: float
    needed: int | None


def plan_check(baseline: Baseline, count: int | None = None, share: float = LOSS) -> Check:
    """How many new runs a check takes, and what it finds.

    Args:
        baseline: with at least 2 published runs.
        count: of new runs; by default as many as find the loss with probability `WANTED`, at most `MOST_NEW`.
        share: of what is learned.

    Raises:
        ValueError: too few published runs, or they are no better than the random policy.
    """
    published, random = _comparable(baseline), envsuite.card(baseline.env_id).random
    loss = share * abs(published.mean - (random.mean if random else 0.0))
    if not loss > 0:
        raise ValueError(f"{baseline.name} learned nothing that could be lost: its mean is the random policy's")
    needed = prediction_runs(published.scores, loss, wanted=WANTED)
    runs = count or min(needed or MOST_NEW, MOST_NEW)
    return Check(share, loss, runs, prediction_power(published.scores, loss, runs), needed)


@dataclass(frozen=True)
class Reproduction:
    """New runs beside the published ones.

    Attributes:
        baseline: what was reproduced.
        seeds: of the new runs.
        scores: of the new runs.
        interval: where the mean of so many new runs lies with 95 % probability if they are like the published ones.
        changed: settings that differ from those of the published runs, as (name, published, now).
        check: how much it could have found.
    """

    baseline: Baseline
    seeds: list[int]
    scores: list[float]
    interval: tuple[float, float]
    changed: list[tuple[str, Any, Any]]
    check: "Check"

    @property
    def published(self) -> Published:
        """What they are compared with."""
        return _comparable(self.baseline)

    @property
    def score(self) -> float:
        """Mean of the new runs."""
        return sum(self.scores) / len(self.scores)

    @property
    def inside(self) -> bool:
        """Whether it lies in the interval."""
        return self.interval[0] <= self.score <= self.interval[1]


def _comparable(baseline: Baseline) -> Published:
    """What was published, enough of it to be compared with."""
    found = baseline.published
    if found is None or len(found.seeds) < 2:
        raise ValueError(f"{baseline.name} has {len(found.seeds) if found else 0} published runs, expected at least 2")
    return found


def compare(baseline: Baseline, runs: list[RunRecord], share: float = LOSS) -> Reproduction:
    """Set new runs beside the published ones.

    Args:
        baseline: with at least 2 published runs.
        runs: finished runs of the same algorithm and environment, with other seeds.
        share: see `plan_check`.

    Raises:
        ValueError: too few runs, a seed that is published, or another behaviour of the environment.
    """
    published = _comparable(baseline)
    seeds = [run.seed for run in runs]
    if both := sorted(set(published.seeds) & set(seeds)):
        raise ValueError(f"training seed {both[0]} is one of the published runs: it is no new evidence")
    for run in runs:
        same_behaviour(run, published.behaviour)
    was, now = published.config, runs[0].data["config"]
    changed = [(name, was[name], now.get(name)) for name in was if name not in _MACHINE and was[name] != now.get(name)]
    scores = [float(run.data["results"]["mean_return"]) for run in runs]
    interval, check = prediction_interval(published.scores, len(scores)), plan_check(baseline, len(scores), share)
    return Reproduction(baseline, seeds, scores, interval, changed, check)


Trains = Callable[[str, str, str, list[int]], None]
"""Trains a baseline: its algorithm, environment and dataset, and the seeds."""


def reproduce(baseline: Baseline, runs: Path, check: Check, trains: Trains) -> Reproduction:
    """Train with new seeds, evaluate on the evaluation episodes of the published runs, compare.

    Args:
        baseline: what to reproduce.
        runs: where run folders go; runs that are there already are not repeated.
        check: how many new training runs, see `plan_check`.
        trains: does it, into these runs.

    Raises:
        ValueError: training failed, or see `compare`.
    """
    taken = set(_comparable(baseline).seeds)
    seeds = new_seeds(check.runs, taken, "reproduce", baseline.name)
    trains(baseline.algorithm, baseline.env_id, baseline.dataset, seeds)
    finished = find_runs(runs, baseline.env_id, baseline.algorithm, "finished")
    finished = [run for run in finished if run.data["config"].get("dataset", "") == baseline.dataset]
    by_seed = {run.seed: run for run in sorted(finished, key=lambda run: run.data["started"])}
    return compare(baseline, [by_seed[seed] for seed in seeds], check.share)
