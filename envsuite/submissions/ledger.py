"""A season's ledger: every evaluation on hidden seeds is a line of it, which limits how often a method may try."""

import dataclasses
import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from envsuite.core.files import write_atomic
from envsuite.core.strict_json import loads
from envsuite.evaluation.schema import parse
from envsuite.submissions.names import alike
from envsuite.submissions.record import load_all
from envsuite.submissions.refusal import RefusedError
from envsuite.submissions.season import NOTHING, Season

_LOCK_SECONDS = 60.0


@dataclass(frozen=True)
class Entry:
    """One evaluation on hidden seeds.

    Attributes:
        track: name.
        method: of the submission.
        digest: that its hidden seeds follow from.
        folder: its name.
        day: UTC, YYYY-MM-DD.
        previous: SHA-256 of the line before; zeros for the first.
        time: of that day, HH:MM:SS; the founding season's lines have none.
        signed_by: id of the key that signed the submission; empty without signature.
    """

    track: str
    method: str
    digest: str
    folder: str
    day: str
    previous: str
    time: str = ""
    signed_by: str = ""

    def same_owner(self, other: "Entry") -> bool:
        """Whether both use up the same tries: of a key, or of all who do not sign."""
        return (self.track, self.signed_by) == (other.track, other.signed_by)


class Ledger:
    """A season's ledger, ``<season>.ledger.jsonl``: lines can be added, and whatever else is done to it shows.

    Lines hold the digest of the line before, verified submissions that of their own line, and the season, once its
    secret is public, that of the last line.

    Args:
        season: whose ledger.
        leaderboard: folder of the leaderboard.

    Attributes:
        entries: its lines.
        digests: SHA-256 (hexadecimal) of each line.

    Raises:
        RefusedError: a line was changed, removed, or added when none could be.
    """

    def __init__(self, season: Season, leaderboard: str | Path):
        self._season, self._leaderboard = season, Path(leaderboard)
        self._path = ledger_path(season, leaderboard)
        text = self._path.read_text(encoding="utf-8") if self._path.is_file() else ""
        self._lines = text.splitlines()
        self.entries: list[Entry] = []
        self.digests: list[str] = []
        for number, line in enumerate(self._lines):
            self._check_line(number, line)
        self._check_known()
        if season.secret and season.last_entry != self.last:
            raise RefusedError(
                "season", f"{self._path.name} does not end with the line with which the season {season.name} ended"
            )

    @property
    def last(self) -> str:
        """SHA-256 of the last line; zeros where there is none."""
        return self.digests[-1] if self.digests else NOTHING

    def _check_line(self, number: int, line: str) -> None:
        where = f"{self._path.name} line {number}"
        try:
            entry = parse(loads(line), Entry, where)
            if self._season.schema > 1:  # the founding season's entries came after its end
                time = datetime.fromisoformat(f"{entry.day}T{entry.time}+00:00")
                if not self._season.begin <= time < self._season.end:
                    raise ValueError(f"{where} is of {entry.day} {entry.time}, when the season was not open")
        except ValueError as error:
            raise RefusedError("season", str(error)) from error
        if entry.previous != self.last:
            raise RefusedError("season", f"{where} does not follow from the line before it")
        self.entries.append(entry)
        self.digests.append(hashlib.sha256(line.encode()).hexdigest())

    def _check_known(self) -> None:
        """The lines that verified submissions come from are there, as they were."""
        for known in load_all(self._leaderboard):
            if known.season != self._season.name:
                continue
            number = known.ledger_entry
            if not 0 <= number < len(self.entries) or self.entries[number].digest != known.seed_digest:
                raise RefusedError(
                    "season", f"{self._path.name} lacks line {number}, from which {known.folder} was verified"
                )
            if self.digests[number] != known.ledger_line:
                raise RefusedError(
                    "season", f"{self._path.name} line {number} has changed since {known.folder} was verified from it"
                )

    def find(self, entry: Entry) -> int | None:
        """The line of an evaluation that has been admitted before; it may be repeated at any time.

        The same submission has the same seeds and the same score.
        """
        for k, one in enumerate(self.entries):
            same = (one.digest, one.folder) == (entry.digest, entry.folder)
            if same and one.same_owner(entry) and alike(one.method, entry.method):
                return k
        return None

    def check_new(self, entry: Entry, now: datetime) -> None:
        """Refuse a submission that may not enter the season.

        Raises:
            RefusedError: the season is not open, or the method or key has used up its evaluations.
        """
        season = self._season
        if reason := season.why_closed(now):
            raise RefusedError("season", reason)
        same = [one for one in self.entries if one.same_owner(entry)]
        mine = [one for one in same if alike(one.method, entry.method)]
        if len(mine) >= season.evaluations:
            raise RefusedError(
                "season",
                f"{entry.method} has been evaluated {len(mine)} times on track {entry.track} in season {season.name}; "
                f"{season.evaluations} are allowed",
            )
        methods: list[str] = []
        for one in same:
            if not any(alike(one.method, other) for other in methods):
                methods.append(one.method)
        if entry.signed_by and not mine and len(methods) >= season.methods_per_key:
            raise RefusedError(
                "season",
                f"the key {entry.signed_by} has entered {len(methods)} methods on track {entry.track} in season "
                f"{season.name}; {season.methods_per_key} are allowed",
            )

    def _add(self, entry: Entry, now: datetime) -> None:
        stamp = {"day": f"{now:%Y-%m-%d}", "time": f"{now:%H:%M:%S}", "previous": self.last}
        line = json.dumps(dataclasses.asdict(dataclasses.replace(entry, **stamp)))
        write_atomic(self._path, "".join(one + "\n" for one in [*self._lines, line]))


def ledger_path(season: Season, leaderboard: str | Path) -> Path:
    """Where a season's ledger lies in a leaderboard's folder."""
    return Path(leaderboard) / "seasons" / f"{season.name}.ledger.jsonl"


def enter(
    season: Season,
    leaderboard: str | Path,
    *,
    track: str,
    method: str,
    digest: str,
    folder: str,
    signed_by: str = "",
    now: datetime | None = None,
) -> tuple[int, str]:
    """Write a submission's line, unless it is there, before its evaluation begins. Several processes may do so at once.

    Args:
        season: that it enters.
        leaderboard: folder of the leaderboard.
        track: name.
        method: of the submission.
        digest: that its hidden seeds follow from.
        folder: its name.
        signed_by: id of its key; empty without signature.
        now: UTC; the clock's time by default.

    Returns:
        Number of the line, and its SHA-256 (hexadecimal).

    Raises:
        RefusedError: the ledger was tampered with, the season is not open, or all evaluations are used up.
        ModuleNotFoundError: filelock is missing; the message tells how to install it.
    """
    entry = Entry(track, method, digest, folder, day="", previous="", signed_by=signed_by)
    ledger = Ledger(season, leaderboard)
    if (number := ledger.find(entry)) is not None:  # may be repeated where nothing can be written, too
        return number, ledger.digests[number]
    now = now or datetime.now(UTC)
    ledger.check_new(entry, now)
    path = ledger_path(season, leaderboard)
    path.parent.mkdir(parents=True, exist_ok=True)
    with _locked(path):
        ledger = Ledger(season, leaderboard)
        if (number := ledger.find(entry)) is None:
            number = len(ledger.entries)
            ledger.check_new(entry, now)
            ledger._add(entry, now)
            ledger = Ledger(season, leaderboard)
        return number, ledger.digests[number]


def _locked(path: Path):
    """A context in which no other process writes a ledger."""
    try:
        from filelock import FileLock
    except ModuleNotFoundError as error:
        message = 'filelock is not installed: pip install "envsuite[leaderboard]"'
        raise ModuleNotFoundError(message, name="filelock") from error
    return FileLock(path.with_name(f"{path.name}.lock"), timeout=_LOCK_SECONDS)
