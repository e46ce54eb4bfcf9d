"""Training runs as jobs: each trains a baseline once, in a process of its own, on any executor."""

import dataclasses
import hashlib
import json
import os
import re
import subprocess
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import envsuite
from envsuite.core.files import write_atomic
from envsuite.evaluation.runs import RunRecord
from envsuite.evaluation.scripts import training_command

JOBS = "jobs"
"""Folder of what jobs leave beside their runs: ``<key>.json``, written last, and ``<key>.log``, what was said."""


@dataclass(frozen=True)
class TrainingJob:
    """One training run.

    Attributes:
        baselines: absolute path of the folder of baselines.
        algorithm: name of its file.
        env_id: registered id.
        seed: training seed.
        dataset: id, for algorithms that learn from one.
        settings: that differ from the tuned ones, plain data.
        group: folder below the jobs' folder that the run goes into; empty for the folder itself.
        until: share of the run, after which it waits to be gone on with.
        sweep: id of the sweep that it belongs to.
        behaviour: behaviour hash of the environment.
        suite_version: of envsuite.
    """

    baselines: str
    algorithm: str
    env_id: str
    seed: int
    dataset: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    group: str = ""
    until: float = 1.0
    sweep: str = ""
    behaviour: str = ""
    suite_version: str = envsuite.__version__

    @property
    def key(self) -> str:
        """SHA-256 (hexadecimal) of all that the result depends on, and not of where files lie."""
        parts = dataclasses.asdict(self)
        del parts["baselines"], parts["sweep"]
        return hashlib.sha256(json.dumps(parts, sort_keys=True, allow_nan=False).encode()).hexdigest()

    @property
    def name(self) -> str:
        """For people."""
        place = self.dataset or self.env_id.split("/")[-1]
        return f"{self.algorithm}/{place} seed {self.seed}"

    @property
    def label(self) -> str:
        """The name, and what is tried."""
        return f"{self.name}, {self.group}" if self.group else self.name

    def log(self, folder: Path) -> Path:
        """Where what the training says is kept."""
        return folder / JOBS / f"{self.key}.log"

    def done(self, folder: Path) -> bool:
        """Whether the run has come to its end, or to where it waits."""
        return (folder / JOBS / f"{self.key}.json").is_file()

    def result(self, folder: Path) -> "Trained":
        """What came out of a job that is done."""
        return Trained(**json.loads((folder / JOBS / f"{self.key}.json").read_text(encoding="utf-8")))

    def command(self, folder: Path) -> list[str]:
        """What trains, or goes on from the last checkpoint."""
        runs = folder / self.group
        command = training_command(
            Path(self.baselines), self.algorithm, self.env_id, self.seed, runs.resolve(), self.dataset
        )
        if self.until < 1:
            command += ["--until", str(self.until)]
        if self.sweep:
            command += ["--sweep", f"{self.sweep}/{self.group}"]
        return [*command, *as_options(self.settings)]

    def run(self, folder: Path) -> None:
        """Train in a process of its own, which ends with this one.

        Raises:
            ValueError: the training failed; the message ends with the last it said.
        """
        if self.suite_version != envsuite.__version__:
            raise ValueError(f"{self.name} was made for envsuite {self.suite_version}, this is {envsuite.__version__}")
        if self.behaviour != envsuite.card(self.env_id).behaviour:
            raise ValueError(f"{self.name} was made for another behaviour of {self.env_id}")
        log = self.log(folder)
        log.parent.mkdir(parents=True, exist_ok=True)
        python, *script = self.command(folder)
        started = time.time()
        with log.open("ab") as out:
            begin = out.tell()
            command = [python, "-m", "envsuite.evaluation.attended", *script]
            with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, stderr=subprocess.STDOUT) as training:
                try:
                    status = training.wait()
                except BaseException:
                    training.terminate()  # it closes its record
                    training.wait()
                    raise
        said = log.read_bytes()[begin:].decode(errors="replace").splitlines()
        folders = [line.removeprefix(_FOLDER) for line in said if line.startswith(_FOLDER)]
        if status or not folders:
            last = next((line for line in reversed(said) if line.strip()), "nothing was said")
            raise ValueError(f"training ended with exit status {status}: {last} (all of it: {log})")
        record = RunRecord.load(folders[-1])
        events = record.metrics()
        if events[-1]["mean_return"] is None:
            raise ValueError(f"the mean return of {record.path} is no number")
        done = Trained(
            run=os.path.relpath(record.path.resolve(), folder.resolve()),
            steps=int(events[-1]["step"]),
            score=float(events[-1]["mean_return"]),
            started=started,
            ended=time.time(),
        )
        write_atomic(folder / JOBS / f"{self.key}.json", json.dumps(dataclasses.asdict(done)))


SILENT = 60.0
"""Seconds after which a run that says nothing is taken for one that was given up; compiling takes less."""
_FOLDER = "run folder: "


@dataclass(frozen=True)
class Trained:
    """What came out of a training job.

    Attributes:
        run: its folder, from the jobs' folder.
        steps: that are done.
        score: mean return of the last evaluation.
        started: seconds since the epoch.
        ended: likewise.
    """

    run: str
    steps: int
    score: float
    started: float
    ended: float


def as_options(settings: dict[str, Any]) -> list[str]:
    """Settings as the baselines' command line takes them: lists and tables as JSON."""
    found = []
    for name, value in settings.items():
        flag = name.replace("_", "-")
        if isinstance(value, bool):
            found.append(f"--{flag}" if value else f"--no-{flag}")
        else:
            found += [f"--{flag}", json.dumps(value) if isinstance(value, list | dict) else str(value)]
    return found


def shares(jobs: Iterable[TrainingJob], folder: Path, begun: float) -> dict[str, int]:
    """How far the runs are that go on, in percent, by the job's label.

    Args:
        jobs: all.
        folder: of the jobs.
        begun: of this call, in seconds since the epoch: what was said before belongs to an earlier one.
    """
    found = {}
    begun = max(begun, time.time() - SILENT)
    for job in jobs:
        log = job.log(folder)
        if log.is_file() and log.stat().st_mtime >= begun and not job.done(folder):
            said = re.findall(rb"\((\d+) %\)", log.read_bytes()[-400:])
            found[job.label] = int(said[-1]) if said else 0
    return found


def busy(jobs: Iterable[TrainingJob], folder: Path, workers: int, begun: float) -> float | None:
    """Share of the workers' time since `begun` in which they trained; None where nothing was trained."""
    results = [job.result(folder) for job in jobs if job.done(folder)]
    results = [one for one in results if one.started >= begun]
    if not results:
        return None
    return sum(one.ended - one.started for one in results) / (workers * (max(one.ended for one in results) - begun))
