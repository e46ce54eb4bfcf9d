"""`envsuite evaluate`: score a policy."""

import click

from envsuite.cards import EnvCard
from envsuite.cli.common import CARD, json_option, option_option, print_json, with_options


@click.command()
@click.argument("card", metavar="ID", type=CARD)
@click.option("--policy", required=True, help="random, expert, or the path of a policy or run folder.")
@click.option("--episodes", type=click.IntRange(1), default=100, show_default=True)
@click.option("--seed", type=click.IntRange(0), help="Seed of the first episode; evaluation seeds by default.")
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True)
@option_option
@json_option
def evaluate(
    card: EnvCard,
    policy: str,
    episodes: int,
    seed: int | None,
    threads: int,
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """Play episodes with fixed seeds and report returns and metrics with 95 % intervals over episodes."""
    import numpy as np

    from envsuite.evaluation.rollout import EVALUATION_SEED, play, policy_maker
    from envsuite.scoring import Estimate, bootstrap_interval, proportion_interval

    card = with_options(card, options)
    try:
        maker = policy_maker(policy)
        first = EVALUATION_SEED if seed is None else seed
        played = play(card, maker, episodes, first_seed=first, num_threads=threads)
    except (ValueError, OSError) as error:
        raise click.ClickException(str(error)) from error
    estimates: dict[str, Estimate] = {
        "return": bootstrap_interval(played.returns),
        "length": bootstrap_interval(played.lengths),
    }
    if card.random and card.expert and not options:
        scale = card.expert.mean - card.random.mean
        estimates["normalised"] = bootstrap_interval((played.returns - card.random.mean) / scale)
    for name, values in played.metrics.items():
        if values.ndim > 1:
            continue
        flag = values.dtype == np.bool_
        estimates[name] = proportion_interval(int(values.sum()), episodes) if flag else bootstrap_interval(values)
    if as_json:
        fields = {name: {"value": e.value, "low": e.low, "high": e.high} for name, e in estimates.items()}
        print_json(
            {
                "id": card.id,
                "policy": policy,
                "episodes": episodes,
                "first_seed": first,
                "behaviour": card.behaviour,
            }
            | fields
        )
        return
    click.echo(f"{card.id}, {policy}, {episodes} episodes, seeds from {first}; estimate [95 % interval over episodes]")
    for name, estimate in estimates.items():
        click.echo(f"  {name:<24}{estimate}")
