"""Hidden seeds that no submitter can know beforehand and everybody can check afterwards.

At the start of a season the SHA-256 of a secret is published, at its end the secret itself. The seed of episode ``i``
is the first 63 bits of SHA-256(secret || digest || task || i), where the digest covers what is scored. A submission can
enter a season only between its start and its end, while nobody but the keeper of the secret knows it.
"""

import dataclasses
import hashlib
import hmac
import json
import re
import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from envsuite.core.files import write_atomic
from envsuite.evaluation.schema import parse

SCHEMA = 2
NOTHING = "0" * 64
"""What comes before the first line of a ledger."""

_SCHEMAS = (1, 2)
_HEX = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Season:
    """``leaderboard/seasons/<name>.toml``.

    Attributes:
        name: of the file.
        opens: first day, YYYY-MM-DD, or the UTC time from which on submissions enter, YYYY-MM-DDTHH:MM:SSZ.
        closes: last day, or the UTC time from which on none enters; the secret is published after it.
        commitment: SHA-256 (hexadecimal) of the secret.
        evaluations: how often a method of a track may be evaluated on hidden seeds.
        methods_per_key: how many methods of different names one key may have evaluated on a track.
        secret: 64 hexadecimal digits; empty until the season has ended.
        last_entry: SHA-256 of the last line of the ledger, published with the secret: no line comes after it.
        schema: of this file; 1 for the founding season, whose seeds follow from the digest of all files, 2 for seasons
            whose seeds follow from what is scored (`envsuite.submissions.verify`).
    """

    name: str
    opens: str
    closes: str
    commitment: str
    evaluations: int = 3
    methods_per_key: int = 3
    secret: str = ""
    last_entry: str = ""
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
            ("schema", season.schema in _SCHEMAS, f"one of {_SCHEMAS}"),
            ("name", season.name == path.stem, repr(path.stem)),
            ("opens", _moment(season.opens) is not None, _FORM),
            ("closes", _ordered(season.opens, season.closes), f"{_FORM} after opens"),
            ("commitment", bool(_HEX.fullmatch(season.commitment)), "64 hexadecimal digits"),
            ("evaluations", season.evaluations >= 1, "at least 1"),
            ("methods_per_key", season.methods_per_key >= 1, "at least 1"),
            ("secret", season.secret == "" or _commits(season.secret, season.commitment), "what was committed to"),
            (
                "last_entry",
                bool(_HEX.fullmatch(season.last_entry)) == bool(season.secret)
                and (bool(season.secret) or not season.last_entry),
                "64 hexadecimal digits exactly with the secret",
            ),
        ):
            if not fine:
                raise ValueError(f"{path.name}: {name} is {getattr(season, name)!r:.80}, expected {wanted}")
        return season

    @property
    def begin(self) -> datetime:
        """From when on submissions enter."""
        return _checked_moment(self.opens)

    @property
    def end(self) -> datetime:
        """From when on none enters."""
        return _checked_moment(self.closes, last_day=True)

    def why_closed(self, now: datetime) -> str:
        """Why no submission may enter at a time; empty if it may."""
        if self.secret:
            return f"the secret of season {self.name} is public: nothing new may enter it"
        if now < self.begin:
            return f"season {self.name} opens at {self.begin:%Y-%m-%d %H:%M:%S} UTC: nothing may enter it before"
        if now >= self.end:
            return f"season {self.name} closed at {self.end:%Y-%m-%d %H:%M:%S} UTC: nothing new may enter it"
        return ""

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


_FORM = "a date YYYY-MM-DD or a time YYYY-MM-DDTHH:MM:SSZ"


def _moment(text: str, last_day: bool = False) -> datetime | None:
    """A time as it stands, or the start of a day, or the end of the last day; None for other texts."""
    if re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", text, re.ASCII):
        days, form = 0, "%Y-%m-%dT%H:%M:%SZ"
    elif re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
        days, form = int(last_day), "%Y-%m-%d"
    else:
        return None
    try:
        return datetime.strptime(text, form).replace(tzinfo=UTC) + timedelta(days=days)
    except (ValueError, OverflowError):
        return None


def _ordered(opens: str, closes: str) -> bool:
    begin, end = _moment(opens), _moment(closes, last_day=True)
    return begin is not None and end is not None and begin < end


def _checked_moment(text: str, last_day: bool = False) -> datetime:
    found = _moment(text, last_day)
    if found is None:
        raise ValueError(f"{text!r:.40} is not {_FORM}")
    return found


def open_season(folder: str | Path, now: datetime | None = None) -> Season:
    """The season that is open at a time.

    Args:
        folder: of seasons.
        now: the time, UTC; that of the clock by default.

    Raises:
        ValueError: there is none, or several.
    """
    now = now or datetime.now(UTC)
    seasons = [Season.load(path) for path in sorted(Path(folder).glob("*.toml"))]
    found = [season for season in seasons if not season.why_closed(now)]
    if len(found) != 1:
        raise ValueError(
            f"{len(found)} seasons in {folder} are open at {now:%Y-%m-%d %H:%M} UTC, expected one; "
            "name it with --season"
        )
    return found[0]


def hidden_seeds(key: bytes, digest: str, task: str, episodes: int) -> np.ndarray:
    """The seeds of a task's episodes for one submission.

    Args:
        key: the season's secret, 32 bytes.
        digest: that the seeds follow from, hexadecimal: `envsuite.submissions.record.Verification.seed_digest`.
        task: its name.
        episodes: how many.

    Returns:
        (episodes,) int64: the first 63 bits of SHA-256(secret || digest || task || i), with the digest as 32 bytes, the
        task as UTF-8 and ``i`` as 8 bytes, most significant first.
    """
    start = key + bytes.fromhex(digest) + task.encode()
    hashes = (hashlib.sha256(start + i.to_bytes(8, "big")).digest() for i in range(episodes))
    return np.array([int.from_bytes(one[:8], "big") >> 1 for one in hashes], np.int64)
