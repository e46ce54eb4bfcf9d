"""Ray Core, for many machines (extra ``ray``); folders and policies must be on a file system that all of them share."""

import logging
import os
import socket
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from envsuite.evaluation.executors.common import ATTEMPTS, ONE_THREAD
from envsuite.evaluation.jobs import Work, run_job

PATIENCE = 5.0
"""Seconds in which a cluster answers."""


class RayExecutor:
    """Runs jobs as Ray tasks; Ray starts a task again whose worker or machine dies.

    Args:
        folder: of the jobs' results.
        workers: processors to use on this machine; a cluster that the environment variable ``RAY_ADDRESS`` names, or
            that this process has joined already, is used whole.

    Raises:
        ModuleNotFoundError: Ray is missing; the message tells how to install it.
        ConnectionError: nobody listens at ``RAY_ADDRESS``.
    """

    def __init__(self, folder: str | Path, workers: int | None = None):
        self._ray, self._mine = connect(workers)
        self._folder = str(Path(folder).resolve())
        options: dict[str, Any] = {"num_cpus": 1, "max_retries": ATTEMPTS - 1, "runtime_env": {"env_vars": ONE_THREAD}}
        self._run = self._ray.remote(**options)(run_job)

    def submit(self, job: Work) -> Future[str]:
        """See `envsuite.evaluation.executors.Executor`."""
        return self._run.remote(job, self._folder).future()

    def close(self) -> None:
        """See `envsuite.evaluation.executors.Executor`."""
        if self._mine:
            self._ray.shutdown()


def connect(processors: int | None) -> tuple[Any, bool]:
    """Join the cluster of this process or of ``RAY_ADDRESS``; without one, start Ray on this machine.

    Args:
        processors: to use on this machine, of a cluster all; None for all.

    Returns:
        The module `ray`, and whether it was connected here, so that who called shuts it down.

    Raises:
        ModuleNotFoundError: Ray is missing; the message tells how to install it.
        ConnectionError: nobody listens at ``RAY_ADDRESS``.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no calls home
    try:
        import ray
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError('ray is not installed: pip install "envsuite[ray]"', name="ray") from error
    if ray.is_initialized():
        return ray, False
    address = os.environ.get("RAY_ADDRESS")
    if address:
        _reach(address)
    settings: dict[str, Any] = {} if address else {"num_cpus": processors, "include_dashboard": False}
    ray.init(address or "local", log_to_driver=False, logging_level=logging.ERROR, **settings)
    return ray, True


def _reach(address: str) -> None:
    """Ray itself tries for minutes and then ends the process.

    Raises:
        ConnectionError: nobody listens there.
    """
    host, colon, port = address.rpartition("//")[2].rpartition(":")
    if not colon or not port.isdigit():  # a word such as "auto", which Ray explains
        return
    try:
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise ConnectionError(f"no Ray cluster answers at {address}, which RAY_ADDRESS names: {error}") from error
