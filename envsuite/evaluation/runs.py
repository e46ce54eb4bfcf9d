"""Reads run folders, of runs that are finished, still going on, or were killed."""

import glob
import json
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from envsuite.evaluation.records import SCHEMA, file_digests, read_lines


def policy_name(steps: int | str) -> str:
    """Name of the file, without its ending, of a policy that had played so many steps, or the beginning of one."""
    return f"policy-{steps}"


@dataclass(frozen=True)
class RunRecord:
    """One run folder.

    Attributes:
        path: the folder.
        data: what ``run.json`` holds, see `envsuite.evaluation.records.RunFolder`.
    """

    path: Path
    data: dict[str, Any]

    @classmethod
    def load(cls, path: str | Path) -> "RunRecord":
        """Read a folder.

        Args:
            path: the folder, or its ``run.json``.

        Raises:
            FileNotFoundError: there is no ``run.json``.
            ValueError: it is no record of a run.
        """
        path = Path(path)
        folder = path.parent if path.name == "run.json" else path
        if not (folder / "run.json").is_file():
            raise FileNotFoundError(f"{folder} is no run folder: it holds no run.json")
        try:
            data = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
            raise ValueError(f"{folder / 'run.json'} is not JSON: {error}") from error
        if not isinstance(data, dict) or data.get("schema") != SCHEMA:
            raise ValueError(f"{folder / 'run.json'} is no record of a run with schema {SCHEMA}")
        kinds = {"env_id": str, "algorithm": str, "seed": int, "status": str, "started": str, "config": dict}
        for name, kind in kinds.items():
            if type(data.get(name)) is not kind:
                raise ValueError(f"{folder / 'run.json'}: {name} is {data.get(name)!r:.80}, expected {kind.__name__}")
        return cls(folder, data)

    @property
    def env_id(self) -> str:
        """Registered id of the environment."""
        return self.data["env_id"]

    @property
    def algorithm(self) -> str:
        """Name of the algorithm."""
        return self.data["algorithm"]

    @property
    def seed(self) -> int:
        """Training seed."""
        return self.data["seed"]

    @property
    def status(self) -> str:
        """``"finished"``, ``"running"`` (also of runs that were killed), or why the run failed."""
        return self.data["status"]

    @property
    def policy(self) -> Path | None:
        """The saved policy; None where there is none."""
        path = self.path / "policy.onnx"
        return path if path.is_file() else None

    @property
    def dataset(self) -> str:
        """Id of the dataset that was learned from; empty without one."""
        return str(self.data["config"].get("dataset", ""))

    @property
    def earlier(self) -> dict[int, Path]:
        """Policies that were kept along the way from offline to online, by their environment steps, rising."""
        named = [(path.stem.removeprefix(policy_name("")), path) for path in self.path.glob(policy_name("*.onnx"))]
        return dict(sorted((int(steps), path) for steps, path in named if steps.isdecimal()))

    @property
    def steps(self) -> int | None:
        """Training steps of the saved policy: those of the last event; None without events."""
        events = self.metrics()
        return int(events[-1]["step"]) if events else None

    def metrics(self) -> list[dict[str, Any]]:
        """The log events, in order; a line that was cut off is left out."""
        return read_lines(self.path / "metrics.jsonl")

    def episodes(self) -> list[dict[str, Any]]:
        """The evaluation episodes, in order; likewise."""
        return read_lines(self.path / "episodes.jsonl")

    def changed_files(self) -> list[str]:
        """Files that are not what they were at the end of the run: changed, missing or added."""
        stated, found = self.data.get("sha256", {}), file_digests(self.path)
        return sorted(name for name in {*stated, *found} if stated.get(name) != found.get(name))


def find_runs(
    place: str | Path, env_id: str | None = None, algorithm: str | None = None, status: str | None = None
) -> list[RunRecord]:
    """All run folders in a place, in the order of environment, algorithm, seed and start.

    What is no record of a run is left out with a warning.

    Args:
        place: a run folder, a folder that holds some at any depth, or a glob pattern of such.
        env_id: only of this environment.
        algorithm: only of this algorithm.
        status: only with this status.

    Raises:
        FileNotFoundError: the place does not exist, or nothing matches the pattern.
    """
    matching = [Path(place)] if Path(place).exists() else [Path(one) for one in sorted(glob.glob(str(place)))]
    if not matching:
        raise FileNotFoundError(f"{str(place)!r} is no folder, and nothing matches it as a pattern")
    files: dict[Path, Path] = {}
    for one in matching:
        found = [one] if one.name == "run.json" else sorted(one.rglob("run.json")) if one.is_dir() else []
        files |= {path.resolve(): path for path in found}
    runs = []
    for path in files.values():
        try:
            runs.append(RunRecord.load(path))
        except ValueError as error:
            warnings.warn(str(error), stacklevel=2)
    wanted = {"env_id": env_id, "algorithm": algorithm, "status": status}
    chosen = [run for run in runs if all(value in (None, getattr(run, name)) for name, value in wanted.items())]
    return sorted(chosen, key=lambda run: (run.env_id, run.algorithm, run.seed, run.data["started"]))
