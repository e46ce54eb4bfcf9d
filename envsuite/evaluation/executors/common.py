"""What the executors share."""

import contextlib
from collections.abc import Callable, Iterable
from concurrent.futures import Future, as_completed
from pathlib import Path
from typing import Protocol, TypeVar

from envsuite.evaluation.jobs import Work

ATTEMPTS = 3
"""How often a job is started whose worker dies."""

ONE_THREAD = {
    name: "1"
    for name in (
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "VECLIB_MAXIMUM_THREADS",
        "NUMBA_NUM_THREADS",
    )
}
"""Environment of workers: one thread each, for BLAS, PyTorch and Numba alike."""


WorkType = TypeVar("WorkType", bound=Work)


class JobError(RuntimeError):
    """A job that could not be done, and why."""


class Executor(Protocol):
    """Runs jobs."""

    def submit(self, job: Work) -> Future[str]:
        """Have a job done.

        Args:
            job: what to do.

        Returns:
            The key of the job, once it is done; `JobError` where its worker died too often, else what it raised.
        """
        ...

    def close(self) -> None:
        """Stop. Jobs that have not begun are dropped."""


def run_jobs(
    jobs: Iterable[WorkType], executor: Executor, folder: Path, progress: Callable[[WorkType], None] | None = None
) -> dict[str, BaseException]:
    """Have all jobs done that are not done yet.

    Args:
        jobs: what to do.
        executor: who does it; closed at the end.
        folder: of their results.
        progress: called with each job that is done.

    Returns:
        What went wrong, by the job's name; the other jobs are done.
    """
    failed: dict[str, BaseException] = {}
    running: dict[Future[str], WorkType] = {}

    def take(future: Future[str]) -> None:
        job = running.pop(future)
        if error := future.exception():
            failed[job.label] = error
        elif progress:
            progress(job)

    with contextlib.closing(executor):
        for job in jobs:
            if job.done(folder):
                if progress:
                    progress(job)
                continue
            future = executor.submit(job)
            running[future] = job
            if future.done():
                take(future)
        for future in as_completed(list(running)):
            take(future)
    return failed
