"""Where datasets lie: a folder each, whose manifest is replaced in one step, whatever happens meanwhile.

``ROOT/ID/manifest.json`` names the folder ``ROOT/ID/HASH/`` of the columns. A new version is written beside the old one
under another name, and exists from the moment on at which the manifest is renamed into place.
"""

import os
import secrets
import shutil
from collections.abc import Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import numpy as np

from envsuite.core.files import write_atomic
from envsuite.data.columns import Column, ColumnWriter, Spec, file_name
from envsuite.data.manifest import Manifest, check_id

MANIFEST = "manifest.json"
_SYNCS = 16
VARIABLE = "ENVSUITE_DATASETS"
"""Environment variable that names the root."""


def default_root() -> Path:
    """The folder of all datasets: that of the environment variable, or ``~/.envsuite/datasets``."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else Path.home() / ".envsuite" / "datasets"


def folder_of(dataset_id: str, root: str | Path | None = None) -> Path:
    """The folder of a dataset.

    Raises:
        ValueError: no id.
    """
    check_id(dataset_id)
    return (Path(root) if root else default_root()) / dataset_id


def flat_name(dataset_id: str) -> str:
    """An id as the name of one file; no two ids have the same."""
    return dataset_id.replace("/", "+")


def read_manifest(folder: Path) -> Manifest:
    """The manifest in a dataset's folder.

    Raises:
        FileNotFoundError: there is none.
        ValueError: it is none.
    """
    return Manifest.from_json((folder / MANIFEST).read_bytes(), str(folder / MANIFEST))


def local(root: str | Path | None = None) -> list[Manifest]:
    """All datasets below a root that can be read, by id."""
    base = Path(root) if root else default_root()
    found = []
    for path in sorted(base.glob(f"**/{MANIFEST}")):
        if not any(part.startswith(".") for part in path.relative_to(base).parts):
            manifest = read_manifest(path.parent)
            if path.parent == base / manifest.id:
                found.append(manifest)
    return found


@contextmanager
def locked(dataset_id: str, root: str | Path | None = None) -> Generator[Path]:
    """Hold a dataset's lock, so that one process at a time writes it; what killed ones left is removed.

    Yields:
        The dataset's folder.

    Raises:
        ModuleNotFoundError: filelock is missing; the message tells how to install it.
    """
    try:
        from filelock import FileLock
    except ModuleNotFoundError as error:
        message = 'filelock is not installed: pip install "envsuite[datasets]"'
        raise ModuleNotFoundError(message, name="filelock") from error
    folder = folder_of(dataset_id, root)
    locks = (Path(root) if root else default_root()) / ".locks"
    locks.mkdir(parents=True, exist_ok=True)
    with FileLock(locks / f"{flat_name(dataset_id)}.lock"):
        folder.mkdir(parents=True, exist_ok=True)
        _sweep(folder)
        try:
            yield folder
        finally:
            with suppress(OSError):  # where something came into them
                folder.rmdir()
                for above in folder.relative_to(locks.parent).parents[:-1]:
                    (locks.parent / above).rmdir()


def _sweep(folder: Path) -> None:
    for path in folder.glob("*.partial"):
        shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)


def write_columns(folder: Path, specs: dict[str, Spec], pieces: Iterable[dict[str, np.ndarray]]) -> dict[str, Column]:
    """Write columns block by block.

    Args:
        folder: where to; exists.
        specs: type and shape of each whole column.
        pieces: rows to append, by column; any column may be absent from any piece.

    Returns:
        What was written.

    Raises:
        ValueError: pieces do not fit together to what was announced.
    """
    with ExitStack() as stack:
        writers = {}
        for name, (dtype, shape) in specs.items():
            writers[name] = ColumnWriter(folder / file_name(name), dtype, shape)
            stack.callback(writers[name].close)
        for piece in pieces:
            for name, rows in piece.items():
                writers[name].append(rows)
        columns = {name: writer.finish() for name, writer in writers.items()}
        with ThreadPoolExecutor(_SYNCS) as pool:  # file systems answer all that wait with one write of their journal
            list(pool.map(ColumnWriter.sync, writers.values()))
        return columns


def write_dataset(
    manifest: Manifest,
    specs: dict[str, Spec],
    pieces: Iterable[dict[str, np.ndarray]],
    root: str | Path | None = None,
    *,
    expected: str = "",
) -> Manifest:
    """Write a dataset; the old version of the same id, if any, stays whole until the new one is.

    Args:
        manifest: without columns and hash.
        specs: see `write_columns`.
        pieces: see `write_columns`; memory is needed for one of them at a time.
        root: of the store.
        expected: the hash that the dataset must have; empty for any.

    Returns:
        The manifest as it was written.

    Raises:
        ValueError: the columns do not fit the manifest, or the hash is not the expected one.
    """
    with locked(manifest.id, root) as folder:
        return write_into(folder, manifest, specs, pieces, expected=expected)


def write_into(
    folder: Path,
    manifest: Manifest,
    specs: dict[str, Spec],
    pieces: Iterable[dict[str, np.ndarray]],
    *,
    expected: str = "",
) -> Manifest:
    """The same as `write_dataset`, by the holder of the lock."""
    partial = folder / f"{secrets.token_hex(4)}.partial"
    partial.mkdir()
    try:
        columns = write_columns(partial, specs, pieces)
        whole = replace(manifest, columns=columns).sealed()
        if expected and whole.hash != expected:
            raise ValueError(f"{whole.id}: its hash is {whole.hash}, expected {expected}")
        commit(folder, partial, whole)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return whole


def commit(folder: Path, partial: Path, manifest: Manifest) -> None:
    """Make a folder of columns the dataset; the caller holds the lock.

    Args:
        folder: of the dataset.
        partial: the columns, complete; renamed.
        manifest: that tells of them.
    """
    target = folder / manifest.folder
    if target.is_dir():  # of the same hash: files are equal or damaged
        for path in partial.iterdir():
            os.replace(path, target / path.name)
    else:
        os.replace(partial, target)
    write_atomic(folder / MANIFEST, manifest.to_json())
    for old in folder.iterdir():
        if old.is_dir() and old != target and _is_version(old.name):
            shutil.rmtree(old, ignore_errors=True)


def _is_version(name: str) -> bool:
    return len(name) == 16 and not set(name) - set("0123456789abcdef")


def delete(dataset_id: str, root: str | Path | None = None) -> None:
    """Remove a dataset.

    Raises:
        FileNotFoundError: there is none.
    """
    with locked(dataset_id, root) as folder:
        (folder / MANIFEST).unlink()
        for path in folder.iterdir():
            if path.is_dir() and _is_version(path.name):
                shutil.rmtree(path)
