"""`envsuite job`: do one job of a list, for machines that share a folder."""

from pathlib import Path

import click

from envsuite.cli.kinds import NewFolder
from envsuite.cli.messages import library_errors


@click.command()
@click.argument("jobs", metavar="JOBS.jsonl", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("index", type=click.IntRange(0, 10**9))
@click.option("--out", type=NewFolder(), required=True, help="Folder of the jobs' results.")
def job(jobs: Path, index: int, out: Path) -> None:
    """Do job INDEX, from 0 on, of a list that `--executor slurm` wrote, unless it is done already."""
    from envsuite.evaluation.job_lists import read_jobs
    from envsuite.evaluation.jobs import run_job

    with library_errors():
        found = read_jobs(jobs)
        if index >= len(found):
            raise ValueError(f"index is {index}, expected less than {len(found)}, the number of jobs in {jobs}")
        run_job(found[index], out)
    click.echo(f"done: {found[index].label}")
