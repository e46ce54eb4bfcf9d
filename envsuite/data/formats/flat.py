"""Flat arrays of transitions as one dataset: what the importers of D4RL, OGBench and NeoRL files share."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces

from envsuite.data.columns import stored_dtype
from envsuite.data.dataset import Dataset, load
from envsuite.data.manifest import SCHEMA, About, Manifest, Source
from envsuite.data.spaces import space_to_json
from envsuite.data.store import write_dataset


@dataclass(frozen=True)
class Flat:
    """N transitions in E episodes.

    Attributes:
        observations: (N, *O).
        actions: (N, *A).
        rewards: (N,).
        terminated: (N,) bool.
        truncated: (N,) bool.
        offsets: (E + 1,) int64.
        final_observations: (E, *O).
        final_known: (E,) bool, False where a final observation is only the last one seen.
        infos: (N, ...) by name.
    """

    observations: np.ndarray
    actions: np.ndarray
    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    offsets: np.ndarray
    final_observations: np.ndarray
    final_known: np.ndarray
    infos: dict[str, np.ndarray]


@dataclass(frozen=True)
class Told:
    """What a file of arrays does not say of itself.

    Attributes:
        id: of the dataset.
        env_id: of the environment.
        horizon: its length limit.
        title: one line.
        licence: SPDX name.
        citation: what to cite.
    """

    id: str
    env_id: str = ""
    horizon: int | None = None
    title: str = ""
    licence: str = ""
    citation: str = ""


def store_flat(flat: Flat, told: Told, origin: dict[str, Any], root: str | Path | None = None) -> Dataset:
    """Write transitions into the store.

    Args:
        flat: what to write.
        told: what is known of it.
        origin: where it came from, and what was repaired.
        root: of the store.
    """
    count = len(flat.offsets) - 1
    manifest = Manifest(
        SCHEMA,
        told.id,
        "",
        Source(told.env_id or told.id, {}, "", told.horizon),
        space_to_json(_space(flat.observations, unbounded=True)),
        space_to_json(_space(flat.actions)),
        count,
        len(flat.rewards),
        {},
        about=About(told.title, licence=told.licence, citation=told.citation, origin=origin),
    )
    columns = {name: getattr(flat, name) for name in Flat.__dataclass_fields__ if name != "infos"}
    columns |= {f"infos.{name}": rows for name, rows in flat.infos.items()}
    columns["seeds"] = np.full(count, -1, np.int64)
    specs = {name: (stored_dtype(array.dtype), array.shape) for name, array in columns.items()}
    write_dataset(manifest, specs, [columns], root)
    return load(told.id, root)


def _space(rows: np.ndarray, unbounded: bool = False) -> spaces.Space:
    """The space of such rows: files do not tell bounds, so actions are in [-1, 1] where all of them are."""
    if rows.dtype == np.uint8:
        return spaces.Box(0, 255, rows.shape[1:], np.uint8)
    if rows.dtype.kind in "iu" and rows.ndim == 1:
        return spaces.Discrete(int(rows.max()) + 1, dtype=rows.dtype.type)
    edge = 1.0 if not unbounded and np.abs(rows).max() <= 1 else np.inf
    return spaces.Box(-edge, edge, rows.shape[1:], rows.dtype.type)


def read_npz(path: Path, needed: tuple[str, ...]) -> dict[str, np.ndarray]:
    """The arrays of a ``.npz`` file; objects are refused.

    Raises:
        ValueError: it is none, or lacks an array.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            found = {name: file[name] for name in file.files}
    except (OSError, ValueError, EOFError, KeyError) as error:
        raise ValueError(f"{path} cannot be read: {error}") from error
    if missing := sorted(set(needed) - set(found)):
        raise ValueError(f"{path} has no array {missing[0]!r}, but {sorted(found)}")
    return found


def check_lengths(path: Path, arrays: dict[str, np.ndarray]) -> int:
    """The number of rows that all arrays have.

    Raises:
        ValueError: they differ, or are none.
    """
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) != 1 or not next(iter(lengths.values())):
        raise ValueError(f"{path}: arrays have {lengths} rows, expected the same number, at least 1")
    return next(iter(lengths.values()))


def keep_rows(flat: Flat, rows: np.ndarray) -> Flat:
    """The same episodes with some rows of their ends left out.

    Args:
        flat: what to cut.
        rows: (N,) bool, those that stay; episodes that lose all of them are gone.
    """
    counts = np.add.reduceat(rows.astype(np.int64), flat.offsets[:-1])
    stay = counts > 0
    steps = ("observations", "actions", "rewards", "terminated", "truncated")
    return replace(
        flat,
        **{name: getattr(flat, name)[rows] for name in steps},
        offsets=np.concatenate([[0], np.cumsum(counts[stay])]),
        final_observations=flat.final_observations[stay],
        final_known=flat.final_known[stay],
        infos={name: array[rows] for name, array in flat.infos.items()},
    )
