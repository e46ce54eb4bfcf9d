"""`envsuite bench`: steps a second."""

import time
from importlib.metadata import version

import click

from envsuite.cards import EnvCard
from envsuite.cli.common import CARD, json_option, option_option, print_json, with_options
from envsuite.cli.kinds import COUNT, WORKERS, Finite


@click.command()
@click.argument("card", metavar="ID", type=CARD)
@click.option("--num-envs", type=COUNT, default=4096, show_default=True, help="Instances stepped at once.")
@click.option("--seconds", type=Finite(0.05), default=3.0, show_default=True, help="How long to measure.")
@click.option("--threads", type=WORKERS, default=1, show_default=True, help="Threads that step the batch.")
@option_option
@json_option
def bench(card: EnvCard, num_envs: int, seconds: float, threads: int, options: tuple[str, ...], as_json: bool) -> None:
    """Measure steps a second of the batch environment, with automatic resets, fresh arrays and random actions."""
    import numpy as np

    from envsuite.evaluation.records import machine
    from envsuite.testing.traces import batch_env, random_actions

    card = with_options(card, options)
    env = batch_env(card, num_envs, num_threads=threads)
    started = time.perf_counter()
    env.reset(seed=0)
    actions = random_actions(card, 4, num_envs)
    env.step(actions[0])
    first = time.perf_counter() - started
    steps, rates = 0, []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        before = time.perf_counter()
        count = 0
        while time.perf_counter() - before < min(0.1, seconds):
            env.step(actions[count % 4])
            count += 1
        rates.append(count * num_envs / (time.perf_counter() - before))
        steps += count * num_envs
    result = {
        "id": card.id,
        "steps_per_second": float(np.median(rates)),
        "agent_steps_per_second": float(np.median(rates)) * card.agents,
        "best": float(np.max(rates)),
        "steps": steps,
        "num_envs": num_envs,
        "threads": env.batch.num_threads,
        "first_step_seconds": first,
        "machine": machine(),
        "versions": {name: version(name) for name in ("numpy", "numba", "gymnasium")},
    }
    if as_json:
        print_json(result)
        return
    click.echo(
        f"{card.id}: {result['steps_per_second']:,.0f} environment steps/s (median; best {result['best']:,.0f}) with "
        f"{num_envs} instances and {result['threads']} thread(s); first step after {first:.2f} s"
    )
