"""`envsuite list`, `info` and `matrix`: what there is."""

import dataclasses
from typing import Any

import click

import envsuite
from envsuite.cards import CAPABILITIES, EnvCard
from envsuite.cli.common import CARD, json_option, print_json, print_table
from envsuite.registry import successor


def _plain(card: EnvCard) -> dict[str, Any]:
    return dataclasses.asdict(card) | {
        "options": dict(card.options),
        "not_applicable": dict(card.not_applicable),
    }


@click.command("list")
@click.option("--family", help="Only this family.")
@click.option("--tag", help="Only environments with this tag.")
@json_option
def list_(family: str | None, tag: str | None, as_json: bool) -> None:
    """List the environments."""
    families = sorted({card.family for card in envsuite.cards().values()})
    if family is not None and family not in families:
        raise click.BadParameter(f"{family!r} is not one of {', '.join(families)}", param_hint="--family")
    chosen = [
        card
        for card in envsuite.cards().values()
        if (family is None or card.family == family) and (tag is None or tag in card.tags)
    ]
    if as_json:
        print_json([_plain(card) for card in chosen])
    else:
        print_table([(card.id, card.family, card.summary) for card in chosen], ("id", "family", "summary"))


@click.command()
@click.argument("card", metavar="ID", type=CARD)
@json_option
def info(card: EnvCard, as_json: bool) -> None:
    """Show one environment: spaces, options, scores, source."""
    from envsuite.cli.facts import facts

    if as_json:
        print_json(_plain(card) | facts(card))
        return
    found = facts(card)
    click.echo(f"{card.id}\n{card.summary}\nSource: {card.source}")
    if newer := successor(card.id):
        click.echo(f"Deprecated: take {newer}")
    if found["joint_reward"] == "first":
        click.echo(
            "Reward of gymnasium.make: the first agent's, for agents are rivals (in PettingZoo each has its own)"
        )
    horizon = card.horizon or "no limit"
    click.echo(f"Agents: {card.agents}   Steps an episode: {horizon}   Tags: {', '.join(card.tags)}")
    for name in ("observation", "action"):
        layout = found[name]
        click.echo(f"\n{name.capitalize()} of one agent: {layout['space']}")
        rows = [tuple(str(cell) for cell in block.values()) for block in layout["blocks"]]
        print_table(rows, ("elements", "name", "low", "high", "unit", "meaning"))
    click.echo("\nInfo: " + ", ".join(found["info"]))
    for title, rows in found["declared"].items():
        click.echo(f"\n{title}:")
        shown = [tuple(row.values())[:6] for row in rows]
        print_table(shown, ("name", "type", "default", "bounds", "unit", "meaning"))
    click.echo("\nOptions:" + ("" if found["options_known"] else " none"))
    for name, value in found["options_known"].items():
        limits = found["options_allowed"].get(name, "")
        click.echo(f"  {name}={value}" + (f"  ({limits})" if limits else ""))
    for name, score in (("random", card.random), ("floor", card.floor), ("expert", card.expert)):
        if score:
            click.echo(
                f"Return of {score.policy} ({name}): {score.mean:.4g} +- {score.standard_error:.2g} "
                f"(standard error, {score.episodes} episodes)"
            )
    if card.trained_on:
        click.echo(f"Policies learn on {card.trained_on}, and are tried here")
    if card.unranked:
        click.echo(f"Not ranked by return: {card.unranked}")
    click.echo(f"Behaviour hash: {card.behaviour}")


@click.command()
@json_option
def matrix(as_json: bool) -> None:
    """Show what can be done with which environment."""
    table = {card.id: {name: card.capability(name) for name in CAPABILITIES} for card in envsuite.cards().values()}
    if as_json:
        print_json(table)
        return
    print_table([(name, *cells.values()) for name, cells in table.items()], ("id", *CAPABILITIES))
