"""`envsuite play`: a window, a keyboard, a recording."""

from pathlib import Path
from typing import Any

import click

from envsuite.cards import EnvCard
from envsuite.cli.common import CARD, option_option, watch, with_options
from envsuite.core.companions import Controls, companion


def _check_names(record: Path | None, save: Path | None) -> None:
    if record is not None and record.suffix not in (".gif", ".mp4"):
        raise click.BadParameter(f"{record} ends neither in .gif nor in .mp4", param_hint="--record")
    if save is not None and save.suffix != ".npz":
        raise click.BadParameter(f"{save} does not end in .npz", param_hint="--save")


def _check_keys(env_id: str, controls: Controls, people: int) -> None:
    if not controls.keys():
        raise click.ClickException(f"{env_id} has no keys to play with; give a --policy")
    if people > max(1, len(controls.shared_keys())):
        raise click.ClickException(f"{env_id} has no keys for {people} people at one keyboard")


@click.command()
@click.argument("card", metavar="ID", type=CARD)
@click.option(
    "--policy", help="random, expert, a frozen policy (ppo/QuadHover), or the path of one; the keyboard by default."
)
@click.option("--record", type=click.Path(path_type=Path, dir_okay=False), help="Write FILE.gif or FILE.mp4.")
@click.option("--save", type=click.Path(path_type=Path, dir_okay=False), help="Write FILE.npz, for `envsuite replay`.")
@click.option("--people", type=click.IntRange(1), default=1, show_default=True, help="Players at the keyboard.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the first episode.")
@click.option("--episodes", type=click.IntRange(1), default=1, show_default=True)
@option_option
@click.option("--fps", type=click.FloatRange(1, 200), help="Frames a second; real time by default.")
def play(
    card: EnvCard,
    policy: str | None,
    record: Path | None,
    save: Path | None,
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

    _check_names(record, save)
    card = with_options(card, options)
    try:
        maker = policy_maker(policy) if policy else None
        show = Show(card, maker)
    except (ValueError, OSError) as error:
        raise click.ClickException(str(error)) from error
    if maker is None:
        _check_keys(card.id, companion(show.world, Controls), people)
    pace = fps or show.fps
    window: Any = None
    if maker is None or record is None:
        from envsuite.core.window import Window

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
