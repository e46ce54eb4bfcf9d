"""Verified submissions of one track as a table: estimates with intervals, rank groups, comparisons."""

import hashlib
import itertools
import warnings
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from envsuite.agents.distance import EXPLOITABILITY
from envsuite.evaluation.tracks import Track
from envsuite.scoring import (
    Comparisons,
    Estimate,
    FewRunsWarning,
    compare_all,
    estimate,
    improvement,
    interquartile_mean,
    mean,
    probability_of_improvement,
    profile_estimate,
)
from envsuite.submissions.record import LEVELS, RunScore, Verification

RESAMPLES = 10_000
_DRAWS = 2_000  # of references, whose only uncertainty is over episodes
_LEAST_RUNS = 2  # for an interval and a comparison
_PROVEN = LEVELS.index("re-run")  # from here on a policy was seen to play


@dataclass(frozen=True)
class Row:
    """A submission in the table.

    Attributes:
        verification: what was verified.
        name: the method's, unique in the track.
        rank: group of methods that are not separated from the best of them, from 1; None for policies without
            training runs, which are references, and for what proves no policy: below level 2.
        total: interquartile mean over runs and tasks of normalised scores.
        tasks: mean normalised score of each task.
        ratings: by environment, where the opponents of the track have ratings.
    """

    verification: Verification
    name: str
    rank: int | None
    total: Estimate
    tasks: dict[str, Estimate]
    ratings: dict[str, Estimate]

    @property
    def key(self) -> str:
        """Name of its files."""
        return self.verification.folder

    def runs(self, task: str) -> list[RunScore]:
        """Its training runs on a task."""
        return [run for run in self.verification.runs if run.task == task]

    def distance(self, task: str) -> tuple[float, float] | None:
        """Mean exploitability of its training runs on a task, and the same normalised; None where not all have one."""
        known = [run.distance for run in self.runs(task)]
        told = [one for one in known if one is not None]
        if not told or len(told) < len(known):
            return None
        exploitability = float(np.mean([one.exploitability for one in told]))
        return exploitability, float(told[0].normalise(exploitability))

    @property
    def near_equilibrium(self) -> float | None:
        """Mean over tasks of normalised distances, 1 for equilibria; None where a task has none."""
        told = [self.distance(task) for task in self.tasks]
        return None if None in told else float(np.mean([one[1] for one in told if one is not None]))

    @property
    def proven(self) -> bool:
        """Whether a policy was seen to play, not only a record of actions."""
        return self.verification.level >= _PROVEN

    @property
    def reference(self) -> bool:
        """Whether it shows where the ends of the scale are: a player of rules, without training."""
        info = self.verification.info
        return info.family == "scripted" and not info.train_seeds

    @property
    def trained(self) -> bool:
        """Whether it has training runs to compare."""
        return is_trained(self.verification)


@dataclass(frozen=True)
class Board:
    """A track with its rows in groups by level, best first in each: re-run or re-trained, replayed, reported.

    Attributes:
        track: what is compared.
        rows: the submissions.
        comparisons: of all pairs of trained methods that were re-run; None with fewer than two.
    """

    track: Track
    rows: tuple[Row, ...]
    comparisons: Comparisons | None

    @property
    def proven(self) -> tuple[Row, ...]:
        """Those that were re-run."""
        return tuple(row for row in self.rows if row.proven)

    @property
    def methods(self) -> tuple[Row, ...]:
        """What competes: all but references."""
        return tuple(row for row in self.rows if not row.reference)

    @property
    def references(self) -> tuple[Row, ...]:
        """Players of rules, best first."""
        return tuple(row for row in self.rows if row.reference)

    @property
    def leading(self) -> Row | None:
        """The best method that was re-run."""
        return next((row for row in self.methods if row.proven), None)

    def steps(self, row: Row) -> int:
        """Training steps of one seed on all tasks; tasks of one dataset are parts of one run."""
        spent: dict[str, int] = {}
        for task in self.track.tasks:
            run = task.dataset or task.name
            spent[run] = max(spent.get(run, 0), row.verification.info.training_steps.get(task.name, 0))
        return sum(spent.values())

    @property
    def measured(self) -> bool:
        """Whether distances from an equilibrium stand beside the scores, which are something else."""
        return self.track.metric != EXPLOITABILITY and any(row.near_equilibrium is not None for row in self.rows)

    @cached_property
    def thresholds(self) -> np.ndarray:
        """Where profiles are evaluated."""
        scores = [run.published_normalised for row in self.rows for run in row.verification.runs]
        low, high = min([0.0, *scores]), max([1.0, *scores])
        margin = 0.05 * (high - low)
        return np.linspace(low - margin, high + margin, 101)

    def profile(self, row: Row) -> Estimate:
        """Performance profile of a trained method at `thresholds`."""
        with _few_runs():
            return profile_estimate(table(self.track, row.verification), self.thresholds, resamples=2_000)

    def improvements(self) -> list[list[Estimate | None]]:
        """P(row > column) for every pair of `proven` rows, with an interval where both have training runs."""
        rows = self.proven
        tables = [table(self.track, row.verification) for row in rows]
        found: list[list[Estimate | None]] = [[None] * len(tables) for _ in tables]
        for i, j in itertools.permutations(range(len(tables)), 2):
            if rows[i].trained and rows[j].trained:
                with _few_runs():
                    found[i][j] = improvement(tables[i], tables[j], resamples=2_000)
            else:
                share = float(probability_of_improvement(tables[i], tables[j]))
                runs = min(len(tables[i]), len(tables[j]))
                found[i][j] = Estimate(share, np.nan, np.nan, runs, len(self.track.tasks), method="none")
        return found


def make_board(track: Track, verifications: Sequence[Verification]) -> Board:
    """Rank the submissions of a track.

    Args:
        track: the version that all submissions belong to.
        verifications: at least one.

    Raises:
        ValueError: a submission of another version, or one without a run on some task.
    """
    for one in verifications:
        if (one.track, one.track_version) != (track.name, track.version):
            raise ValueError(f"{one.folder} is of {one.track} version {one.track_version}, not {track.version}")
        missing = {task.name for task in track.tasks} - {run.task for run in one.runs}
        if missing:
            raise ValueError(f"{one.folder} has no run of {sorted(missing)}")
    with _few_runs():
        return _ranked(track, verifications)


@contextmanager
def _few_runs() -> Generator[None]:
    """No warning of few runs: the pages say how many there are."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewRunsWarning)
        yield


def _ranked(track: Track, verifications: Sequence[Verification]) -> Board:
    names = _names(verifications)
    compared = [one for one in verifications if is_trained(one) and one.level >= _PROVEN]
    trained = {names[one.folder]: table(track, one) for one in compared}
    comparisons = compare_all(trained, resamples=RESAMPLES) if len(trained) > 1 else None
    ranks = comparisons.ranks if comparisons else dict.fromkeys(trained, 1)
    rows = [_row(track, one, names[one.folder], ranks.get(names[one.folder])) for one in verifications]
    rows.sort(key=lambda row: (-min(row.verification.level, _PROVEN), -row.total.value, row.key))
    return Board(track, tuple(rows), comparisons)


def is_trained(verification: Verification) -> bool:
    """Whether a submission has at least two training runs on every task."""
    counts: dict[str, int] = {}
    for run in verification.runs:
        counts[run.task] = counts.get(run.task, 0) + (run.train_seed is not None)
    return min(counts.values()) >= _LEAST_RUNS


def table(track: Track, verification: Verification) -> list[np.ndarray]:
    """Normalised scores: one vector of training runs for each task of the track."""
    return [
        np.array([run.published_normalised for run in verification.runs if run.task == task.name])
        for task in track.tasks
    ]


def _row(track: Track, verification: Verification, name: str, rank: int | None) -> Row:
    scores = table(track, verification)
    if is_trained(verification):
        total = estimate(scores, interquartile_mean, resamples=RESAMPLES)
        tasks = {
            task.name: estimate([column], mean, resamples=RESAMPLES)
            for task, column in zip(track.tasks, scores, strict=True)
        }
        ratings = {
            env_id: track.rate(env_id, estimate([scores[k] for k in places], mean, resamples=RESAMPLES))
            for env_id, places in _ladders(track)
        }
        return Row(verification, name, rank, total, tasks, ratings)
    draws = [_draws(track, verification, task.name) for task in track.tasks]
    total = _from_draws(scores, np.stack(draws, axis=1))
    tasks = {
        task.name: _from_draws([column], drawn[:, np.newaxis])
        for task, column, drawn in zip(track.tasks, scores, draws, strict=True)
    }
    ratings = {}
    for env_id, places in _ladders(track):
        drawn = np.mean([draws[k] for k in places], axis=0)[:, np.newaxis]
        ratings[env_id] = track.rate(env_id, _from_draws([np.concatenate([scores[k] for k in places])], drawn))
    return Row(verification, name, rank, total, tasks, ratings)


def _ladders(track: Track) -> list[tuple[str, list[int]]]:
    """Environments whose opponents are rated, with the places of their tasks in the track."""
    return [(env_id, [track.tasks.index(task) for task in tasks]) for env_id, tasks in track.ladders.items()]


def _draws(track: Track, verification: Verification, name: str) -> np.ndarray:
    """Means over runs of a task, drawn from the normal distributions that their errors over episodes give."""
    generator = np.random.Generator(np.random.Philox(_number(verification.folder, name)))
    task = track.task(name)
    spread = abs(task.high.mean - task.low.mean)
    runs = [run for run in verification.runs if run.task == name]
    errors = [(run.hidden.standard_error if run.hidden else run.standard_error) / spread for run in runs]
    values = np.array([run.published_normalised for run in runs])
    return (values + generator.standard_normal((_DRAWS, len(runs))) * np.array(errors)).mean(axis=1)


def _number(*texts: str) -> int:
    """A seed that depends on texts alone."""
    return int.from_bytes(hashlib.sha256("\0".join(texts).encode()).digest()[:8], "little")


def _from_draws(scores: Sequence[np.ndarray], draws: np.ndarray) -> Estimate:
    """Interquartile mean over tasks, for policies whose only uncertainty is that over episodes."""
    means = np.array([[column.mean() for column in scores]])
    value = float(interquartile_mean(means))
    found = [float(interquartile_mean(one[np.newaxis])) for one in draws]
    low, high = np.quantile(found, [0.025, 0.975])
    return Estimate(value, float(low), float(high), 1, len(scores), method="normal error over episodes")


def _names(verifications: Sequence[Verification]) -> dict[str, str]:
    """Names by folder; the date is added where two submissions have the same."""
    methods = [one.info.method for one in verifications]
    return {
        one.folder: one.info.method if methods.count(one.info.method) == 1 else f"{one.info.method} ({one.folder})"
        for one in verifications
    }
