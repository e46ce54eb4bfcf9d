"""`envsuite envhub`: a repository by which LeRobot loads an environment."""

from pathlib import Path

import click

from envsuite.adapters.lerobot import OBSERVATIONS, write_envhub
from envsuite.cards import EnvCard
from envsuite.cli.common import CARD
from envsuite.cli.messages import library_errors


@click.command()
@click.argument("card", metavar="ID", type=CARD)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder to write.")
@click.option("--obs-type", type=click.Choice(OBSERVATIONS), default="state", show_default=True, help="What is seen.")
def envhub(card: EnvCard, out: Path, obs_type: str) -> None:
    """Write env.py, requirements.txt and README.md for LeRobot's EnvHub on the Hugging Face Hub."""
    with library_errors():
        for path in write_envhub(card.id, out, obs_type=obs_type):
            click.echo(f"wrote {path}")
