"""`envsuite leaderboard`: submissions, their verification, keys and seasons."""

import contextlib
import sys
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from envsuite.cli import site
from envsuite.cli.common import baselines_option, json_option, print_json
from envsuite.cli.kinds import COUNT, WORKERS, NewFile, NewFolder

if TYPE_CHECKING:
    from envsuite.submissions.record import Verification
    from envsuite.submissions.verify import Settings

REFUSED, WRONG, LOWER = 1, 2, 3
"""Exit statuses of ``verify``: a submission was refused; the command is wrong or something is missing; all were
accepted, but one below the level asked for."""

_FOLDER = click.Path(path_type=Path)
board_option = click.option(
    "--leaderboard", "board", type=_FOLDER, help="Folder of the leaderboard; that of the submission, or ./leaderboard."
)


@click.group()
def leaderboard() -> None:
    """Pack, sign and verify submissions to the leaderboard, and build its site."""


leaderboard.add_command(site.build)
leaderboard.add_command(site.serve)


@leaderboard.command()
@click.argument("sources", nargs=-1, required=True, metavar="EVALUATION_OR_RUNS...")
@click.option("--track", required=True, help="Name of the track, or its .toml file.")
@click.option("--method", required=True, help="Name of the method.")
@click.option("--meta", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="TOML file: authors etc.")
@click.option(
    "--out",
    type=NewFolder(),
    default="leaderboard/submissions",
    show_default=True,
    help="Folder of submissions; the new one is OUT/TRACK/DATE_METHOD.",
)
@click.option("--workers", type=WORKERS, default=1, show_default=True, help="Processes that evaluate runs.")
@json_option
def submit(
    sources: tuple[str, ...], track: str, method: str, meta: Path | None, out: Path, workers: int, as_json: bool
) -> None:
    """Pack evaluations or run folders into a submission.

    A source is the folder that `envsuite evaluate --track` wrote for a method, or a run folder, a folder or pattern of
    run folders, which are evaluated now; or random or expert.
    """
    with _errors():
        from envsuite.submissions.build import build_submission, read_meta

        fields = read_meta(meta) if meta else None
        say = (lambda text: None) if as_json else (lambda text: click.echo(text, err=True))
        folder = build_submission(sources, track, method, out, meta=fields, workers=workers, progress=say)
    if as_json:
        print_json({"folder": str(folder)})
    else:
        click.echo(f"submission: {folder}")
        click.echo(f"check it:   envsuite leaderboard verify {folder}")


@leaderboard.command()
@click.argument("folders", nargs=-1, required=True, type=_FOLDER, metavar="FOLDER...")
@click.option(
    "--level",
    type=click.IntRange(0, 2),
    help="0: reported, 1: replayed, 2: re-run on hidden seeds; 2 with --secret-file, else 1.",
)
@click.option("--season", help="Season of the hidden seeds; the one that is open today by default.")
@click.option("--secret-file", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Its secret.")
@click.option("--track", help="Track that it must be for (name or .toml file); the one that it names by default.")
@click.option("--threads", type=WORKERS, default=1, show_default=True)
@click.option("--write", is_flag=True, help="Record what was found under LEADERBOARD/verified.")
@board_option
@json_option
def verify(folders: tuple[Path, ...], board: Path | None, write: bool, as_json: bool, **given: Any) -> None:
    """Verify submissions; nothing is written unless --write is given.

    A record that is there is never replaced by one of a lower level, and never removed.

    Exit status: 0 if all were verified at the level asked for, 1 if one was refused, 3 if one was accepted at a lower
    level, 2 for a wrong command or a missing season or secret.
    """
    from envsuite.submissions.refusal import RefusedError

    answers: list[dict[str, Any]] = []
    status = 0
    for folder in folders:
        with _errors(status=WRONG):
            settings = _settings(folder, board, **given)
            _check_writing(folder, settings, write)
        try:
            with _errors(besides=RefusedError, status=WRONG):
                found = _verified(folder, settings, quiet=as_json)
        except RefusedError as error:
            status = REFUSED
            place = _record_of(folder, settings.leaderboard)
            known = str(place) if place.is_file() else None
            answers.append({"folder": str(folder), "refused": error.kind, "reason": error.reason, "record": known})
            if not as_json:
                click.echo(f"{folder}: REFUSED ({error.kind}): {error.reason}")
                if known:
                    click.echo(f"  {known} stays as it is; without the files that it is of, no site is built")
            continue
        if found.level < settings.level:
            status = status or LOWER
        path, kept = _record(found, settings.leaderboard, write)
        answers.append(_plain(folder, found, path, kept))
        if not as_json:
            _print(folder, found, path, kept)
    if as_json:
        print_json(answers)
    sys.exit(status)


@leaderboard.command()
@click.argument("folders", nargs=-1, required=True, type=_FOLDER, metavar="FOLDER...")
@click.option("--track", help="Track that they are for (name or .toml file); the one that each names by default.")
def slim(folders: tuple[Path, ...], track: str | None) -> None:
    """Remove the action logs that a submission's policies make again, byte for byte, and repeated policies.

    SHA256SUMS goes on naming them, so the submission's digest, its signature and its hidden seeds stay, too.
    """
    from envsuite.evaluation.tracks import load_track
    from envsuite.submissions.slim import make_small

    for folder in folders:
        with _errors():
            found = make_small(folder, load_track(track) if track else None)
        click.echo(f"{folder}: {len(found.removed)} logs removed, {found.bytes / 1e6:.1f} MB; {len(found.kept)} stay")
        if found.repeated:
            click.echo(f"  {len(found.repeated)} files of policies that are there once more removed")
        for name in found.kept:
            click.echo(f"  {name}: the policy does not make it again, or there is none")


@leaderboard.command()
@click.argument("key_id", metavar="ID")
@click.option("--private", type=NewFile(), required=True, help="Where the private key goes. Keep it to yourself.")
@click.option("--keys", type=NewFolder(), default="leaderboard/keys", show_default=True, help="Where ID.pub goes.")
def keygen(key_id: str, private: Path, keys: Path) -> None:
    """Make a pair of keys for signing submissions."""
    with _errors():
        from envsuite.submissions.signatures import make_key

        public = make_key(key_id, private, keys)
    click.echo(f"private key: {private}\npublic key:  {public}")


@leaderboard.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--id", "key_id", required=True, help="Id of the key.")
@click.option("--private", type=click.Path(path_type=Path, exists=True, dir_okay=False), required=True)
def sign(folder: Path, key_id: str, private: Path) -> None:
    """Sign a submission: write its submission.sig."""
    with _errors():
        from envsuite.submissions.signatures import sign as sign_folder

        click.echo(f"signature: {sign_folder(folder, key_id, private)}")


@leaderboard.command()
@click.argument("folder", type=_FOLDER)
@click.option("--seeds", type=click.IntRange(3, 1000), default=3, show_default=True, help="New training runs a task.")
@click.option("--task", "tasks", multiple=True, help="Only this task; may be repeated. Level 3 needs all.")
@click.option("--track", help="Track that it is for (name or .toml file); the one that it names by default.")
@click.option("--runs", type=NewFolder(), default="runs", show_default=True, help="Where run folders go.")
@baselines_option
@board_option
def retrain(
    folder: Path,
    seeds: int,
    tasks: tuple[str, ...],
    track: str | None,
    runs: Path,
    baselines: Path,
    board: Path | None,
) -> None:
    """Train anew with the baseline that a verified submission names, and compare (level 3; for maintainers)."""
    with _errors():
        from envsuite.evaluation.tracks import load_track
        from envsuite.submissions.record import Verification
        from envsuite.submissions.retrained import retrain as train_anew

        board = board or _board_of(folder)
        place = board / "verified" / folder.resolve().parent.name / f"{folder.resolve().name}.json"
        if not place.is_file():
            raise ValueError(f"{place} is missing: verify the submission first")
        known = Verification.load(place)
        chosen = list(tasks) or None
        found = train_anew(
            known,
            load_track(track or known.track, 0 if track else known.track_version),
            folder=folder,
            baselines=baselines,
            runs=runs,
            seeds=seeds,
            tasks=chosen,
        )
        found.save(board)
    for one in found.retrained:
        scores = ", ".join(f"{score:.4g}" for score in one.scores)
        click.echo(
            f"{one.task}: new runs {scores}; submitted - new: {one.difference:.4g} [{one.low:.4g}, {one.high:.4g}]"
        )
    click.echo(f"level {found.level} ({found.level_name})")


@leaderboard.group()
def season() -> None:
    """Seasons: secrets of hidden seeds, committed to at the start and published at the end."""


_seasons_option = click.option(
    "--leaderboard", "board", type=_FOLDER, default="leaderboard", show_default=True, help="Its folder."
)


@season.command()
@click.argument("name")
@click.option("--opens", required=True, metavar="TIME", help="First day, or time.")
@click.option("--closes", required=True, metavar="TIME", help="Last day, or time from which on nothing enters.")
@click.option("--evaluations", type=COUNT, default=3, show_default=True, help="A method, a track.")
@click.option("--methods-per-key", type=COUNT, default=3, show_default=True, help="A key, a track.")
@click.option("--secret-file", type=NewFile(), required=True, help="Where the secret goes; keep it to yourself.")
@_seasons_option
def new(
    name: str, opens: str, closes: str, evaluations: int, methods_per_key: int, secret_file: Path, board: Path
) -> None:
    """Begin a season: make a secret and commit to it. OPENS and CLOSES are days or UTC times YYYY-MM-DDTHH:MM:SSZ."""
    import os
    import secrets
    import tempfile

    with _errors():
        from envsuite.submissions.season import Season, commitment

        if (board / "seasons" / f"{name}.toml").exists() or secret_file.exists():
            raise ValueError(f"the season {name}, or {secret_file}, exists already")
        secret = secrets.token_hex(32)
        made = Season(name, opens, closes, commitment(secret), evaluations, methods_per_key)
        with tempfile.TemporaryDirectory() as scratch:
            Season.load(made.save(scratch))  # refuses what is wrong with it before anything is written
        with os.fdopen(os.open(secret_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secret + "\n")
        path = made.save(board / "seasons")
    click.echo(f"season: {path}\nsecret: {secret_file}")


@season.command()
@click.argument("name")
@click.option("--secret-file", type=click.Path(path_type=Path, exists=True, dir_okay=False), required=True)
@_seasons_option
def reveal(name: str, secret_file: Path, board: Path) -> None:
    """End a season: publish its secret, so that everybody can check its hidden seeds."""
    import dataclasses
    from datetime import UTC, datetime

    with _errors():
        from envsuite.submissions.ledger import Ledger
        from envsuite.submissions.season import Season

        found = Season.load(board / "seasons" / f"{name}.toml")
        if datetime.now(UTC) < found.end:
            raise ValueError(f"the season {name} goes on until {found.closes}; its secret would spoil its hidden seeds")
        secret = secret_file.read_text(encoding="utf-8").strip()
        found.key(secret)
        last = Ledger(found, board).last
        path = dataclasses.replace(found, secret=secret, last_entry=last).save(board / "seasons")
    click.echo(f"season: {path}")


@season.command()
@click.argument("name")
@_seasons_option
def show(name: str, board: Path) -> None:
    """Show a season and check its ledger."""
    with _errors():
        from envsuite.submissions.ledger import Ledger
        from envsuite.submissions.season import Season

        found = Season.load(board / "seasons" / f"{name}.toml")
        ledger = Ledger(found, board)
    click.echo(f"{found.name}: {found.opens} to {found.closes}, {found.evaluations} evaluations a method and track")
    click.echo(f"SHA-256 of the secret: {found.commitment}{' (published)' if found.secret else ''}")
    for number, entry in enumerate(ledger.entries):
        click.echo(f"{number:>4}  {entry.day} {entry.time:8}  {entry.track}  {entry.folder}  {entry.digest[:16]}")


@contextlib.contextmanager
def _errors(besides: type[Exception] | None = None, status: int = 1) -> Generator[None]:
    """Expected errors as messages, with an exit status."""
    try:
        yield
    except (ValueError, OSError) as error:
        if besides and isinstance(error, besides):
            raise
        raise (click.UsageError if status == WRONG else click.ClickException)(str(error)) from error


def _board_of(folder: Path) -> Path:
    """The leaderboard that a submission lies in."""
    parents = folder.resolve().parents
    inside = len(parents) > 2 and parents[1].name == "submissions"
    return parents[2] if inside else Path("leaderboard")


def _settings(
    folder: Path,
    board: Path | None,
    level: int | None,
    season: str | None,
    secret_file: Path | None,
    track: str | None,
    threads: int,
) -> "Settings":
    from envsuite.evaluation.tracks import load_track
    from envsuite.submissions.season import Season, open_season
    from envsuite.submissions.verify import Settings

    board = board or _board_of(folder)
    level = (2 if secret_file else 1) if level is None else level
    chosen = None
    if level == 2:
        chosen = Season.load(board / "seasons" / f"{season}.toml") if season else open_season(board / "seasons")
    secret = secret_file.read_text(encoding="utf-8").strip() if secret_file else None
    return Settings(board, level, chosen, secret, load_track(track) if track else None, threads)


def _verified(folder: Path, settings: "Settings", *, quiet: bool) -> "Verification":
    import dataclasses

    from envsuite.submissions.verify import verify as check

    if quiet:
        return check(folder, settings)
    with click.progressbar(length=1, label=f"verifying {folder.name}", file=sys.stderr) as bar:

        def progress(done: int, total: int) -> None:
            bar.length = total
            bar.update(done - bar.pos)

        return check(folder, dataclasses.replace(settings, progress=progress))


def _record_of(folder: Path, board: Path) -> Path:
    """Where a submission's record lies, or would."""
    return board / "verified" / folder.absolute().parent.name / f"{folder.absolute().name}.json"


def _check_writing(folder: Path, settings: "Settings", write: bool) -> None:
    """Find out before the work whether its result can be kept, and whether more is written than was asked for."""
    from datetime import UTC, datetime

    from envsuite.submissions.record import LEVELS, Verification

    if not write:
        if settings.season and not settings.season.secret and not settings.season.why_closed(datetime.now(UTC)):
            raise ValueError(
                f"level 2 in the open season {settings.season.name} writes a line into its ledger and uses up one of "
                "the method's evaluations: say --write"
            )
        return
    place = _record_of(folder, settings.leaderboard)
    if place.is_file() and (known := Verification.load(place)).level > settings.level:
        raise ValueError(
            f"{place} is at level {known.level} ({known.level_name}) and would not be replaced by level "
            f"{settings.level} ({LEVELS[settings.level]}): leave --write out to check only"
        )


def _record(found: "Verification", board: Path, write: bool) -> tuple[str | None, str]:
    """Keep what was found, if that is wanted: where it lies, and why an older record stays instead."""
    if not write:
        return None, ""
    with _errors():
        known = found.path(board)
        try:
            return str(found.save(board)), ""
        except ValueError as error:
            return str(known), str(error)


def _plain(folder: Path, found: "Verification", path: str | None, kept: str) -> dict[str, Any]:
    return {
        "folder": str(folder),
        "refused": None,
        "level": found.level,
        "level_name": found.level_name,
        "next_level": found.next_level,
        "track": found.track,
        "method": found.info.method,
        "mean_normalised": found.mean_normalised,
        "flags": found.flags,
        "signed_by": found.signed_by,
        "seconds": found.seconds,
        "record": path,
        "kept": kept,
    }


def _print(folder: Path, found: "Verification", path: str | None, kept: str) -> None:
    click.echo(f"{folder}: level {found.level} ({found.level_name}), {len(found.runs)} runs, {found.seconds:.1f} s")
    seeds = "hidden" if found.level >= 2 else "public"
    click.echo(f"  mean normalised score {found.mean_normalised:.4f} ({seeds} seeds)")
    if found.signed_by:
        click.echo(f"  signed by {found.signed_by}")
    if found.next_level:
        click.echo(f"  no higher level: {found.next_level}")
    for flag in found.flags:
        click.echo(f"  note: {flag}")
    if path:
        click.echo(f"  {kept or f'record: {path}'}")
