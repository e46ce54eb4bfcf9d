"""`envsuite serve` and `envsuite package`: environments for other processes, and for others' hubs."""

import asyncio
import contextlib
import signal
import sys
from pathlib import Path

import click

import envsuite
from envsuite.cards import EnvCard
from envsuite.cli.common import CARD, option_option, with_options
from envsuite.cli.kinds import SEED, Finite, NewFolder


@click.command()
@click.argument("cards", metavar="[ID]...", nargs=-1, type=CARD)
@option_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at; 0.0.0.0 for all.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 for a free one.")
@click.option("--sessions", type=click.IntRange(1, 10**6), default=1000, show_default=True, help="Open at once.")
@click.option("--connections", type=click.IntRange(1, 10**6), default=4000, show_default=True, help="Open at once.")
@click.option("--rate", type=Finite(min=0), default=0.0, help="Messages a second of one connection; 0: any.")
@click.option("--idle", type=Finite(min=0, min_open=True), default=1800.0, show_default=True, help="Seconds to forget.")
@click.option(
    "--message-bytes", type=click.IntRange(1024, 1 << 30), default=1 << 20, show_default=True, help="Longest one."
)
@click.option(
    "--tokens",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="File of bearer tokens, one a line; without it anybody who reaches the port may play.",
)
@click.option("--mcp", is_flag=True, help="Speak the Model Context Protocol with the program that started this one.")
@click.option("--seed", type=SEED, help="With --mcp: of the first episode; random by default.")
@click.option("--play", is_flag=True, help="Let people play in a browser, at /play.")
@click.option("--check", is_flag=True, help="Make and compile the environments, and end.")
def serve(
    cards: tuple[EnvCard, ...],
    options: tuple[str, ...],
    host: str,
    port: int,
    tokens: Path | None,
    mcp: bool,
    seed: int | None,
    play: bool,
    check: bool,
    **limits: float,
) -> None:
    """Serve environments over HTTP and WebSocket in the OpenEnv protocol; all of them where no ID is given.

    Each stands at /NAME, the first one named at the root too.
    """
    chosen = [_playable(card) for card in cards] or [card for card in envsuite.cards().values() if card.playable]
    if options and len(cards) != 1:
        raise click.UsageError("--option goes with one ID")
    if options:
        chosen = [with_options(cards[0], options)]
    if play and tokens is not None:
        raise click.UsageError("--play goes without --tokens: browsers send none")
    if mcp:
        if len(cards) != 1:
            raise click.UsageError("--mcp goes with one ID")
        return _speak_lines(chosen[0], seed)
    from envsuite.serving.app import Server
    from envsuite.serving.guard import Limits, is_local

    limits["idle_seconds"] = limits.pop("idle")
    try:
        allowed = Limits(**limits)  # ty: ignore[invalid-argument-type]
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    server = Server(chosen, allowed, _tokens(tokens), root=bool(cards), play=play)
    if check:
        return asyncio.run(_make_all(server))
    if not is_local(host) and tokens is None:
        click.echo(f"anybody who reaches {host} may play: --tokens FILE asks for a token", err=True)
    _many_files()
    with contextlib.suppress(KeyboardInterrupt):
        try:
            asyncio.run(_serve(server, host, port, len(cards), play))
        except OSError as error:
            raise click.ClickException(f"{host}:{port} cannot be listened at: {error.strerror or error}") from error
    return None


def _playable(card: EnvCard) -> EnvCard:
    if not card.playable:
        raise click.BadParameter(f"{card.id} needs {card.engine}, which is not installed", param_hint="ID")
    return card


def _speak_lines(card: EnvCard, seed: int | None) -> None:
    from envsuite.serving.mcp import serve_lines
    from envsuite.serving.sessions import Table

    table = Table(card, 1)
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
        asyncio.run(serve_lines(table, seed))
    table.shut()


def _tokens(path: Path | None) -> list[str]:
    if path is None:
        return []
    found = [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    if not found or any(len(token) < 16 or not token.isascii() or " " in token for token in found):
        raise click.BadParameter(f"{path}: expected ASCII tokens of 16 characters and more, one a line")
    return found


async def _make_all(server) -> None:
    for name in server.names:
        await server.table(name)
        click.echo(f"{name} is ready")
    server.shut()


async def _serve(server, host: str, port: int, named: int, play: bool) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for one in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows: KeyboardInterrupt comes instead
            loop.add_signal_handler(one, ended.set)
    async with server.listening(host, port):
        what = ", ".join(server.names) if named else f"all {len(server.names)} environments, each at /NAME"
        click.echo(f"serving {what} at {server.url}; Ctrl-C ends it")
        if play:
            click.echo(f"play at {server.url}/play")
        sys.stdout.flush()
        await ended.wait()


def _many_files() -> None:
    """Let the process have as many connections as the system permits."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@click.command()
@click.argument("kind", type=click.Choice(["openenv", "verifiers"]))
@click.argument("card", metavar="ID", type=CARD)
@click.option("--out", type=NewFolder(), required=True, help="Folder to make.")
def package(kind: str, card: EnvCard, out: Path) -> None:
    """Write an environment as a package for others' hubs.

    openenv: a container file, OpenEnv's manifest and the actions of its validator's check.
    verifiers: an installable taskset of PrimeIntellect's `verifiers`.
    """
    from envsuite.serving.package import write_openenv, write_verifiers

    try:
        {"openenv": write_openenv, "verifiers": write_verifiers}[kind](_playable(card), out)
    except OSError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"wrote {out}")
