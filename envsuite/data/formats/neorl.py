"""NeoRL's ``.npz`` files (Qin et al., 2022, arXiv 2102.00714; Gao et al., 2025, arXiv 2503.19267).

Arrays ``obs``, ``action``, ``reward``, ``done``, ``next_obs`` have a row a step, ``index`` the rows at which
trajectories begin. ``done`` does not tell a task's end from a time limit's: where a trajectory has as many steps as the
environment allows it was truncated.
"""

from pathlib import Path

import numpy as np

from envsuite.data.dataset import Dataset
from envsuite.data.formats.flat import Flat, Told, check_lengths, read_npz, store_flat

_STEPS = ("obs", "action", "reward", "done", "next_obs")


def import_neorl(path: str | Path, told: Told, root: str | Path | None = None) -> Dataset:
    """Bring a NeoRL file into the store.

    Args:
        path: the file.
        told: what the dataset is to be called, and what is known of it; its horizon tells truncation.
        root: of the store.

    Raises:
        ValueError: the file is no such thing, or its next observations are not those of the next row.
    """
    path = Path(path)
    arrays = read_npz(path, (*_STEPS, "index"))
    count = check_lengths(path, {name: arrays[name] for name in _STEPS})
    starts = np.asarray(arrays["index"], np.int64).reshape(-1)
    starts = starts[starts < count]
    if not starts.size or starts[0] != 0 or (np.diff(starts) < 1).any():
        raise ValueError(f"{path}: index does not rise from 0, but is {starts[:5].tolist()}...")
    offsets = np.concatenate([starts, [count]])
    last = offsets[1:] - 1
    done = arrays["done"].reshape(count).astype(np.bool_)
    inside = np.ones(count, np.bool_)
    inside[last] = False
    rows = np.flatnonzero(inside)
    if (wrong := (arrays["next_obs"][rows] != arrays["obs"][rows + 1]).reshape(len(rows), -1).any(axis=1)).any():
        raise ValueError(f"{path}: next_obs at row {int(rows[wrong.argmax()])} is not obs at the row after it")
    limit = np.diff(offsets) >= told.horizon if told.horizon else np.zeros(len(last), np.bool_)
    terminated, truncated = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    terminated[last] = done[last] & ~limit
    truncated[last] = ~terminated[last]
    flat = Flat(
        arrays["obs"],
        arrays["action"],
        arrays["reward"].reshape(count),
        terminated,
        truncated,
        offsets,
        arrays["next_obs"][last],
        np.ones(len(last), np.bool_),
        {},
    )
    repairs = {"done_inside": int(done[inside].sum()), "done_at_the_limit": int((done[last] & limit).sum())}
    return store_flat(flat, told, {"format": "neorl", "file": path.name, "rows": count, "repairs": repairs}, root)
