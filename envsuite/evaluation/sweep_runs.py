"""Does what a sweep asks for: jobs part by part, who goes on, and what came out."""

import dataclasses
import json
import math
import subprocess
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import envsuite
from envsuite.core.files import write_atomic
from envsuite.evaluation.records import plain
from envsuite.evaluation.scripts import source, training_command
from envsuite.evaluation.sweeps import Sweep, configurations, label
from envsuite.evaluation.training import TrainingJob, as_options
from envsuite.scoring import estimate, mean


@dataclass
class Row:
    """What one configuration of a baseline came to.

    Attributes:
        baseline: its name.
        configuration: settings that were tried.
        part: share of the run that is done.
        scores: mean returns of the last evaluation, by training seed.
        runs: folders, from the sweep's.
        error: why there are no scores; empty where there are.
    """

    baseline: str
    configuration: dict[str, Any]
    part: float = 0.0
    scores: list[float] = field(default_factory=list)
    runs: list[str] = field(default_factory=list)
    error: str = ""

    @property
    def mean(self) -> float:
        """Of the scores; minus infinity where there are none."""
        return float(np.mean(self.scores)) if self.scores else -math.inf

    def interval(self) -> str:
        """The mean with its 95 % interval over training seeds."""
        if len(self.scores) < 2:
            return f"{self.mean:.4g}"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of few runs; the sweep's file tells their number
            found = estimate(np.array(self.scores)[:, np.newaxis], mean)
        return f"{found.value:.4g} [{found.low:.4g}, {found.high:.4g}]"


Do = Callable[[list[TrainingJob], str], dict[str, BaseException] | None]


def run_sweep(sweep: Sweep, baselines: Path, folder: Path, do: Do) -> tuple[list[Row], list[TrainingJob], bool]:
    """Do what is missing, part by part, and write ``sweep.json`` and ``best.toml``.

    Which settings go on is decided when all runs of a part are done, so that it depends on nothing but the scores.

    Args:
        sweep: what is tried.
        baselines: folder.
        folder: of the sweep.
        do: has jobs done and gives what went wrong by the job's label, or None where they are done elsewhere; called
            with the jobs and the name of the part.

    Returns:
        The rows, best first for each baseline; all jobs; whether all of them are done.
    """
    folder.mkdir(parents=True, exist_ok=True)
    wanted = plain(dataclasses.asdict(sweep))
    _same_sweep(folder, wanted)
    tried = configurations(sweep)
    check_settings(sweep, baselines, tried)
    rows = [Row(name, one) for name in sweep.baselines for one in tried]
    _write(folder, wanted, rows)
    going, jobs, parts = rows, [], sweep.search.parts
    for k, part in enumerate(parts):
        mine = {id(row): [_job(sweep, baselines, row, seed, part) for seed in sweep.training_seeds] for row in going}
        now = [job for row in going for job in mine[id(row)]]
        jobs += now
        failed = do(now, f"part {k + 1} of {len(parts)}: " if len(parts) > 1 else "")
        if failed is None:
            _write(folder, wanted, rows)
            return _ranked(rows), jobs, False
        for row in going:
            row.error = next((str(failed[job.label]) for job in mine[id(row)] if job.label in failed), "")
            if not row.error:
                results = [job.result(folder) for job in mine[id(row)]]
                row.part, row.scores = part, [one.score for one in results]
                row.runs = [one.run for one in results]
        going = [row for name in sweep.baselines for row in _kept(going, name, sweep.search.keep)]
    _write(folder, wanted, rows)
    write_atomic(folder / "best.toml", best(sweep, rows))
    return _ranked(rows), jobs, True


def _kept(rows: list[Row], baseline: str, keep: float) -> list[Row]:
    """Those of a baseline that go on; of equal ones the first."""
    mine = [row for row in rows if row.baseline == baseline]
    alive = sorted((row for row in mine if not row.error), key=lambda row: -row.mean)
    return alive[: math.ceil(len(mine) * keep)]


def _ranked(rows: list[Row]) -> list[Row]:
    names = list(dict.fromkeys(row.baseline for row in rows))
    return sorted(rows, key=lambda row: (names.index(row.baseline), -row.part, -row.mean))


def _job(sweep: Sweep, baselines: Path, row: Row, seed: int, part: float) -> TrainingJob:
    algorithm, env_id, dataset = source(row.baseline)
    return TrainingJob(
        baselines=str(baselines.resolve()),
        algorithm=algorithm,
        env_id=env_id,
        dataset=dataset,
        seed=seed,
        settings={**sweep.settings, **row.configuration},
        group=label(row.configuration),
        until=part,
        sweep=sweep.name,
        behaviour=envsuite.card(env_id).behaviour,
    )


def check_settings(sweep: Sweep, baselines: Path, tried: list[dict[str, Any]]) -> None:
    """Ask every baseline whether it takes the first of these settings, before anything is trained.

    Raises:
        ValueError: one does not; the message says what it said.
    """
    for name in sweep.baselines:
        algorithm, env_id, dataset = source(name)
        command = training_command(baselines, algorithm, env_id, 0, Path("runs"), dataset)
        options = as_options({**sweep.settings, **tried[0]})
        asked = subprocess.run([*command, "--check", *options], capture_output=True, text=True, check=False)
        if asked.returncode:
            raise ValueError(f"{name}: {asked.stderr.strip().splitlines()[-1]}")


def _same_sweep(folder: Path, wanted: dict[str, Any]) -> None:
    path = folder / "sweep.json"
    if path.is_file():
        was = json.loads(path.read_text(encoding="utf-8"))["sweep"]
        if changed := [name for name in wanted if was.get(name) != wanted[name]]:
            raise ValueError(
                f"{folder} holds a sweep with other {', '.join(changed)}: give this one another name or another --out"
            )


def _write(folder: Path, wanted: dict[str, Any], rows: list[Row]) -> None:
    content = {"sweep": wanted, "rows": [plain(dataclasses.asdict(row)) for row in _ranked(rows)]}
    write_atomic(folder / "sweep.json", json.dumps(content, indent=1) + "\n")


def best(sweep: Sweep, rows: list[Row]) -> str:
    """The best settings of each baseline, as its ``.toml`` holds them, with the budget of the search."""
    lines = []
    for name in sweep.baselines:
        algorithm, env_id, dataset = source(name)
        first = next(row for row in _ranked(rows) if row.baseline == name)
        if first.scores:
            lines += [f"# {algorithm}.toml: mean return {first.interval()}", f"[{json.dumps(dataset or env_id)}]"]
            lines += [f"search = {json.dumps(sweep.told)}"]
            chosen = {**sweep.settings, **first.configuration}
            lines += [f"{key} = {toml(value)}" for key, value in chosen.items()]
            lines.append("")
    return "\n".join(lines)


def toml(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {toml(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)
