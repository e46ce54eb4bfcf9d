"""Commands of `envsuite datasets` that make datasets from others: convert, merge, split, subsample, mix, relabel."""

from pathlib import Path
from typing import Any

import click

from envsuite.cli.datasets import datasets, progress_bar, report, root_option
from envsuite.cli.kinds import COUNT, SEED, Finite
from envsuite.cli.messages import library_errors

SOURCES = ("minari", "d4rl", "ogbench", "neorl", "zip")
TARGETS = ("minari", "d4rl", "lerobot", "ogbench", "zip")

_seed = click.option("--seed", type=SEED, default=0, show_default=True, help="Of the draw of episodes.")


def _opened(dataset_id: str, root: Path | None):
    from envsuite.data import load

    return load(dataset_id, root)


@datasets.command()
@click.argument("source", metavar="ID|FILE")
@click.option("--from", "source_format", type=click.Choice(SOURCES), help="Import: the format of SOURCE.")
@click.option("--to", "target_format", type=click.Choice(TARGETS), help="Export: the format of the result.")
@click.option("--out", type=click.Path(path_type=Path), help="Export: file, LeRobot's folder, or Minari's of datasets.")
@click.option("--id", "new_id", metavar="ID", help="Import: id of the result.")
@click.option("--env", "env_id", default="", help="Import of arrays: id of the environment.")
@click.option("--horizon", type=COUNT, help="Import of arrays: length limit of episodes.")
@click.option("--maze2d", is_flag=True, help="D4RL: time-outs are goals, and rewards are a row late.")
@click.option("--pieces", type=COUNT, help="D4RL, with --maze2d: cut into episodes so long.")
@root_option
def convert(source: str, source_format: str | None, target_format: str | None, root: Path | None, **given: Any) -> None:
    """Bring a dataset in from another format, or write one in another format.

    \b
    envsuite datasets convert quad-hover/mixed-v0 --to minari
    envsuite datasets convert D4RL/door/human-v2 --from minari
    envsuite datasets convert halfcheetah.hdf5 --from d4rl --id d4rl/halfcheetah-medium-v2
    """  # noqa: D301  (click wants the control character)
    if (source_format is None) == (target_format is None):
        raise click.UsageError("give either --from, to import, or --to, to export")
    if target_format:
        _export(source, target_format, given["out"], root)
    else:
        assert source_format is not None
        _import(source, source_format, root, given)


def _export(dataset_id: str, form: str, out: Path | None, root: Path | None) -> None:
    if form != "minari" and out is None:
        raise click.UsageError(f"--to {form} needs --out {'FOLDER' if form == 'lerobot' else 'FILE'}")
    with library_errors(), progress_bar("writing") as told:
        if form == "zip":
            from envsuite.data.transfer import pack

            assert out is not None
            pack(dataset_id, out, root)
        elif form == "d4rl":
            from envsuite.data.formats.d4rl import export_d4rl

            assert out is not None
            export_d4rl(_opened(dataset_id, root), out)
        elif form == "ogbench":
            from envsuite.data.formats.ogbench import export_ogbench

            assert out is not None
            export_ogbench(_opened(dataset_id, root), out)
        elif form == "lerobot":
            from envsuite.data.formats.lerobot import export_lerobot

            assert out is not None
            export_lerobot(_opened(dataset_id, root), out, progress=told)
        else:
            from envsuite.data.formats.minari import export_minari

            out = export_minari(_opened(dataset_id, root), out, progress=told)
    click.echo(f"wrote {out}")


def _import(source: str, form: str, root: Path | None, given: dict[str, Any]) -> None:
    with library_errors(), progress_bar("reading") as told:
        if form == "zip":
            from envsuite.data.transfer import unpack

            data = unpack(source, root, progress=told)
        elif form == "minari":
            from envsuite.data.formats.minari import import_minari

            data = import_minari(source, root, new_id=given["new_id"], progress=told)
        else:
            data = _import_arrays(source, form, root, given)
    report(data)


def _import_arrays(source: str, form: str, root: Path | None, given: dict[str, Any]):
    from envsuite.data.formats.flat import Told

    if given["new_id"] is None:
        raise click.UsageError(f"--from {form} needs --id")
    told = Told(given["new_id"], given["env_id"], given["horizon"])
    if form == "d4rl":
        from envsuite.data.formats.d4rl import Repairs, import_d4rl

        maze = given["maze2d"]
        repairs = Repairs("goals" if maze else "ends", given["pieces"], late_rewards=maze)
        return import_d4rl(source, told, root, repairs=repairs)
    if form == "ogbench":
        from envsuite.data.formats.ogbench import import_ogbench

        return import_ogbench(source, told, root)
    from envsuite.data.formats.neorl import import_neorl

    return import_neorl(source, told, root)


@datasets.command()
@click.argument("new_id", metavar="NEW")
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@root_option
def merge(new_id: str, ids: tuple[str, ...], root: Path | None) -> None:
    """Put all episodes of some datasets of one environment into a NEW one."""
    from envsuite.data import edit

    with library_errors():
        report(edit.merge([_opened(one, root) for one in ids], new_id, root))


@datasets.command()
@click.argument("dataset_id", metavar="ID")
@click.option("--validation", type=Finite(0, 1, True, True), default=0.1, show_default=True, help="Share.")
@_seed
@root_option
def split(dataset_id: str, validation: float, seed: int, root: Path | None) -> None:
    """Cut a dataset into NAME-train-vN and NAME-validation-vN, by episodes."""
    from envsuite.data import edit

    with library_errors():
        for part in edit.split(_opened(dataset_id, root), validation, seed, root):
            report(part)


@datasets.command()
@click.argument("dataset_id", metavar="ID")
@click.argument("new_id", metavar="NEW")
@click.option("--episodes", type=COUNT, help="How many, drawn at random.")
@click.option("--top", type=Finite(0, 1, True), help="Share of the episodes, those of the highest returns.")
@_seed
@root_option
def subsample(
    dataset_id: str, new_id: str, episodes: int | None, top: float | None, seed: int, root: Path | None
) -> None:
    """Take some episodes of a dataset into a NEW one."""
    from envsuite.data import edit

    if (episodes is None) == (top is None):
        raise click.UsageError("give either --episodes or --top")
    with library_errors():
        data = _opened(dataset_id, root)
        if episodes is not None:
            report(edit.subsample(data, episodes, new_id, seed, root))
        else:
            assert top is not None
            report(edit.write_episodes([data.top(top)], new_id, {"operation": "subsampled", "top": top}, root))


@datasets.command()
@click.argument("new_id", metavar="NEW")
@click.argument("shares", metavar="ID=SHARE...", nargs=-1, required=True)
@click.option("--steps", type=COUNT, required=True, help="Of all parts together.")
@_seed
@root_option
def mix(new_id: str, shares: tuple[str, ...], steps: int, seed: int, root: Path | None) -> None:
    """Mix datasets by shares of the steps into a NEW one, for instance A=0.5 B=0.5."""
    from envsuite.data import edit

    with library_errors():
        parts = []
        for text in shares:
            name, equals, share = text.partition("=")
            try:
                parts.append((_opened(name, root), float(share) if equals else 1.0))
            except ValueError as error:
                raise click.BadParameter(f"{text!r}: {error}", param_hint="ID=SHARE") from error
        report(edit.mix(parts, steps, new_id, seed, root))


@datasets.command()
@click.argument("dataset_id", metavar="ID")
@click.argument("new_id", metavar="NEW")
@click.option("--scale", type=float, help="Rewards times this number.")
@click.option("--shift", type=float, help="Rewards plus this number, after scaling.")
@click.option("--info", help="Take this info as the reward.")
@click.option("--goal", metavar="X,Y,...", help="Reward 1 near this goal, which becomes the desired one.")
@click.option("--radius", type=Finite(0), default=0.5, show_default=True, help="With --goal.")
@click.option("--dense", is_flag=True, help="With --goal: exp(-distance).")
@root_option
def relabel(dataset_id: str, new_id: str, root: Path | None, **given: Any) -> None:
    """Give the steps of a dataset other rewards, in a NEW one."""
    from envsuite.data import edit

    ways = [given["scale"] is not None or given["shift"] is not None, bool(given["info"]), bool(given["goal"])]
    if sum(ways) != 1:
        raise click.UsageError("give either --scale and --shift, or --info, or --goal")
    origin = {name: one for name, one in given.items() if one not in (None, False)}
    goal = None
    if ways[2]:
        import numpy as np

        try:
            goal = np.array([float(part) for part in given["goal"].split(",")])
        except ValueError as error:
            raise click.BadParameter(f"{given['goal']!r} is no list of numbers", param_hint="--goal") from error
        rewards = edit.reaching(goal, given["radius"], given["dense"])
    elif ways[1]:
        rewards = edit.from_info(given["info"])
    else:
        rewards = edit.affine(1.0 if given["scale"] is None else given["scale"], given["shift"] or 0.0)
    with library_errors():
        report(edit.relabel(_opened(dataset_id, root), rewards, new_id, origin, root, goal=goal))
