"""`envsuite play`: a window, a keyboard, a recording."""

from pathlib import Path
from typing import Any

import click

from envsuite.cards import EnvCard
from envsuite.cli.common import CARD, POLICY, option_option, watch, with_options
from envsuite.cli.kinds import COUNT, SEED, Finite, NewFile
from envsuite.cli.messages import library_errors
from envsuite.core.companions import Controls, companion


def _check_keys(env_id: str, controls: Controls, people: int) -> None:
    if not controls.keys():
        raise click.ClickException(f"{env_id} has no keys to play with; give a --policy, or --text")
    if people > max(1, len(controls.shared_keys())):
        raise click.ClickException(f"{env_id} has no keys for {people} people at one keyboard")


@click.command()
@click.argument("card", metavar="ID", type=CARD)
@click.option("--policy", help=f"{POLICY}; the keyboard by default.")
@click.option("--record", type=NewFile(".gif", ".mp4"), help="Write FILE.gif or FILE.mp4.")
@click.option("--save", type=NewFile(".npz"), help="Write FILE.npz, for `envsuite replay`.")
@click.option("--text", is_flag=True, help="Play in words: read what is told, and type answers.")
@click.option("--people", type=click.IntRange(1, 8), default=1, show_default=True, help="Players at the keyboard.")
@click.option("--seed", type=SEED, default=0, show_default=True, help="Seed of the first episode.")
@click.option("--episodes", type=COUNT, default=1, show_default=True)
@option_option
@click.option("--fps", type=Finite(1, 200), help="Frames a second; real time by default.")
def play(
    card: EnvCard,
    policy: str | None,
    record: Path | None,
    save: Path | None,
    text: bool,
    people: int,
    seed: int,
    episodes: int,
    options: tuple[str, ...],
    fps: float | None,
) -> None:
    """Play with keyboard and mouse, or watch and record a policy (recording a policy needs no screen).

    Return pauses, tab makes it faster, escape ends it.
    """
    from envsuite.core.video import write_video
    from envsuite.evaluation.rollout import policy_maker
    from envsuite.evaluation.show import Show

    card = with_options(card, options)
    if text:
        from envsuite.cli.converse import converse

        if policy or record or save:
            raise click.UsageError("--text goes with neither --policy nor --record nor --save")
        return converse(card, seed, episodes)
    try:
        maker = None if policy is None else policy_maker(policy)
        show = Show(card, maker)
    except (ValueError, OSError) as error:
        raise click.ClickException(str(error)) from error
    if maker is None:
        _check_keys(card.id, companion(show.world, Controls), people)
    pace = fps or show.fps
    window: Any = None
    if maker is None or record is None:
        from envsuite.core.window import Window

        with library_errors():
            window = Window(card.id, pace)
        show.watch(window, people)
    frames: list = []
    for episode in range(episodes):
        goes_on = watch(show, seed + episode, window, frames if record else None)
        click.echo(f"seed {seed + episode}: return {show.total:.4g} after {show.steps} steps")
        if not goes_on:
            break
    if window is not None:
        window.close()
    if record is not None:
        write_video(record, frames, pace)
        click.echo(f"wrote {record}")
    if save is not None:
        if not show.recorder.episodes:
            raise click.ClickException(f"no episode came to its end: {save} is not written")
        show.recorder.log().save(save)
        click.echo(f"wrote {save}: {show.recorder.episodes} episodes")
