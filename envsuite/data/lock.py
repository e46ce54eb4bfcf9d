"""Locks: what published datasets came out as, one file a family, ``datasets/FAMILY/lock.json``."""

import json
from pathlib import Path
from typing import Any

from envsuite.cards import datasets_folder, locked
from envsuite.core.files import write_atomic
from envsuite.data.dataset import Dataset
from envsuite.data.statistics import returns_table, statistics


def lock_file(family: str) -> Path:
    """Where the lock of a family lies."""
    return datasets_folder() / family / "lock.json"


def entry(data: Dataset, small_hash: str) -> dict[str, Any]:
    """What a lock keeps of a dataset: its hash, and what its data card shows.

    Args:
        data: whole.
        small_hash: of its small form.

    Returns:
        Plain data: ``env_id``, ``behaviour``, ``hash``, ``small`` (hash), ``episodes``, ``steps``, ``bytes``,
        ``terminated``, ``truncated``, ``table`` (see `envsuite.data.statistics.returns_table`), ``columns`` (type and
        shape of a row) and ``versions``.
    """
    manifest, found = data.manifest, statistics(data)
    return {
        "env_id": manifest.source.id,
        "behaviour": manifest.source.behaviour,
        "hash": manifest.hash,
        "small": small_hash,
        **{name: found[name] for name in ("episodes", "steps", "bytes", "terminated", "truncated")},
        "table": {
            name: [count, *(float(f"{one:.6g}") for one in numbers)]
            for name, (count, *numbers) in returns_table(found).items()
        },
        "columns": {name: [one.dtype, *one.shape[1:]] for name, one in sorted(manifest.columns.items())},
        "versions": manifest.about.versions,
    }


def write_lock(family: str, entries: dict[str, dict[str, Any]]) -> None:
    """Write the lock of a family, a line a key, so that changes can be read.

    Args:
        family: its name.
        entries: all of them, by the datasets' ids.
    """
    blocks = []
    for name, one in sorted(entries.items()):
        lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in one.items())
        blocks.append(f" {json.dumps(name)}: {{\n{lines}\n }}")
    path = lock_file(family)
    path.parent.mkdir(exist_ok=True)
    write_atomic(path, "{\n" + ",\n".join(blocks) + "\n}\n")
    locked.cache_clear()


def add_to_lock(family: str, name: str, found: dict[str, Any]) -> None:
    """Add or replace one entry of the lock of a family.

    Args:
        family: its name.
        name: id of the dataset.
        found: see `entry`.
    """
    path = lock_file(family)
    known = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    write_lock(family, {**known, name: found})
