"""`envsuite check`: the conformance kit."""

import dataclasses

import click

import envsuite
from envsuite.cards import EnvCard
from envsuite.cli.common import CARD, json_option, print_json


@click.command()
@click.argument("card", metavar="[ID]", type=CARD, required=False)
@click.option("--all", "everything", is_flag=True, help="Check every registered environment.")
@click.option("--only", multiple=True, help="Name of a check to run; may be given several times.")
@json_option
def check(card: EnvCard | None, everything: bool, only: tuple[str, ...], as_json: bool) -> None:
    """Run the conformance kit on one environment, or on all; exit status 1 where something fails."""
    from envsuite.testing import CHECKS, run_checks

    if (card is None) == (not everything):
        raise click.UsageError("give an environment's id, or --all")
    if unknown := sorted(set(only) - set(CHECKS)):
        raise click.BadParameter(f"{unknown[0]!r} is not one of {', '.join(CHECKS)}", param_hint="--only")
    chosen = [card] if card else list(envsuite.cards().values())
    results = {}
    failed = False
    for one in chosen:
        outcomes = []
        for name in only or CHECKS:
            (outcome,) = run_checks(one, [name])
            outcomes.append(outcome)
            failed = failed or outcome.result == "failed"
            if not as_json:
                detail = f"  {outcome.detail}" if outcome.detail else ""
                click.echo(f"{one.id}  {outcome.check:<24}{outcome.result}{detail}")
        results[one.id] = [dataclasses.asdict(outcome) for outcome in outcomes]
    if as_json:
        print_json(results)
    if failed:
        raise SystemExit(1)
