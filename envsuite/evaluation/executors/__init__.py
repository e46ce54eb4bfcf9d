"""Where jobs run: in this process, in a pool of processes, on a Ray cluster, or as a SLURM job array.

All give the same files, bit for bit, whatever the number of workers: a job's result depends on the job alone.
"""

from pathlib import Path

from envsuite.evaluation.executors.common import Executor, JobError, run_jobs
from envsuite.evaluation.executors.pool import ProcessExecutor, processors
from envsuite.evaluation.executors.serial import SerialExecutor

__all__ = [
    "EXECUTORS",
    "Executor",
    "JobError",
    "ProcessExecutor",
    "SerialExecutor",
    "make_executor",
    "processors",
    "run_jobs",
]

EXECUTORS = ("serial", "pool", "ray")
"""Names of those that do jobs at once; ``slurm`` writes a script instead, see `envsuite.evaluation.executors.slurm`."""


def make_executor(name: str, folder: str | Path, workers: int | None = None) -> Executor:
    """An executor by its name.

    Args:
        name: one of `EXECUTORS`.
        folder: of the jobs' results.
        workers: processes; by default one for each processor that this process may use.

    Raises:
        ValueError: there is no such executor.
        ModuleNotFoundError: Ray is missing.
    """
    if name not in EXECUTORS:
        raise ValueError(f"executor is {name!r}, expected one of {', '.join(EXECUTORS)}")
    if name == "ray":
        from envsuite.evaluation.executors.ray import RayExecutor

        return RayExecutor(folder, workers)
    return SerialExecutor(folder) if name == "serial" else ProcessExecutor(folder, workers)
