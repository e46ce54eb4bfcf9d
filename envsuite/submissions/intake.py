"""Takes a submission's files in: which there may be, how large, and that they are those of ``SHA256SUMS``.

Files are read once, without following links, into a private copy, and everything is checked on the copy: whoever can
write to the folder cannot exchange a file between two checks.
"""

import hashlib
import os
import re
import stat
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from envsuite.submissions import info
from envsuite.submissions.refusal import RefusedError

SUMS, SIGNATURE = "SHA256SUMS", "submission.sig"

MAX_FILES = 5_000
"""Files of a submission."""

MAX_TOTAL = 2 << 30
"""Bytes of a submission."""

_NAME = r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}"
_PATTERNS = {
    r"submission\.toml": info.MAX_BYTES,
    r"results\.jsonl": 64_000_000,
    r"README\.md": 262_144,
    r"SHA256SUMS": 1_000_000,
    r"submission\.sig": 1_000,
    rf"actions/{_NAME}\.npz": 30_000_000,
    rf"policy/[a-z0-9-]{{1,60}}/{_NAME}\.onnx": 50_000_000,
    rf"policy/[a-z0-9-]{{1,60}}/{_NAME}\.json": 262_144,
}
"""What there may be, and how many bytes it may have."""

_REQUIRED = ("submission.toml", "results.jsonl", "README.md", SUMS)
_TEXTS = (".toml", ".jsonl", ".md", ".json", ".sig", SUMS)

_EXECUTABLE = {
    b"\x7fELF": "a program (ELF)",
    b"MZ": "a program (PE)",
    b"\x1f\x8b": "packed by gzip",
    b"BZh": "packed by bzip2",
    b"\xfd7zXZ": "packed by xz",
    b"\x89HDF": "an HDF5 file",
    **{bytes([0x80, protocol]): "a pickle" for protocol in range(2, 6)},
}
_FORBIDDEN = (".pkl", ".pickle", ".joblib", ".pt", ".pth", ".ckpt", ".bin", ".h5", ".zip", ".py", ".so", ".dll", ".exe")


@dataclass(frozen=True)
class Intake:
    """A submission that has been taken in.

    Attributes:
        root: of the private copy.
        name: of the original folder.
        sums: SHA-256 (hexadecimal) by path.
        digest: SHA-256 (hexadecimal) of ``SHA256SUMS``.
        absent: action logs that ``SHA256SUMS`` names and that are not there: the policy has to make them again.
    """

    root: Path
    name: str
    sums: dict[str, str]
    digest: str
    absent: frozenset[str] = frozenset()


@contextmanager
def take_in(folder: str | Path) -> Generator[Intake]:
    """Copy a submission to a private place for as long as the context lasts.

    Args:
        folder: of the submission.

    Raises:
        RefusedError: a file that may not be there, is missing, too large, no regular file, or not the one of
            ``SHA256SUMS``.
    """
    folder = Path(folder)
    if folder.is_symlink() or not folder.is_dir():
        raise RefusedError("files", f"{folder} is no folder")
    with tempfile.TemporaryDirectory(prefix="envsuite-submission-") as place:
        root = Path(place)
        found = _copy(folder, root)
        for name in _REQUIRED:
            if name not in found:
                raise RefusedError("files", f"{name} is missing")
        sums = read_sums((root / SUMS).read_bytes().decode())
        found |= _repeated(root, sums, found)
        absent = frozenset(name for name in sums.keys() - found.keys() if name.startswith("actions/"))
        present = {name: digest for name, digest in sums.items() if name not in absent}
        _compare(present, {name: digest for name, digest in found.items() if name not in (SUMS, SIGNATURE)})
        (root / "actions").mkdir(exist_ok=True)
        yield Intake(root, folder.resolve().name, sums, found[SUMS], absent)


def list_files(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    """All files below a folder as paths with forward slashes; links are listed, not followed."""
    pending, seen = [folder], 0
    while pending:
        for entry in sorted(os.scandir(pending.pop()), key=lambda entry: entry.name):
            seen += 1
            if seen > 2 * MAX_FILES:
                raise RefusedError("files", f"more than {2 * MAX_FILES} files and folders")
            status = entry.stat(follow_symlinks=False)
            if stat.S_ISDIR(status.st_mode):
                if len(Path(entry.path).relative_to(folder).parts) > 2:
                    raise RefusedError("files", f"{_shown(entry.name)}: folders are nested too deeply")
                pending.append(Path(entry.path))
            else:
                yield Path(entry.path).relative_to(folder).as_posix(), status


def limit_of(name: str) -> int:
    """How many bytes a file of a submission may have.

    Raises:
        RefusedError: there may be no such file.
    """
    for pattern, limit in _PATTERNS.items():
        if re.fullmatch(pattern, name):
            return limit
    suffix = PurePosixPath(name).suffix.lower()
    hint = (
        "such files can run code when they are read"
        if suffix in _FORBIDDEN
        else "no file of a submission has that name"
    )
    raise RefusedError("files", f"{_shown(name)} is not allowed: {hint}")


def read_sums(content: str) -> dict[str, str]:
    """Read ``SHA256SUMS``: lines of 64 hexadecimal digits, two spaces, and a path, sorted by path.

    Raises:
        RefusedError: a malformed line, a path twice, or another order or form of lines.
    """
    sums: dict[str, str] = {}
    for line in content.splitlines():
        match = re.fullmatch(r"([0-9a-f]{64})  (\S+)", line)
        if not match:
            raise RefusedError("files", f"{SUMS}: {_shown(line)} is no line of digest and path")
        digest, name = match.groups()
        limit_of(name)
        if name in sums:
            raise RefusedError("files", f"{SUMS} names {_shown(name)} twice")
        sums[name] = digest
    if content != write_sums(sums):  # its bytes are what is signed, and a submission has one digest
        raise RefusedError("files", f"{SUMS} is not in its one form: sorted by path, lines that end with a line feed")
    return sums


def write_sums(sums: dict[str, str]) -> str:
    """The content of ``SHA256SUMS``, sorted by path."""
    return "".join(f"{digest}  {name}\n" for name, digest in sorted(sums.items()))


def _copy(folder: Path, root: Path) -> dict[str, str]:
    """Copy allowed files; SHA-256 by path."""
    found: dict[str, str] = {}
    total = 0
    for name, status in list_files(folder):
        if not stat.S_ISREG(status.st_mode):
            kind = "a symbolic link" if stat.S_ISLNK(status.st_mode) else "no regular file"
            raise RefusedError("files", f"{_shown(name)} is {kind}")
        limit = limit_of(name)
        total += status.st_size
        if status.st_size > limit or total > MAX_TOTAL or len(found) >= MAX_FILES:
            raise RefusedError("files", f"{name} has {status.st_size} bytes, allowed are {limit} ({MAX_TOTAL} in all)")
        content = _read(folder / name, limit)
        _check_content(name, content)
        target = root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        found[name] = hashlib.sha256(content).hexdigest()
    return found


def _repeated(root: Path, sums: dict[str, str], found: dict[str, str]) -> dict[str, str]:
    """Policies that are not there, copied from one that is and has their digest: SHA-256 by path.

    So a network that plays several tasks is stored once.
    """
    there = {(digest, PurePosixPath(name).suffix): name for name, digest in found.items() if name.startswith("policy/")}
    total = sum((root / name).stat().st_size for name in found)
    made: dict[str, str] = {}
    for name in sorted(sums.keys() - found.keys()):
        twin = there.get((sums[name], PurePosixPath(name).suffix))
        if twin is None or not name.startswith("policy/"):
            continue
        content = (root / twin).read_bytes()
        total += len(content)
        if total > MAX_TOTAL or len(found) + len(made) >= MAX_FILES:
            raise RefusedError("files", f"{name} is one file too many, or one of more than {MAX_TOTAL} bytes in all")
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
        made[name] = sums[name]
    return made


def _read(path: Path, limit: int) -> bytes:
    """The content of a regular file that is not reached through a link."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        raise RefusedError("files", f"{path.name} cannot be read: {error.strerror}") from error
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise RefusedError("files", f"{path.name} is no regular file")
        content = file.read(limit + 1)
    if len(content) > limit:
        raise RefusedError("files", f"{path.name} has more than {limit} bytes")
    return content


def _check_content(name: str, content: bytes) -> None:
    for magic, what in _EXECUTABLE.items():
        if content.startswith(magic):
            raise RefusedError("files", f"{name} is {what}")
    if name.endswith(".npz") != content.startswith(b"PK\x03\x04"):
        raise RefusedError("files", f"{name} is {'no' if name.endswith('.npz') else 'a'} zip archive")
    if name.endswith(_TEXTS):
        try:
            text = content.decode()
        except UnicodeDecodeError as error:
            raise RefusedError("files", f"{name} is not UTF-8 text") from error
        if "\0" in text:
            raise RefusedError("files", f"{name} holds NUL characters")


def _compare(stated: dict[str, str], found: dict[str, str]) -> None:
    for name in sorted({*stated, *found}):
        if name not in stated:
            raise RefusedError("files", f"{name} is not in {SUMS}")
        if name not in found:
            raise RefusedError("files", f"{name} is in {SUMS} and missing")
        if stated[name] != found[name]:
            raise RefusedError("files", f"{name} has SHA-256 {found[name][:16]}..., {SUMS} says {stated[name][:16]}...")


def _shown(text: str) -> str:
    """Strangers' text for a message: printable and short."""
    return repr(text[:80])[1:-1]
