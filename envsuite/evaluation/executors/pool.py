"""A pool of processes, each of which may die without harm to the others."""

import multiprocessing
import os
import threading
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from envsuite.evaluation.executors.common import ATTEMPTS, ONE_THREAD, JobError
from envsuite.evaluation.jobs import Work, run_job

_STARTING = threading.Lock()


def processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class ProcessExecutor:
    """Runs jobs in spawned processes of one thread each.

    Every worker is a pool of its own with a single process, watched by a thread of this process: when a worker dies,
    it is clear which job it had, and only that one is started again.

    Args:
        folder: of the jobs' results.
        workers: number of processes; by default one for each processor that this process may use.
    """

    def __init__(self, folder: str | Path, workers: int | None = None):
        self._folder = str(folder)
        self._watchers = ThreadPoolExecutor(workers or processors(), thread_name_prefix="envsuite-jobs")
        self._workers: dict[int, ProcessPoolExecutor] = {}

    def submit(self, job: Work) -> Future[str]:
        """See `envsuite.evaluation.executors.Executor`."""
        return self._watchers.submit(self._attend, job)

    def close(self) -> None:
        """See `envsuite.evaluation.executors.Executor`."""
        self._watchers.shutdown(wait=True, cancel_futures=True)
        for worker in self._workers.values():
            worker.shutdown()

    def _attend(self, job: Work) -> str:
        """Have a job done by this thread's worker; a new worker where the old one dies."""
        for _ in range(ATTEMPTS):
            try:
                return self._begin(job).result()
            except BrokenProcessPool:
                self._workers.pop(threading.get_ident()).shutdown()
        raise JobError(f"{job.name}: its worker process died {ATTEMPTS} times")

    def _begin(self, job: Work) -> Future[str]:
        thread = threading.get_ident()
        if thread in self._workers:
            return self._workers[thread].submit(run_job, job, self._folder)
        context = multiprocessing.get_context("spawn")
        worker = self._workers[thread] = ProcessPoolExecutor(1, mp_context=context, initializer=_stay_with_parent)
        with _STARTING:  # the process starts with the first job, and libraries read these names when they are imported
            before = {name: os.environ.get(name) for name in ONE_THREAD}
            os.environ.update(ONE_THREAD)
            try:
                return worker.submit(run_job, job, self._folder)
            finally:
                for name, value in before.items():
                    if value is None:
                        del os.environ[name]
                    else:
                        os.environ[name] = value


def _stay_with_parent() -> None:
    """End this process when the one that started it is gone, were it by ``kill -9``."""

    def watch() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
