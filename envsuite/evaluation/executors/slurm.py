"""SLURM job arrays, as plain text: a list of jobs, and a script each of whose elements does one of them."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from envsuite.core.files import write_atomic
from envsuite.evaluation.executors.common import ONE_THREAD
from envsuite.evaluation.job_lists import Listed, write_jobs

_SCRIPT = """#!/bin/bash
#SBATCH --job-name=envsuite
#SBATCH --array=0-{last}{limit}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=4G
#SBATCH --time=01:00:00
#SBATCH --requeue
#SBATCH --output={logs}/%a.out
# Each element does one job of the list, unless it is done already; submit again whatever failed.
set -euo pipefail
{exports}
exec {python} -m envsuite.cli job {jobs} "$SLURM_ARRAY_TASK_ID" --out {folder}
"""


def write_array(jobs: Sequence[Listed], folder: str | Path, *, workers: int | None = None) -> Path:
    """Write the list of the jobs that are not done, and the script that does them.

    The folder, policies, baselines and Python must be on a file system that the nodes share.

    Args:
        jobs: what to do.
        folder: of the jobs; gets ``jobs.jsonl`` and ``jobs.sbatch``.
        workers: elements that run at the same time, at most.

    Returns:
        The script, to be given to ``sbatch``.

    Raises:
        ValueError: all jobs are done.
    """
    folder = Path(folder).resolve()
    left = [job for job in jobs if not job.done(folder)]
    if not left:
        raise ValueError(f"all jobs are done already; their results are in {folder}")
    (folder / "logs").mkdir(parents=True, exist_ok=True)
    write_jobs(folder / "jobs.jsonl", left)
    script = _SCRIPT.format(
        last=len(left) - 1,
        limit=f"%{workers}" if workers else "",
        logs=folder / "logs",
        exports="\n".join(f"export {name}={value}" for name, value in ONE_THREAD.items()),
        python=shlex.quote(sys.executable),
        jobs=shlex.quote(str(folder / "jobs.jsonl")),
        folder=shlex.quote(str(folder)),
    )
    write_atomic(folder / "jobs.sbatch", script)
    return folder / "jobs.sbatch"
