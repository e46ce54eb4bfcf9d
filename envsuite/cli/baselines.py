"""`envsuite baselines`: the repository's learning algorithms, their settings, and their published runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from envsuite.cli.common import json_option, print_json, print_table
from envsuite.cli.messages import library_errors

if TYPE_CHECKING:
    from envsuite.evaluation.baselines import Baseline, Reproduction

folder_option = click.option(
    "--baselines",
    "folder",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default="baselines",
    show_default=True,
    help="This repository's baselines.",
)
runs_option = click.option(
    "--runs", type=click.Path(path_type=Path), default="runs", show_default=True, help="Where run folders go."
)


@click.group()
def baselines() -> None:
    """List, train, reproduce and plot the baselines.

    A NAME is ALGORITHM/ID, for instance ppo/QuadHover; algorithms that learn from a dataset have its id, for instance
    iql/quad-hover/mixed-v0.
    """


@baselines.command("list")
@folder_option
@json_option
def list_(folder: Path, as_json: bool) -> None:
    """List what has settings or published runs: their mean return with its 95 % interval over training seeds."""
    from envsuite.evaluation.baselines import find_baselines

    with library_errors():
        found = find_baselines(folder)
    if as_json:
        print_json([_facts(one) for one in found])
        return
    rows: list[tuple[str, ...]] = []
    for one in found:
        score = "" if len(one.runs) < 2 else _interval(one)
        rows.append((one.name, str(len(one.runs)), score, one.settings.get("search", "default settings")))
    print_table(rows, ("baseline", "runs", "mean return", "how its settings were found"))


def _interval(baseline: "Baseline") -> str:
    found = baseline.published()
    return f"{found.value:.4g} [{found.low:.4g}, {found.high:.4g}]"


def _facts(baseline: "Baseline") -> dict[str, Any]:
    facts: dict[str, Any] = {"name": baseline.name, "algorithm": baseline.algorithm, "env_id": baseline.env_id}
    facts |= {"dataset": baseline.dataset} if baseline.dataset else {}
    facts |= {"settings": baseline.settings, "seeds": [run.seed for run in baseline.runs], "scores": baseline.scores}
    if len(baseline.runs) > 1:
        found = baseline.published()
        facts |= {"mean_return": found.value, "low": found.low, "high": found.high}
    return facts


@baselines.command()
@click.argument("name")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Training seed.")
@runs_option
@folder_option
@click.argument("settings", nargs=-1, type=click.UNPROCESSED)
def train(name: str, seed: int, runs: Path, folder: Path, settings: tuple[str, ...]) -> None:
    """Train a baseline once; SETTINGS after -- go to its script, for instance -- --total-steps 100000.

    An environment without settings of its own is trained with the algorithm's defaults.
    """
    import envsuite
    from envsuite.data import load_recipe, recipe_ids
    from envsuite.evaluation.baselines import train as run_command
    from envsuite.evaluation.baselines import training_command

    algorithm, _, short = name.partition("/")
    with library_errors():
        dataset = short if short in recipe_ids() else ""
        try:
            env_id = load_recipe(dataset).env_id if dataset else envsuite.card(short).id
        except KeyError as error:
            message = f"{short!r} is no dataset with a recipe (see `envsuite datasets list`), and an {error.args[0]}"
            raise click.BadParameter(message, param_hint="NAME") from error
        command = training_command(folder, algorithm, env_id, seed, runs, dataset)
        run_command([*command, *settings])


@baselines.command()
@click.argument("name")
@click.option("--seeds", "count", type=click.IntRange(1), default=1, show_default=True, help="New training runs.")
@runs_option
@folder_option
@json_option
def reproduce(name: str, count: int, runs: Path, folder: Path, as_json: bool) -> None:
    """Train with new seeds and say whether the result lies inside the published interval.

    The interval is that in which the mean of so many new runs lies with 95 % probability if they are like the
    published ones. The exit status is 1 if the result lies outside.
    """
    from envsuite.evaluation.baselines import find_baseline
    from envsuite.evaluation.baselines import reproduce as train_and_compare

    with library_errors():
        found = train_and_compare(folder, find_baseline(folder, name), runs, count)
    if as_json:
        fields = ("seeds", "scores", "score", "interval", "inside", "changed")
        print_json({**_facts(found.baseline), "new": {one: getattr(found, one) for one in fields}})
    else:
        _tell(found)
    if not found.inside:
        raise click.exceptions.Exit(1)


def _tell(found: "Reproduction") -> None:
    baseline, (low, high) = found.baseline, found.interval
    for setting, was, now in found.changed:
        click.echo(f"{setting} has changed since the published runs: {was} then, {now} now")
    for seed, score in zip(found.seeds, found.scores, strict=True):
        click.echo(f"training seed {seed}: mean return {score:.4g}")
    click.echo(f"published: {_interval(baseline)} over {len(baseline.runs)} training seeds")
    many = f"the mean of {len(found.seeds)} new runs" if len(found.seeds) > 1 else "a new run"
    verdict = "inside" if found.inside else "OUTSIDE"
    click.echo(f"{found.score:.4g} is {verdict} [{low:.4g}, {high:.4g}], where {many} lies with 95 % probability")


@baselines.command()
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), default="curve.png", show_default=True)
@folder_option
def curve(names: tuple[str, ...], out: Path, folder: Path) -> None:
    """Draw published learning curves with 95 % bands, against steps and against training time.

    All NAMEs must be of one environment.
    """
    from envsuite.evaluation.baselines import find_baseline
    from envsuite.evaluation.curves import draw_curves

    if out.suffix not in (".png", ".svg", ".pdf"):
        raise click.BadParameter(f"{out} ends in none of .png, .svg, .pdf", param_hint="--out")
    with library_errors():
        draw_curves([find_baseline(folder, name) for name in names], out)
    click.echo(f"wrote {out}")


@baselines.command()
@folder_option
def index(folder: Path) -> None:
    """Write which environments have published runs, from the records, for the cards (run it after adding records)."""
    from envsuite.evaluation.baselines import write_index

    click.echo(f"wrote {write_index(folder)}")
