"""The card: the one declaration of an environment, from which registration, docs, tests and tables derive."""

from collections.abc import Mapping
from dataclasses import dataclass, field
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
    """All that is known of an environment without building it.

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
        tags: words to search by.
        random: anchor score of the uniformly random policy.
        expert: anchor score of the reference policy.
        behaviour: behaviour hash, see `envsuite.testing.behaviour`.
        single: entry point of one instance.
        vector: entry point of many instances.
        parallel: entry point of the PettingZoo parallel API (several agents only).
        aec: entry point of the PettingZoo AEC API (several agents only).
        datasets: recipes under ``datasets/`` that generate data from it.
        baselines: configurations under ``baselines/`` with a published run record.
        track: leaderboard track that it belongs to.
        not_applicable: capability to the reason why it cannot be had.
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
    tags: tuple[str, ...] = ()
    random: Score | None = None
    expert: Score | None = None
    behaviour: str = ""
    single: str = "envsuite.core.single:WorldEnv"
    vector: str = "envsuite.core.vector:WorldVectorEnv"
    parallel: str = "envsuite.core.parallel:WorldParallelEnv"
    aec: str = "envsuite.core.parallel:aec_env"
    datasets: tuple[str, ...] = ()
    baselines: tuple[str, ...] = ()
    track: str = ""
    not_applicable: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self):
        if unknown := sorted(set(self.not_applicable) - set(CAPABILITIES)):
            raise ValueError(f"{self.id}: unknown capability {unknown[0]!r}, expected one of {CAPABILITIES}")

    @property
    def kwargs(self) -> dict[str, Any]:
        """Keyword arguments that the entry points are registered with."""
        return {"world": self.world, **self.options} if self.world else dict(self.options)

    def capability(self, name: str) -> str:
        """State of one cell of the matrix.

        Args:
            name: one of `CAPABILITIES`.

        Returns:
            ``"yes"``, ``"planned"``, or ``"n/a: "`` and the reason.
        """
        if name in self.not_applicable:
            return f"n/a: {self.not_applicable[name]}"
        recorded = {
            "expert": self.random is not None and self.expert is not None,
            "dataset": bool(self.datasets),
            "baseline": bool(self.baselines),
            "track": bool(self.track),
        }
        return "yes" if recorded.get(name, True) else "planned"
