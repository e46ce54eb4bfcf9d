"""The baselines: what there is, how to train it, what was published, and whether a new run agrees."""

import dataclasses
import json
import subprocess
import sys
import tomllib
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import envsuite
from envsuite.cards import locked
from envsuite.core.files import write_atomic
from envsuite.evaluation.jobs import derived_seed
from envsuite.evaluation.records import Terminated, sigterm_raises
from envsuite.evaluation.runs import RunRecord, find_runs
from envsuite.scoring import estimate, mean, prediction_interval, prediction_power, prediction_runs

RECORDS = "records"
"""Folder of the published run records, in the folder of baselines; it stays in the repository."""

PUBLISHED = "published.json"
"""What these records came to, in the folder of baselines; this goes with the package too, see `write_published`."""

LOSS = 0.2
"""Share of what a baseline learns, whose loss `reproduce` is to find unless told otherwise."""

WANTED = 0.8
"""Probability with which it is to find it."""

MOST_NEW = 5
"""New training runs, at most, unless told otherwise."""

_SEEDS = 10**6  # new training seeds lie below; evaluation seeds lie far above
_MACHINE = ("seed", "threads")  # settings that a new run may change


def known_baselines(folder: Path) -> list[str]:
    """Names of the algorithms in a folder of baselines: files that have a table of settings beside them."""
    return sorted(path.stem for path in folder.glob("*.py") if path.with_suffix(".toml").is_file())


def source(name: str) -> tuple[str, str, str]:
    """Algorithm, environment and dataset of a baseline's name; no dataset for one that plays.

    Raises:
        ValueError: the name is neither an environment nor a dataset with a recipe.
    """
    algorithm, _, short = name.partition("/")
    if short in locked():
        return algorithm, locked()[short]["env_id"], short
    try:
        return algorithm, envsuite.card(short).id, ""
    except KeyError as error:
        message = f"{short!r} is no dataset with a recipe (see `envsuite datasets list`), and an {error.args[0]}"
        raise ValueError(message) from error


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
    """Do a training command, its output shown. Ctrl-C and SIGTERM reach it, and it closes its record.

    Raises:
        ModuleNotFoundError: PyTorch is not installed.
        ValueError: it failed.
    """
    if find_spec("torch") is None:
        raise ModuleNotFoundError("training needs PyTorch", name="torch")
    with sigterm_raises(), subprocess.Popen(command) as training:
        try:
            status = training.wait()
        except KeyboardInterrupt:  # the terminal has sent it to both
            training.wait()
            raise
        except Terminated:
            training.terminate()
            training.wait()
            raise
    if status:
        raise ValueError(f"training ended with exit status {status}")


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
class Published:
    """What the published runs of a baseline came to.

    Attributes:
        seeds: training seeds, one a run.
        scores: mean return of each run's final policy on the evaluation episodes.
        mean: of the scores.
        low: lower end of the mean's 95 % interval over training seeds; None for a single run.
        high: its upper end.
        behaviour: the environment's behaviour hash.
        config: settings of the first run.
    """

    seeds: tuple[int, ...]
    scores: tuple[float, ...]
    mean: float
    low: float | None
    high: float | None
    behaviour: str
    config: dict[str, Any]

    @classmethod
    def of(cls, runs: list[RunRecord]) -> "Published":
        """Sum up finished runs.

        Args:
            runs: at least one, all of one baseline.

        Raises:
            ValueError: they saw several behaviours of the environment.
        """
        for run in runs:
            _same_behaviour(run, runs[0].data["env_behaviour"])
        scores = tuple(float(run.data["results"]["mean_return"]) for run in runs)
        value, low, high = scores[0], None, None
        if len(runs) > 1:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # of few runs; their number is told
                found = estimate(np.array(scores)[:, np.newaxis], mean)
            value, low, high = found.value, found.low, found.high
        first = runs[0].data
        return cls(tuple(run.seed for run in runs), scores, value, low, high, first["env_behaviour"], first["config"])


def _same_behaviour(run: RunRecord, expected: str) -> None:
    if run.data["env_behaviour"] != expected:
        raise ValueError(
            f"{run.path} saw behaviour {run.data['env_behaviour']} of {run.env_id}, the first published run "
            f"{expected}: their scores cannot be compared"
        )


@dataclass(frozen=True)
class Baseline:
    """An algorithm with settings for an environment, or for a dataset of it.

    Attributes:
        algorithm: name of its file.
        env_id: full id.
        dataset: id of the dataset that it learns from; empty for one that plays.
        settings: from its table; ``search`` says how they were found.
        published: what its published runs came to; None where there are none.
        runs: their records, by training seed; none where the folder of baselines comes without records.
    """

    algorithm: str
    env_id: str
    dataset: str
    settings: dict[str, Any]
    published: Published | None = None
    runs: tuple[RunRecord, ...] = ()

    @property
    def name(self) -> str:
        """``algorithm/Environment-vN``, or ``algorithm/`` and the id of a dataset."""
        return f"{self.algorithm}/{self.dataset or self.env_id.split('/')[-1]}"


_Key = tuple[str, str, str]  # algorithm, environment, dataset


def find_baselines(folder: Path) -> list[Baseline]:
    """All baselines with settings or published runs.

    What was published comes from the records where the folder has them, else from `PUBLISHED`.

    Args:
        folder: of baselines.

    Raises:
        ValueError: there are none.
    """
    runs = _recorded(folder)
    published = {key: Published.of(some) for key, some in runs.items()} if runs else _read_published(folder)
    found = []
    for algorithm in known_baselines(folder):
        table = tomllib.loads((folder / f"{algorithm}.toml").read_text(encoding="utf-8"))
        ours = {key[1:] for key in published if key[0] == algorithm}
        for env_id, dataset in sorted(ours | set(map(_source, table))):
            key = (algorithm, env_id, dataset)
            settings = table.get(dataset or env_id, {})
            found.append(Baseline(*key, settings, published.get(key), tuple(runs.get(key, ()))))
    if not found:
        raise ValueError(f"there are no baselines in {folder}")
    return found


def _recorded(folder: Path) -> dict[_Key, list[RunRecord]]:
    """The finished published runs of each baseline."""
    found: dict[_Key, list[RunRecord]] = {}
    known = known_baselines(folder)
    for run in find_runs(folder / RECORDS, status="finished") if (folder / RECORDS).is_dir() else []:
        if run.algorithm in known:
            found.setdefault((run.algorithm, run.env_id, run.data["config"].get("dataset", "")), []).append(run)
    return found


def _read_published(folder: Path) -> dict[_Key, Published]:
    path = folder / PUBLISHED
    entries = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    found = {}
    for name, entry in entries.items():
        key = (name.partition("/")[0], entry.pop("env_id"), entry.pop("dataset", ""))
        columns: dict[str, Any] = {name: tuple(entry.pop(name)) for name in ("seeds", "scores")}
        found[key] = Published(**columns, **entry)
    return found


def published_index(folder: Path) -> str:
    """The content of `PUBLISHED` as the records have it: what was published, by the baseline's name.

    Args:
        folder: of baselines, with records.

    Raises:
        ValueError: there are no records.
    """
    if not _recorded(folder):
        raise ValueError(f"there are no run records in {folder / RECORDS}")
    entries = {}
    for one in find_baselines(folder):
        if one.published:
            of_data = {"dataset": one.dataset} if one.dataset else {}
            entries[one.name] = {"env_id": one.env_id, **of_data, **dataclasses.asdict(one.published)}
    lines = [f"{json.dumps(name)}: {json.dumps(entry, allow_nan=False)}" for name, entry in entries.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def write_published(folder: Path) -> Path:
    """Write `PUBLISHED` from the records; its path.

    Args:
        folder: of baselines, with records.

    Raises:
        ValueError: there are no records.
    """
    write_atomic(folder / PUBLISHED, published_index(folder))
    return folder / PUBLISHED


def _source(key: str) -> tuple[str, str]:
    """Environment and dataset of a key of a table of settings, which is the id of either."""
    if key.startswith("envsuite/") or key in envsuite.cards():
        return key, ""
    if key not in locked():
        raise ValueError(f"settings for {key!r}: neither an environment nor a dataset of one")
    return locked()[key]["env_id"], key


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
        _same_behaviour(run, published.behaviour)
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
