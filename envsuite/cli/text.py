"""`envsuite text`: games of text worlds as files."""

from pathlib import Path

import click

from envsuite.cards import EnvCard
from envsuite.cli.common import CARD, option_option, with_options
from envsuite.cli.kinds import SEED, NewFile
from envsuite.cli.messages import library_errors


@click.group()
def text() -> None:
    """Games of text worlds as files."""


@text.command()
@click.argument("card", metavar="ID", type=CARD)
@click.option("--seed", type=SEED, default=0, show_default=True, help="Seed of the episode whose game is written.")
@click.option("--out", type=NewFile(".json"), required=True, help="FILE.json")
@option_option
def export(card: EnvCard, seed: int, out: Path, options: tuple[str, ...]) -> None:
    """Write a game as JSON of Microsoft's TextWorld."""
    from envsuite.core.world import make_world
    from envsuite.text_games.textworld.export import export_game
    from envsuite.text_games.textworld.world import TextWorld

    card = with_options(card, options)
    world = make_world(card.world, **card.options)
    if not isinstance(world, TextWorld):
        raise click.BadParameter(f"{card.id} is no text world of rooms and things", param_hint="ID")
    with library_errors():
        export_game(world, seed, out)
    click.echo(f"wrote {out}")
