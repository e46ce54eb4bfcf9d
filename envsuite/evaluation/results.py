"""Results of evaluations: one line of JSON for each task and policy."""

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from envsuite.agents.distance import EXPLOITABILITY, Distance
from envsuite.core.files import write_atomic
from envsuite.core.strict_json import loads
from envsuite.evaluation.schema import parse

SCHEMA = 1

MAX_METRICS = 256
"""Metrics of a line of results."""


@dataclass(frozen=True)
class Result:
    """What a policy scored on a task.

    Attributes:
        task: name of the task in its track.
        env_id: registered id.
        options: options of the environment.
        behaviour: behaviour hash of the environment.
        train_seed: of the training run; None for policies without training.
        checkpoint: training steps of the policy; None without training.
        deterministic: the policy acted deterministically.
        first_seed: episode ``i`` had the seed ``first_seed + i``.
        episodes: E, how many were played.
        mean_return: of the episodes.
        returns: E numbers, summed over agents.
        lengths: E numbers of steps.
        terminated: E flags, ended by the task rather than by the length limit.
        metrics: E numbers by name, from the info of each episode's last step, averaged over agents; flags are 0 or 1,
            what is not finite is None.
        score: mean of the track's metric.
        normalised: the same where the anchors are 0 and 1.
        wall_seconds: that the evaluation took.
        actions: path of the `EpisodeLog`, relative to the file of results; None without one.
        policy: path of the ONNX file, likewise; None without one.
        policy_sha256: of that file, hexadecimal.
        suite_version: of envsuite.
        schema: of this record.
        distance: of the policy from an equilibrium, in games that are small enough; None elsewhere.
    """

    task: str
    env_id: str
    options: dict[str, Any]
    behaviour: str
    train_seed: int | None
    checkpoint: int | None
    deterministic: bool
    first_seed: int
    episodes: int
    mean_return: float
    returns: list[float]
    lengths: list[int]
    terminated: list[bool]
    metrics: dict[str, list[float | None]]
    score: float
    normalised: float
    wall_seconds: float
    actions: str | None
    policy: str | None
    policy_sha256: str | None
    suite_version: str
    schema: int = SCHEMA
    distance: Distance | None = None

    def values(self, metric: str) -> Sequence[float | None] | None:
        """The numbers whose mean is the score: one an episode, or the policy's one distance; None without them.

        Args:
            metric: of the track.
        """
        return values_of(metric, self.returns, self.metrics, self.distance)

    def to_json(self) -> str:
        """One line; numbers are written so that reading gives the same bits.

        Raises:
            ValueError: a return or score is not finite.
        """
        return json.dumps(dataclasses.asdict(self), allow_nan=False)

    @classmethod
    def from_json(cls, line: str, where: str = "result") -> "Result":
        """Read a line.

        Raises:
            ValueError: it is no result of this schema, or its lists differ in length; the message names the key.
        """
        try:
            table = loads(line)
        except ValueError as error:
            raise ValueError(f"{where} is not JSON: {error}") from error
        if not isinstance(table, dict) or table.get("schema") != SCHEMA:
            raise ValueError(f"{where}: schema is {table.get('schema') if isinstance(table, dict) else table!r:.40}, "
                             f"expected {SCHEMA}")  # fmt: skip
        metrics = table.get("metrics")
        if isinstance(metrics, dict) and len(metrics) > MAX_METRICS:
            raise ValueError(f"{where}: {len(metrics)} metrics, expected at most {MAX_METRICS}")
        result = parse(table, cls, where)
        lists: dict[str, list] = {"returns": result.returns, "lengths": result.lengths, "terminated": result.terminated}
        lists |= {f"metrics.{name}": values for name, values in result.metrics.items()}
        for name, values in lists.items():
            if len(values) != result.episodes:
                raise ValueError(f"{where}: {name} has {len(values)} values, expected {result.episodes} (episodes)")
        return result


def values_of(metric: str, returns: Any, metrics: Mapping[str, Any], distance: Distance | None) -> Any:
    """The numbers whose mean is a score; None where there are none.

    Args:
        metric: of the track: ``"return"``, `EXPLOITABILITY`, or one of `metrics`.
        returns: (E,).
        metrics: (E,) by name.
        distance: of the policy.
    """
    if metric == EXPLOITABILITY:
        return None if distance is None else [distance.exploitability]
    return returns if metric == "return" else metrics.get(metric)


def read_results(path: str | Path) -> list[Result]:
    """Read a file of results.

    Args:
        path: the file, or the folder that holds it as ``results.jsonl``.

    Raises:
        ValueError: a line is no result; the message says which.
    """
    path = Path(path)
    path = path / "results.jsonl" if path.is_dir() else path
    try:
        with path.open(encoding="utf-8") as lines:
            return [Result.from_json(line, f"{path.name} line {k}") for k, line in enumerate(lines, 1)]
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not text: {error}") from error


def write_results(path: str | Path, results: Iterable[Result]) -> None:
    """Write a file of results, whole or not at all."""
    write_atomic(Path(path), "".join(result.to_json() + "\n" for result in results))
