"""`envsuite play --text`: what an environment tells is printed, and answers are read line by line."""

import sys
from typing import Any

import click

from envsuite.cards import EnvCard
from envsuite.core.language import Refusal


def converse(card: EnvCard, seed: int, episodes: int) -> None:
    """Play in words, until the episodes or the lines of the input end.

    Args:
        card: with the options that are wanted.
        seed: of the first episode.
        episodes: how many.

    Raises:
        click.ClickException: the environment has several agents.
    """
    import gymnasium

    if card.agents > 1:
        raise click.ClickException(f"{card.id} has {card.agents} agents, expected one to play in words")
    env: Any = gymnasium.make(card.id, **card.options)
    answers = iter(sys.stdin)
    for episode in range(seed, seed + episodes):
        env.reset(seed=episode)
        total, steps, over, asked = 0.0, 0, False, True
        while not over:
            if asked:
                click.echo(f"\n{env.unwrapped.describe()}")
            click.echo("> ", nl=False)
            answer = next(answers, None)
            if answer is None:
                click.echo(f"\nseed {episode}: return {total:.4g} after {steps} steps, not ended")
                return
            action = env.unwrapped.parse(answer)
            asked = not isinstance(action, Refusal)
            if isinstance(action, Refusal):
                click.echo(action.reason)
                continue
            _, reward, terminated, truncated, _ = env.step(action)
            total, steps, over = total + float(reward), steps + 1, terminated or truncated
        click.echo(f"\n{env.unwrapped.describe()}\nseed {episode}: return {total:.4g} after {steps} steps")
