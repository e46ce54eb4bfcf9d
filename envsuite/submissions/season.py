"""Hidden seeds that nobody can know beforehand and everybody can check afterwards.

At the start of a season the SHA-256 of a secret is published, at its end the secret itself. The seed of episode ``i``
is the first 63 bits of SHA-256(secret || submission digest || task || i): whoever changes a submission, changes its
seeds. Every evaluation on hidden seeds is a line of the season's ledger, which limits how often a method may try.
"""

import dataclasses
import hashlib
import hmac
import json
import re
import tomllib
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np

from envsuite.evaluation.records import write_atomic
from envsuite.evaluation.schema import parse
from envsuite.submissions.record import Verification, load_all
from envsuite.submissions.refusal import RefusedError

SCHEMA = 1
_HEX = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Season:
    """``leaderboard/seasons/<name>.toml``.

    Attributes:
        name: of the file.
        opens: first day, YYYY-MM-DD.
        closes: last day; the secret is published after it.
        commitment: SHA-256 (hexadecimal) of the secret.
        evaluations: how often a method of a track may be evaluated on hidden seeds.
        secret: 64 hexadecimal digits; empty until the season has ended.
        schema: of this file.
    """

    name: str
    opens: str
    closes: str
    commitment: str
    evaluations: int = 3
    secret: str = ""
    schema: int = SCHEMA

    @classmethod
    def load(cls, path: str | Path) -> "Season":
        """Read a file.

        Raises:
            ValueError: what is wrong with it; the message names the key.
        """
        path = Path(path)
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise ValueError(f"there is no season {path.stem!r}: {path} is missing") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ValueError(f"{path} is not TOML: {error}") from error
        season = parse(table, cls, path.name)
        for name, fine, wanted in (
            ("schema", season.schema == SCHEMA, f"{SCHEMA}"),
            ("name", season.name == path.stem, repr(path.stem)),
            ("opens", _day(season.opens) is not None, "a date YYYY-MM-DD"),
            ("closes", _day(season.closes) is not None and season.opens <= season.closes, "a date from opens on"),
            ("commitment", bool(_HEX.fullmatch(season.commitment)), "64 hexadecimal digits"),
            ("evaluations", season.evaluations >= 1, "at least 1"),
            ("secret", season.secret == "" or _commits(season.secret, season.commitment), "what was committed to"),
        ):
            if not fine:
                raise ValueError(f"{path.name}: {name} is {getattr(season, name)!r:.80}, expected {wanted}")
        return season

    def save(self, folder: str | Path) -> Path:
        """Write it into a folder of seasons; the path."""
        path = Path(folder) / f"{self.name}.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        table = dataclasses.asdict(self)
        write_atomic(path, "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items()))
        return path

    def key(self, secret: str | None = None) -> bytes:
        """The secret as bytes.

        Args:
            secret: 64 hexadecimal digits, while the season has not published it.

        Raises:
            ValueError: there is none, or it is not the one committed to.
        """
        given = (secret or self.secret).strip()
        if not given:
            raise ValueError(f"the season {self.name} has not ended: its secret is needed (--secret-file)")
        if not _commits(given, self.commitment):
            raise ValueError(f"the secret is not the one that season {self.name} committed to")
        return bytes.fromhex(given)


def commitment(secret: str) -> str:
    """SHA-256 (hexadecimal) of a secret's bytes.

    Args:
        secret: 64 hexadecimal digits.

    Raises:
        ValueError: something else.
    """
    if not _HEX.fullmatch(secret):
        raise ValueError("a secret is 64 hexadecimal digits")
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def _commits(secret: str, expected: str) -> bool:
    return bool(_HEX.fullmatch(secret)) and hmac.compare_digest(commitment(secret), expected)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def open_season(folder: str | Path, today: date | None = None) -> Season:
    """The season of a day.

    Args:
        folder: of seasons.
        today: the day, UTC; now by default.

    Raises:
        ValueError: there is none, or several.
    """
    day = (today or datetime.now(UTC).date()).isoformat()
    seasons = [Season.load(path) for path in sorted(Path(folder).glob("*.toml"))]
    found = [season for season in seasons if season.opens <= day <= season.closes]
    if len(found) != 1:
        raise ValueError(f"{len(found)} seasons in {folder} are open on {day}, expected one; name it with --season")
    return found[0]


def hidden_seeds(key: bytes, digest: str, task: str, episodes: int) -> np.ndarray:
    """The seeds of a task's episodes for one submission.

    Args:
        key: the season's secret, 32 bytes.
        digest: of the submission, hexadecimal.
        task: its name.
        episodes: how many.

    Returns:
        (episodes,) int64: the first 63 bits of SHA-256(secret || digest || task || i), with the digest as 32 bytes, the
        task as UTF-8 and ``i`` as 8 bytes, most significant first.
    """
    start = key + bytes.fromhex(digest) + task.encode()
    hashes = (hashlib.sha256(start + i.to_bytes(8, "big")).digest() for i in range(episodes))
    return np.array([int.from_bytes(one[:8], "big") >> 1 for one in hashes], np.int64)


@dataclass(frozen=True)
class Entry:
    """One evaluation on hidden seeds.

    Attributes:
        track: name.
        method: of the submission, in lower case.
        digest: of the submission.
        folder: its name.
        day: UTC.
        previous: SHA-256 of the line before; zeros for the first.
    """

    track: str
    method: str
    digest: str
    folder: str
    day: str
    previous: str


class Ledger:
    """A season's ledger, ``<season>.ledger.jsonl``: lines can be added, and whatever else is done to it shows.

    Args:
        season: whose ledger.
        leaderboard: folder of the leaderboard; verified submissions name the lines that they come from.

    Raises:
        RefusedError: a line was changed or removed.
    """

    def __init__(self, season: Season, leaderboard: str | Path):
        self._season = season
        self._path = Path(leaderboard) / "seasons" / f"{season.name}.ledger.jsonl"
        text = self._path.read_text(encoding="utf-8") if self._path.is_file() else ""
        self._lines = text.splitlines()
        self.entries: list[Entry] = []
        previous = "0" * 64
        for number, line in enumerate(self._lines):
            try:
                entry = parse(json.loads(line), Entry, f"{self._path.name} line {number}")
            except ValueError as error:
                raise RefusedError("season", str(error)) from error
            if entry.previous != previous:
                raise RefusedError("season", f"{self._path.name} line {number} does not follow from the line before it")
            self.entries.append(entry)
            previous = hashlib.sha256(line.encode()).hexdigest()
        self._last = previous
        for one in load_all(leaderboard):
            self._check_known(one)

    def _check_known(self, known: Verification) -> None:
        if known.season != self._season.name:
            return
        entry = self.entries[known.ledger_entry] if 0 <= known.ledger_entry < len(self.entries) else None
        if entry is None or entry.digest != known.digest:
            raise RefusedError(
                "season", f"{self._path.name} lacks line {known.ledger_entry}, from which {known.folder} was verified"
            )

    def find(self, track: str, method: str, digest: str) -> int:
        """The line on which this submission may be evaluated: one that is there already, or the next.

        Raises:
            RefusedError: the method has used up its evaluations.
        """
        mine = [k for k, one in enumerate(self.entries) if (one.track, one.method) == (track, _plain(method))]
        for k in mine:
            if self.entries[k].digest == digest:
                return k  # the same submission has the same seeds and the same result
        if len(mine) >= self._season.evaluations:
            raise RefusedError(
                "season",
                f"{method} has been evaluated {len(mine)} times on track {track} in season {self._season.name}; "
                f"{self._season.evaluations} are allowed",
            )
        return len(self.entries)

    def add(self, track: str, method: str, digest: str, folder: str) -> int:
        """Write a submission's line, unless it is there; its number. It is written before the evaluation begins.

        Raises:
            RefusedError: see `find`.
        """
        number = self.find(track, method, digest)
        if number == len(self.entries):
            day = datetime.now(UTC).date().isoformat()
            entry = Entry(track, _plain(method), digest, folder, day, self._last)
            line = json.dumps(dataclasses.asdict(entry))
            self.entries.append(entry)
            self._lines.append(line)
            self._last = hashlib.sha256(line.encode()).hexdigest()
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(self._path, "".join(one + "\n" for one in self._lines))
        return number


def _plain(method: str) -> str:
    """Spelling variants are one method."""
    return "".join(sign for sign in method.casefold() if sign.isalnum())
