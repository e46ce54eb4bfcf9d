"""The baselines: what there is, and what was published."""

import dataclasses
import json
import tomllib
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import envsuite
from envsuite.cards import locked
from envsuite.core.files import write_atomic
from envsuite.evaluation.runs import RunRecord, find_runs
from envsuite.evaluation.scripts import known_baselines
from envsuite.scoring import estimate, mean

RECORDS = "records"
"""Folder of the published run records, in the folder of baselines; it stays in the repository."""

PUBLISHED = "published.json"
"""What these records came to, in the folder of baselines; this goes with the package too, see `write_published`."""


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
            same_behaviour(run, runs[0].data["env_behaviour"])
        scores = tuple(float(run.data["results"]["mean_return"]) for run in runs)
        value, low, high = scores[0], None, None
        if len(runs) > 1:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # of few runs; their number is told
                found = estimate(np.array(scores)[:, np.newaxis], mean)
            value, low, high = found.value, found.low, found.high
        first = runs[0].data
        return cls(tuple(run.seed for run in runs), scores, value, low, high, first["env_behaviour"], first["config"])


def same_behaviour(run: RunRecord, expected: str) -> None:
    """Refuse a run that saw another behaviour of the environment than the published ones, with a ValueError."""
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
