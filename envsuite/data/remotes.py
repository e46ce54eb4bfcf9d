"""Where datasets are fetched from: folders, web servers, Hugging Face repositories and archives, all laid out alike.

A remote holds ``index.json``, and of each dataset ``ID/manifest.json`` and ``ID/HASH/COLUMN.npy``, as a store does; so
any web server that serves a store's folder is one. Only names that a checked manifest gives are ever asked for.
"""

import json
import zipfile
import zlib
from collections.abc import Generator
from http.client import HTTPException
from pathlib import Path
from typing import Any, Protocol
from urllib.error import HTTPError, URLError
from urllib.parse import quote, unquote, urlsplit
from urllib.request import Request, urlopen

from envsuite.core.archives import check_members
from envsuite.core.strict_json import loads
from envsuite.data.manifest import MAX_BYTES, check_id
from envsuite.data.store import MANIFEST, local

INDEX = "index.json"
SCHEMA = 1
_BLOCK = 1 << 20
_TIMEOUT = 30.0

Blocks = Generator[bytes, None, None]
"""Content, piece by piece; closed when no more is wanted."""


class Remote(Protocol):
    """A place that datasets are read from."""

    url: str

    def read(self, path: str) -> bytes:
        """A small file, at most as large as a manifest may be.

        Raises:
            FileNotFoundError: there is none.
            OSError: the remote cannot be reached.
            ValueError: it is too large.
        """
        ...

    def stream(self, path: str, start: int) -> tuple[int, Blocks]:
        """A file from a byte on.

        Args:
            path: of the file.
            start: the first byte that is wanted.

        Returns:
            The first byte that comes, `start` or 0, and blocks of bytes.

        Raises:
            FileNotFoundError: there is none.
            OSError: the remote cannot be reached, or went away.
        """
        ...


class FolderRemote:
    """A folder of this machine, ``file://``."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.url = folder.resolve().as_uri()

    def read(self, path: str) -> bytes:
        """See `Remote`."""
        with (self.folder / path).open("rb") as file:
            return _bounded(file.read(MAX_BYTES + 1), path)

    def stream(self, path: str, start: int) -> tuple[int, Blocks]:
        """See `Remote`."""
        file = (self.folder / path).open("rb")

        def blocks() -> Blocks:
            with file:
                file.seek(start)
                while block := file.read(_BLOCK):
                    yield block

        return start, blocks()


class ArchiveRemote:
    """A ``.zip`` file that `envsuite.data.transfer.pack` wrote, of one dataset.

    Attributes:
        id: of the dataset.
        names: of everything in the file.
    """

    def __init__(self, path: Path):
        self._path = path
        self.url = path.resolve().as_uri()
        try:
            with zipfile.ZipFile(path) as archive:
                names = archive.namelist()
                check_members(archive)
        except (zipfile.BadZipFile, ValueError) as error:
            raise ValueError(f"{path} is no archive of a dataset: {error}") from error
        manifests = [name for name in names if name.endswith(f"/{MANIFEST}")]
        if len(manifests) != 1 or len(set(names)) != len(names):
            raise ValueError(
                f"{path} is no archive of a dataset: it has {len(manifests)} manifests in {len(names)} files"
            )
        self.id = manifests[0].removesuffix(f"/{MANIFEST}")
        check_id(self.id)
        self.names = set(names)

    def read(self, path: str) -> bytes:
        """See `Remote`."""
        return _bounded(b"".join(self._blocks(path, MAX_BYTES + 1)), path)

    def stream(self, path: str, start: int) -> tuple[int, Blocks]:
        """See `Remote`."""
        if path not in self.names:
            raise FileNotFoundError(f"{self.url} has no {path}")
        return 0, self._blocks(path)

    def _blocks(self, path: str, limit: int | None = None) -> Blocks:
        if path not in self.names:
            raise FileNotFoundError(f"{self.url} has no {path}")
        try:
            with zipfile.ZipFile(self._path) as archive, archive.open(path) as file:
                while block := file.read(_BLOCK if limit is None else limit):
                    yield block
                    if limit is not None:
                        return
        except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
            raise ValueError(f"{path} in {self.url} is damaged: {error}") from error


class WebRemote:
    """A web server, ``http://`` or ``https://``."""

    def __init__(self, url: str, shown: str = ""):
        self._base = url.rstrip("/")
        self.url = shown or self._base

    def read(self, path: str) -> bytes:
        """See `Remote`."""
        with self._open(path, 0) as answer:
            try:
                return _bounded(answer.read(MAX_BYTES + 1), path)
            except HTTPException as error:
                raise OSError(f"{self.url}/{path}: the transfer broke off: {error!r}") from error

    def stream(self, path: str, start: int) -> tuple[int, Blocks]:
        """See `Remote`."""
        answer = self._open(path, start)
        told = answer.headers.get("Content-Range", "")
        begin = start if answer.status == 206 and told.startswith(f"bytes {start}-") else 0
        if answer.status == 206 and begin != start:
            answer.close()
            raise OSError(f"{self.url}/{path}: asked for bytes from {start}, got {told!r}")

        def blocks() -> Blocks:
            with answer:
                try:
                    while block := answer.read1(_BLOCK):
                        yield block
                except HTTPException as error:
                    raise OSError(f"{self.url}/{path}: the transfer broke off: {error!r}") from error

        return begin, blocks()

    def _open(self, path: str, start: int) -> Any:
        headers = {"User-Agent": "envsuite"} | ({"Range": f"bytes={start}-"} if start else {})
        request = Request(f"{self._base}/{quote(path)}", headers=headers)
        try:
            return urlopen(request, timeout=_TIMEOUT)
        except HTTPError as error:
            with error:
                if error.code in (404, 410):
                    raise FileNotFoundError(f"{self.url} has no {path}") from None
                raise OSError(f"{self.url}/{path}: {error.code} {error.reason}") from None
        except (URLError, HTTPException) as error:
            raise OSError(f"{self.url} cannot be reached: {getattr(error, 'reason', error)}") from None


def _bounded(content: bytes, path: str) -> bytes:
    if len(content) > MAX_BYTES:
        raise ValueError(f"{path} has more than {MAX_BYTES} bytes")
    return content


def open_remote(url: str) -> Remote:
    """The remote at an address.

    Args:
        url: ``file:///FOLDER``, ``http(s)://SERVER/PATH``, or ``hf://ORGANISATION/REPOSITORY``, a dataset repository of
            Hugging Face.

    Raises:
        ValueError: another kind of address.
    """
    parts = urlsplit(url)
    if parts.scheme == "file" and parts.netloc in ("", "localhost") and parts.path:
        path = Path(unquote(parts.path))
        return ArchiveRemote(path) if path.suffix == ".zip" else FolderRemote(path)
    if parts.scheme in ("http", "https") and parts.netloc:
        return WebRemote(url)
    if parts.scheme == "hf" and parts.netloc and parts.path.strip("/"):
        place = f"{parts.netloc}/{parts.path.strip('/')}"
        return WebRemote(f"https://huggingface.co/datasets/{place}/resolve/main", url)
    raise ValueError(f"{url!r} is no remote, expected file:///FOLDER, http(s)://SERVER/PATH or hf://ORGANISATION/NAME")


def make_index(root: str | Path) -> str:
    """The content of ``index.json`` of a store."""
    entries = {
        one.id: {"hash": one.hash, "bytes": one.nbytes, "steps": one.steps, "title": one.about.title}
        for one in local(root)
    }
    return json.dumps({"schema": SCHEMA, "datasets": entries}, indent=1, sort_keys=True) + "\n"


def read_index(remote: Remote) -> dict[str, dict[str, Any]]:
    """What a remote has, by id.

    Raises:
        OSError: it cannot be reached, or has no index.
        ValueError: the index is none; entries that are no datasets' are refused.
    """
    where, content = f"{remote.url}/{INDEX}", remote.read(INDEX)
    try:
        data = loads(content)
    except ValueError as error:
        raise ValueError(f"{where} is not JSON: {error}") from error
    if not isinstance(data, dict) or data.get("schema") != SCHEMA or not isinstance(data.get("datasets"), dict):
        raise ValueError(f"{where} is no index of schema {SCHEMA}")
    kinds = {"hash": str, "bytes": int, "steps": int, "title": str}
    for name, entry in data["datasets"].items():
        check_id(name)
        if not isinstance(entry, dict) or {key: type(one) for key, one in entry.items()} != kinds:
            raise ValueError(f"{where}: the entry of {name} is {str(entry)[:80]}, expected {list(kinds)}")
    return data["datasets"]
