"""`envsuite runs`: list, show, report, compare and export training runs."""

import dataclasses
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import envsuite
from envsuite.cli.common import json_option, print_json, print_table
from envsuite.cli.kinds import NewFile
from envsuite.cli.messages import library_errors

if TYPE_CHECKING:
    from envsuite.evaluation.runs import RunRecord
    from envsuite.scoring.runs import RunScores

_COLUMNS = ("method", "task", "seed", "step", "score")

metric_option = click.option(
    "--metric", default="mean_return", show_default=True, help="Which number of metrics.jsonl is the score."
)
env_option = click.option("--env", "env_id", help="Only runs on this environment.")
algorithm_option = click.option("--algo", "algorithm", help="Only runs of this algorithm.")
unfinished_option = click.option(
    "--unfinished",
    type=click.Choice(["warn", "refuse", "skip", "keep"]),
    default="warn",
    show_default=True,
    help="What to do with runs that did not finish: warn takes those that go on, were stopped or killed as far as they "
    "came, and refuses those that failed.",
)


@click.group()
def runs() -> None:
    """List, show, report, compare and export training runs.

    A PLACE is a run folder, a folder that holds some at any depth, or a glob pattern.
    """


@runs.command("list")
@click.argument("place", default="runs")
@env_option
@algorithm_option
@click.option("--status", help="Only with this status, for instance finished.")
@json_option
def list_(place: str, env_id: str | None, algorithm: str | None, status: str | None, as_json: bool) -> None:
    """List the runs in PLACE (by default ./runs)."""
    from envsuite.evaluation.runs import find_runs

    with library_errors():
        found = find_runs(place, _full_id(env_id), algorithm, status)
    if as_json:
        print_json([{"path": str(run.path), **run.data} for run in found])
        return
    rows: list[tuple[str, ...]] = []
    for run in found:
        score = run.data.get("results", {}).get("mean_return")
        shown = "" if score is None else f"{score:.4g}"
        rows.append((run.env_id, run.algorithm, str(run.seed), run.status, _started(run), shown, str(run.path)))
    print_table(rows, ("environment", "algorithm", "seed", "status", "started", "return", "folder"))


@runs.command()
@click.argument("place")
@json_option
def show(place: str, as_json: bool) -> None:
    """Show one run: what was run, on what, and what came out."""
    from envsuite.evaluation.runs import RunRecord

    with library_errors():
        run = RunRecord.load(place)
        events, changed = run.metrics(), run.changed_files()
    if as_json:
        print_json({"path": str(run.path), "changed_files": changed, "last": events[-1:], **run.data})
        return
    data = run.data
    git = data.get("git") or {}
    click.echo(f"{run.env_id}, {run.algorithm}, training seed {run.seed}: {run.status}")
    click.echo(f"started {_started(run)}, ended {data.get('ended', '?')[:19]}, command: {' '.join(data['command'])}")
    click.echo(f"envsuite {data.get('suite_version', '?')}, behaviour {data.get('env_behaviour', '?')}")
    click.echo(f"commit {git.get('commit', '?')}{' with changes' if git.get('dirty') else ''}")
    for title in ("machine", "versions", "env_options", "config", "results"):
        entries = data.get(title) or {}
        if entries:
            width = max(map(len, entries))
            click.echo("\n".join(["", title, *(f"  {name:<{width}}  {entries[name]}" for name in sorted(entries))]))
    click.echo(f"\n{len(events)} events; last: {events[-1] if events else 'none'}")
    if run.status == "finished":
        click.echo(f"files changed since the end of the run: {', '.join(changed) or 'none'}")


@runs.command()
@click.argument("places", metavar="[NAME=]PLACE...", nargs=-1, required=True)
@click.option("--out", type=NewFile(".html"), default="report.html", show_default=True)
@click.option("--title", default="Training runs", show_default=True)
@click.option("--render/--no-render", default=True, help="Render an episode where run folders hold no picture.")
@metric_option
@env_option
@algorithm_option
@unfinished_option
def report(places: tuple[str, ...], out: Path, title: str, render: bool, metric: str, **chosen: Any) -> None:
    """Write one self-contained HTML file: tables with intervals, learning curves, replays."""
    from envsuite.core.files import write_atomic
    from envsuite.evaluation.groups import run_groups
    from envsuite.evaluation.report import write_report

    chosen["env_id"] = _full_id(chosen["env_id"])
    with library_errors():
        groups = run_groups(places, **chosen)
        write_atomic(out, write_report(groups, title=title, metric=metric, render=render))
    click.echo(f"wrote {out}: {sum(map(len, groups.values()))} runs of {', '.join(groups)}")


@runs.command()
@click.argument("a", metavar="[NAME=]A")
@click.argument("b", metavar="[NAME=]B")
@click.option("--paired", is_flag=True, help="Take runs of the same training seed in pairs.")
@metric_option
@env_option
@unfinished_option
@json_option
def compare(a: str, b: str, paired: bool, metric: str, env_id: str | None, unfinished: Any, as_json: bool) -> None:
    """Compare two groups of runs: the difference A - B of final scores, with interval and p-value.

    Each environment is compared by the mean of its runs, all environments together by the interquartile mean of
    normalised scores.
    """
    from envsuite.evaluation.groups import RETURN, anchors, run_groups, run_scores

    with library_errors():
        sides = []
        for text in (a, b):
            found = run_groups([text], _full_id(env_id), None, unfinished)
            if len(found) > 1:
                raise ValueError(f"{text!r} holds runs of several algorithms, {sorted(found)}: name it (NAME=PLACE)")
            sides.append(next(iter(found.items())))
        (first, left), (second, right) = sides
        if first == second:
            first, second = a, b
        scores = run_scores({first: left, second: right}, metric)
        if odd := [task for task in scores.tasks if any((name, task) not in scores.table for name in (first, second))]:
            raise ValueError(f"only one of the two has runs on {', '.join(odd)}: choose with --env")
        if paired and not scores.paired(first, second):
            raise ValueError(f"{first} and {second} have different training seeds: there are no pairs")
        rows = _comparisons(scores, first, second, paired, anchors(scores.tasks, metric))
    if as_json:
        print_json({"a": first, "b": second, "metric": metric, "comparisons": [dataclasses.asdict(r) for _, r in rows]})
        return
    click.echo(f"{metric} of {first} minus {second} [95 % interval]")
    for task, found in rows:
        click.echo(f"  {task:<32}{found}")
    if metric == RETURN and len(scores.tasks) > 1 and len(rows) == len(scores.tasks):
        click.echo("  (no common scale: an environment has no anchor scores)")


def _comparisons(
    scores: "RunScores", first: str, second: str, paired: bool, references: dict[str, tuple[float, float]]
) -> list[tuple[str, Any]]:
    """(task, comparison) of each task's mean, and of all together on the normalised scale."""
    from envsuite.scoring import compare as compare_scores
    from envsuite.scoring import interquartile_mean, mean

    rows = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of few runs: their number stands beside every interval
        x, y = scores.final(first), scores.final(second)
        for k, task in enumerate(scores.tasks):
            columns = [side[k] if isinstance(side, list) else side[:, k] for side in (x, y)]
            rows.append((task, compare_scores(*(c[:, None] for c in columns), mean, paired=paired)))
        if len(scores.tasks) > 1 and len(references) == len(scores.tasks):
            scaled = scores.normalised(references)
            total = compare_scores(scaled.final(first), scaled.final(second), interquartile_mean, paired=paired)
            rows.append(("all, normalised (IQM)", total))
    return rows


@runs.command()
@click.argument("places", metavar="[NAME=]PLACE...", nargs=-1, required=True)
@click.option("--out", type=NewFile(".csv", ".parquet"), required=True, help="FILE.csv or FILE.parquet")
@metric_option
@env_option
@algorithm_option
@unfinished_option
def export(places: tuple[str, ...], out: Path, metric: str, **chosen: Any) -> None:
    """Write a long table of method, task, seed, step, score, as CSV or Parquet."""
    import numpy as np

    from envsuite.evaluation.groups import run_groups, run_scores
    from envsuite.evaluation.tables import write_table

    chosen["env_id"] = _full_id(chosen["env_id"])
    with library_errors():
        rows = run_scores(run_groups(places, **chosen), metric).rows()
        kinds = (str, str, np.int64, np.int64, np.float64)
        table = zip(_COLUMNS, kinds, zip(*rows, strict=True), strict=True)
        write_table(out, {name: np.array(column, kind) for name, kind, column in table})
    click.echo(f"wrote {out}: {len(rows)} rows")


def _full_id(env_id: str | None) -> str | None:
    """Short ids are completed; unknown ones may be of runs made elsewhere."""
    if env_id is None:
        return None
    try:
        return envsuite.card(env_id).id
    except KeyError:
        return env_id


def _started(run: "RunRecord") -> str:
    return run.data["started"][:19].replace("T", " ")
