"""Serves a store over HTTP: its index, and of each dataset the manifest and the columns, nothing else."""

import re
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from envsuite.data.columns import file_name
from envsuite.data.manifest import check_id
from envsuite.data.remotes import INDEX, make_index
from envsuite.data.store import MANIFEST, default_root, read_manifest

_BLOCK = 1 << 20
_RANGE = re.compile(r"bytes=([0-9]{1,18})-([0-9]{0,18})")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "envsuite"
    timeout = 60
    root: Path
    quiet: bool

    def do_GET(self) -> None:
        """Answer with a file, or a part of it."""
        self._answer(body=True)

    def do_HEAD(self) -> None:
        """Answer without a body."""
        self._answer(body=False)

    def log_message(self, format: str, *args) -> None:
        """Tell of requests unless the server is quiet."""
        if not self.quiet:
            super().log_message(format, *args)

    def _answer(self, body: bool) -> None:
        path = unquote(urlsplit(self.path).path).lstrip("/")
        if path == INDEX:
            self._send_bytes(make_index(self.root).encode(), body)
            return
        file = allowed_file(self.root, path)
        if file is None:
            self._send_bytes(b"no such dataset\n", body, HTTPStatus.NOT_FOUND)
            return
        try:
            self._send_file(file, body)
        except FileNotFoundError:
            self._send_bytes(b"no such file\n", body, HTTPStatus.NOT_FOUND)

    def _send_bytes(self, content: bytes, body: bool, status: HTTPStatus = HTTPStatus.OK) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if body:
            self.wfile.write(content)

    def _send_file(self, path: Path, body: bool) -> None:
        with path.open("rb") as file:
            size = path.stat().st_size
            asked = _RANGE.fullmatch(self.headers.get("Range", ""))
            first, last = 0, size - 1
            if asked:
                first = int(asked[1])
                last = min(last, int(asked[2])) if asked[2] else last
                if first > last:
                    self.send_response(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE)
                    self.send_header("Content-Range", f"bytes */{size}")
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
            self.send_response(HTTPStatus.PARTIAL_CONTENT if asked else HTTPStatus.OK)
            if asked:
                self.send_header("Content-Range", f"bytes {first}-{last}/{size}")
            self.send_header("Accept-Ranges", "bytes")
            self.send_header("Content-Type", "application/octet-stream")
            self.send_header("Content-Length", str(last - first + 1))
            self.end_headers()
            file.seek(first)
            left = last - first + 1 if body else 0
            while left > 0 and (block := file.read(min(left, _BLOCK))):
                self.wfile.write(block)
                left -= len(block)


def allowed_file(root: Path, path: str) -> Path | None:
    """The file that a path of a request stands for, or None.

    Args:
        root: of the store.
        path: without a slash before it.
    """
    parts = path.split("/")
    for depth in (1, 2):  # the manifest lies in the dataset's folder, a column one deeper
        dataset_id = "/".join(parts[:-depth])
        try:
            check_id(dataset_id)
            manifest = read_manifest(root / dataset_id)
        except (ValueError, OSError):
            continue
        if depth == 1 and parts[-1] == MANIFEST:
            return root / dataset_id / MANIFEST
        if depth == 2 and parts[-2] == manifest.folder and parts[-1] in map(file_name, manifest.columns):
            return root / dataset_id / manifest.folder / parts[-1]
    return None


def make_server(
    root: str | Path | None = None, host: str = "127.0.0.1", port: int = 0, *, quiet: bool = False
) -> ThreadingHTTPServer:
    """A server of a store; its ``serve_forever`` does the work.

    Args:
        root: of the store.
        host: address to listen on; only this machine can reach the default.
        port: to listen on, 0 for a free one.
        quiet: tell nothing of requests.
    """
    handler = type("Handler", (_Handler,), {"root": Path(root) if root else default_root(), "quiet": quiet})
    return ThreadingHTTPServer((host, port), handler)
