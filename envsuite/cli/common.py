"""What the commands share."""

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import envsuite
from envsuite.cards import EnvCard, baselines_folder
from envsuite.cli.kinds import WORKERS

if TYPE_CHECKING:
    import numpy as np

    from envsuite.evaluation.show import Show


class CardType(click.ParamType):
    """An environment's id, full or short; others are refused with the nearest known one."""

    name = "id"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> EnvCard:
        """Look the card up."""
        if isinstance(value, EnvCard):
            return value
        try:
            return envsuite.card(value)
        except KeyError as error:
            self.fail(error.args[0], param, ctx)


CARD = CardType()

POLICY = "random, expert, a frozen policy such as ppo/QuadHover, a policy file or a run folder"
"""What `envsuite.evaluation.rollout.policy_maker` takes, for help texts."""

option_option = click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="Option of the environment; may be repeated."
)


def with_options(card: EnvCard, given: tuple[str, ...]) -> EnvCard:
    """The card of the same environment made with other options.

    Args:
        card: the environment.
        given: ``name=value`` texts; values are read as JSON where they can be, else as text.

    Raises:
        click.BadParameter: not of that form, or refused by the environment.
    """
    options = dict(card.options)
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise click.BadParameter(f"{text!r} is not of the form NAME=VALUE", param_hint="--option")
        try:
            options[name] = json.loads(value)
        except json.JSONDecodeError:
            options[name] = value
    if given:
        from envsuite.core.world import make_world

        try:
            make_world(card.world, **options)
        except (TypeError, ValueError) as error:
            raise click.BadParameter(str(error), param_hint="--option") from error
    return dataclasses.replace(card, options=options)


baselines_option = click.option(
    "--baselines",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=baselines_folder,
    show_default="the repository's, or those installed with the package",
    help="Folder of baselines.",
)

EXECUTOR = click.Choice(["serial", "pool", "ray", "slurm"])

executor_option = click.option(
    "--executor",
    type=EXECUTOR,
    default="pool",
    show_default=True,
    help="Where jobs run; slurm writes the script of a job array.",
)
workers_option = click.option("--workers", type=WORKERS, help="Processes; one a processor by default.")

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


def print_json(value: Any) -> None:
    """Print plain data as JSON."""
    click.echo(json.dumps(value, indent=2))


def print_table(rows: list[tuple[str, ...]], header: tuple[str, ...]) -> None:
    """Print left-aligned columns."""
    widths = [max(len(row[k]) for row in [header, *rows]) for k in range(len(header))]
    for row in [header, *rows]:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def watch(show: "Show", seed: int, window: Any, frames: "list[np.ndarray] | None") -> bool:
    """Show an episode in a window, keep its frames, or both.

    Args:
        show: plays it.
        seed: of the episode.
        window: a `envsuite.core.window.Window`; None for none.
        frames: filled; None where they are not wanted.

    Returns:
        Whether the window is still open, or there is none.
    """
    for frame in show.episode(seed):
        if frames is not None:
            frames.append(frame)
        if window is not None:
            window.show(frame)
            if window.closed or "escape" in window.pressed():
                return False
    return True
