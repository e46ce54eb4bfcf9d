"""From offline to online: how many steps may be played after a dataset was learned from, and what that was worth.

The protocol is that of D5RL (arXiv 2408.08441) and CORL (arXiv 2210.07105), for budgets that end in minutes: first the
dataset, then `EPISODES` whole episodes' worth of steps, evaluated before the first and after each quarter.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import envsuite
from envsuite.evaluation.baselines import find_baselines
from envsuite.evaluation.runs import RunRecord, find_runs
from envsuite.scoring import estimate, mean

EPISODES = 40
"""Whole episodes' worth of steps that may be played."""
PARTS = 4
"""Evaluations after the first, at equal distances."""


@dataclass(frozen=True)
class OnlineProtocol:
    """What may be played after a dataset.

    Attributes:
        dataset: id.
        env_id: its environment, in which is played.
    """

    dataset: str
    env_id: str

    @property
    def budget(self) -> int:
        """Environment steps.

        Raises:
            ValueError: episodes of the environment have no longest length.
        """
        horizon = envsuite.card(self.env_id).horizon
        if horizon is None:
            raise ValueError(f"episodes of {self.env_id} have no longest length, from which a budget would follow")
        return EPISODES * horizon

    @property
    def schedule(self) -> tuple[int, ...]:
        """Steps after which policies are evaluated."""
        return tuple(self.budget * k // PARTS for k in range(PARTS + 1))


def online_protocol(dataset: str) -> OnlineProtocol:
    """The protocol of a dataset.

    Args:
        dataset: id, of a recipe or of a dataset on this machine.

    Raises:
        FileNotFoundError: there is no such dataset.
    """
    from envsuite.data import load, load_recipe, recipe_ids

    env_id = load_recipe(dataset).env_id if dataset in recipe_ids() else load(dataset).manifest.source.id
    return OnlineProtocol(dataset, env_id)


def normalised(env_id: str, mean_return: float) -> float:
    """A mean return on the scale on which the card's random player has 0 and its reference player 1.

    Raises:
        ValueError: the card has none of these.
    """
    scale = envsuite.card(env_id).scale
    if scale is None:
        raise ValueError(f"{env_id} has no measured random and reference player, between which returns would lie")
    low, high = scale
    return (mean_return - low.mean) / (high.mean - low.mean)


def regret(scores: Sequence[float]) -> float:
    """One minus the mean normalised score of the evaluations after the first, as CORL counts it.

    Args:
        scores: of all evaluations, the one before playing first.
    """
    if len(scores) < 2:
        raise ValueError(f"{len(scores)} evaluations, expected one before playing and at least one after")
    return 1.0 - sum(scores[1:]) / len(scores[1:])


@dataclass(frozen=True)
class Outcome:
    """What learners came to that first had a dataset and then played.

    Attributes:
        seeds: training runs.
        budget: environment steps of each.
        before: mean normalised score before the first step.
        after: likewise after the last.
        regret: mean over training runs.
        interval: its 95 % interval over training runs; None for a single one.
    """

    seeds: int
    budget: int
    before: float
    after: float
    regret: float
    interval: tuple[float, float] | None

    def told(self) -> str:
        """The regret as people read it."""
        low, high = self.interval or (None, None)
        return f"{self.regret:.2f}" if low is None else f"{self.regret:.2f} [{low:.2f}, {high:.2f}]"


def published_online(baselines: Path) -> dict[str, list[RunRecord]]:
    """Published runs from offline to online, by the baseline's name.

    Args:
        baselines: folder, with records.

    Raises:
        ValueError: it comes without.
    """
    found = {one.name: list(one.runs) for one in find_baselines(baselines) if one.dataset}
    if not any(found.values()):
        raise ValueError(f"there are no run records in {baselines}: they are in the repository under baselines/records")
    return {name: runs for name, runs in found.items() if runs and all(map(is_online, runs))}


def runs_online(place: Path) -> dict[str, list[RunRecord]]:
    """Finished runs from offline to online in a folder, by ``algorithm/dataset``."""
    found: dict[str, list[RunRecord]] = {}
    for run in find_runs(place, status="finished"):
        if is_online(run):
            found.setdefault(f"{run.algorithm}/{run.dataset}", []).append(run)
    return found


def outcome(runs: Sequence[RunRecord]) -> Outcome:
    """Sum up runs of one method on one dataset.

    Args:
        runs: finished, at least one, evaluated before they played.

    Raises:
        ValueError: no runs, or one that was not evaluated like that.
    """
    if not runs:
        raise ValueError("there are no runs to sum up")
    scores = [_scores(run) for run in runs]
    regrets, interval = [regret(one) for one in scores], None
    if len(runs) > 1:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of few runs; their number is told
            found = estimate(np.array(regrets)[:, np.newaxis], mean)
        interval = (float(found.low), float(found.high))
    before, after = (float(np.mean([one[k] for one in scores])) for k in (0, -1))
    budget = max(run.steps or 0 for run in runs)
    return Outcome(len(runs), budget, before, after, float(np.mean(regrets)), interval)


def is_online(run: RunRecord) -> bool:
    """Whether a run learned from a dataset and then played, evaluated before and after by this protocol."""
    events = run.metrics()
    return bool(run.dataset) and len(events) > 1 and "regret" in events[-1] and "regret" not in events[0]


def _scores(run: RunRecord) -> list[float]:
    if not is_online(run):
        raise ValueError(f"{run.path} is no run from offline to online, evaluated before it played and along the way")
    return [normalised(run.env_id, float(event["mean_return"])) for event in run.metrics()]
