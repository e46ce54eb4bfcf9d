"""Writes the site: pages, figures, data and replays, into a new folder that then takes the old one's place."""

import contextlib
import dataclasses
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

import envsuite
from envsuite.evaluation.episodes import EpisodeLog
from envsuite.evaluation.film import DRAW
from envsuite.evaluation.tracks import Task, Track
from envsuite.evaluation.tracks import tracks as known_tracks
from envsuite.submissions.intake import Intake, take_in
from envsuite.submissions.record import LEVELS, RunScore, Verification, load_all
from envsuite.submissions.reported import check_reported, load_log
from envsuite.submissions.rerun import make_log, player
from envsuite.submissions.sandbox import Sandbox
from envsuite.submissions.site import figures
from envsuite.submissions.site.board import Board, Row, make_board
from envsuite.submissions.site.replays import animation

_ARXIV = re.compile(r"arXiv (\d{4}\.\d{4,5})")
_ASSETS = ("style.css", "table.js", "player.js")
_COPIED = ("submission.toml", "results.jsonl", "SHA256SUMS")  # files of a submission that the site serves, as they are


@dataclasses.dataclass(frozen=True)
class Replay:
    """A link from a page to a film.

    Attributes:
        name: unique on the site.
        task: of the track.
        seed: of the training run; None without training.
        episode: its number among the evaluation episodes.
        total: its return.
        source: path of the script, from the site's root.
    """

    name: str
    task: str
    seed: int | None
    episode: int
    total: float
    source: str


def build(
    leaderboard: str | Path,
    site: str | Path,
    tracks: Sequence[Track],
    *,
    docs: str = "",
    progress: Callable[[str], None] = lambda what: None,
) -> Path:
    """Build the site.

    Args:
        leaderboard: folder with ``submissions/`` and ``verified/``.
        site: folder to write; what a former build left there is replaced as a whole.
        tracks: current tracks; submissions of other versions of them get a page of their own.
        docs: address of the documentation, to whose pages of environments tasks link; empty for no links.
        progress: told what is being made.

    Returns:
        The index page.

    Raises:
        ValueError: `site` is a folder with other things in it, a verified record does not fit its track, or a
            submission has changed since.
        RefusedError: a submission's folder is not in order any more.
    """
    leaderboard, site = Path(leaderboard), Path(site)
    if site.exists() and any(site.iterdir()) and not (site / ".envsuite-site").is_file():
        raise ValueError(f"{site} holds files that no build wrote: choose another folder")
    site.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{site.name}-", dir=site.parent))
    try:
        fresh.chmod(0o755)
        _Site(leaderboard, fresh, docs, progress).write(tracks)
        _swap(fresh, site)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return site / "index.html"


def _swap(fresh: Path, site: Path) -> None:
    """Put the new folder in the old one's place."""
    old = fresh.with_name(fresh.name + ".old")
    if site.exists():
        os.replace(site, old)
    os.replace(fresh, site)
    shutil.rmtree(old, ignore_errors=True)


class _Site:
    """One build."""

    def __init__(self, leaderboard: Path, folder: Path, docs: str, progress: Callable[[str], None]):
        self._leaderboard, self._folder, self._progress = leaderboard, folder, progress
        self._templates = Environment(
            loader=PackageLoader("envsuite.submissions.site"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        shared: dict[str, Any] = self._templates.globals
        shared |= {"levels": LEVELS, "suite_version": envsuite.__version__, "docs": docs.rstrip("/")}
        self._templates.filters |= {"number": _number, "papers": _papers}

    def write(self, tracks: Sequence[Track]) -> None:
        verified = load_all(self._leaderboard)
        current = {track.name: track for track in tracks}
        unknown = {one.track for one in verified} - set(current) - set(known_tracks())
        if unknown:
            raise ValueError(f"verified submissions of unknown tracks {sorted(unknown)}")
        verified = [one for one in verified if one.track in current]
        boards = []
        for track in tracks:
            mine = [one for one in verified if one.track == track.name]
            now = [one for one in mine if one.track_digest == track.digest]
            former = [one for one in mine if one.track_digest != track.digest]
            latest = _latest(now)
            earlier = [one for one in now if one not in latest]
            boards.append((make_board(track, latest), former, earlier))
        for name in _ASSETS:
            self._text(f"assets/{name}", files("envsuite.submissions.site").joinpath("assets", name).read_text("utf-8"))
        self._text("assets/draw.js", DRAW.read_text("utf-8"))
        for board, former, earlier in boards:
            self._board(board, former, earlier)
        changes = sorted(verified, key=lambda one: (one.verified, one.folder), reverse=True)
        self._page("index.html", "index.html", boards=[board for board, *_ in boards], changes=changes)
        self._page("normalisation.html", "normalisation.html", tracks=tracks)
        self._text(".envsuite-site", f"{envsuite.__version__}\n")

    def _board(self, board: Board, former: list[Verification], earlier: list[Verification]) -> None:
        track = board.track
        self._progress(f"{track.name}: table and figures")
        pictures: dict[str, str | None] = dict.fromkeys(("intervals", "profiles", "improvements"))
        if board.rows:
            makers = {
                "intervals": figures.intervals,
                "profiles": figures.profiles,
                "improvements": figures.improvements,
            }
            for name, make in makers.items():
                if (picture := make(board)) is not None:
                    pictures[name] = f"figures/{track.name}-{name}.svg"
                    self._text(f"figures/{track.name}-{name}.svg", picture)
        replays = {row.key: self._submission(board, row) for row in board.rows}
        self._text(f"data/{track.name}.json", json.dumps(_data(board), indent=1, allow_nan=False) + "\n")
        lists = {"former": former, "earlier": earlier}
        self._page(f"{track.name}.html", "track.html", board=board, pictures=pictures, **lists)
        for one in former + earlier:
            self._record(one)
        for row in board.rows:
            page = f"{track.name}/{row.key}.html"
            self._page(page, "method.html", board=board, row=row, replays=replays[row.key])
        for task in track.tasks:
            picture = f"figures/{track.name}-{task.name}.svg"
            if board.rows:
                self._text(picture, figures.distribution(board.rows, task))
            films = [(row, film) for row in board.rows for film in replays[row.key] if film.task == task.name]
            self._page(
                f"{track.name}/task-{task.name}.html", "task.html", board=board, task=task, picture=picture, films=films
            )

    def _record(self, verification: Verification) -> str:
        """Write what verification found; the folder of the submission's data on the site."""
        place = f"data/{verification.track}/{verification.folder}"
        record = dataclasses.asdict(verification)
        self._text(f"{place}/verification.json", json.dumps(record, indent=1, allow_nan=False) + "\n")
        return place

    def _submission(self, board: Board, row: Row) -> list[Replay]:
        """Write a submission's data and its replays."""
        verification = row.verification
        place = self._record(verification)
        with take_in(self._leaderboard / "submissions" / verification.track / verification.folder) as intake:
            if intake.digest != verification.digest:
                raise ValueError(f"{verification.folder} has changed since it was verified: verify it again")
            for name in _COPIED:
                self._text(f"{place}/{name}", (intake.root / name).read_text(encoding="utf-8"))
            if verification.level < LEVELS.index("replayed"):
                return []
            return [self._replay(board, row, task, intake) for task in board.track.tasks if _logged(row, task)]

    def _replay(self, board: Board, row: Row, task: Task, intake: Intake) -> Replay:
        """Write the middle episode of the middle run on a task as a film."""
        self._progress(f"{board.track.name}: replay of {row.name} on {task.name}")
        runs = _logged(row, task)
        run = runs[len(runs) // 2]
        log = _log(intake, board.track, run)
        spans = zip(log.offsets[:-1], log.offsets[1:], strict=True)
        totals = [float(log.rewards[a:b].sum(dtype=np.float64)) for a, b in spans]
        episode = int(np.argsort(totals, kind="stable")[len(totals) // 2])
        name = f"{board.track.name}-{row.key}-{task.name}"
        film = json.dumps(animation(log, episode, task.card), separators=(",", ":"), allow_nan=False)
        self._text(f"replays/{name}.js", f"film({json.dumps(name)},{film});\n")
        return Replay(name, task.name, run.train_seed, episode, totals[episode], f"replays/{name}.js")

    def _page(self, path: str, template: str, **values: Any) -> None:
        root = "../" * path.count("/")
        self._text(path, self._templates.get_template(template).render(root=root, **values))

    def _text(self, path: str, text: str) -> None:
        place = self._folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


def _latest(verified: list[Verification]) -> list[Verification]:
    """Without those that their authors entered again in a later season: a policy stands in the table once."""
    last: dict[tuple, Verification] = {}
    for one in sorted(verified, key=lambda one: (one.level, one.info.date, one.folder)):
        networks = tuple((run.task, run.policy_sha256) for run in one.runs)
        entered = bool(one.season and one.policies)
        who = (one.info.method, *one.info.authors, one.signed_by)
        last[(*who, networks) if entered else (one.folder,)] = one
    return [one for one in verified if one in last.values()]


def _log(intake: Intake, track: Track, score: RunScore) -> EpisodeLog:
    """The recorded episodes of a run; those that are not stored are played again by its policy."""
    if score.actions in intake.absent:
        reported = check_reported(intake, track)
        run = next(one for one in reported.runs if one.result.actions == score.actions)
        with Sandbox() if run.policy else contextlib.nullcontext() as sandbox:
            make_log(run, player(run, reported, sandbox))
    return load_log(intake.root / str(score.actions))


def _logged(row: Row, task: Task) -> list[RunScore]:
    """Runs on a task that have recorded actions, from the lowest score to the highest."""
    return sorted((run for run in row.runs(task.name) if run.actions), key=lambda run: run.score)


def _papers(text: str) -> Markup:
    """A source with links to what it names of arXiv."""
    return Markup(_ARXIV.sub(r'<a href="https://arxiv.org/abs/\1" rel="noopener">arXiv \1</a>', str(escape(text))))


def _number(value: float, digits: int = 3) -> str:
    """Fixed digits; a true minus sign, and none before what rounds to 0."""
    return f"{value:z,.{digits}f}".replace("-", "−")


def _data(board: Board) -> dict[str, Any]:
    """The table for programs."""
    return {
        "track": dataclasses.asdict(board.track) | {"tasks": [_task(task) for task in board.track.tasks]},
        "digest": board.track.digest,
        "rows": [
            {
                "method": row.name,
                "folder": row.key,
                "level": row.verification.level,
                "rank": row.rank,
                "interquartile_mean": _estimate(row.total),
                "ratings": {env_id: _estimate(one) for env_id, one in row.ratings.items()},
                "tasks": {name: _estimate(one) for name, one in row.tasks.items()},
                "distances": {name: _distance(row, name) for name in row.tasks},
                "runs": [dataclasses.asdict(run) for run in row.verification.runs],
            }
            for row in board.rows
        ],
    }


def _distance(row: Row, task: str) -> dict[str, float] | None:
    found = row.distance(task)
    return None if found is None else {"exploitability": found[0], "normalised": found[1]}


def _task(task: Task) -> dict[str, Any]:
    bounds = [bound if np.isfinite(bound) else None for bound in task.return_bounds]
    return dataclasses.asdict(task) | {"return_bounds": bounds}


def _estimate(one: Any) -> dict[str, Any]:
    return {"value": one.value, "low": one.low, "high": one.high, "basis": one.basis, "method": one.method}
