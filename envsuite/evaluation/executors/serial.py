"""One job after another, in this process."""

from concurrent.futures import Future
from pathlib import Path

from envsuite.evaluation.jobs import Work, run_job


class SerialExecutor:
    """Does each job when it is submitted.

    Args:
        folder: of the jobs' results.
    """

    def __init__(self, folder: str | Path):
        self._folder = folder

    def submit(self, job: Work) -> Future[str]:
        """See `envsuite.evaluation.executors.Executor`."""
        future: Future[str] = Future()
        try:
            future.set_result(run_job(job, self._folder))
        except Exception as error:
            future.set_exception(error)
        return future

    def close(self) -> None:
        """Nothing to stop."""
