"""`envsuite replay`: watch recorded episodes again, after checking them."""

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from envsuite.cards import EnvCard
from envsuite.cli.common import watch
from envsuite.cli.kinds import NewFile
from envsuite.cli.messages import library_errors

if TYPE_CHECKING:
    from envsuite.evaluation.episodes import EpisodeLog


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--episode", type=click.IntRange(0, 10**9), default=0, show_default=True, help="Which of those recorded.")
@click.option("--record", type=NewFile(".gif", ".mp4", ".html"), help="Write FILE.gif, FILE.mp4 or FILE.html.")
@click.option("--check", is_flag=True, help="Check all episodes and show none.")
def replay(file: Path, episode: int, record: Path | None, check: bool) -> None:
    """Play FILE, which `play --save` or an evaluation wrote, again: same seed, same actions, same states to the bit.

    An HTML page steps through the episode in a browser, with what is to be known at each step.
    """
    import envsuite
    from envsuite.evaluation.episodes import EpisodeLog
    from envsuite.evaluation.replay import replay as checked

    with library_errors():
        log = EpisodeLog.load(file)
        known = envsuite.cards()
        if log.env_id not in known:
            raise ValueError(f"{file} is of {log.env_id!r}, which is not registered")
        card = dataclasses.replace(known[log.env_id], options=log.options)
        if not check and episode >= len(log.seeds):
            raise ValueError(f"episode is {episode}, {file} has {len(log.seeds)}, counted from 0")
        part = log if check else log.part(episode, episode + 1)
        try:
            fault = checked(part, card)
        except TypeError as error:  # options that the environment does not have
            raise ValueError(f"{file}: {error}") from error
        if fault is not None:
            raise ValueError(f"{file} does not replay: {fault}")
        click.echo(f"{file}: {len(part.seeds)} episodes of {card.id} replay to the bit")
        if not check:
            _show(part, card, record)


def _show(log: "EpisodeLog", card: EnvCard, record: Path | None) -> None:
    """Show the one episode of a log in a window or write it to a file."""
    from envsuite.core.video import write_video
    from envsuite.evaluation.show import Recorded, Show

    if record is not None and record.suffix == ".html":
        from envsuite.submissions.site.viewer import write_viewer

        write_viewer(record, log, 0, card)
        click.echo(f"wrote {record}")
        return
    show = Show(card, lambda world, slots: Recorded(log, 0))
    window: Any = None
    if record is None:
        from envsuite.core.window import Window

        with library_errors():
            window = Window(card.id, show.fps)
    frames: list = []
    watch(show, int(log.seeds[0]), window, frames if record else None)
    if window is not None:
        window.close()
    if record is not None:
        write_video(record, frames, show.fps)
        click.echo(f"wrote {record}")
