"""What `envsuite baselines train`, `reproduce` and `sweep` share: jobs that are trained, and what is seen meanwhile."""

import json
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from envsuite.evaluation.training import TrainingJob

EVERY = {True: 0.5, False: 15.0}
"""Seconds between two lines, on a terminal and elsewhere."""
SHOWN = 3
"""Runs whose progress is told."""


def settings_of(arguments: tuple[str, ...]) -> dict[str, Any]:
    """Options of a baseline's script as settings: ``--total-steps 1000 --no-normalise``.

    Raises:
        click.UsageError: something is no option, or has no value.
    """
    found: dict[str, Any] = {}
    left = list(arguments)
    while left:
        name, equals, value = left.pop(0).partition("=")
        if not name.startswith("--") or len(name) < 3:
            raise click.UsageError(f"{name!r} is no setting, expected for instance --total-steps 100000")
        setting = name[2:].replace("-", "_")
        if not equals and (not left or left[0].startswith("--")):
            found[setting.removeprefix("no_")] = not setting.startswith("no_")
            continue
        value = value if equals else left.pop(0)
        try:
            found[setting] = json.loads(value)
        except json.JSONDecodeError:
            found[setting] = value
    return found


def have_done(
    jobs: "list[TrainingJob]", folder: Path, executor: str, workers: int | None, title: str = ""
) -> dict[str, BaseException] | None:
    """Have training jobs done, their progress shown on standard error.

    Args:
        jobs: what to do; those that are done are skipped.
        folder: of the jobs.
        executor: its name, or ``"slurm"``.
        workers: processes.
        title: before each line.

    Returns:
        What went wrong, by the job's label; None where a script for SLURM was written.
    """
    from envsuite.evaluation.executors import make_executor, processors, run_jobs
    from envsuite.evaluation.executors.slurm import write_array
    from envsuite.evaluation.training import busy

    left = [job for job in jobs if not job.done(folder)]
    if not left:
        return {}
    if executor == "slurm":
        script = write_array(left, folder, workers=workers)
        click.echo(f"{title}wrote {len(left)} jobs. Start them with: sbatch {script}", err=True)
        click.echo("Give this command again when they are done; it goes on from there.", err=True)
        return None
    begun = time.time()
    folder.mkdir(parents=True, exist_ok=True)
    with _told(jobs, folder, title, begun):
        failed = run_jobs(left, make_executor(executor, folder, workers), folder)
    many = 1 if executor == "serial" else workers or processors()
    if share := busy(left, folder, many, begun):
        click.echo(
            f"{title}{len(left) - len(failed)} of {len(left)} runs trained in {time.time() - begun:.0f} s, "
            f"{many} worker{'s' * (many > 1)} busy {100 * share:.0f} % of the time",
            err=True,
        )
    return failed


@contextmanager
def _told(jobs: "list[TrainingJob]", folder: Path, title: str, begun: float) -> Generator[None]:
    """A line that is written again while the body goes on."""
    stop, terminal = threading.Event(), sys.stderr.isatty()

    def tell() -> None:
        while not stop.wait(EVERY[terminal]):
            text = line(jobs, folder, title, begun)
            click.echo(f"\r\x1b[K{text}" if terminal else text, nl=not terminal, err=True)

    thread = threading.Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        if terminal:
            click.echo(err=True)


def line(jobs: "list[TrainingJob]", folder: Path, title: str, begun: float) -> str:
    """How far all are, and those that go on."""
    from envsuite.evaluation.training import shares

    done, going = sum(job.done(folder) for job in jobs), shares(jobs, folder, begun)
    shown = [f"{label} {share} %" for label, share in list(going.items())[:SHOWN]]
    more = [f"{len(going) - SHOWN} more"] if len(going) > SHOWN else []
    return f"{title}{done} of {len(jobs)} runs trained" + (f"; training {', '.join(shown + more)}" if shown else "")
