"""`envsuite baselines`: the learning algorithms, their settings, and their published runs."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from envsuite.cli.common import baselines_option, json_option, print_json, print_table
from envsuite.cli.kinds import COUNT, SEED, Finite, NewFile, NewFolder
from envsuite.cli.messages import library_errors

if TYPE_CHECKING:
    from envsuite.evaluation.baselines import Baseline, Check, Published, Reproduction

runs_option = click.option("--runs", type=NewFolder(), default="runs", show_default=True, help="Where run folders go.")


@click.group()
def baselines() -> None:
    """List, train, reproduce and plot the baselines.

    A NAME is ALGORITHM/ID, for instance ppo/QuadHover; algorithms that learn from a dataset have its id, for instance
    iql/quad-hover/mixed-v0.
    """


@baselines.command("list")
@baselines_option
@json_option
def list_(baselines: Path, as_json: bool) -> None:
    """List what has settings or published runs: their mean return with its 95 % interval over training seeds.

    The mean return of a frozen policy is that of one network, which comes with the package and plays by this name.
    """
    from envsuite.evaluation.baselines import find_baselines
    from envsuite.evaluation.frozen import frozen_policies

    with library_errors():
        found = find_baselines(baselines)
        frozen = frozen_policies(baselines)
    if as_json:
        print_json([_facts(one) | {"frozen": one.name in frozen} for one in found])
        return
    rows: list[tuple[str, ...]] = []
    for one in found:
        runs, score = (str(len(one.published.seeds)), _interval(one.published)) if one.published else ("0", "")
        policy = f"{frozen[one.name].score:.4g}" if one.name in frozen else ""
        rows.append((one.name, runs, score, policy, one.settings.get("search", "default settings")))
    print_table(rows, ("baseline", "runs", "mean return", "frozen policy", "how its settings were found"))
    click.echo("\nWhere there is a frozen policy, the baseline's name plays it: --policy ppo/QuadHover")


def _interval(published: "Published") -> str:
    between = "" if published.low is None else f" [{published.low:.4g}, {published.high:.4g}]"
    return f"{published.mean:.4g}{between}"


def _facts(baseline: "Baseline") -> dict[str, Any]:
    facts: dict[str, Any] = {"name": baseline.name, "algorithm": baseline.algorithm, "env_id": baseline.env_id}
    facts |= {"dataset": baseline.dataset} if baseline.dataset else {}
    facts |= {"settings": baseline.settings}
    if found := baseline.published:
        facts |= {"seeds": found.seeds, "scores": found.scores}
        facts |= {"mean_return": found.mean, "low": found.low, "high": found.high}
    return facts


@baselines.command()
@baselines_option
def index(baselines: Path) -> None:
    """Write published.json, what all records came to, after a change of the records (for maintainers)."""
    from envsuite.evaluation.baselines import write_published

    with library_errors():
        path = write_published(baselines)
    click.echo(f"wrote {path}")


@baselines.command()
@click.argument("name")
@click.argument("policy", type=click.Path(path_type=Path, exists=True))
@click.option("--seed", type=SEED, help="Training seed; that of the run folder by default.")
@click.option("--steps", type=COUNT, help="Training steps; those of the run folder by default.")
@baselines_option
def freeze(name: str, policy: Path, seed: int | None, steps: int | None, baselines: Path) -> None:
    """Add a network to the frozen policies (for maintainers): a run folder, or a policy file with --seed and --steps.

    It has to score like the baseline's published runs.
    """
    from envsuite.evaluation.frozen import freeze as add
    from envsuite.evaluation.runs import RunRecord

    with library_errors():
        if policy.is_dir():
            run = RunRecord.load(policy)
            seed, steps = run.seed if seed is None else seed, run.steps if steps is None else steps
            policy = policy / "policy.onnx"
        if seed is None or steps is None:
            raise ValueError(f"--seed and --steps are needed: {policy} does not tell them")
        made = add(baselines, name, policy, seed, steps)
    click.echo(f"{made.name}: mean return {made.score:.6g} of {made.episodes} episodes, {made.path}")


@baselines.command()
@click.argument("name")
@click.option("--seed", type=SEED, default=0, show_default=True, help="Training seed.")
@runs_option
@baselines_option
@click.argument("settings", nargs=-1, type=click.UNPROCESSED)
def train(name: str, seed: int, runs: Path, baselines: Path, settings: tuple[str, ...]) -> None:
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
        command = training_command(baselines, algorithm, env_id, seed, runs, dataset)
        run_command([*command, *settings])


@baselines.command()
@click.argument("name")
@click.option(
    "--seeds",
    "count",
    type=click.IntRange(1, 1000),
    help="New training runs; by default as many as find the loss, at most 5.",
)
@click.option(
    "--loss",
    type=Finite(0, 1, min_open=True),
    default=0.2,
    show_default=True,
    help="Share of what is learned whose loss is to be found with probability 0.8.",
)
@runs_option
@baselines_option
@json_option
def reproduce(name: str, count: int | None, loss: float, runs: Path, baselines: Path, as_json: bool) -> None:
    """Train with new seeds and say whether the result lies inside the published interval.

    The interval is that in which the mean of so many new runs lies with 95 % probability if they are like the
    published ones. The exit status is 1 if the result lies outside. Where published runs spread much, few new ones
    prove little: the probability to find that the baseline has lost a share of what it learns is told beforehand.
    """
    from envsuite.evaluation.baselines import find_baseline, plan_check
    from envsuite.evaluation.baselines import reproduce as train_and_compare

    with library_errors():
        baseline = find_baseline(baselines, name)
        check = plan_check(baseline, count, loss)
        click.echo(_power(check), err=as_json)
        found = train_and_compare(baselines, baseline, runs, check)
    if as_json:
        fields = ("seeds", "scores", "score", "interval", "inside", "changed")
        new = {one: getattr(found, one) for one in fields} | {"check": asdict(found.check)}
        print_json({**_facts(found.baseline), "new": new})
    else:
        _tell(found)
    if not found.inside:
        raise click.exceptions.Exit(1)


def _power(check: "Check") -> str:
    """What a check can find, and what it would take where that is little."""
    many = f"{check.runs} new runs find" if check.runs > 1 else "1 new run finds"
    lost = f"a loss of {100 * check.share:g} % of what is learned ({check.loss:.4g})"
    told = f"{many} {lost} with probability {check.power:.2f}"
    if check.needed is None:
        return f"{told}; no number of new runs finds it with 0.8, since the published runs spread too much"
    return told if check.needed <= check.runs else f"{told}; for 0.8 ask for --seeds {check.needed}"


def _tell(found: "Reproduction") -> None:
    published, (low, high) = found.published, found.interval
    for setting, was, now in found.changed:
        click.echo(f"{setting} has changed since the published runs: {was} then, {now} now")
    for seed, score in zip(found.seeds, found.scores, strict=True):
        click.echo(f"training seed {seed}: mean return {score:.4g}")
    click.echo(f"published: {_interval(published)} over {len(published.seeds)} training seeds")
    many = f"the mean of {len(found.seeds)} new runs" if len(found.seeds) > 1 else "a new run"
    verdict = "inside" if found.inside else "OUTSIDE"
    click.echo(f"{found.score:.4g} is {verdict} [{low:.4g}, {high:.4g}], where {many} lies with 95 % probability")
    if found.inside and found.check.power < 0.5:
        click.echo("this says little: it would most likely lie there after that loss, too")


@baselines.command()
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@click.option("--out", type=NewFile(".png", ".svg", ".pdf"), default="curve.png", show_default=True)
@baselines_option
def curve(names: tuple[str, ...], out: Path, baselines: Path) -> None:
    """Draw published learning curves with 95 % bands, against steps and against training time.

    All NAMEs must be of one environment.
    """
    from envsuite.evaluation.baselines import find_baseline
    from envsuite.evaluation.curves import draw_curves

    with library_errors():
        draw_curves([find_baseline(baselines, name) for name in names], out)
    click.echo(f"wrote {out}")
