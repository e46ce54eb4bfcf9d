"""Moves datasets between stores and remotes: what arrives is checked, and a transfer that breaks off goes on later."""

import contextlib
import errno
import importlib
import json
import os
import shutil
import time
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from envsuite.core.files import write_atomic
from envsuite.data.columns import Column, file_name, hash_file
from envsuite.data.dataset import Dataset, load
from envsuite.data.manifest import Manifest, check_id
from envsuite.data.remotes import (
    INDEX,
    SCHEMA,
    ArchiveRemote,
    FolderRemote,
    Remote,
    make_index,
    open_remote,
    read_index,
)
from envsuite.data.store import MANIFEST, commit, default_root, folder_of, locked

VARIABLE = "ENVSUITE_REMOTES"
"""Environment variable with the addresses of remotes, separated by spaces, the best first."""

ATTEMPTS = 5
"""How often a transfer that breaks off is taken up again, from where it was."""

_PAUSE = 0.2

_OURS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM}
"""Failures of this machine's disk, which no other mirror mends."""

Progress = Callable[[int, int], None]


def default_remotes() -> list[str]:
    """The remotes that the environment variable names."""
    return os.environ.get(VARIABLE, "").split()


def download(
    dataset_id: str,
    remotes: Sequence[str],
    root: str | Path | None = None,
    *,
    expected: str = "",
    progress: Progress | None = None,
) -> Dataset:
    """Fetch a dataset.

    Args:
        dataset_id: which.
        remotes: addresses, see `envsuite.data.remotes.open_remote`; the next is tried where one fails, and goes on
            where that one was.
        root: of the store.
        expected: the hash that it must have, for instance its recipe's; empty for any.
        progress: called with the bytes that are here and all.

    Raises:
        OSError: no remote has it, or none can be reached, or the disk is full.
        ValueError: what came is not what the manifest says, or has another hash.
    """
    check_id(dataset_id)
    if not remotes:
        raise OSError(f"no remote is given to fetch {dataset_id} from")
    with locked(dataset_id, root) as folder:
        errors = []
        for url in remotes:
            try:
                return _fetch(open_remote(url), dataset_id, folder, expected, progress)
            except (OSError, ValueError) as error:
                if getattr(error, "errno", None) in _OURS:
                    raise
                errors.append((url, error))
    if len(errors) == 1:
        url, error = errors[0]
        raise type(error)(f"{dataset_id} could not be fetched from {url}: {error}")
    lines = [f"  {url}: {error}" for url, error in errors]
    kind = ValueError if all(isinstance(error, ValueError) for _, error in errors) else OSError
    raise kind("\n".join([f"{dataset_id} could not be fetched:", *lines]))


def _fetch(remote: Remote, dataset_id: str, folder: Path, expected: str, progress: Progress | None) -> Dataset:
    where = f"{dataset_id}/{MANIFEST}"
    manifest = Manifest.from_json(remote.read(where), f"{remote.url}/{where}")
    if manifest.id != dataset_id:
        raise ValueError(f"{remote.url} gives {manifest.id} under the name of {dataset_id}")
    if expected and manifest.hash != expected:
        raise ValueError(f"{remote.url} has {dataset_id} with the hash {manifest.hash}, expected {expected}")
    if isinstance(remote, ArchiveRemote):
        _check_members(remote, manifest)
    try:
        found = load(folder, check=True)
        if found.manifest.hash == manifest.hash:
            return found
    except (FileNotFoundError, ValueError):
        pass
    incoming = folder / f"{manifest.folder}.incoming"
    incoming.mkdir(exist_ok=True)
    _check_space(incoming, manifest)
    counter = _Counter(manifest, progress)
    for name, column in manifest.columns.items():
        _fetch_column(remote, f"{dataset_id}/{manifest.folder}/{file_name(name)}", incoming, name, column, counter)
    for path in list(incoming.iterdir()):
        if path.name not in {file_name(name) for name in manifest.columns}:
            path.unlink()
    commit(folder, incoming, manifest)
    shutil.rmtree(incoming, ignore_errors=True)
    for other in folder.glob("*.incoming"):  # of versions that nobody wants any more
        shutil.rmtree(other, ignore_errors=True)
    return load(folder)


def _check_members(remote: ArchiveRemote, manifest: Manifest) -> None:
    wanted = {f"{manifest.id}/{MANIFEST}"}
    wanted |= {f"{manifest.id}/{manifest.folder}/{file_name(name)}" for name in manifest.columns}
    if odd := sorted(remote.names ^ wanted):
        raise ValueError(f"{remote.url} is no archive of {manifest.id}: {odd[0]!r:.200} is missing, or too much")


def _check_space(incoming: Path, manifest: Manifest) -> None:
    here = sum(path.stat().st_size for path in incoming.iterdir())
    free = shutil.disk_usage(incoming).free
    if manifest.nbytes - here > free:
        raise OSError(errno.ENOSPC, f"{manifest.id} has {manifest.nbytes} bytes, {free} are free in {incoming.parent}")


class _Counter:
    def __init__(self, manifest: Manifest, progress: Progress | None):
        self._total = sum(len(one.header) + one.nbytes for one in manifest.columns.values())
        self._done, self._progress = 0, progress

    def add(self, count: int) -> None:
        self._done += count
        if self._progress:
            self._progress(self._done, self._total)


def _fetch_column(remote: Remote, path: str, incoming: Path, name: str, column: Column, counter: _Counter) -> None:
    """Fetch one file; it gets its name when it is whole and right."""
    final = incoming / file_name(name)
    size = len(column.header) + column.nbytes
    if final.is_file() and final.stat().st_size == size:
        counter.add(size)
        return
    part = final.with_name(final.name + ".part")
    for fresh in (False, True):
        begun = part.stat().st_size if part.is_file() else 0
        if fresh or begun > size:
            part.unlink(missing_ok=True)
            begun = 0
        _fill(remote, path, part, size, counter)
        fault = _fault(part, column)
        if not fault:
            os.replace(part, final)
            return
        part.unlink()
        counter.add(-size)
        if not begun:
            break  # what a broken transfer or another mirror left may have been at fault; not here
    raise ValueError(f"{remote.url}/{path} is damaged: {fault}")


def _fault(part: Path, column: Column) -> str:
    with part.open("rb") as file:
        if file.read(len(column.header)) != column.header:
            return f"it does not begin as a column of {column.dtype} {column.shape} does"
    found = hash_file(part, column)
    return "" if found == column.hash else f"its hash is {found}, the manifest says {column.hash}"


def _fill(remote: Remote, path: str, part: Path, size: int, counter: _Counter) -> None:
    """Append to a file until it has its size, in several attempts where the transfer breaks off."""
    counter.add(part.stat().st_size if part.is_file() else 0)
    attempt = 0
    while True:
        with part.open("ab") as file:
            start = have = file.tell()
            if have == size:
                return
            try:
                begin, blocks = remote.stream(path, have)
                if begin != have:
                    file.truncate(begin)
                    counter.add(begin - have)
                    have = begin
                with contextlib.closing(blocks):
                    for block in blocks:
                        if have + len(block) > size:
                            raise ValueError(f"{remote.url}/{path} is longer than the {size} bytes of the manifest")
                        _write(file, block)
                        have += len(block)
                        counter.add(len(block))
            except FileNotFoundError:
                raise
            except OSError as error:
                if getattr(error, "errno", None) in _OURS:
                    raise
                fault: OSError | None = error
            else:
                fault = None
        if have == size:
            return
        attempt = 0 if have > start else attempt + 1
        if attempt >= ATTEMPTS:
            raise OSError(
                f"{remote.url}/{path} broke off {ATTEMPTS} times at {have} of {size} bytes: {fault or 'no more came'}"
            )
        time.sleep(_PAUSE * attempt)


def _write(file, block: bytes) -> None:
    """Write all of a block at once: files are opened for appending, so what is there counts when it goes on."""
    file.write(block)
    file.flush()


def upload(dataset_id: str, url: str, root: str | Path | None = None, *, progress: Progress | None = None) -> None:
    """Put a dataset where others can fetch it, and renew the index there.

    Args:
        dataset_id: which.
        url: ``file:///FOLDER``, for instance of a web server, or ``hf://ORGANISATION/REPOSITORY`` (needs
            ``huggingface_hub`` and its token).
        root: of the store.
        progress: called with the bytes that are there and all.

    Raises:
        FileNotFoundError: there is no such dataset here.
        ValueError: it is damaged, or the address is of another kind.
    """
    data = load(dataset_id, root, check=True)
    source = FolderRemote(Path(root) if root else default_root())
    parts = urlsplit(url)
    if parts.scheme == "file":
        target = open_remote(url)
        if not isinstance(target, FolderRemote):
            raise ValueError(f"{url} is no folder; `envsuite datasets convert` writes archives")
        download(dataset_id, [source.url], target.folder, expected=data.manifest.hash, progress=progress)
        write_atomic(target.folder / INDEX, make_index(target.folder))
    elif parts.scheme == "hf":
        _upload_to_hub(data, source.folder, f"{parts.netloc}/{unquote(parts.path).strip('/')}")
    else:
        raise ValueError(f"{url!r} cannot be uploaded to, expected file:///FOLDER or hf://ORGANISATION/NAME")


def _upload_to_hub(data: Dataset, root: Path, repository: str) -> None:
    try:
        hub = importlib.import_module("huggingface_hub")
    except ModuleNotFoundError as error:
        message = "huggingface_hub is not installed: pip install huggingface_hub"
        raise ModuleNotFoundError(message, name="huggingface_hub") from error
    manifest, api = data.manifest, hub.HfApi()
    api.create_repo(repository, repo_type="dataset", exist_ok=True)
    try:
        entries = read_index(open_remote(f"hf://{repository}"))
    except FileNotFoundError:
        entries = {}
    mine = {"hash": manifest.hash, "bytes": manifest.nbytes, "steps": manifest.steps, "title": manifest.about.title}
    index = {"schema": SCHEMA, "datasets": entries | {manifest.id: mine}}
    folder = folder_of(manifest.id, root)
    kind: dict[str, Any] = {"repo_id": repository, "repo_type": "dataset"}
    columns = folder / manifest.folder
    api.upload_folder(folder_path=columns, path_in_repo=f"{manifest.id}/{manifest.folder}", **kind)
    api.upload_file(path_or_fileobj=folder / MANIFEST, path_in_repo=f"{manifest.id}/{MANIFEST}", **kind)
    api.upload_file(path_or_fileobj=json.dumps(index, indent=1).encode(), path_in_repo=INDEX, **kind)


def pack(dataset_id: str, path: str | Path, root: str | Path | None = None) -> None:
    """Write a dataset as one compressed ``.zip`` file.

    Raises:
        FileExistsError: the file is there already.
        FileNotFoundError: there is no such dataset.
    """
    manifest = load(dataset_id, root).manifest
    folder, path = folder_of(dataset_id, root), Path(path)
    if path.exists():
        raise FileExistsError(f"{path} is there already")
    partial = path.with_name(path.name + ".partial")
    try:
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(folder / MANIFEST, f"{manifest.id}/{MANIFEST}")
            for name in manifest.columns:
                place = f"{manifest.folder}/{file_name(name)}"
                archive.write(folder / place, f"{manifest.id}/{place}")
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def unpack(path: str | Path, root: str | Path | None = None, *, progress: Progress | None = None) -> Dataset:
    """Bring a dataset from a file that `pack` wrote into the store; nothing else in it is unpacked.

    Raises:
        ValueError: the file is no such thing, holds anything else, or is damaged.
    """
    remote = ArchiveRemote(Path(path))
    return download(remote.id, [remote.url], root, progress=progress)
