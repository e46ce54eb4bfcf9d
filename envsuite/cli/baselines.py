"""`envsuite baselines`: the learning algorithms, their settings, and their published runs."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import envsuite
from envsuite.cli.common import (
    EXECUTOR,
    baselines_option,
    executor_option,
    json_option,
    print_json,
    print_table,
    workers_option,
)
from envsuite.cli.kinds import COUNT, SEED, Finite, NewFile, NewFolder
from envsuite.cli.messages import library_errors
from envsuite.cli.training import have_done, settings_of

if TYPE_CHECKING:
    from envsuite.evaluation.baselines import Baseline, Published
    from envsuite.evaluation.reproduction import Check, Reproduction, Trains
    from envsuite.evaluation.sweep_runs import Row

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


def _trains(baselines: Path, runs: Path, executor: str | None, workers: int | None, given: tuple[str, ...]) -> "Trains":
    """Trains here, one run after another with all that it says, or as jobs of an executor."""

    def here(algorithm: str, env_id: str, dataset: str, seeds: list[int]) -> None:
        from envsuite.evaluation.scripts import train as run_command
        from envsuite.evaluation.scripts import training_command

        for seed in seeds:
            run_command([*training_command(baselines, algorithm, env_id, seed, runs, dataset), *given])

    def as_jobs(algorithm: str, env_id: str, dataset: str, seeds: list[int]) -> None:
        from envsuite.evaluation.training import TrainingJob

        place = (str(baselines.resolve()), algorithm, env_id)
        jobs = [
            TrainingJob(*place, seed, dataset, settings_of(given), behaviour=envsuite.card(env_id).behaviour)
            for seed in seeds
        ]
        for job in jobs:
            job.command(runs)  # refuses what there is not
        failed = have_done(jobs, runs, executor or "serial", workers)
        if failed is None:
            raise click.exceptions.Exit(0)
        if failed:
            lines = [f"{name}: {error}" for name, error in failed.items()]
            raise click.ClickException("\n".join([f"{len(failed)} of {len(jobs)} runs failed", *lines]))
        for job in jobs:
            done = job.result(runs)
            click.echo(
                f"{job.name}: mean return {done.score:.4g} after {done.steps:,} steps, {runs / done.run}", err=True
            )

    return here if executor is None else as_jobs


executors_option = click.option(
    "--executor",
    type=EXECUTOR,
    help="Train as jobs: one after another, in processes, on Ray, or by a script for SLURM. Without it runs are "
    "trained here, one after another, and all that they say is shown.",
)


@baselines.command()
@click.argument("name")
@click.option("--seed", type=SEED, default=0, show_default=True, help="Training seed, or the first of --seeds.")
@click.option("--seeds", "count", type=click.IntRange(1, 1000), default=1, show_default=True, help="How many runs.")
@executors_option
@workers_option
@runs_option
@baselines_option
@click.argument("settings", nargs=-1, type=click.UNPROCESSED)
def train(
    name: str,
    seed: int,
    count: int,
    executor: str | None,
    workers: int | None,
    runs: Path,
    baselines: Path,
    settings: tuple[str, ...],
) -> None:
    """Train a baseline; SETTINGS after -- go to its script, for instance -- --total-steps 100000.

    An environment without settings of its own is trained with the algorithm's defaults. Runs that are finished are not
    repeated, and runs that were stopped go on when the same command is given again.
    """
    from envsuite.evaluation.scripts import source

    with library_errors():
        try:
            algorithm, env_id, dataset = source(name)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="NAME") from error
        seeds = list(range(seed, seed + count))
        _trains(baselines, runs, executor, workers, settings)(algorithm, env_id, dataset, seeds)


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
@executors_option
@workers_option
@runs_option
@baselines_option
@json_option
def reproduce(
    name: str,
    count: int | None,
    loss: float,
    executor: str | None,
    workers: int | None,
    runs: Path,
    baselines: Path,
    as_json: bool,
) -> None:
    """Train with new seeds and say whether the result lies inside the published interval.

    The interval is that in which the mean of so many new runs lies with 95 % probability if they are like the
    published ones. The exit status is 1 if the result lies outside. Where published runs spread much, few new ones
    prove little: the probability to find that the baseline has lost a share of what it learns is told beforehand.
    """
    from envsuite.evaluation.baselines import find_baseline
    from envsuite.evaluation.reproduction import plan_check
    from envsuite.evaluation.reproduction import reproduce as train_and_compare

    with library_errors():
        baseline = find_baseline(baselines, name)
        check = plan_check(baseline, count, loss)
        click.echo(_power(check), err=as_json)
        found = train_and_compare(baseline, runs, check, _trains(baselines, runs, executor, workers, ()))
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
@click.argument("file", metavar="FILE.toml", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@executor_option
@workers_option
@click.option("--out", type=NewFolder(), help="Folder of runs and results; runs/sweeps/NAME by default.")
@baselines_option
@json_option
def sweep(file: Path, executor: str, workers: int | None, out: Path | None, baselines: Path, as_json: bool) -> None:
    """Train baselines with several settings and seeds, and rank the settings.

    FILE.toml holds baselines, seeds, settings, the space of what is tried and how it is searched. What is done already
    is skipped when the same command is given again. `envsuite runs report OUT` draws all learning curves.
    """
    from envsuite.evaluation.sweep_runs import run_sweep
    from envsuite.evaluation.sweeps import load_sweep
    from envsuite.evaluation.training import TrainingJob

    with library_errors():
        found = load_sweep(file)
        out = out or Path("runs", "sweeps", found.name)

        def do(jobs: list[TrainingJob], title: str) -> dict[str, BaseException] | None:
            return have_done(jobs, out, executor, workers, title)

        rows, jobs, whole = run_sweep(found, baselines, out, do)
    if not whole:
        return
    if as_json:
        print_json({"sweep": asdict(found), "rows": [asdict(row) for row in rows], "jobs": len(jobs)})
    else:
        lines: list[tuple[str, ...]] = []
        for row in rows:
            told = [row.interval()] * bool(row.scores) + [row.error.partition(" (all")[0]] * bool(row.error)
            lines.append((row.baseline, label_of(row), f"{100 * row.part:.0f} %", "; then ".join(told)))
        print_table(lines, ("baseline", "settings", "of the run", "mean return [95 % interval over training seeds]"))
        click.echo(f"\nbest settings: {out / 'best.toml'}; all learning curves: envsuite runs report {out}")
    if all(row.error for row in rows):
        raise click.exceptions.Exit(1)


def label_of(row: "Row") -> str:
    """The settings of a row as people read them."""
    return ", ".join(f"{name} = {value}" for name, value in row.configuration.items()) or "as tuned"


@baselines.command()
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option("--runs", type=click.Path(path_type=Path, exists=True), help="Run folders, instead of published runs.")
@baselines_option
@json_option
def online(names: tuple[str, ...], runs: Path | None, baselines: Path, as_json: bool) -> None:
    """Compare learners that begin with a dataset and then play: scores before and after, and the regret.

    Scores are normalised: 0 for the random player, 1 for the reference player. The regret is one minus their mean over
    the evaluations while playing. With NAMEs only these baselines, such as cal_ql/maze-legacy-umaze/controller-v0.
    """
    from envsuite.evaluation.online import outcome, published_online, runs_online

    with library_errors():
        found = published_online(baselines) if runs is None else runs_online(runs)
        if missing := [name for name in names if name not in found]:
            raise ValueError(f"{missing[0]!r} has no such runs; {', '.join(found) or 'nothing'} has")
        if not found:
            raise ValueError(f"{runs} holds no finished runs from offline to online")
        told = {name: outcome(found[name]) for name in names or found}
    if as_json:
        print_json({name: asdict(one) for name, one in told.items()})
        return
    rows: list[tuple[str, ...]] = [
        (name, f"{one.budget:,}", f"{one.before:.2f}", f"{one.after:.2f}", one.told(), str(one.seeds))
        for name, one in sorted(told.items(), key=lambda pair: (pair[0].partition("/")[2], pair[1].regret))
    ]
    print_table(rows, ("baseline", "steps", "before", "after", "regret [95 % interval]", "runs"))


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
