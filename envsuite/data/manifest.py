"""The manifest of a dataset: what it is of, what its columns hold, where it came from, and its hash."""

import dataclasses
import hashlib
import json
import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from envsuite.core.strict_json import loads
from envsuite.data.columns import Column
from envsuite.data.spaces import leaf_spec, leaves, space_from_json
from envsuite.evaluation.schema import parse
from envsuite.evaluation.tracks import Anchor

SCHEMA = 1
MAX_BYTES = 1 << 24
"""Largest manifest."""

_ID = re.compile(r"([A-Za-z0-9][A-Za-z0-9_-]+/)*[A-Za-z0-9][A-Za-z0-9_.-]*-v[0-9]+")
_PER_EPISODE = ("seeds", "policies", "final_observations", "final_known", "reset_infos", "reset_options")
_PER_STEP = ("observations", "actions", "rewards", "terminated", "truncated", "infos")
_NEEDED = ("offsets", "seeds", "rewards", "terminated", "truncated")


@dataclass(frozen=True)
class Source:
    """The environment that data come from.

    Attributes:
        id: registered id.
        options: options of the environment.
        behaviour: behaviour hash of the environment; empty where it has none.
        horizon: steps after which episodes are truncated.
        observation: ``"state"``, ``"pixels"`` or ``"text"``.
    """

    id: str
    options: dict[str, Any] = field(default_factory=dict)
    behaviour: str = ""
    horizon: int | None = None
    observation: str = "state"


@dataclass(frozen=True)
class Anchors:
    """Scores that normalisation starts from and ends at.

    Attributes:
        low: a uniformly random policy's.
        high: an expert's.
    """

    low: Anchor
    high: Anchor


@dataclass(frozen=True)
class About:
    """What people want to know of a dataset; no part of its hash.

    Attributes:
        title: one line.
        summary: some sentences.
        tier: quality of the behaviour, for instance ``"random"`` or ``"expert"``.
        licence: SPDX name.
        citation: what to cite.
        anchors: ``"calibrated"`` are measured with standard errors; ``"legacy"`` are a published benchmark's constants.
        origin: how it came to be: the recipe, the file it was imported from, or the datasets it was made from.
        versions: of the software that made it.
    """

    title: str = ""
    summary: str = ""
    tier: str = ""
    licence: str = ""
    citation: str = ""
    anchors: dict[str, Anchors] = field(default_factory=dict)
    origin: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Manifest:
    """Everything about a dataset but its columns' content.

    Attributes:
        schema: of the file.
        id: ``(namespace/)*name-vN``.
        hash: `content_hash` of the rest, without `id` and `about`.
        source: where the data come from.
        observation_space: as JSON, see `envsuite.data.spaces`.
        action_space: likewise.
        episodes: E.
        steps: N, of all episodes together.
        columns: by name. ``offsets`` has E + 1 rows: episode ``i`` is at ``offsets[i]:offsets[i + 1]``.
        policies: what the numbers of the column ``policies`` stand for.
        agents: names of the agents; empty for a single one.
        objectives: names of the reward's components; empty for a scalar.
        about: the rest.
    """

    schema: int
    id: str
    hash: str
    source: Source
    observation_space: dict[str, Any]
    action_space: dict[str, Any]
    episodes: int
    steps: int
    columns: dict[str, Column]
    policies: list[str] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)
    objectives: list[str] = field(default_factory=list)
    about: About = field(default_factory=About)

    def content_hash(self) -> str:
        """The dataset's hash: BLAKE2b over the columns' hashes and what they mean, 64 hexadecimal digits."""
        parts = dataclasses.asdict(self)
        for name in ("id", "hash", "about"):
            del parts[name]
        parts["columns"] = {name: column.hash for name, column in self.columns.items()}
        text = json.dumps(parts, sort_keys=True, allow_nan=False)
        return hashlib.blake2b(text.encode(), digest_size=32).hexdigest()

    def sealed(self) -> "Manifest":
        """The same with its hash, after `check`."""
        whole = dataclasses.replace(self, hash=self.content_hash())
        whole.check()
        return whole

    @property
    def folder(self) -> str:
        """Name of the folder of the columns."""
        return self.hash[:16]

    @property
    def nbytes(self) -> int:
        """Size of all columns."""
        return sum(column.nbytes for column in self.columns.values())

    def check(self) -> None:
        """Refuse a manifest that contradicts itself.

        Raises:
            ValueError: what is wrong with it.
        """
        check_id(self.id)
        if self.schema != SCHEMA:
            raise ValueError(f"{self.id}: schema is {self.schema}, expected {SCHEMA}")
        if self.hash != self.content_hash():
            raise ValueError(f"{self.id}: its hash is {self.hash:.80}, the content of the manifest is another")
        if self.episodes < 1 or self.steps < self.episodes:
            raise ValueError(f"{self.id}: {self.steps} steps in {self.episodes} episodes, expected at least one each")
        for name in _NEEDED:
            if name not in self.columns:
                raise ValueError(f"{self.id}: the column {name} is missing")
        for name, column in self.columns.items():
            column.check(name)
            if column.shape[0] != self._rows(name):
                raise ValueError(f"{self.id}: column {name} has {column.shape[0]} rows, expected {self._rows(name)}")
        for name, dtype, shape in (
            ("offsets", "<i8", (self.episodes + 1,)),
            ("seeds", "<i8", (self.episodes,)),
            ("policies", "<i8", (self.episodes,)),
        ):
            if name in self.columns and (self.columns[name].dtype, self.columns[name].shape) != (dtype, shape):
                raise ValueError(f"{self.id}: column {name} is not {dtype} {shape}")
        self._check_flags()
        self._check_spaces()

    @staticmethod
    def per_step(name: str) -> bool:
        """Whether a column has a row a step."""
        return name.partition(".")[0] in _PER_STEP

    def _rows(self, name: str) -> int:
        if name == "offsets":
            return self.episodes + 1
        if name.partition(".")[0] in _PER_EPISODE:
            return self.episodes
        if self.per_step(name):
            return self.steps
        raise ValueError(f"{self.id}: {name} is not the name of a column; they begin with {_PER_EPISODE + _PER_STEP}")

    def _check_flags(self) -> None:
        lead = (self.steps, len(self.agents)) if self.agents else (self.steps,)
        for name in ("terminated", "truncated"):
            if self.columns[name].shape != lead or self.columns[name].dtype != "|b1":
                raise ValueError(f"{self.id}: column {name} is not bool {lead}")
        wanted = (*lead, len(self.objectives)) if self.objectives else lead
        if self.columns["rewards"].shape != wanted:
            raise ValueError(f"{self.id}: rewards have shape {self.columns['rewards'].shape}, expected {wanted}")

    def _check_spaces(self) -> None:
        known: set[str] = set()
        for prefix, data in (
            ("observations", self.observation_space),
            ("actions", self.action_space),
            ("final_observations", self.observation_space),
        ):
            for name, leaf in leaves(space_from_json(data), prefix).items():
                known.add(name)
                if name not in self.columns:
                    raise ValueError(f"{self.id}: the column {name} is missing")
                column, spec = self.columns[name], leaf_spec(leaf)
                if spec and (np.dtype(column.dtype), column.shape[1:]) != spec:
                    raise ValueError(
                        f"{self.id}: column {name} is {column.dtype} {column.shape[1:]}, its space has {spec}"
                    )
        for name in self.columns:
            if name.partition(".")[0] in ("observations", "actions", "final_observations") and name not in known:
                raise ValueError(f"{self.id}: column {name} is in no space")

    def to_json(self) -> str:
        """The content of ``manifest.json``."""
        return json.dumps(dataclasses.asdict(self), indent=1, sort_keys=True, allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes, where: str) -> "Manifest":
        """Read a manifest; `check` has been called.

        Args:
            text: the content.
            where: named in errors.

        Raises:
            ValueError: it is none, or contradicts itself.
        """
        if len(text) > MAX_BYTES:
            raise ValueError(f"{where}: a manifest of {len(text)} bytes, more than {MAX_BYTES}")
        try:
            data = loads(text)
        except ValueError as error:
            raise ValueError(f"{where} is not JSON: {error}") from error
        manifest = parse(data, cls, where)
        try:
            manifest.check()
        except (TypeError, RecursionError, OverflowError) as error:
            raise ValueError(f"{where}: {error}") from error
        return manifest


def check_id(dataset_id: str) -> None:
    """Refuse what is no id of a dataset, paths that lead elsewhere among them.

    Raises:
        ValueError: naming it.
    """
    if not _ID.fullmatch(dataset_id) or ".." in dataset_id or len(dataset_id) > 200:
        raise ValueError(f"{dataset_id!r:.200} is no id of a dataset, expected (namespace/)name-vN")
