"""What the commands share."""

import json
from typing import Any

import click

import envsuite
from envsuite.cards import EnvCard


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

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


def print_json(value: Any) -> None:
    """Print plain data as JSON."""
    click.echo(json.dumps(value, indent=2))


def print_table(rows: list[tuple[str, ...]], header: tuple[str, ...]) -> None:
    """Print left-aligned columns."""
    widths = [max(len(row[k]) for row in [header, *rows]) for k in range(len(header))]
    for row in [header, *rows]:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
