"""Run folders: plain files that say what was run, on what, and what came out."""

import hashlib
import json
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

SCHEMA = 1


def write_atomic(path: Path, content: bytes | str) -> None:
    """Write a file under a temporary name and rename it, so that it is whole or absent."""
    partial = path.with_name(path.name + ".partial")
    partial.write_bytes(content.encode() if isinstance(content, str) else content)
    os.replace(partial, path)


class RunFolder:
    """The record of one training run, in ``root/<env id>/<algorithm>/<UTC time>-<hash of the configuration>/``.

    Files: ``run.json`` (what was run: configuration, seeds, versions, machine, times, exit status, digests of the
    other files), ``metrics.jsonl`` (one object a log event: ``step``, ``wall`` seconds, numbers), and whatever the
    run adds.

    Args:
        root: folder of all runs.
        env_id: registered id.
        algorithm: its name.
        config: all settings after defaults, plain data.
        seed: training seed.
        behaviour: the environment's behaviour hash.
    """

    def __init__(
        self, root: str | Path, env_id: str, algorithm: str, config: dict[str, Any], seed: int, behaviour: str
    ):
        started = datetime.now(UTC)
        key = hashlib.sha256(json.dumps([config, seed], sort_keys=True).encode()).hexdigest()[:8]
        self.path = Path(root) / env_id / algorithm / f"{started:%Y%m%dT%H%M%SZ}-{key}"
        self.path.mkdir(parents=True)
        self._started = started
        self._record: dict[str, Any] = {
            "schema": SCHEMA,
            "env_id": env_id,
            "env_behaviour": behaviour,
            "algorithm": algorithm,
            "config": config,
            "seed": seed,
            "command": sys.argv,
            "started": started.isoformat(),
            "status": "running",
            "git": _git_state(),
            "machine": machine(),
            "packages": {found.name: found.version for found in distributions() if found.name},
        }
        self._write()
        self._metrics = (self.path / "metrics.jsonl").open("a", encoding="utf-8")

    def log(self, step: int, **numbers: float) -> None:
        """Append one event to ``metrics.jsonl``.

        Args:
            step: environment steps so far.
            **numbers: what was measured.
        """
        wall = (datetime.now(UTC) - self._started).total_seconds()
        self._metrics.write(json.dumps({"step": step, "wall": round(wall, 3), **numbers}) + "\n")
        self._metrics.flush()

    def finish(self, status: str, **results: Any) -> None:
        """Close the record.

        Args:
            status: ``"finished"``, or why not.
            **results: plain data, for instance the final evaluation.
        """
        self._metrics.close()
        files = [path for path in self.path.iterdir() if path.name != "run.json" and path.is_file()]
        self._record |= {
            "status": status,
            "ended": datetime.now(UTC).isoformat(),
            "results": results,
            "sha256": {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(files)},
        }
        self._write()

    def _write(self) -> None:
        write_atomic(self.path / "run.json", json.dumps(self._record, indent=2, sort_keys=True) + "\n")


def _git_state() -> dict[str, Any] | None:
    try:
        commit = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
        changes = subprocess.run(["git", "status", "--porcelain"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return {"commit": commit.stdout.strip(), "dirty": bool(changes.stdout.strip())}


def machine() -> dict[str, Any]:
    """Processor model, number of cores, operating system and Python version."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": sys.version.split()[0],
    }
