"""Downloads from a real web server on this machine: what breaks off goes on, what is not right is refused."""

import contextlib
import dataclasses
import json
import os
import shutil
import subprocess
import sys
import threading
import time
import types
import urllib.error
import urllib.request
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from envsuite.data import load, transfer
from envsuite.data.columns import file_name
from envsuite.data.remotes import INDEX, make_index, open_remote, read_index
from envsuite.data.serve import allowed_file, make_server
from envsuite.data.store import MANIFEST, local
from envsuite.data.transfer import download, pack, unpack, upload
from tests.data.test_store import columns, write

ID = "test/some-v0"


@contextlib.contextmanager
def serving(server):
    server.daemon_threads = False  # so that closing it waits for what it is at
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Mean(BaseHTTPRequestHandler):
    """Serves a folder as badly as it is told to, and remembers what it was asked for."""

    def do_GET(self):
        server = self.server
        path = server.folder / self.path.lstrip("/")
        start = int(self.headers["Range"].removeprefix("bytes=").rstrip("-")) if "Range" in self.headers else 0
        server.asked.append((path.name, start))
        if not path.is_file():
            self.send_error(404)
            return
        content = path.read_bytes()
        content = server.change(path.name, content)
        ranged = server.ranges and start
        body = content[start:] if ranged else content
        self.send_response(206 if ranged else 200)
        if ranged:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        limit = server.limit(path.name, len(server.asked))
        self.wfile.write(body if limit is None else body[:limit])
        if limit is not None and limit < len(body):
            self.wfile.flush()
            if server.hold:
                server.hold.wait(60)
            self.close_connection = True

    def log_message(self, *args):
        pass


def mean(folder, change=lambda name, content: content, limit=lambda name, count: None, ranges=True):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Mean)
    server.folder, server.asked, server.change, server.limit, server.ranges = folder, [], change, limit, ranges
    server.hold = None
    return server


@pytest.fixture
def there(tmp_path):
    """A store that is served."""
    write(tmp_path / "there", columns())
    return tmp_path / "there"


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch):
    monkeypatch.setattr(transfer, "_PAUSE", 0.001)


def test_what_is_served_arrives(there, tmp_path):
    told = []
    with serving(make_server(there, quiet=True)) as url:
        data = download(ID, [url], tmp_path / "here", progress=lambda *one: told.append(one))
        assert read_index(open_remote(url)) == json.loads(make_index(there))["datasets"]
    assert data.manifest == load(ID, there).manifest
    load(ID, tmp_path / "here", check=True)
    assert told[-1][0] == told[-1][1]
    assert {path.name for path in (tmp_path / "here" / ID).iterdir()} == {MANIFEST, data.manifest.folder}


def test_folders_are_remotes_and_uploads_keep_the_index(there, tmp_path):
    upload(ID, (tmp_path / "public").as_uri(), there)
    remote = open_remote((tmp_path / "public").as_uri())
    assert list(read_index(remote)) == [ID]
    assert download(ID, [remote.url], tmp_path / "here").manifest.hash == load(ID, there).manifest.hash
    for wrong in ("http://x/y", "ftp://x/y", "x"):
        with pytest.raises(ValueError, match="cannot be uploaded to"):
            upload(ID, wrong, there)


@pytest.mark.parametrize("ranges", [True, False])
def test_interrupted_transfers_go_on_where_they_were(there, tmp_path, ranges):
    size = (there / ID / load(ID, there).manifest.folder / file_name("observations")).stat().st_size
    cuts = iter([100, 30, None] if ranges else [100, None])

    def limit(name, count):
        return next(cuts) if name == file_name("observations") else None

    with serving(server := mean(there, limit=limit, ranges=ranges)) as url:
        download(ID, [url], tmp_path / "here")
    load(ID, tmp_path / "here", check=True)
    asked = [start for name, start in server.asked if name == file_name("observations")]
    assert asked == ([0, 100, 130] if ranges else [0, 100])
    assert size > 130


def test_transfers_go_on_in_another_process_and_from_another_mirror(there, tmp_path):
    def limit(name, count):
        return None if name in (MANIFEST, file_name("actions")) else 140 if count < 4 else 0

    with serving(mean(there, limit=limit)) as url, pytest.raises(OSError, match="broke off 5 times at 140 of"):
        download(ID, [url], tmp_path / "here")
    with pytest.raises(FileNotFoundError):
        load(ID, tmp_path / "here")
    with serving(server := mean(there)) as url:
        download(ID, ["http://127.0.0.1:9", url], tmp_path / "here")
    assert (file_name("actions"), 0) not in server.asked  # was whole already
    assert any(start == 140 for _, start in server.asked)
    load(ID, tmp_path / "here", check=True)


@pytest.mark.parametrize("name", ["rewards", "observations"])
def test_corrupt_bytes_are_refused(there, tmp_path, name):
    def flip(file, content):
        return content[:-3] + bytes([content[-3] ^ 1]) + content[-2:] if file == file_name(name) else content

    with serving(mean(there, change=flip)) as url:
        with pytest.raises(ValueError, match=rf"{name}\.npy is damaged: its hash is"):
            download(ID, [url], tmp_path / "here")
        assert local(tmp_path / "here") == []
        with serving(mean(there)) as good:
            download(ID, [url, good], tmp_path / "here")
    load(ID, tmp_path / "here", check=True)


def test_foreign_headers_are_refused(there, tmp_path):
    def pickled(file, content):
        return content.replace(b"<f4", b"|O ", 1) if file == file_name("rewards") else content

    with serving(mean(there, change=pickled)) as url, pytest.raises(ValueError, match="does not begin as a column"):
        download(ID, [url], tmp_path / "here")


def test_too_long_files_are_refused(there, tmp_path):
    def longer(file, content):
        return content + b"x" * 10**6 if file == file_name("rewards") else content

    with serving(mean(there, change=longer)) as url, pytest.raises(ValueError, match="is longer than"):
        download(ID, [url], tmp_path / "here")
    assert max(path.stat().st_size for path in (tmp_path / "here").rglob("*") if path.is_file()) < 10**4


def test_what_a_broken_transfer_left_may_be_rubbish(there, tmp_path):
    manifest = load(ID, there).manifest
    incoming = tmp_path / "here" / ID / f"{manifest.folder}.incoming"
    incoming.mkdir(parents=True)
    (incoming / "rewards.npy.part").write_bytes(b"rubbish")
    (incoming / "seeds.npy.part").write_bytes(b"x" * 10**5)
    (incoming / "stranger").write_bytes(b"x")
    with serving(make_server(there, quiet=True)) as url:
        download(ID, [url], tmp_path / "here")
    load(ID, tmp_path / "here", check=True)
    assert not (tmp_path / "here" / ID / manifest.folder / "stranger").exists()


def tampered(there, change):
    path = there / ID / MANIFEST
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m.update(id="../../escape-v0"), "no id of a dataset"),
        (lambda m: m.update(id="other/name-v0"), "gives other/name-v0 under the name of"),
        (lambda m: m["columns"].update({"../../../x": m["columns"]["rewards"]}), "hash"),
        (lambda m: m["columns"]["rewards"].update(hash="0" * 64), "its hash"),
        (lambda m: m["columns"]["rewards"].update(shape=[2**40]), "its hash|rows|rewards"),
        (lambda m: m.update(steps=10), "its hash"),
        (lambda m: m.clear(), "missing required"),
    ],
)
def test_tampered_manifests_are_refused(there, tmp_path, change, message):
    tampered(there, change)
    with serving(mean(there)) as url, pytest.raises(ValueError, match=message):
        download(ID, [url], tmp_path / "here")
    assert [path for path in (tmp_path / "here").rglob("*") if path.is_file() and path.parent.name != ".locks"] == []


def test_resealed_manifests_are_still_no_way_out(there, tmp_path):
    """An attacker who can compute hashes: names, shapes and sizes are refused for what they are."""
    manifest = load(ID, there).manifest
    for name, column in (
        ("../../../evil", manifest.columns["rewards"]),
        ("infos./etc/passwd", manifest.columns["rewards"]),
        ("infos.big", dataclasses.replace(manifest.columns["rewards"], shape=(12, 2**60))),
    ):
        bad = dataclasses.replace(manifest, columns={**manifest.columns, name: column})
        bad = dataclasses.replace(bad, hash=bad.content_hash())
        (there / ID / MANIFEST).write_text(bad.to_json())
        with serving(mean(there)) as url, pytest.raises(ValueError, match="column"):
            download(ID, [url], tmp_path / "here")
    assert not list(tmp_path.rglob("*evil*"))


def test_more_than_the_disk_holds_is_refused_beforehand(there, tmp_path, monkeypatch):
    class Usage:
        free = 10

    monkeypatch.setattr(transfer.shutil, "disk_usage", lambda path: Usage)
    with serving(make_server(there, quiet=True)) as url, pytest.raises(OSError, match="10 are free"):
        download(ID, [url], tmp_path / "here")


@pytest.mark.parametrize(
    "content",
    [
        b"not json",
        b"[]",
        b'{"schema": 2, "datasets": {}}',
        b'{"schema": 1, "datasets": {"../x-v0": {}}}',
        b'{"schema": 1, "datasets": {"a-v0": {"hash": 3}}}',
        b'{"schema": 1, "schema": 1, "datasets": {}}',
        b"[" * 10**5,
    ],
)
def test_wrong_indices_are_refused(tmp_path, content):
    (tmp_path / INDEX).write_bytes(content)
    with serving(mean(tmp_path)) as url, pytest.raises(ValueError, match=r"no index|not JSON|no id|the entry of"):
        read_index(open_remote(url))


def test_another_hash_than_expected_is_refused(there, tmp_path):
    with serving(make_server(there, quiet=True)) as url, pytest.raises(ValueError, match="expected 1234"):
        download(ID, [url], tmp_path / "here", expected="1234")


def test_unreachable_remotes_are_named(tmp_path):
    with pytest.raises(OSError, match=r"(?s)could not be fetched.*127.0.0.1:9.*cannot be reached"):
        download(ID, ["http://127.0.0.1:9"], tmp_path)
    with pytest.raises(OSError, match="no remote is given"):
        download(ID, [], tmp_path)
    with pytest.raises(ValueError, match="is no remote"):
        open_remote("gopher://x/y")
    assert open_remote("hf://someone/data").url == "hf://someone/data"


def test_the_old_version_stays_until_the_new_one_is_whole(there, tmp_path):
    old = write(tmp_path / "here", columns(fill=9))
    with (
        serving(mean(there, limit=lambda name, count: 50 if name == "rewards.npy" and count < 9 else 0)) as url,
        contextlib.suppress(OSError, ValueError),
    ):
        download(ID, [url], tmp_path / "here")
    assert load(ID, tmp_path / "here", check=True).manifest == old
    with serving(make_server(there, quiet=True)) as url:
        new = download(ID, [url], tmp_path / "here").manifest
    assert new.hash != old.hash
    assert {path.name for path in (tmp_path / "here" / ID).iterdir()} == {MANIFEST, new.folder}


FULL_DISK = """
import resource, signal, sys
from envsuite.data.transfer import download
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (190, 190))
try:
    download("test/some-v0", [sys.argv[1]], sys.argv[2])
except OSError as error:
    print("refused", error.errno)
"""


def test_a_full_disk_leaves_the_old_version(there, tmp_path):
    old = write(tmp_path / "here", columns(fill=9))
    root = str(Path(__file__).parents[2])
    with serving(make_server(there, quiet=True)) as url:
        code = [sys.executable, "-c", FULL_DISK, url, str(tmp_path / "here")]
        done = subprocess.run(
            code, capture_output=True, text=True, cwd=root, env={**os.environ, "PYTHONPATH": root}, check=False
        )
    assert done.stdout.startswith("refused"), done.stderr
    assert load(ID, tmp_path / "here", check=True).manifest == old


def test_a_killed_download_goes_on(there, tmp_path):
    """``kill -9`` while bytes are on their way."""
    root = str(Path(__file__).parents[2])
    server = mean(there, limit=lambda name, count: 150 if name == file_name("observations") else None)
    server.hold = threading.Event()
    incoming = tmp_path / "here" / ID / f"{load(ID, there).manifest.folder}.incoming"
    with serving(server) as url:
        process = subprocess.Popen(
            [sys.executable, "-c", TWO, url, str(tmp_path / "here")], env={**os.environ, "PYTHONPATH": root}
        )
        part = incoming / "observations.npy.part"
        deadline = time.monotonic() + 60
        while not part.is_file() or part.stat().st_size < 150:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.kill()
        process.wait()
        server.hold.set()
    assert local(tmp_path / "here") == []
    with serving(server := mean(there)) as url:
        download(ID, [url], tmp_path / "here")
    assert (file_name("observations"), 150) in server.asked
    load(ID, tmp_path / "here", check=True)


def test_upload_to_the_hub_writes_columns_manifest_and_index(there, tmp_path, monkeypatch):
    """By a stand-in for the hub's library, which writes into a folder."""
    public, order = tmp_path / "hub", []

    class Api:
        def create_repo(self, repository, repo_type, exist_ok):
            assert (repository, repo_type, exist_ok) == ("someone/data", "dataset", True)

        def upload_folder(self, folder_path, path_in_repo, repo_id, repo_type):
            order.append(path_in_repo)
            shutil.copytree(folder_path, public / path_in_repo)

        def upload_file(self, path_or_fileobj, path_in_repo, repo_id, repo_type):
            order.append(path_in_repo)
            content = path_or_fileobj if isinstance(path_or_fileobj, bytes) else path_or_fileobj.read_bytes()
            (public / path_in_repo).write_bytes(content)

    hub = types.ModuleType("huggingface_hub")
    hub.HfApi = Api
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    monkeypatch.setattr(transfer, "open_remote", lambda url: open_remote(public.as_uri()))
    for k in range(2):
        write(there, columns(fill=k))
        upload(ID, "hf://someone/data", there)
        manifest = load(ID, there).manifest
        assert order[-3:] == [f"{ID}/{manifest.folder}", f"{ID}/{MANIFEST}", INDEX]
        assert read_index(open_remote(public.as_uri()))[ID]["hash"] == manifest.hash
    assert download(ID, ["hf://someone/data"], tmp_path / "here").manifest == manifest
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(ModuleNotFoundError, match="pip install huggingface_hub"):
        upload(ID, "hf://someone/data", there)


TWO = """
import sys
from envsuite.data.transfer import download
print(download("test/some-v0", [sys.argv[1]], sys.argv[2]).manifest.hash)
"""


def test_two_processes_at_once_do_no_harm(tmp_path):
    content = columns(episodes=3, length=4)
    content["infos.big"] = np.arange(12 * 200_000, dtype=np.int64).reshape(12, -1)
    write(tmp_path / "there", content)
    root = str(Path(__file__).parents[2])
    with serving(make_server(tmp_path / "there", quiet=True)) as url:
        running = [
            subprocess.Popen(
                [sys.executable, "-c", TWO, url, str(tmp_path / "here")],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env={**os.environ, "PYTHONPATH": root},
            )
            for _ in range(3)
        ]
        answers = [process.communicate() for process in running]
    expected = load(ID, tmp_path / "there").manifest.hash
    assert [out.strip() for out, _ in answers] == [expected] * 3, answers
    load(ID, tmp_path / "here", check=True)
    assert len(list((tmp_path / "here" / ID).iterdir())) == 2


@pytest.mark.parametrize(
    "path",
    [
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/test/some-v0/../some-v0/manifest.json",
        "/",
        "/.locks/test+some-v0.lock",
        "/test/some-v0/",
        "/test/some-v0/x/rewards.npy",
        "/test",
        "/secret.txt",
    ],
)
def test_the_server_gives_out_datasets_and_nothing_else(there, path):
    (there / "secret.txt").write_text("x")
    with serving(make_server(there, quiet=True)) as url:
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(url + path)
        with caught.value as error:
            assert error.code == 404


def test_the_server_knows_ranges(there):
    manifest = load(ID, there).manifest
    whole = (there / ID / manifest.folder / "rewards.npy").read_bytes()
    assert allowed_file(there, f"{ID}/{manifest.folder}/rewards.npy")
    with serving(make_server(there, quiet=True)) as url:
        for asked, part in (("bytes=5-9", whole[5:10]), ("bytes=100-", whole[100:]), ("bytes=3-99999", whole[3:])):
            request = urllib.request.Request(f"{url}/{ID}/{manifest.folder}/rewards.npy", headers={"Range": asked})
            with urllib.request.urlopen(request) as answer:
                assert (answer.status, answer.read()) == (206, part)
        request = urllib.request.Request(
            f"{url}/{ID}/{manifest.folder}/rewards.npy", headers={"Range": f"bytes={len(whole)}-"}
        )
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(request)
        with caught.value as error:
            assert error.code == 416


def test_archives_there_and_back(there, tmp_path):
    pack(ID, tmp_path / "x.zip", there)
    data = unpack(tmp_path / "x.zip", tmp_path / "here")
    assert data.manifest == load(ID, there).manifest
    load(ID, tmp_path / "here", check=True)
    with pytest.raises(FileExistsError, match="there already"):
        pack(ID, tmp_path / "x.zip", there)


def rewritten(path, target, change):
    """A copy of an archive with other members."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return target


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_archives_that_unpack_without_bound_are_refused(there, tmp_path, method):
    pack(ID, tmp_path / "x.zip", there)
    with zipfile.ZipFile(tmp_path / "x.zip") as old, zipfile.ZipFile(tmp_path / "bad.zip", "w", method) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    with pytest.raises(ValueError, match=f"no archive of a dataset: .* is packed by method {method}"):
        unpack(tmp_path / "bad.zip", tmp_path / "here")
    assert local(tmp_path / "here") == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m.update({"../../evil": b"x"}), "missing, or too much"),
        (lambda m: m.update({"/tmp/evil": b"x"}), "missing, or too much"),
        (lambda m: m.update({f"{ID}/link": b"/etc/passwd"}), "missing, or too much"),
        (lambda m: m.pop(next(n for n in m if n.endswith("rewards.npy"))), "missing, or too much"),
        (lambda m: m.update({"../x-v0/manifest.json": m.pop(f"{ID}/manifest.json")}), "no id of a dataset"),
        (lambda m: m.pop(f"{ID}/manifest.json"), "0 manifests"),
        (lambda m: m.update({"b-v0/manifest.json": b"{}"}), "2 manifests"),
        (lambda m: m.update({n: c + b"x" for n, c in m.items() if n.endswith("rewards.npy")}), "is longer than"),
        (lambda m: m.update({n: bytes(10**7) for n in m if n.endswith("rewards.npy")}), "is longer than"),
        (lambda m: m.update({n: c[:-1] + b"x" for n, c in m.items() if n.endswith("rewards.npy")}), "is damaged"),
        (lambda m: m.update({n: bytes(2**25) for n in m if n.endswith("manifest.json")}), "more than"),
    ],
)
def test_tricks_in_archives_are_refused(there, tmp_path, change, message):
    pack(ID, tmp_path / "x.zip", there)
    bad = rewritten(tmp_path / "x.zip", tmp_path / "bad.zip", change)
    with pytest.raises(ValueError, match=message):
        unpack(bad, tmp_path / "here")
    assert not list(tmp_path.rglob("evil"))
    assert local(tmp_path / "here") == []
    (tmp_path / "no.zip").write_bytes(b"PK rubbish")
    with pytest.raises(ValueError, match="no archive"):
        unpack(tmp_path / "no.zip", tmp_path / "here")
