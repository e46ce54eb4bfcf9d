"""`envsuite evaluate`: score policies, on one environment or on a track."""

import dataclasses
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from envsuite.cards import EnvCard
from envsuite.cli.common import (
    CARD,
    POLICY,
    executor_option,
    json_option,
    option_option,
    print_json,
    print_table,
    with_options,
    workers_option,
)
from envsuite.cli.kinds import COUNT, SEED, WORKERS, NewFolder
from envsuite.cli.messages import library_errors

if TYPE_CHECKING:
    from envsuite.evaluation.jobs import Job
    from envsuite.evaluation.summary import Row
    from envsuite.evaluation.tracks import Track
    from envsuite.scoring import Estimate


@click.command()
@click.argument("card", metavar="[ID]", type=CARD, required=False)
@click.option("--track", help="Evaluate on all tasks of this track (its name, or a .toml file) instead of on one ID.")
@click.option(
    "--policy",
    "policies",
    multiple=True,
    metavar="[NAME=]POLICY",
    help=f"{POLICY}, or (with --track) a folder or glob of run folders; may be repeated with --track.",
)
@click.option("--out", type=NewFolder(), help="Folder of results; runs/evaluations/TRACK by default.")
@executor_option
@workers_option
@click.option("--episodes", type=COUNT, default=100, show_default=True, help="With an ID.")
@click.option("--seed", type=SEED, help="Seed of the first episode; evaluation seeds by default.")
@click.option("--threads", type=WORKERS, default=1, show_default=True, help="With an ID.")
@option_option
@json_option
@click.pass_context
def evaluate(context: click.Context, card: EnvCard | None, track: str | None, **given: Any) -> None:
    """Score policies on fixed evaluation seeds.

    With an ID: play episodes of one environment and report returns and metrics with 95 % intervals over episodes.

    With --track: play the episodes of every task of a track, record them, and report scores with 95 % intervals over
    training seeds. Finished jobs are skipped when the same command is given again; a changed policy or track is a new
    job. Results: OUT/NAME/results.jsonl with OUT/NAME/actions and OUT/NAME/policy.
    """
    if bool(card) == bool(track):
        raise click.UsageError("give either an environment's ID, or --track")
    _refuse_unused(context, "ID" if card else "--track")
    policies = given["policies"]
    if not policies:
        raise click.UsageError("Missing option '--policy'.")
    if card is None:
        assert track is not None
        _on_track(track, policies, given["out"], given["executor"], given["workers"], given["as_json"])
        return
    if len(policies) > 1:
        raise click.UsageError("with an ID, give one --policy")
    names = ("episodes", "seed", "threads", "options", "as_json")
    _on_environment(card, policies[0], **{name: given[name] for name in names})


def _refuse_unused(context: click.Context, form: str) -> None:
    """Options of another form of the command would be silently ignored."""
    used = {
        "ID": {"card", "policies", "episodes", "seed", "threads", "options", "as_json"},
        "--track": {"track", "policies", "out", "executor", "workers", "as_json"},
    }[form]
    for parameter in context.command.params:
        name = parameter.name or ""
        chosen = context.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE
        if chosen and name not in used:
            raise click.UsageError(f"{parameter.opts[-1]} is not for use with {form}")


def _on_track(
    track_name: str, policies: tuple[str, ...], out: Path | None, executor: str, workers: int | None, as_json: bool
) -> None:
    from envsuite.evaluation.executors.slurm import write_array
    from envsuite.evaluation.jobs import make_jobs, merge
    from envsuite.evaluation.policies import find_policies
    from envsuite.evaluation.summary import summarise
    from envsuite.evaluation.tracks import load_track

    with library_errors():
        track = load_track(track_name)
        jobs = make_jobs(track, track_name, [one for text in policies for one in find_policies(text)])
        out = out or Path("runs", "evaluations", track.name)
        left = [job for job in jobs if not job.done(out)]
        if executor == "slurm" and left:
            script = write_array(jobs, out, workers=workers)
            click.echo(f"wrote {len(left)} jobs. Start them with: sbatch {script}", err=True)
            click.echo("Give this command again when they are done; it merges the results.", err=True)
            return
    _run(jobs, out, executor, workers)
    with library_errors():
        methods = merge(jobs, out)
    rows = summarise(track, methods)
    if as_json:
        print_json([_plain(row) for row in rows])
        return
    _print_rows(rows)
    _print_notes(track, rows, methods)
    click.echo(f"results: {', '.join(str(out / method / 'results.jsonl') for method in methods)}")


def _print_notes(track: "Track", rows: "list[Row]", methods: dict[str, Any]) -> None:
    """What is to be known beside the table."""
    for row in rows:
        for env_id, rating in row.ratings.items():
            click.echo(f"rating of {row.method} against the opponents of {env_id}: {_interval(rating)}")
    click.echo(f"\n{track.metric} on track {track.name}, version {track.version}; estimates [95 % intervals].")
    if any(row.normalised.unit == "episode" for row in rows):
        click.echo("Intervals over episodes tell nothing of other training runs.")
    for method, results in methods.items():
        if absent := [task.name for task in track.tasks if task.name not in {one.task for one in results}]:
            click.echo(f"{method} has no policy for {', '.join(absent)}.")


def _run(jobs: "list[Job]", out: Path, executor: str, workers: int | None) -> None:
    from envsuite.evaluation.executors import make_executor, run_jobs

    if all(job.done(out) for job in jobs):
        return
    total = sum(job.episodes for job in jobs)
    with library_errors():
        runs = make_executor(executor, out, workers)
    with click.progressbar(length=total, label="episodes", file=sys.stderr) as bar:
        failed = run_jobs(jobs, runs, out, lambda job: bar.update(job.episodes))
    if failed:
        lines = [f"{name}: {error}" for name, error in failed.items()]
        raise click.ClickException(
            "\n".join([f"{len(failed)} of {len(jobs)} jobs failed; the others are kept", *lines])
        )


def _plain(row: "Row") -> dict[str, Any]:
    def numbers(estimate: "Estimate | None") -> dict[str, Any] | None:
        return None if estimate is None else dataclasses.asdict(estimate)

    return {
        "method": row.method,
        "task": row.task,
        "score": numbers(row.score),
        "normalised": numbers(row.normalised),
        "ratings": {env_id: numbers(one) for env_id, one in row.ratings.items()},
        "exploitability": numbers(row.distance),
        "exploitability_normalised": numbers(row.distance_normalised),
    }


def _print_rows(rows: "list[Row]") -> None:
    table: list[tuple[str, ...]] = []
    head = ["method", "task", "score", "normalised", "over"]
    told = any(row.distance not in (None, row.score) for row in rows)
    for row in rows:
        score = "" if row.score is None else _interval(row.score)
        cells = [row.method, row.task, score, _interval(row.normalised), str(row.normalised.basis)]
        if told:
            ends = row.distance, row.distance_normalised
            cells[-1:-1] = ["" if one is None else _interval(one) for one in ends]
        table.append(tuple(cells))
    head[-1:-1] = ["exploitability", "near equilibrium"] if told else []
    print_table(table, tuple(head))


def _interval(estimate: "Estimate") -> str:
    from envsuite.evaluation.summary import EXACT

    if estimate.method == EXACT:
        return f"{estimate.value:.4g}"
    return f"{estimate.value:.4g} [{estimate.low:.4g}, {estimate.high:.4g}]"


def _on_environment(
    card: EnvCard,
    policy: str,
    episodes: int,
    seed: int | None,
    threads: int,
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    import numpy as np

    from envsuite.evaluation.protocol import distance_from_equilibrium
    from envsuite.evaluation.rollout import EVALUATION_SEED, one_number, play, policy_maker
    from envsuite.evaluation.summary import of_policy
    from envsuite.scoring import episode_interval, proportion_interval

    card = with_options(card, options)
    first = EVALUATION_SEED if seed is None else seed
    with library_errors():
        played = one_number(card, play(card, policy_maker(policy), episodes, first_seed=first, num_threads=threads))
    estimates: dict[str, Estimate] = {
        "return": episode_interval(played.returns),
        "length": episode_interval(played.lengths),
    }
    if card.scale and not options:
        zero, one = (score.mean for score in card.scale)
        estimates["normalised"] = episode_interval((played.returns - zero) / (one - zero))
    for name, values in played.metrics.items():
        if values.ndim > 1:
            continue
        flag = values.dtype == np.bool_
        estimates[name] = proportion_interval(int(values.sum()), episodes) if flag else episode_interval(values)
    unknown = ""
    try:
        if distance := distance_from_equilibrium(card, policy_maker(policy)):
            estimates["exploitability"] = of_policy(distance)
            estimates["exploitability_normalised"] = of_policy(distance, distance.normalise)
    except ValueError as error:  # which says nothing of the episodes
        unknown = str(error)
    if as_json:
        fields = {name: {"value": e.value, "low": e.low, "high": e.high} for name, e in estimates.items()}
        head = {
            "id": card.id,
            "policy": policy,
            "episodes": episodes,
            "first_seed": first,
            "behaviour": card.behaviour,
        }
        print_json(head | fields)
        return
    click.echo(f"{card.id}, {policy}, {episodes} episodes, seeds from {first}; estimate [95 % interval over episodes]")
    for name, estimate in estimates.items():
        click.echo(f"  {name:<26}{_interval(estimate)}")
    if unknown:
        click.echo(f"  no exploitability: {unknown}")
