"""`envsuite leaderboard build` and `serve`: the static site."""

from pathlib import Path

import click

from envsuite.cli.kinds import NewFolder


@click.command()
@click.option(
    "--leaderboard",
    "board",
    type=click.Path(path_type=Path, file_okay=False),
    default="leaderboard",
    show_default=True,
    help="Folder with submissions/ and verified/: a clone's, or one of your own.",
)
@click.option(
    "--out", type=NewFolder(), default="site", show_default=True, help="Folder to write; replaced as a whole."
)
@click.option("--track", "names", multiple=True, help="Name of a track, or its .toml file; all tracks by default.")
@click.option("--docs", default="", help="Address of the documentation, for links to environments.")
def build(board: Path, out: Path, names: tuple[str, ...], docs: str) -> None:
    """Build the site from verified submissions: pages that work from a disk.

    Tracks come with the package, so LEADERBOARD can lie anywhere: LEADERBOARD/submissions/TRACK/DATE_METHOD is what
    `submit --out LEADERBOARD/submissions` writes, LEADERBOARD/verified what `verify --write` does.
    """
    if not board.is_dir():
        raise click.BadParameter(
            f"there is no leaderboard in {str(board)!r}: give a folder with submissions/ and verified/, such as "
            "leaderboard/ of a clone of the repository, or what `submit --out` has made",
            param_hint="--leaderboard",
        )
    from envsuite.evaluation.tracks import load_track, tracks
    from envsuite.submissions.site import build as write

    try:
        for path in _unverified(board):
            click.echo(f"left out: {path} has no record; envsuite leaderboard verify {path} --write", err=True)
        chosen = [load_track(name) for name in names or tracks()]
        index = write(board, out, chosen, docs=docs, progress=lambda what: click.echo(what, err=True))
    except (ValueError, OSError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{index}")


def _unverified(board: Path) -> list[Path]:
    """Submissions that nobody has verified yet."""
    found = sorted(path.parent for path in (board / "submissions").glob("*/*/submission.toml"))
    return [one for one in found if not (board / "verified" / one.parent.name / f"{one.name}.json").is_file()]


@click.command()
@click.argument("site", type=click.Path(path_type=Path, exists=True, file_okay=False), default="site")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 for any free one.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
def serve(site: Path, port: int, host: str) -> None:
    """Serve a built site to a browser on this machine; control-C ends it."""
    from functools import partial
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

    if not (site / "index.html").is_file():
        raise click.ClickException(f"{site} holds no site: build one with envsuite leaderboard build --out {site}")
    try:
        server = ThreadingHTTPServer((host, port), partial(SimpleHTTPRequestHandler, directory=str(site)))
    except OSError as error:
        raise click.ClickException(f"cannot listen at {host}:{port}: {error.strerror}") from error
    with server:
        click.echo(f"http://{host}:{server.server_port}/")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo()
