"""The card: the one declaration of an environment, from which registration, docs, tests and tables derive."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

CAPABILITIES = (
    "single",
    "batch",
    "pixels",
    "text",
    "snapshot",
    "replay",
    "expert",
    "dataset",
    "baseline",
    "track",
)
"""Ways in which every environment can be used, in the order of the matrix."""


@dataclass(frozen=True)
class Score:
    """A measured return that anchors normalisation.

    Attributes:
        mean: mean return of an episode (of all agents together).
        standard_error: of that mean.
        episodes: how many were run, on the evaluation seeds 10**9, 10**9 + 1, ...
        policy: what played.
    """

    mean: float
    standard_error: float
    episodes: int
    policy: str


@dataclass(frozen=True)
class EnvCard:
    """The declaration of an environment: all that is known about it without building it.

    Attributes:
        id: registered name, ``namespace/Name-vN``.
        world: ``"module:Class"`` of the simulator; empty where `single` and its like name engine-backed classes.
        family: folder of the package it belongs to.
        summary: one line.
        source: paper or project that the task comes from.
        horizon: steps after which an episode is truncated; None for no limit.
        options: keyword arguments of the world that make this id.
        agents: number of agents.
        objectives: names of the reward's components; empty for a scalar reward.
        weights: of the objectives in the one number that anchor scores and tracks use; empty for equal weights that
            add up to 1.
        trained_on: id whose policies this one tries, where it holds dynamics, levels or goals out from training; empty
            for others. The leaderboard takes policies of either.
        tags: words to search by; ``deterministic`` if all seeds give the same episode, ``rare chance`` if they do
            until something happens that random play seldom meets; ``varying limit`` if episodes may be cut off before
            the horizon.
        random: anchor score of the uniformly random policy.
        expert: anchor score of the reference policy.
        floor: score of the best very simple player (`envsuite.evaluation.simple`), if that is far above random play:
            it then takes the place of `random` as the zero of the scale.
        unranked: why returns do not tell methods apart; no track that scores returns has such an environment among its
            tasks, except against opponents with ratings. Empty for all others.
        behaviour: behaviour hash, see `envsuite.testing.behaviour`.
        single: entry point of one instance.
        vector: entry point of many instances.
        parallel: entry point of the PettingZoo parallel API (several agents only).
        aec: entry point of the PettingZoo AEC API (several agents only).
        not_applicable: capabilities that are impossible here, each with the reason.
        engine: module of the physics engine that the world needs, which an extra installs; empty if it needs none.
    """

    id: str
    world: str
    family: str
    summary: str
    source: str
    horizon: int | None
    options: Mapping[str, Any] = field(default_factory=dict)
    agents: int = 1
    objectives: tuple[str, ...] = ()
    weights: tuple[float, ...] = ()
    trained_on: str = ""
    tags: tuple[str, ...] = ()
    random: Score | None = None
    expert: Score | None = None
    floor: Score | None = None
    unranked: str = ""
    behaviour: str = ""
    single: str = "envsuite.core.single:WorldEnv"
    vector: str = "envsuite.core.vector:WorldVectorEnv"
    parallel: str = "envsuite.core.parallel:WorldParallelEnv"
    aec: str = "envsuite.core.aec:aec_env"
    not_applicable: Mapping[str, str] = field(default_factory=dict)
    engine: str = ""

    def __post_init__(self):
        if unknown := sorted(set(self.not_applicable) - set(CAPABILITIES)):
            raise ValueError(f"{self.id}: unknown capability {unknown[0]!r}, expected one of {CAPABILITIES}")

    @property
    def kwargs(self) -> dict[str, Any]:
        """Keyword arguments that the entry points are registered with."""
        return {"world": self.world, **self.options} if self.world else dict(self.options)

    @property
    def scale(self) -> tuple[Score, Score] | None:
        """The scores that are 0 and 1 when normalised; None without anchors."""
        if self.random is None or self.expert is None:
            return None
        return self.floor or self.random, self.expert

    @property
    def playable(self) -> bool:
        """Whether its engine is installed, if it needs one."""
        return not self.engine or find_spec(self.engine) is not None

    def capability(self, name: str) -> str:
        """State of one cell of the matrix.

        Args:
            name: one of `CAPABILITIES`.

        Returns:
            ``"yes"``, ``"planned"``, or ``"n/a: "`` and the reason.
        """
        if name in self.not_applicable:
            return f"n/a: {self.not_applicable[name]}"
        if name == "track" and self.unranked and not tracks_with(self.id):
            return f"n/a: {self.unranked}"
        if name == "baseline" and self.trained_on and not baselines_with(self.id):
            return f"n/a: policies learn on {self.trained_on}"
        recorded = {
            "expert": self.random is not None and self.expert is not None,
            "dataset": bool(datasets_with(self.id)),
            "baseline": bool(baselines_with(self.id)),
            "track": bool(tracks_with(self.id)),
        }
        return "yes" if recorded.get(name, True) else "planned"


def _shipped(installed: str, repository: str) -> Path:
    """A folder that the wheel takes along, where it lies in the installed package or in the repository."""
    package = Path(__file__).parent
    return package / installed if (package / installed).is_dir() else package.parent / repository


def is_installed() -> bool:
    """Whether the package comes from a wheel, rather than from the repository or an editable installation of it."""
    return (Path(__file__).parent / "_baselines").is_dir()


def tracks_folder() -> Path:
    """Where the leaderboard's tracks lie: in the installed package, or in the repository."""
    return _shipped("_tracks", "leaderboard/tracks")


def datasets_folder() -> Path:
    """Where recipes and locks of datasets lie: in the installed package, or in the repository."""
    return _shipped("_datasets", "datasets")


def baselines_folder() -> Path:
    """Where the baselines lie: in the installed package, or in the repository."""
    return _shipped("_baselines", "baselines")


def datasets_with(env_id: str) -> tuple[str, ...]:
    """Ids of the published datasets of an environment.

    Args:
        env_id: full id.
    """
    return tuple(name for name, one in locked().items() if one["env_id"] == env_id)


def baselines_with(env_id: str) -> tuple[str, ...]:
    """Names of the learning algorithms with published run records on an environment.

    Args:
        env_id: full id.
    """
    return _published_baselines().get(env_id, ())


@lru_cache(maxsize=1)
def _published_baselines() -> dict[str, tuple[str, ...]]:
    import json

    path = baselines_folder() / "published.json"
    entries = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    found: dict[str, list[str]] = {}
    for name, one in entries.items():
        algorithm = name.partition("/")[0]
        if len(one["seeds"]) > 1 and algorithm not in found.setdefault(one["env_id"], []):
            found[one["env_id"]].append(algorithm)
    return {env_id: tuple(sorted(names)) for env_id, names in found.items() if names}


@lru_cache(maxsize=1)
def locked() -> dict[str, dict[str, Any]]:
    """What published datasets came out as, by their ids; see `envsuite.data.lock.entry`."""
    import json

    found: dict[str, dict[str, Any]] = {}
    for path in sorted(datasets_folder().glob("*/lock.json")):
        found |= json.loads(path.read_text(encoding="utf-8"))
    return found


def tracks_with(env_id: str) -> tuple[str, ...]:
    """Names of the leaderboard's tracks that hold an environment.

    Args:
        env_id: full id.
    """
    return tuple(name for name, ids in _track_environments() if env_id in ids)


@lru_cache(maxsize=1)
def _track_environments() -> tuple[tuple[str, frozenset[str]], ...]:
    import tomllib

    found = []
    for path in sorted(tracks_folder().glob("*.toml")):
        tasks = tomllib.loads(path.read_text(encoding="utf-8")).get("tasks", [])
        found.append((path.stem, frozenset(task.get("env_id") for task in tasks)))
    return tuple(found)
