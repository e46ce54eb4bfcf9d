"""LeRobot's dataset format v3.0: export for its readers and policies.

The layout is that of huggingface/lerobot 0.6 (``src/lerobot/datasets``): steps of many episodes in Parquet files of
about 100 MB with a row group an episode, and under ``meta`` what they hold, where each episode lies, its task and
statistics. Pictures are PNG within the Parquet files, so nothing of them is lost. The format has no place for what
follows the last action, so that does not come along.
"""

import io
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces

from envsuite.data.dataset import Dataset
from envsuite.data.spaces import leaves
from envsuite.evaluation.records import plain

VERSION = "v3.0"
FILE_MB = 100
"""Size at which a new file begins, LeRobot's default."""

_CHUNK = 1000  # files in a folder, LeRobot's default
_QUANTILES = (0.01, 0.10, 0.50, 0.90, 0.99)
_FILE = "chunk-{chunk_index:03d}/file-{file_index:03d}.parquet"


@dataclass(frozen=True)
class _Feature:
    """One column of the result.

    Attributes:
        dtype: as LeRobot names it.
        shape: of one step.
        names: of its elements.
        rows: the column in the dataset and what is taken of it: from some of its rows to (T, *shape).
    """

    dtype: str
    shape: tuple[int, ...]
    names: list[str] | None
    column: str
    rows: Callable[[np.ndarray], np.ndarray]

    @property
    def told(self) -> dict[str, Any]:
        """As it stands in ``info.json``."""
        return {"dtype": self.dtype, "shape": list(self.shape), "names": self.names}


def export_lerobot(
    data: Dataset,
    folder: str | Path,
    *,
    fps: int | None = None,
    task: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Write a dataset as LeRobot does.

    Observations and actions become ``observation.state`` and ``action`` with all agents' numbers in one row, pictures
    ``observation.image`` or ``observation.images.AGENT``, texts ``observation.text``, dictionaries ``observation.KEY``;
    beside them ``next.reward`` (summed over agents), ``next.done``, ``next.truncated``, and ``next.success`` where the
    dataset keeps ``is_success``.

    Args:
        data: what to write; all episodes, or those chosen.
        folder: to be made.
        fps: steps a second; by default those at which the environment plays in real time.
        task: what was to be done, in words; by default the environment's summary.
        progress: called with the episodes written and all.

    Returns:
        The folder.

    Raises:
        FileExistsError: it is there already.
        ValueError: actions that are no plain array, or fewer than one step a second.
    """
    folder = Path(folder)
    if folder.exists():
        raise FileExistsError(f"{folder} is there already: delete it first, or name another")
    known, world = _environment(data)
    rate = fps if fps is not None else known["fps"]
    if rate < 1:
        raise ValueError(f"fps is {rate}, expected at least 1")
    features = _features(data, world)
    partial = folder.with_name(folder.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    try:
        writer = _Writer(data, features, rate, partial)
        for k in range(data.episodes_count):
            writer.episode(k)
            if progress:
                progress(k + 1, data.episodes_count)
        writer.finish(task or known["task"] or data.manifest.about.title or data.manifest.id)
        partial.rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return folder


def _environment(data: Dataset) -> tuple[dict[str, Any], Any]:
    """Its pace and its task, and its simulator; defaults where it is not registered here."""
    import envsuite
    from envsuite.core.companions import Pictures, companion
    from envsuite.core.world import make_world

    source = data.manifest.source
    try:
        card = envsuite.card(source.id)
    except KeyError:
        return {"fps": 30, "task": ""}, None
    world = make_world(card.world, **{**card.options, **source.options})
    return {"fps": max(1, round(companion(world, Pictures).fps)), "task": card.summary}, world


def _features(data: Dataset, world: Any) -> dict[str, _Feature]:
    """The columns, by LeRobot's names."""
    found: dict[str, _Feature] = {}
    several = bool(data.manifest.agents)
    for column, leaf in leaves(data.observation_space, "observations").items():
        key = column.partition(".")[2]
        if isinstance(leaf, spaces.Text) or data.columns[column].dtype.kind == "S":
            found[f"observation.{key or 'text'}"] = _Feature("string", (1,), None, column, _strings)
        elif _pictures(data.columns[column], several):
            found |= _cameras(data, column, key)
        else:
            named = _names(world.observation, data) if world is not None and not key else None
            found[f"observation.{key or 'state'}"] = _numbers(data.columns[column], column, named)
    if "actions" not in data.columns or data.columns["actions"].dtype.kind == "S":
        raise ValueError(f"{data.manifest.id} has actions that are no plain array of numbers, which LeRobot needs")
    named = _names(world.action, data) if world is not None else None
    found["action"] = _numbers(data.columns["actions"], "actions", named)
    size = len(data.manifest.objectives) or 1
    objectives = list(data.manifest.objectives) or None
    kind = data.columns["rewards"].dtype.name
    found["next.reward"] = _Feature(kind, (size,), objectives, "rewards", _total if several else _flat)
    found["next.done"] = _Feature("bool", (1,), None, "terminated", _flat)
    found["next.truncated"] = _Feature("bool", (1,), None, "truncated", _flat)
    if "infos.is_success" in data.columns:
        found["next.success"] = _Feature("bool", (1,), None, "infos.is_success", _every)
    return found


def _flat(rows: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(rows).reshape(len(rows), -1)


def _every(rows: np.ndarray) -> np.ndarray:
    return _flat(rows != 0).min(axis=1, keepdims=True)


def _total(rows: np.ndarray) -> np.ndarray:
    return _flat(rows.sum(axis=1))


def _strings(rows: np.ndarray) -> np.ndarray:
    return np.array([text.decode() for text in rows.reshape(-1)], object)


def _numbers(column: np.ndarray, name: str, named: list[str] | None) -> _Feature:
    size = int(np.prod(column.shape[1:]))
    return _Feature(column.dtype.name, (size,), named if named and len(named) == size else None, name, _flat)


def _names(layout: Any, data: Dataset) -> list[str] | None:
    """Names of the elements of an observation or action, for all agents."""
    blocks = getattr(layout, "blocks", ())
    one = [f"{b.name} {i}" if b.size > 1 else b.name for b in blocks for i in range(b.size)]
    return [f"{agent} {name}" for agent in data.manifest.agents for name in one] if data.manifest.agents else one


def _pictures(column: np.ndarray, several: bool) -> bool:
    return column.dtype == np.uint8 and column.ndim == 4 + several and column.shape[-1] in (1, 3, 4)


def _cameras(data: Dataset, column: str, key: str) -> dict[str, _Feature]:
    several = bool(data.manifest.agents)
    shape = data.columns[column].shape[1 + several :]
    axes = ["height", "width", "channels"]
    if not several:
        name = f"observation.images.{key}" if key else "observation.image"
        return {name: _Feature("image", shape, axes, column, np.asarray)}
    return {
        f"observation.images.{'.'.join(filter(None, (key, agent)))}": _Feature(
            "image", shape, axes, column, lambda rows, k=k: rows[:, k]
        )
        for k, agent in enumerate(data.manifest.agents)
    }


class _Writer:
    """Writes episodes one after another, and what is to be said of them at the end.

    Args:
        data: what to write.
        features: by name.
        fps: steps a second.
        folder: to be made.
    """

    def __init__(self, data: Dataset, features: dict[str, _Feature], fps: int, folder: Path):
        self.data, self.features, self.fps, self.folder = data, features, fps, folder
        self._counts: dict[str, np.ndarray] = {}
        self._rows: list[dict[str, Any]] = []
        self._file = -1
        self._writer: Any = None
        self._sink: Any = None
        self._steps = 0

    def episode(self, k: int) -> None:
        """Write the k-th of the chosen episodes."""
        import pyarrow as pa

        start, length = int(self.data.starts[k]), int(self.data.lengths[k])
        columns: dict[str, Any] = {}
        stats: dict[str, dict[str, Any]] = {}
        for name, one in self.features.items():
            values = one.rows(self.data.columns[one.column][start : start + length])
            if name in ("next.done", "next.truncated"):
                values = self._ends(name, start, length)
            columns[name] = _arrow(values, one)
            if one.dtype == "image":
                counts = _histograms(values)
                self._counts[name] = self._counts.get(name, 0) + counts
                stats[name] = _picture_statistics(counts, length)
            elif one.dtype != "string":
                stats[name] = _statistics(values.reshape(length, -1))
        for name, values in self._clock(k, length).items():
            columns[name] = pa.array(values)
            stats[name] = _statistics(values.reshape(length, 1))
        self._write(pa.table(columns))
        self._rows.append(
            {
                "episode_index": k,
                "length": length,
                "data/chunk_index": self._file // _CHUNK,
                "data/file_index": self._file % _CHUNK,
                "dataset_from_index": self._steps,
                "dataset_to_index": self._steps + length,
                "seed": int(self.data.columns["seeds"][self.data.chosen[k]]),
                **{f"stats/{name}/{key}": value for name, one in stats.items() for key, value in one.items()},
            }
        )
        self._steps += length

    def _ends(self, name: str, start: int, length: int) -> np.ndarray:
        """Whether the episode, of all agents, is over; or was cut off."""
        terminated, truncated = (
            self.data.columns[one][start : start + length].reshape(length, -1) for one in ("terminated", "truncated")
        )
        over = (terminated | truncated).all(axis=1)
        return over if name == "next.done" else over & ~terminated.all(axis=1)

    def _clock(self, k: int, length: int) -> dict[str, np.ndarray]:
        frames = np.arange(length)
        return {
            "timestamp": (frames / self.fps).astype(np.float32),
            "frame_index": frames,
            "episode_index": np.full(length, k),
            "index": frames + self._steps,
            "task_index": np.zeros(length, np.int64),
        }

    def _write(self, table: Any) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        if self._writer is None or self._sink.tell() >= FILE_MB << 20:
            self._close()
            self._file += 1
            where = _FILE.format(chunk_index=self._file // _CHUNK, file_index=self._file % _CHUNK)
            path = self.folder / "data" / where
            path.parent.mkdir(parents=True, exist_ok=True)
            self._sink = pa.OSFile(str(path), "wb")
            self._writer = pq.ParquetWriter(self._sink, table.schema, compression="snappy")
        self._writer.write_table(table, row_group_size=max(1, len(table)))

    def _close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._sink.close()

    def finish(self, task: str) -> None:
        """Write what is to be said of all episodes."""
        self._close()
        meta = self.folder / "meta"
        (meta / "episodes/chunk-000").mkdir(parents=True)
        self._write_episodes(meta / "episodes/chunk-000/file-000.parquet", task)
        _write_tasks(meta / "tasks.parquet", task)
        stats = {name: plain(one) for name, one in self._statistics()}
        (meta / "stats.json").write_text(json.dumps(stats, indent=1, allow_nan=False) + "\n", encoding="utf-8")
        info = self._info()
        (meta / "info.json").write_text(json.dumps(info, indent=1, allow_nan=False) + "\n", encoding="utf-8")
        (self.folder / "README.md").write_text(_readme(self.data, task), encoding="utf-8")

    def _write_episodes(self, path: Path, task: str) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pa.Table.from_pylist(_plain_lists(self._rows))
        count = len(self._rows)
        zeros = pa.array(np.zeros(count, np.int64))
        table = table.append_column("tasks", pa.array([[task]] * count))
        for name in ("meta/episodes/chunk_index", "meta/episodes/file_index"):
            table = table.append_column(name, zeros)
        pq.write_table(table, path, compression="snappy")

    def _statistics(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Of all steps together."""
        index = self.data.rows(np.arange(len(self.data)))[0]
        for name, one in self.features.items():
            if one.dtype == "image":
                yield name, _picture_statistics(self._counts[name], self._steps)
            elif name in ("next.done", "next.truncated"):
                parts = [
                    self._ends(name, int(a), int(n)) for a, n in zip(self.data.starts, self.data.lengths, strict=True)
                ]
                yield name, _statistics(np.concatenate(parts).reshape(-1, 1))
            elif one.dtype != "string":
                column = self.data.columns[one.column]
                yield name, _by_element(column, index, one)
        lengths = self.data.lengths
        clocks = [self._clock(k, int(n)) for k, n in enumerate(lengths)]
        for name in clocks[0]:
            rows = np.arange(self._steps) if name == "index" else np.concatenate([one[name] for one in clocks])
            yield name, _statistics(rows.reshape(-1, 1))

    def _info(self) -> dict[str, Any]:
        single = {name: {"dtype": kind, "shape": [1], "names": None} for name, kind in _CLOCK.items()}
        return {
            "codebase_version": VERSION,
            "fps": self.fps,
            "features": {name: one.told for name, one in self.features.items()} | single,
            "total_episodes": self.data.episodes_count,
            "total_frames": self._steps,
            "total_tasks": 1,
            "chunks_size": _CHUNK,
            "data_files_size_in_mb": FILE_MB,
            "video_files_size_in_mb": 200,
            "data_path": f"data/{_FILE}",
            "video_path": None,
            "robot_type": self.data.manifest.source.id,
            "splits": {"train": f"0:{self.data.episodes_count}"},
        }


_CLOCK = {
    "timestamp": "float32",
    "frame_index": "int64",
    "episode_index": "int64",
    "index": "int64",
    "task_index": "int64",
}


def _plain_lists(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Arrays as lists, for Arrow."""
    return [{key: one.tolist() if isinstance(one, np.ndarray) else one for key, one in row.items()} for row in rows]


def _arrow(values: np.ndarray, feature: _Feature) -> Any:
    """A column of one episode."""
    import pyarrow as pa

    if feature.dtype == "string":
        return pa.array(values.tolist(), pa.string())
    if feature.dtype == "image":
        kind = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
        return pa.array([{"bytes": _png(frame), "path": None} for frame in values], kind)
    flat = pa.array(np.ascontiguousarray(values).reshape(-1))
    return flat if feature.shape == (1,) else pa.FixedSizeListArray.from_arrays(flat, feature.shape[0])


def _png(frame: np.ndarray) -> bytes:
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(frame.squeeze(-1) if frame.shape[-1] == 1 else frame).save(out, "PNG")
    return out.getvalue()


def _statistics(rows: np.ndarray) -> dict[str, np.ndarray]:
    """Of (N, d) numbers, each (d,)."""
    numbers = rows.astype(np.float64) if rows.dtype.kind != "f" else rows
    found = {
        "min": numbers.min(0),
        "max": numbers.max(0),
        "mean": numbers.mean(0, dtype=np.float64),
        "std": numbers.std(0, dtype=np.float64),
        "count": np.array([len(rows)]),
    }
    return found | _quantiles(np.quantile(numbers, _QUANTILES, axis=0))


def _quantiles(values: np.ndarray) -> dict[str, np.ndarray]:
    return {f"q{round(100 * q):02d}": row for q, row in zip(_QUANTILES, values, strict=True)}


def _by_element(column: np.ndarray, index: np.ndarray, feature: _Feature) -> dict[str, np.ndarray]:
    """`_statistics` of all rows, some elements at a time, since columns may be larger than the memory."""
    size = feature.shape[0]
    if size == 1 or feature.rows is not _flat:
        return _statistics(feature.rows(column[index]).reshape(len(index), -1))
    flat = column.reshape(len(column), -1)
    parts = [_statistics(flat[index, j : j + 1]) for j in range(size)]
    return {key: parts[0][key] if key == "count" else np.concatenate([one[key] for one in parts]) for key in parts[0]}


def _histograms(frames: np.ndarray) -> np.ndarray:
    """(channels, 256), how often each channel had each value."""
    return np.stack([np.bincount(frames[..., c].reshape(-1), minlength=256) for c in range(frames.shape[-1])])


def _picture_statistics(counts: np.ndarray, frames: int) -> dict[str, np.ndarray]:
    """Of pictures in [0, 1], each (channels, 1, 1), exactly, from their histograms."""
    value, share = np.arange(256) / 255, counts / counts.sum(1, keepdims=True)
    mean = share @ value
    rising = share.cumsum(1)
    found = {
        "min": value[(counts > 0).argmax(1)],
        "max": value[255 - (counts[:, ::-1] > 0).argmax(1)],
        "mean": mean,
        "std": np.sqrt(np.maximum(share @ value**2 - mean**2, 0)),
    } | _quantiles(np.stack([value[np.minimum((rising < q - 1e-12).sum(1), 255)] for q in _QUANTILES]))
    return {key: one.reshape(-1, 1, 1) for key, one in found.items()} | {"count": np.array([frames])}


def _write_tasks(path: Path, task: str) -> None:
    """The table of tasks, whose index is the text, as pandas marks it."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = [
        {"name": name, "field_name": name, "pandas_type": kind, "numpy_type": numpy, "metadata": None}
        for name, kind, numpy in (("task_index", "int64", "int64"), ("task", "unicode", "object"))
    ]
    told = {"index_columns": ["task"], "column_indexes": [], "columns": columns, "pandas_version": "2.0.0"}
    table = pa.table({"task_index": pa.array([0], pa.int64()), "task": [task]})
    pq.write_table(table.replace_schema_metadata({"pandas": json.dumps(told)}), path)


def _readme(data: Dataset, task: str) -> str:
    """The card that the Hugging Face Hub reads."""
    manifest = data.manifest
    head = ["---", f"license: {manifest.about.licence.lower() or 'unknown'}", "task_categories:", "- robotics"]
    head += ["tags:", "- LeRobot", "configs:", "- config_name: default", "  data_files: data/*/*.parquet", "---", ""]
    body = [f"# {manifest.id}", "", task, "", manifest.about.summary, ""]
    body += [f"Made by envsuite from the dataset `{manifest.id}` with the hash `{manifest.hash}`."]
    return "\n".join([*head, *body]) + "\n"
