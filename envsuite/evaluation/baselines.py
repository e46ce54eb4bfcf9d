"""The repository's baselines: what there is, how to train it, what was published, and whether a new run agrees."""

import json
import subprocess
import sys
import tomllib
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import envsuite
from envsuite.cards import locked
from envsuite.evaluation.jobs import derived_seed
from envsuite.evaluation.records import write_atomic
from envsuite.evaluation.runs import RunRecord, find_runs
from envsuite.scoring import Estimate, estimate, mean, prediction_interval

RECORDS = "records"
"""Folder of the published run records, in the folder of baselines."""

INDEX = "published.json"
"""File in the folder of baselines that says what has published records, for where these are not."""

_SEEDS = 10**6  # new training seeds lie below; evaluation seeds lie far above
_MACHINE = ("seed", "threads")  # settings that a new run may change


def known_baselines(folder: Path) -> list[str]:
    """Names of the algorithms in a folder of baselines: files that have a table of settings beside them."""
    return sorted(path.stem for path in folder.glob("*.py") if path.with_suffix(".toml").is_file())


def training_command(
    baselines: Path, baseline: str, env_id: str, seed: int, runs: Path, dataset: str = ""
) -> list[str]:
    """The command that trains once.

    Args:
        baselines: folder.
        baseline: name of the algorithm.
        env_id: environment.
        seed: training seed.
        runs: where run folders go.
        dataset: id, for algorithms that learn from one.

    Raises:
        ValueError: no such baseline.
    """
    known = known_baselines(baselines)
    if baseline not in known:
        raise ValueError(f"baseline {baseline!r} is none of {known} in {baselines}; only those can be trained anew")
    script = str((baselines / f"{baseline}.py").resolve())
    from_data = ["--dataset", dataset] if dataset else []
    return [sys.executable, script, "--env-id", env_id, *from_data, "--seed", str(seed), "--runs", str(runs)]


def train(command: list[str]) -> None:
    """Do a training command, its output shown.

    Raises:
        ValueError: it failed.
    """
    try:
        subprocess.run(command, check=True)
    except subprocess.CalledProcessError as error:
        raise ValueError(f"training ended with exit status {error.returncode}") from error


def new_seeds(count: int, taken: set[int], *parts: Any) -> list[int]:
    """Training seeds that follow from names and numbers and are not taken.

    Args:
        count: how many.
        taken: seeds that were used before.
        *parts: plain data, see `derived_seed`.
    """
    seeds: list[int] = []
    index = 0
    while len(seeds) < count:
        seed = derived_seed(*parts, index) % _SEEDS
        index += 1
        if seed not in taken and seed not in seeds:
            seeds.append(seed)
    return seeds


@dataclass(frozen=True)
class Baseline:
    """An algorithm with settings for an environment, or for a dataset of it.

    Attributes:
        algorithm: name of its file.
        env_id: full id.
        dataset: id of the dataset that it learns from; empty for one that plays.
        settings: from its table; ``search`` says how they were found.
        runs: published records, finished, by training seed.
    """

    algorithm: str
    env_id: str
    dataset: str
    settings: dict[str, Any]
    runs: tuple[RunRecord, ...]

    @property
    def name(self) -> str:
        """``algorithm/Environment-vN``, or ``algorithm/`` and the id of a dataset."""
        return f"{self.algorithm}/{self.dataset or self.env_id.split('/')[-1]}"

    @property
    def scores(self) -> list[float]:
        """Mean return of each published run's final policy on the evaluation episodes."""
        return [float(run.data["results"]["mean_return"]) for run in self.runs]

    def published(self) -> Estimate:
        """Mean over training seeds with its 95 % interval.

        Raises:
            ValueError: fewer than 2 runs.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of few runs; their number is told
            return estimate(np.array(self.scores)[:, np.newaxis], mean)


def find_baselines(folder: Path) -> list[Baseline]:
    """All baselines with settings or published records.

    Args:
        folder: of baselines.

    Raises:
        ValueError: there are none.
    """
    records = find_runs(folder / RECORDS, status="finished") if (folder / RECORDS).is_dir() else []
    found = []
    for algorithm in known_baselines(folder):
        table = tomllib.loads((folder / f"{algorithm}.toml").read_text(encoding="utf-8"))
        runs: dict[tuple[str, str], list[RunRecord]] = {}
        for run in records:
            if run.algorithm == algorithm:
                runs.setdefault((run.env_id, run.data["config"].get("dataset", "")), []).append(run)
        for env_id, dataset in sorted({*runs, *map(_source, table)}):
            mine = tuple(runs.get((env_id, dataset), ()))
            found.append(Baseline(algorithm, env_id, dataset, table.get(dataset or env_id, {}), mine))
    if not found:
        raise ValueError(f"there are no baselines in {folder}: they come with the repository, not with the package")
    return found


def _source(key: str) -> tuple[str, str]:
    """Environment and dataset of a key of a table of settings, which is the id of either."""
    if key.startswith("envsuite/") or key in envsuite.cards():
        return key, ""
    if key not in locked():
        raise ValueError(f"settings for {key!r}: neither an environment nor a dataset of one")
    return locked()[key]["env_id"], key


def published_index(folder: Path) -> dict[str, list[str]]:
    """Which algorithms have published run records on which environments, two training seeds at least.

    Args:
        folder: of baselines, with their records.

    Returns:
        Sorted names of algorithms by full id, those that learn from datasets among them.
    """
    runs: dict[tuple[str, str], int] = {}
    for run in find_runs(folder / RECORDS, status="finished"):
        runs[run.env_id, run.algorithm] = runs.get((run.env_id, run.algorithm), 0) + 1
    found: dict[str, list[str]] = {}
    for (env_id, algorithm), count in sorted(runs.items()):
        if count > 1:
            found.setdefault(env_id, []).append(algorithm)
    return found


def write_index(folder: Path) -> Path:
    """Write `published_index` where cards look for it.

    Args:
        folder: of baselines, with their records.

    Returns:
        The file.
    """
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(one)}" for name, one in published_index(folder).items())
    path = folder / INDEX
    write_atomic(path, "{\n" + lines + "\n}\n")
    return path


def find_baseline(folder: Path, name: str) -> Baseline:
    """One baseline.

    Args:
        folder: of baselines.
        name: ``algorithm/ID``, the id of an environment, full or short, or of a dataset.

    Raises:
        ValueError: no such baseline; the message names those there are.
    """
    algorithm, _, short = name.partition("/")
    found = find_baselines(folder)
    try:
        env_id = envsuite.card(short).id
    except KeyError:
        env_id = short
    for one in found:
        if one.algorithm == algorithm and (one.dataset or one.env_id) == env_id:
            return one
    raise ValueError(f"{name!r} is none of the baselines {', '.join(one.name for one in found)}")


@dataclass(frozen=True)
class Reproduction:
    """New runs beside the published ones.

    Attributes:
        baseline: what was reproduced.
        seeds: of the new runs.
        scores: of the new runs.
        interval: where the mean of so many new runs lies with 95 % probability if they are like the published ones.
        changed: settings that differ from those of the published runs, as (name, published, now).
    """

    baseline: Baseline
    seeds: list[int]
    scores: list[float]
    interval: tuple[float, float]
    changed: list[tuple[str, Any, Any]]

    @property
    def score(self) -> float:
        """Mean of the new runs."""
        return sum(self.scores) / len(self.scores)

    @property
    def inside(self) -> bool:
        """Whether it lies in the interval."""
        return self.interval[0] <= self.score <= self.interval[1]


def compare(baseline: Baseline, runs: list[RunRecord]) -> Reproduction:
    """Set new runs beside the published ones.

    Args:
        baseline: with at least 2 published runs.
        runs: finished runs of the same algorithm and environment, with other seeds.

    Raises:
        ValueError: too few runs, a seed that is published, or another behaviour of the environment.
    """
    if len(baseline.runs) < 2:
        raise ValueError(f"{baseline.name} has {len(baseline.runs)} published runs, expected at least 2")
    seeds = [run.seed for run in runs]
    if both := sorted({run.seed for run in baseline.runs} & set(seeds)):
        raise ValueError(f"training seed {both[0]} is one of the published runs: it is no new evidence")
    first = baseline.runs[0].data
    for run in (*baseline.runs, *runs):
        if run.data["env_behaviour"] != first["env_behaviour"]:
            raise ValueError(
                f"{run.path} saw behaviour {run.data['env_behaviour']} of {run.env_id}, the first published run "
                f"{first['env_behaviour']}: their scores cannot be compared"
            )
    was, now = first["config"], runs[0].data["config"]
    changed = [(name, was[name], now.get(name)) for name in was if name not in _MACHINE and was[name] != now.get(name)]
    scores = [float(run.data["results"]["mean_return"]) for run in runs]
    return Reproduction(baseline, seeds, scores, prediction_interval(baseline.scores, len(scores)), changed)


def reproduce(folder: Path, baseline: Baseline, runs: Path, count: int = 1) -> Reproduction:
    """Train with new seeds, evaluate on the evaluation episodes of the published runs, compare.

    Args:
        folder: of baselines.
        baseline: what to reproduce.
        runs: where run folders go; runs that are there already are not repeated.
        count: new training runs.

    Raises:
        ValueError: training failed, or see `compare`.
    """
    if len(baseline.runs) < 2:
        raise ValueError(f"{baseline.name} has {len(baseline.runs)} published runs, expected at least 2")
    seeds = new_seeds(count, {run.seed for run in baseline.runs}, "reproduce", baseline.name)
    for seed in seeds:
        train(training_command(folder, baseline.algorithm, baseline.env_id, seed, runs, baseline.dataset))
    finished = find_runs(runs, baseline.env_id, baseline.algorithm, "finished")
    finished = [run for run in finished if run.data["config"].get("dataset", "") == baseline.dataset]
    by_seed = {run.seed: run for run in sorted(finished, key=lambda run: run.data["started"])}
    return compare(baseline, [by_seed[seed] for seed in seeds])
