"""`envsuite warm`: compile before it is needed."""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

import click

import envsuite
from envsuite.cards import EnvCard
from envsuite.cli.kinds import WORKERS

_FIRST_STEPS = """
import sys, warnings
warnings.simplefilter("ignore")
from envsuite import card
from envsuite.core.batch import Batch
from envsuite.core.notice import NOTICE
from envsuite.core.world import make_world
from envsuite.testing.traces import random_actions
for name in sys.argv[1:]:
    one = card(name)
    world = make_world(one.world, **one.options)
    batch = Batch(world, 1, num_threads=1)
    batch.title = ""
    batch.seed([0])
    batch.reset()
    batch.step(random_actions(one, 1, 1)[0])
    batch.restart_ended()
    print(name, flush=True)
"""


@click.command()
@click.argument("family", required=False)
@click.option("--jobs", type=WORKERS, help="Processes at once; as many as there are processors by default.")
def warm(family: str | None, jobs: int | None) -> None:
    """Compile the environments of FAMILY, or all, so that their first use does not wait.

    What is compiled already is loaded, which takes a second.
    """
    families = sorted({card.family for card in envsuite.cards().values()})
    if family is not None and family not in families:
        raise click.BadParameter(f"{family!r} is not one of {', '.join(families)}", param_hint="FAMILY")
    chosen = [
        card for card in envsuite.cards().values() if family in (None, card.family) and card.playable and card.world
    ]
    jobs = jobs or os.cpu_count() or 1
    started, done = time.monotonic(), 0
    failures: list[str] = []
    with ThreadPoolExecutor(jobs) as pool:
        for future in as_completed([pool.submit(_compile, cards) for cards in _by_world(chosen)]):
            cards, error = future.result()
            done += len(cards)
            failures += [error] if error else []
            click.echo(f"{done}/{len(chosen)}  {', '.join(card.id.split('/')[-1] for card in cards)}")
    click.echo(f"{time.monotonic() - started:.0f} s")
    if failures:
        raise click.ClickException("\n".join(failures))


def _by_world(cards: list[EnvCard]) -> list[list[EnvCard]]:
    """Environments that share kernels, and so a process."""
    groups: dict[str, list[EnvCard]] = {}
    for card in cards:
        groups.setdefault(card.world, []).append(card)
    return list(groups.values())


def _compile(cards: list[EnvCard]) -> tuple[list[EnvCard], str]:
    command = [sys.executable, "-c", _FIRST_STEPS, *(card.id for card in cards)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    last = done.stderr.strip().splitlines()[-1:] or ["it was stopped"]
    return cards, f"{cards[0].id}: {last[0]}" if done.returncode else ""
