"""Minari: export that its loader opens and that comes back without loss, and import of any dataset of its own.

The layout is that of Minari 0.5 (Younis et al., 2024), written by its own storage. Observations have one row more than
actions, the last being the final observation. Of several agents, ``rewards``, ``terminations`` and ``truncations`` are
those of the joint view that ``recover_environment`` gives; each agent's own stand among the infos.
"""

import dataclasses
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.spaces import Space

from envsuite.data.columns import Spec, stored_dtype
from envsuite.data.dataset import Dataset, load
from envsuite.data.manifest import SCHEMA, About, Manifest, Source
from envsuite.data.spaces import leaf_spec, leaves, space_to_json, tree
from envsuite.data.store import write_dataset
from envsuite.evaluation.records import plain

KEY = "envsuite_manifest"
"""Where an exported dataset's manifest stands in Minari's metadata."""

_AGENTS = "agent_"
_FLAGS = {"rewards": "rewards", "terminated": "terminations", "truncated": "truncations"}


def export_minari(
    data: Dataset, root: str | Path | None = None, *, progress: Callable[[int, int], None] | None = None
) -> Path:
    """Write a dataset as Minari does, under the same id.

    Args:
        data: what to write; all episodes, or those chosen.
        root: Minari's folder of datasets; by default the one that Minari uses.
        progress: called with the episodes written and all.

    Returns:
        The folder.

    Raises:
        FileExistsError: Minari has a dataset of that id.
        ModuleNotFoundError: Minari is missing.
    """
    from minari import __version__
    from minari.dataset.minari_storage import MinariStorage
    from minari.storage.datasets_root_dir import get_dataset_path

    manifest = data.manifest
    target = Path(root) / manifest.id if root else Path(get_dataset_path(manifest.id))
    if target.exists():
        raise FileExistsError(f"{target} is there already: delete it first")
    partial = target.with_name(target.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    (partial / "data").mkdir(parents=True)
    try:
        storage = MinariStorage.new(
            partial / "data",
            data.observation_space,
            data.action_space,
            _env_spec(manifest),
            "hdf5",
            jpeg_encoding=False,
        )
        storage.update_episodes(_buffers(data, progress))
        storage.update_episode_metadata(_episode_metadata(data))
        storage.update_metadata(_metadata(data) | {"minari_version": __version__, "dataset_size": storage.get_size()})
        partial.rename(target)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return target


def _env_spec(manifest: Manifest):
    """What Minari makes the environment from; None where it is not registered here."""
    try:
        spec = gymnasium.spec(manifest.source.id)
    except gymnasium.error.Error:
        return None
    extra = {"obs_type": "pixels"} if manifest.source.observation == "pixels" else {}
    return dataclasses.replace(spec, kwargs={**spec.kwargs, **manifest.source.options, **extra})


def _metadata(data: Dataset) -> dict[str, Any]:
    manifest = data.manifest
    anchors = manifest.about.anchors.get("calibrated") or manifest.about.anchors.get("legacy")
    whole = len(data.chosen) == manifest.episodes and bool((np.diff(data.chosen) == 1).all())
    found: dict[str, Any] = {
        "dataset_id": manifest.id,
        "description": " ".join(filter(None, (manifest.about.title + ".", manifest.about.summary))),
        "algorithm_name": "; ".join(manifest.policies),
        "requirements": ["envsuite"] if manifest.source.behaviour else [],
        KEY: json.dumps(dataclasses.asdict(manifest)) if whole else "",
    }
    if anchors:
        found |= {"ref_min_score": anchors.low.mean, "ref_max_score": anchors.high.mean}
    return found


def _buffers(data: Dataset, progress: Callable[[int, int], None] | None) -> Iterator[Any]:
    from minari.data_collector.episode_buffer import EpisodeBuffer

    several = bool(data.manifest.agents)
    for k in range(data.episodes_count):
        number, start = int(data.chosen[k]), int(data.starts[k])
        rows = slice(start, start + int(data.lengths[k]))

        def following(name: str, leaf: Space, rows: slice = rows, number: int = number):
            last = data.columns["final_" + name][number]
            return _texts(np.concatenate([data.columns[name][rows], np.asarray(last)[None]]), leaf)

        columns: dict[str, Any] = {name: data.columns[name][rows] for name in _FLAGS}
        infos = {
            name: _with_first(column[rows], data.columns.get(f"reset_{name}"), number)
            for name, column in data.columns.items()
            if name.startswith("infos.")
        }
        if several:
            infos |= {f"infos.{_AGENTS}{_FLAGS[name]}": column for name, column in columns.items()}
            columns = _joint(columns)
        seed = int(data.columns["seeds"][number])
        yield EpisodeBuffer(
            id=k,
            seed=seed if seed >= 0 else None,
            observations=_nested(data.observation_space, "observations", following),
            actions=_nested(
                data.action_space, "actions", lambda name, leaf, rows=rows: _texts(data.columns[name][rows], leaf)
            ),
            rewards=columns["rewards"],
            terminations=columns["terminated"],
            truncations=columns["truncated"],
            infos=tree(infos, "infos") or None,
        )
        if progress:
            progress(k + 1, data.episodes_count)


def _joint(columns: dict[str, np.ndarray]) -> dict[str, Any]:
    """The joint view of several agents, as `envsuite.core.single.WorldEnv` gives it."""
    terminated = columns["terminated"].all(axis=1)
    ended = (columns["terminated"] | columns["truncated"]).all(axis=1)
    return {"rewards": columns["rewards"].sum(axis=1), "terminated": terminated, "truncated": ended & ~terminated}


def _with_first(rows: np.ndarray, first: np.ndarray | None, number: int) -> np.ndarray:
    """Infos after each step, behind those of the reset; zeros where these are not known."""
    begin = np.zeros_like(rows[:1]) if first is None else first[number : number + 1]
    return np.concatenate([begin, rows])


def _texts(rows: np.ndarray, leaf: Space) -> Any:
    return [text.decode() for text in rows] if isinstance(leaf, spaces.Text) else rows


def _nested(space: Space, prefix: str, leaf: Callable[[str, Space], Any]) -> Any:
    if isinstance(space, spaces.Dict):
        return {name: _nested(one, f"{prefix}.{name}", leaf) for name, one in space.spaces.items()}
    if isinstance(space, spaces.Tuple):
        return tuple(_nested(one, f"{prefix}._index_{k}", leaf) for k, one in enumerate(space.spaces))
    return leaf(prefix, space)


def _episode_metadata(data: Dataset) -> Iterator[dict[str, Any]]:
    """What Minari has no place for, as attributes of the episodes."""
    names = [name for name in ("policies", "final_known") if name in data.columns]
    return ({f"envsuite_{name}": data.columns[name][number] for name in names} for number in data.chosen)


def import_minari(
    dataset_id: str,
    root: str | Path | None = None,
    *,
    minari_root: str | Path | None = None,
    new_id: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Dataset:
    """Bring a dataset of Minari's into the store.

    Args:
        dataset_id: of a dataset that is on this machine (``minari download`` fetches others).
        root: of the store.
        minari_root: Minari's folder of datasets; by default the one that Minari uses.
        new_id: of the result; by default the same.
        progress: called with the episodes read and all.

    Returns:
        The dataset. One that `export_minari` wrote has the hash that it had; others are what Minari's loader gives:
        episodes without a flag at their end are marked truncated, infos that are no numbers are left out, and the
        manifest's ``about.origin`` says of how many.

    Raises:
        FileNotFoundError: Minari has no such dataset.
        ValueError: it holds what no column can.
    """
    from minari.dataset.minari_storage import MinariStorage
    from minari.storage.datasets_root_dir import get_dataset_path

    path = Path(minari_root) / dataset_id if minari_root else Path(get_dataset_path(dataset_id))
    if not (path / "data" / "metadata.json").is_file():
        raise FileNotFoundError(f"there is no Minari dataset {dataset_id} in {path}: `minari download` may fetch it")
    reader = _Reader(MinariStorage.read(path / "data"), progress)
    made = json.loads(reader.metadata.get(KEY) or "null")
    if made:
        manifest = Manifest.from_json(json.dumps(made), f"{path}: {KEY}")
        specs = {name: (np.dtype(column.dtype), column.shape) for name, column in manifest.columns.items()}
        whole = dataclasses.replace(manifest, id=new_id or manifest.id)
        write_dataset(whole, specs, reader.own(manifest), root, expected=manifest.hash)
        return load(whole.id, root)
    manifest = reader.describe(new_id or dataset_id)
    specs = reader.specs()
    origin = {**manifest.about.origin, "marked_truncated": reader.unmarked, "left_out": sorted(reader.left_out)}
    manifest = dataclasses.replace(
        manifest, episodes=reader.episodes, steps=reader.steps, about=dataclasses.replace(manifest.about, origin=origin)
    )
    write_dataset(manifest, specs, reader.foreign(specs), root)
    return load(manifest.id, root)


class _Reader:
    """Goes through the episodes of Minari's storage, one in memory at a time."""

    def __init__(self, storage: Any, progress: Callable[[int, int], None] | None):
        self._storage, self._progress = storage, progress
        self.metadata = storage.metadata
        self.episodes = int(storage.total_episodes)
        if self.episodes < 1:
            raise ValueError("the Minari dataset has no episodes")
        self._attributes = list(storage.get_episode_metadata(range(self.episodes)))
        self._spaces = {
            **leaves(storage.observation_space, "observations"),
            **leaves(storage.action_space, "actions"),
        }
        self.unmarked = 0
        self.left_out: set[str] = set()
        self.steps = 0
        self._lengths: list[int] = []

    def _walk(self) -> Iterator[tuple[int, dict[str, Any]]]:
        for k, episode in enumerate(self._storage.get_episodes(range(self.episodes))):
            found: dict[str, Any] = {}
            for prefix in ("observations", "actions", "infos"):
                if episode.get(prefix) is not None:
                    found |= _flat(episode[prefix], prefix)
            found |= {name: np.asarray(episode[theirs]) for name, theirs in _FLAGS.items()}
            yield k, found
            if self._progress:
                self._progress(k + 1, self.episodes)

    def specs(self) -> dict[str, Spec]:
        """Types and shapes of all columns, from one pass over the data."""
        widths: dict[str, int] = {}
        infos: dict[str, Spec] | None = None
        rewards: Spec | None = None
        for _, found in self._walk():
            length = len(found["rewards"])
            self._lengths.append(length)
            self.unmarked += int(length > 0 and not (found["terminated"][-1] or found["truncated"][-1]))
            for name, leaf in self._spaces.items():
                if isinstance(leaf, spaces.Text):
                    widths[name] = max(widths.get(name, 1), *(len(text.encode()) for text in found[name]))
            mine = self._infos_of(found, length)
            infos = mine if infos is None else {n: one for n, one in infos.items() if mine.get(n) == one}
            rewards = stored_dtype(found["rewards"].dtype), found["rewards"].shape[1:]
            self.left_out |= {name for name in found if name.startswith("infos.") and name not in (infos or {})}
        self.steps = sum(self._lengths)
        assert rewards is not None
        flag = (np.dtype(np.bool_), (self.steps,))
        specs: dict[str, Spec] = {
            "offsets": (np.dtype("<i8"), (self.episodes + 1,)),
            "seeds": (np.dtype("<i8"), (self.episodes,)),
            "rewards": (rewards[0], (self.steps, *rewards[1])),
            "terminated": flag,
            "truncated": flag,
        }
        for name, leaf in self._spaces.items():
            dtype, shape = leaf_spec(leaf) or (np.dtype(f"S{widths[name]}"), ())
            specs[name] = dtype, (self.steps, *shape)
            if name.startswith("observations"):
                specs[f"final_{name}"] = dtype, (self.episodes, *shape)
        for name, (dtype, shape) in (infos or {}).items():
            specs[name] = dtype, (self.steps, *shape)
            specs[f"reset_{name}"] = dtype, (self.episodes, *shape)
        return specs

    def _infos_of(self, found: dict[str, Any], length: int) -> dict[str, Spec]:
        infos = {}
        for name, rows in found.items():
            array = np.asarray(rows) if name.startswith("infos.") else None
            if array is not None and array.dtype.kind in "biuf" and len(array) == length + 1:
                infos[name] = stored_dtype(array.dtype), array.shape[1:]
        return infos

    def foreign(self, specs: dict[str, Spec]) -> Iterator[dict[str, np.ndarray]]:
        """Pieces of the columns of a dataset that others made."""
        yield {"offsets": np.concatenate([[0], np.cumsum(self._lengths)])}
        for k, found in self._walk():
            piece = self._observed(found, specs)
            for name, (dtype, _) in specs.items():
                if name.startswith("infos."):
                    rows = np.asarray(found[name], dtype)
                    piece |= {name: rows[1:], f"reset_{name}": rows[:1]}
            terminated = found["terminated"].astype(np.bool_)
            truncated = found["truncated"].astype(np.bool_) & ~terminated
            truncated[-1] |= not terminated[-1]
            seed = self._attributes[k].get("seed")
            piece |= {
                "rewards": found["rewards"],
                "terminated": terminated,
                "truncated": truncated,
                "seeds": np.array([-1 if seed is None else seed], np.int64),
            }
            yield piece

    def _observed(self, found: dict[str, Any], specs: dict[str, Spec]) -> dict[str, np.ndarray]:
        piece = {}
        for name in self._spaces:
            dtype, shape = specs[name]
            texts = dtype.kind == "S"
            rows = np.asarray(
                [text.encode() for text in found[name]] if texts else found[name], None if texts else dtype
            )
            rows = rows.reshape(-1, *shape[1:])
            if name.startswith("observations"):
                last = f"final_{name}"
                piece |= {name: rows[:-1].astype(dtype), last: rows[-1:].astype(specs[last][0])}
            else:
                piece[name] = rows.astype(dtype)
        return piece

    def own(self, manifest: Manifest) -> Iterator[dict[str, np.ndarray]]:
        """Pieces of the columns of a dataset that `export_minari` wrote."""
        specs: dict[str, Spec] = {n: (np.dtype(c.dtype), c.shape) for n, c in manifest.columns.items()}
        lengths = [int(one["total_steps"]) for one in self._attributes]
        yield {"offsets": np.concatenate([[0], np.cumsum(lengths)])}
        for k, found in self._walk():
            piece = self._observed(found, specs)
            for name in ("rewards", "terminated", "truncated"):
                piece[name] = found[f"infos.{_AGENTS}{_FLAGS[name]}"] if manifest.agents else found[name]
            for name in specs:
                if name.startswith("infos."):
                    piece[name] = found[name][1:]
                if name.startswith("reset_infos."):
                    piece[name] = found[name.removeprefix("reset_")][:1]
            attributes = self._attributes[k]
            piece["seeds"] = np.array([attributes.get("seed", -1)], np.int64)
            for name in ("policies", "final_known"):
                if name in specs:
                    piece[name] = np.array([attributes[f"envsuite_{name}"]], specs[name][0])
            yield piece

    def describe(self, dataset_id: str) -> Manifest:
        """The manifest of a dataset that others made, without columns."""
        told = {
            key: plain(value)
            for key, value in self.metadata.items()
            if key not in ("observation_space", "action_space", "env_spec", KEY)
        }
        env = json.loads(self.metadata.get("env_spec") or "{}")
        about = About(
            title=str(told.get("description", "")).split(".")[0][:200],
            summary=str(told.get("description", "")),
            citation=str(told.get("docs_url", "") or told.get("code_permalink", "")),
            origin={"minari": told},
        )
        source = Source(str(env.get("id", "")), plain(env.get("kwargs") or {}), "", env.get("max_episode_steps"))
        return Manifest(
            SCHEMA,
            dataset_id,
            "",
            source,
            space_to_json(self._storage.observation_space),
            space_to_json(self._storage.action_space),
            0,
            0,
            {},
            about=about,
        )


def _flat(value: Any, prefix: str) -> dict[str, Any]:
    if isinstance(value, dict):
        return {name: leaf for key, one in value.items() for name, leaf in _flat(one, f"{prefix}.{key}").items()}
    if isinstance(value, tuple):
        return {n: leaf for k, one in enumerate(value) for n, leaf in _flat(one, f"{prefix}._index_{k}").items()}
    return {prefix: value}
