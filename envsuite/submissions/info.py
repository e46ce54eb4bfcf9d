"""``submission.toml``: what authors say of their method."""

import dataclasses
import json
import re
import tomllib
import unicodedata
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

from envsuite.evaluation.schema import parse
from envsuite.submissions.names import check_name, check_text

SCHEMA = 1
MAX_BYTES = 65_536
"""Largest ``submission.toml``."""

EARLIEST = "2026-01-01"
"""Before the first submission there can be."""

Family = Literal[
    "model-free", "model-based", "offline", "imitation", "evolution", "planning", "scripted", "language-model", "other"
]

_LINE, _PARAGRAPH = 200, 2_000
_ADDRESS = re.compile(r"https://[A-Za-z0-9.-]+(:[0-9]+)?(/[A-Za-z0-9._~/?#@!$&()*+,;=%:-]*)?")
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Statements:
    """What authors declare; True for the first or the last is refused, for the second it is shown.

    Attributes:
        evaluation_seeds_in_training: evaluation seeds were used in training or tuning.
        privileged_state: the policy sees more than the observation.
        multiple_attempts: episodes were repeated and the best were kept.
    """

    evaluation_seeds_in_training: bool = False
    privileged_state: bool = False
    multiple_attempts: bool = False


@dataclass(frozen=True)
class Submission:
    """The fields of ``submission.toml``. Texts are plain, on one line, without markup.

    Attributes:
        track: name of the track.
        track_version: of that track.
        method: name of the method, at most 80 characters, in one form: `envsuite.submissions.names.check_name`.
        slug: of lower-case letters, digits and hyphens; the folder is ``<date without hyphens>_<slug>``.
        date: YYYY-MM-DD, from `EARLIEST` on.
        family: kind of method.
        authors: names.
        suite_version: of envsuite, with which it was evaluated.
        train_seeds: one for each training run; empty for policies without training.
        training_steps: environment steps of a run, by task; empty without training.
        summary: one or two sentences.
        contact: mail address or page.
        paper: https address; empty for none.
        code: https address; likewise.
        commit: of that code, hexadecimal.
        baseline: name of a file under ``baselines/`` of this repository that made the runs; needed for level 3.
        open_weights: the policies may be used by others.
        licence: of the policies.
        hardware: that training ran on.
        wall_hours: of all training runs together.
        parameters: number of weights of the largest policy; 0 for none.
        pretraining_data: what else was learned from; empty for nothing.
        hyperparameters: ``"one set"`` for all tasks, or ``"per task"``, or ``"none"``.
        tuning_runs: training runs spent on choosing them.
        statements: declarations.
        schema: of this file.
    """

    track: str
    track_version: int
    method: str
    slug: str
    date: str
    family: Family
    authors: list[str]
    suite_version: str
    train_seeds: list[int]
    training_steps: dict[str, int]
    summary: str = ""
    contact: str = ""
    paper: str = ""
    code: str = ""
    commit: str = ""
    baseline: str = ""
    open_weights: bool = False
    licence: str = ""
    hardware: str = ""
    wall_hours: float = 0.0
    parameters: int = 0
    pretraining_data: str = ""
    hyperparameters: Literal["one set", "per task", "none"] = "one set"
    tuning_runs: int = 0
    statements: Statements = field(default_factory=Statements)
    schema: int = SCHEMA

    @property
    def folder(self) -> str:
        """Name of the submission's folder."""
        return f"{self.date.replace('-', '')}_{self.slug}"

    def __post_init__(self):
        for name, value in dataclasses.asdict(self).items():
            for text in value if isinstance(value, list) else [value]:
                if isinstance(text, str):
                    check_text(name, text, _PARAGRAPH if name in ("summary", "pretraining_data") else _LINE)
        for name, fine, wanted in (
            ("schema", self.schema == SCHEMA, f"{SCHEMA}"),
            ("method", 1 <= len(self.method) <= 80, "1 to 80 characters"),
            ("slug", len(self.slug) <= 60 and bool(_SLUG.fullmatch(self.slug)), "letters a-z, digits and hyphens"),
            ("track", bool(_SLUG.fullmatch(self.track)), "the name of a track"),
            ("baseline", re.fullmatch(r"[a-z0-9_]{0,40}", self.baseline) is not None, "the name of a baseline"),
            ("date", _is_date(self.date) and self.date >= EARLIEST, f"a date YYYY-MM-DD from {EARLIEST} on"),
            ("authors", 1 <= len(self.authors) <= 50 and all(self.authors), "1 to 50 names"),
            ("commit", re.fullmatch(r"([0-9a-f]{7,64})?", self.commit) is not None, "hexadecimal digits"),
            ("wall_hours", 0 <= self.wall_hours < 1e9, "a number of hours"),
            ("parameters", 0 <= self.parameters < 10**12, "a number of weights"),
            ("tuning_runs", 0 <= self.tuning_runs < 10**9, "a number of runs"),
            ("train_seeds", len(set(self.train_seeds)) == len(self.train_seeds) <= 1000, "at most 1000, all different"),
            ("training_steps", all(0 <= one < 10**15 for one in self.training_steps.values()), "numbers of steps"),
        ):
            if not fine:
                raise ValueError(f"{name} is {getattr(self, name)!r:.100}, expected {wanted}")
        check_name("method", self.method)
        for name in ("paper", "code"):
            if (address := getattr(self, name)) and not _ADDRESS.fullmatch(address):
                raise ValueError(f"{name} is {address!r:.100}, expected an https address")

    def to_toml(self) -> str:
        """The content of the file."""
        return to_toml(dataclasses.asdict(self))

    @classmethod
    def from_toml(cls, content: str) -> "Submission":
        """Read the content of the file.

        Raises:
            ValueError: what is wrong; the message names the key.
        """
        try:
            table = tomllib.loads(content)
        except RecursionError:
            raise ValueError("submission.toml is not TOML: it is nested too deeply") from None
        except tomllib.TOMLDecodeError as error:
            raise ValueError(f"submission.toml is not TOML: {error}") from error
        return parse(table, cls, "submission.toml")


def slug_of(method: str) -> str:
    """A name for folders from a name for people.

    Raises:
        ValueError: nothing is left of it.
    """
    plain = unicodedata.normalize("NFKD", method).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60].strip("-")
    if not slug:
        raise ValueError(f"method {method!r} has no letters or digits")
    return slug


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def to_toml(table: dict[str, Any]) -> str:
    """Plain values and tables of plain values as TOML.

    JSON's form of texts, numbers, truth values and lists is also TOML's, but for the sign U+007F.
    """

    def line(key: str, value: Any) -> str:
        name = key if key.isidentifier() and key.isascii() else json.dumps(key)
        return f"{name} = {json.dumps(value, ensure_ascii=False)}".replace("\x7f", "\\u007f")

    lines = [line(key, value) for key, value in table.items() if not isinstance(value, dict)]
    for name, inner in table.items():
        if isinstance(inner, dict):
            lines += ["", f"[{name}]", *(line(key, value) for key, value in inner.items())]
    return "\n".join(lines) + "\n"
