"""OGBench's ``.npz`` files (Park et al., 2025, arXiv 2410.20092).

A trajectory of T steps has T + 1 rows; ``terminals`` marks its last one, whose observation is the final one and whose
action was never taken. Nothing in them terminates: the marks are ends of trajectories.
"""

from pathlib import Path
from typing import Any

import numpy as np

from envsuite.data.dataset import Dataset
from envsuite.data.formats.flat import Flat, Told, check_lengths, read_npz, store_flat

_NEEDED = ("observations", "actions", "terminals")


def import_ogbench(path: str | Path, told: Told, root: str | Path | None = None) -> Dataset:
    """Bring an OGBench file into the store.

    Args:
        path: the file.
        told: what the dataset is to be called, and what is known of it.
        root: of the store.

    Returns:
        The dataset; rewards are 0 where the file has none, for goals are chosen in hindsight.

    Raises:
        ValueError: the file is no such thing.
    """
    path = Path(path)
    arrays = read_npz(path, _NEEDED)
    count = check_lengths(path, arrays)
    ends = arrays.pop("terminals").reshape(count).astype(np.bool_)
    unmarked = int(not ends[-1])
    ends[-1] = True
    last = np.flatnonzero(ends)
    starts = np.concatenate([[0], last[:-1] + 1])
    if (short := last == starts).any():
        raise ValueError(
            f"{path}: the trajectory at row {int(starts[short.argmax()])} has one row, expected at least 2"
        )
    keep = ~ends
    truncated = np.zeros(count, np.bool_)
    truncated[last - 1] = True
    observations, actions = arrays.pop("observations"), arrays.pop("actions")
    rewards = arrays.pop("rewards", np.zeros(count, np.float32)).reshape(count)
    flat = Flat(
        observations[keep],
        actions[keep],
        rewards[keep],
        np.zeros(int(keep.sum()), np.bool_),
        truncated[keep],
        np.concatenate([[0], np.cumsum(last - starts)]),
        observations[last],
        np.ones(len(last), np.bool_),
        {name: array[keep] for name, array in arrays.items() if array.dtype.kind in "biuf"},
    )
    origin = {"format": "ogbench", "file": path.name, "rows": count, "repairs": {"unmarked_end": unmarked}}
    return store_flat(flat, told, origin, root)


def export_ogbench(data: Dataset, path: str | Path) -> None:
    """Write a dataset as OGBench does; the row of a final observation has an action of zeros.

    Args:
        data: what to write; observations and actions must be plain arrays, and all of it has to fit into memory.
        path: of the ``.npz`` file.

    Raises:
        ValueError: observations or actions that are no plain arrays of numbers.
    """
    if any(name not in data.columns or data.columns[name].dtype.kind == "S" for name in ("observations", "actions")):
        raise ValueError(f"{data.manifest.id} has observations or actions that are no plain arrays of numbers")
    parts: dict[str, list[Any]] = {"observations": [], "actions": [], "terminals": []}
    for episode in data.episodes():
        parts["observations"] += [episode.observations, np.asarray(episode.final_observation)[None]]
        parts["actions"] += [episode.actions, np.zeros_like(episode.actions[:1])]
        parts["terminals"].append(np.arange(len(episode) + 1) == len(episode))
    with Path(path).open("xb") as file:
        columns: dict[str, Any] = {name: np.concatenate(some) for name, some in parts.items()}
        np.savez_compressed(file, **columns)
