"""Lists of jobs as files, for machines that do one of them at a time: one JSON object a line."""

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from envsuite.core.files import write_atomic
from envsuite.evaluation.jobs import Job
from envsuite.evaluation.schema import parse
from envsuite.evaluation.training import TrainingJob

KINDS: dict[str, type[Job] | type[TrainingJob]] = {"evaluation": Job, "training": TrainingJob}

Listed = TypeVar("Listed", Job, TrainingJob)


def write_jobs(path: Path, jobs: Sequence[Listed]) -> None:
    """Write a list of jobs."""
    kinds = {kind: name for name, kind in KINDS.items()}
    lines = [json.dumps({"kind": kinds[type(job)], **dataclasses.asdict(job)}) + "\n" for job in jobs]
    write_atomic(path, "".join(lines))


def read_jobs(path: Path) -> list[Job | TrainingJob]:
    """Read what `write_jobs` wrote.

    Raises:
        ValueError: a line is no job.
    """
    jobs = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        where = f"{path.name} line {number}"
        try:
            entry = json.loads(line)
        except json.JSONDecodeError as error:
            raise ValueError(f"{where} is not JSON: {error}") from error
        kind = entry.pop("kind", None) if isinstance(entry, dict) else None
        if kind not in KINDS:
            raise ValueError(f"{where}: kind is {kind!r}, expected one of {', '.join(KINDS)}")
        jobs.append(parse(entry, KINDS[kind], where))
    return jobs
