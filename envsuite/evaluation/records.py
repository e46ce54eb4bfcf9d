"""Run folders: plain files that say what was run, on what, and what came out."""

import hashlib
import json
import math
import os
import platform
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import distributions
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from envsuite.core.files import write_atomic

if TYPE_CHECKING:
    from envsuite.evaluation.rollout import Episodes

SCHEMA = 1


def plain(value: Any) -> Any:
    """Data as strict JSON can hold it: NumPy numbers become Python's, tuples lists, infinities and nan texts."""
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(one) for one in (sorted(value) if isinstance(value, set | frozenset) else value)]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def config_hash(env_id: str, algorithm: str, config: Mapping[str, Any], seed: int) -> str:
    """SHA-256 (hexadecimal) of what makes two runs the same run.

    Args:
        env_id: registered id.
        algorithm: its name.
        config: all settings.
        seed: training seed.
    """
    text = json.dumps([env_id, algorithm, plain(config), int(seed)], sort_keys=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


class Terminated(SystemExit):
    """SIGTERM came; the process ends with the status that shells give such a one."""

    def __init__(self) -> None:
        super().__init__(128 + signal.SIGTERM)


@contextmanager
def sigterm_raises() -> Generator[None]:
    """Within the body SIGTERM raises `Terminated`, so that what was begun is closed.

    A handler that somebody else has set stays, and threads beside the main one change nothing.
    """
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return

    def stop(number: int, frame: Any) -> None:
        raise Terminated

    signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _ended_by(error: BaseException) -> str:
    """The status of a run that an error ended."""
    if isinstance(error, KeyboardInterrupt):
        return "stopped by Ctrl-C"
    if isinstance(error, SystemExit):
        return "stopped by SIGTERM" if isinstance(error, Terminated) else f"stopped with exit status {error.code}"
    return f"failed: {type(error).__name__}: {error}"


class RunFolder:
    """The record of one training run, in ``root/<env id>/<algorithm>/<UTC time>-<hash of the configuration>/``.

    Files: ``run.json`` (what was run: configuration, seeds, versions, machine, times, exit status, digests of the
    other files), ``metrics.jsonl`` (one object a log event: ``step``, ``wall`` seconds, numbers), ``episodes.jsonl``
    (one object an evaluation episode), both also as Parquet where pyarrow is installed, and whatever the run adds.
    As a context it closes the record of a run that an error, Ctrl-C or SIGTERM ends. A run that is killed leaves a
    folder that can be read, with the status ``"running"``.

    Args:
        root: folder of all runs.
        env_id: registered id.
        algorithm: its name.
        config: all settings after defaults, plain data.
        seed: training seed.
        behaviour: the environment's behaviour hash.
        options: options of the environment.
        eval_seeds: (first, number) of the seeds of evaluation episodes along the way.
        sweep: id of the sweep that the run belongs to.
        tensorboard: write the numbers as TensorBoard events too (extra ``tensorboard``).

    Attributes:
        path: the folder.
    """

    def __init__(
        self,
        root: str | Path,
        env_id: str,
        algorithm: str,
        config: Mapping[str, Any],
        seed: int,
        behaviour: str,
        *,
        options: Mapping[str, Any] | None = None,
        eval_seeds: tuple[int, int] | None = None,
        sweep: str | None = None,
        tensorboard: bool = False,
    ):
        import envsuite

        started = datetime.now(UTC)
        digest = config_hash(env_id, algorithm, config, seed)
        self.path = _make(Path(root) / env_id / algorithm, f"{started:%Y%m%dT%H%M%SZ}-{digest[:8]}")
        packages = _packages()
        self._record: dict[str, Any] = {
            "schema": SCHEMA,
            "env_id": env_id,
            "env_options": plain(options or {}),
            "env_behaviour": behaviour,
            "suite_version": envsuite.__version__,
            "algorithm": algorithm,
            "config": plain(config),
            "config_hash": digest,
            "seed": int(seed),
            "eval_seeds": list(eval_seeds) if eval_seeds else None,
            "sweep": sweep,
            "command": [_script(), *sys.argv[1:]],
            "started": started.isoformat(),
            "status": "running",
            "git": _git_state(),
            "machine": machine(),
            "threads": _threads(),
            "versions": {"python": platform.python_version()}
            | {name: packages.get(name) for name in ("numpy", "numba", "gymnasium", "torch")},
            "packages": packages,
        }
        self._write()
        self._open(started, tensorboard)

    @classmethod
    def find(cls, root: str | Path, env_id: str, algorithm: str, config: Mapping[str, Any], seed: int) -> Path | None:
        """The folder of the same run, if it was started before: the newest finished one, else the newest.

        Whether to skip it or to go on with it (`reopen`) is the caller's choice, by its ``status``.

        Args:
            root: folder of all runs.
            env_id: registered id.
            algorithm: its name.
            config: all settings.
            seed: training seed.
        """
        digest = config_hash(env_id, algorithm, config, seed)
        found = []
        for path in sorted((Path(root) / env_id / algorithm).glob(f"*-{digest[:8]}*/run.json")):
            record = json.loads(path.read_text(encoding="utf-8"))
            if record.get("config_hash") == digest:
                found.append((record.get("status") == "finished", path.parent))
        return max(found)[1] if found else None

    @classmethod
    def reopen(cls, path: str | Path, *, step: int | None = None, tensorboard: bool = False) -> "RunFolder":
        """Go on with a run that did not finish: its events stay, a line that was cut off in writing goes.

        Args:
            path: the folder.
            step: training steps of the checkpoint that it goes on from; events after it go, they will come again.
            tensorboard: as for the constructor.

        Raises:
            ValueError: the run is finished.
        """
        folder = cls.__new__(cls)
        folder.path = Path(path)
        folder._record = json.loads((folder.path / "run.json").read_text(encoding="utf-8"))
        if folder._record["status"] == "finished":
            raise ValueError(f"the run {path} is finished: there is nothing to go on with")
        for name, key in (("metrics.jsonl", "step"), ("episodes.jsonl", "checkpoint")):
            if (folder.path / name).is_file():
                content = (folder.path / name).read_bytes()
                lines = content[: content.rfind(b"\n") + 1].splitlines(keepends=True)
                kept = [line for line in lines if step is None or json.loads(line)[key] <= step]
                write_atomic(folder.path / name, b"".join(kept))
        folder._record |= {"status": "running"}
        folder._record.setdefault("reopened", []).append(datetime.now(UTC).isoformat())
        folder._write()
        folder._open(datetime.fromisoformat(folder._record["started"]), tensorboard)
        return folder

    def _open(self, started: datetime, tensorboard: bool) -> None:
        self._started = started
        self._append("metrics", "")
        self._events = _tensorboard(self.path) if tensorboard else None

    def __enter__(self) -> "RunFolder":
        self._guard = sigterm_raises()
        self._guard.__enter__()
        return self

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        try:
            if error is not None and self._record["status"] == "running":
                self.finish(_ended_by(error))
        finally:
            self._guard.__exit__(None, None, None)

    def log(self, step: int, **numbers: float) -> None:
        """Append one event to ``metrics.jsonl``.

        Args:
            step: environment steps so far.
            **numbers: what was measured; what is not finite is written as null.
        """
        wall = (datetime.now(UTC) - self._started).total_seconds()
        event = {name: _number(value) for name, value in numbers.items()}
        self._append("metrics", json.dumps({"step": int(step), "wall": round(wall, 3), **event}) + "\n")
        if self._events is not None:
            for name, value in event.items():
                self._events.add_scalar(name, math.nan if value is None else value, int(step))

    def log_episodes(self, step: int, episodes: "Episodes", task: str | None = None) -> None:
        """Append one line for each evaluation episode to ``episodes.jsonl``.

        Args:
            step: training steps of the policy that played.
            episodes: from `envsuite.evaluation.rollout.play`.
            task: name of the task; the environment's id by default.
        """
        metrics = {name: values for name, values in episodes.metrics.items() if values.ndim == 1}
        lines = []
        for k, seed in enumerate(episodes.seeds):
            row = {
                "checkpoint": int(step),
                "task": task or self._record["env_id"],
                "seed": int(seed),
                "return": plain(episodes.returns[k]),
                "length": int(episodes.lengths[k]),
                "terminated": bool(episodes.terminated[k]),
                "truncated": bool(episodes.truncated[k]),
            }
            lines.append(json.dumps(row | {name: _number(values[k]) for name, values in metrics.items()}) + "\n")
        self._append("episodes", "".join(lines))

    def finish(self, status: str, **results: Any) -> None:
        """Close the record.

        Args:
            status: ``"finished"``, or why not: begins with ``"stopped"`` where somebody ended the run, with
                ``"failed"`` where the run itself could not go on.
            **results: plain data, for instance the final evaluation.
        """
        if self._events is not None:
            self._events.close()
        if find_spec("pyarrow"):
            for name in ("metrics", "episodes"):
                _to_parquet(self.path / f"{name}.jsonl")
        self._record |= {
            "status": status,
            "ended": datetime.now(UTC).isoformat(),
            "results": plain(results),
            "sha256": file_digests(self.path),
        }
        self._write()

    def _append(self, name: str, text: str) -> None:
        with (self.path / f"{name}.jsonl").open("a", encoding="utf-8") as file:
            file.write(text)

    def _write(self) -> None:
        write_atomic(self.path / "run.json", json.dumps(self._record, indent=2, sort_keys=True, allow_nan=False) + "\n")


def file_digests(folder: Path) -> dict[str, str]:
    """SHA-256 of every file of a run folder but ``run.json``, by relative path."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path != folder / "run.json")
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON-lines file; a last line that was cut off in writing is left out.

    Raises:
        ValueError: another line is not a JSON object.
    """
    if not path.is_file():
        return []
    lines = path.read_bytes().split(b"\n")
    found = []
    for number, line in enumerate(lines, 1):
        try:
            value = json.loads(line) if line.strip() else None
        except ValueError as error:
            if number == len(lines):  # no newline after it: the writer was killed
                break
            raise ValueError(f"{path} line {number} is not JSON: {error}") from error
        if isinstance(value, dict):
            found.append(value)
        elif value is not None:
            raise ValueError(f"{path} line {number} is not an object")
    return found


def machine() -> dict[str, Any]:
    """Processor model, number of cores, graphics processors, operating system and Python version."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "gpus": _gpus(),
        "system": platform.platform(),
        "python": sys.version.split()[0],
    }


@cache
def _packages() -> dict[str, str]:
    return {found.name: found.version for found in distributions() if found.name}


def _gpus() -> list[str]:
    """Models that the NVIDIA driver of Linux knows."""
    models = []
    for path in sorted(Path("/proc/driver/nvidia/gpus").glob("*/information")):
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except OSError:
            continue
        models += [line.split(":", 1)[1].strip() for line in lines if line.startswith("Model:")]
    return models


def _threads() -> dict[str, Any]:
    """Threads of what is loaded, and what the environment asks for."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
    found: dict[str, Any] = {name: os.environ[name] for name in names if name in os.environ}
    if "torch" in sys.modules:
        found["torch"] = sys.modules["torch"].get_num_threads()
    if "numba" in sys.modules:
        found["numba"] = sys.modules["numba"].config.NUMBA_NUM_THREADS
    return found


def _script() -> str:
    """What was run, from the root of its checkout: records are published, and folders of a machine tell nothing."""
    path = Path(sys.argv[0])
    root = next((one for one in path.parents if (one / ".git").exists()), None) if path.is_absolute() else None
    return path.relative_to(root).as_posix() if root else sys.argv[0]


def _git_state() -> dict[str, Any] | None:
    try:
        commit = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
        changes = subprocess.run(["git", "status", "--porcelain"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return {"commit": commit.stdout.strip(), "dirty": bool(changes.stdout.strip())}


def _make(parent: Path, name: str) -> Path:
    """A new folder, with a number where the name is taken."""
    for k in range(1000):
        path = parent / (f"{name}-{k}" if k else name)
        try:
            path.mkdir(parents=True)
        except FileExistsError:
            continue
        return path
    raise FileExistsError(f"{parent / name} and a thousand more exist")


def _number(value: Any) -> float | int | None:
    value = value.item() if hasattr(value, "item") else value
    if not math.isfinite(value):
        return None
    return int(value) if isinstance(value, bool) else value


def _to_parquet(path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    rows = read_lines(path)
    if rows:
        names = list(dict.fromkeys(name for row in rows for name in row))
        try:
            table = pyarrow.table({name: [row.get(name) for row in rows] for name in names})
        except (pyarrow.ArrowException, OverflowError) as error:  # the lines have it all
            warnings.warn(f"{path} has no Parquet form: {error}", stacklevel=3)
            return
        sink = pyarrow.BufferOutputStream()
        pyarrow.parquet.write_table(table, sink)
        write_atomic(path.with_suffix(".parquet"), sink.getvalue().to_pybytes())


def _tensorboard(folder: Path) -> Any:
    try:
        from tensorboard.summary import Writer
    except ModuleNotFoundError as error:
        message = 'tensorboard is not installed: pip install "envsuite[tensorboard]"'
        raise ModuleNotFoundError(message, name="tensorboard") from error
    return Writer(str(folder / "tensorboard"))
