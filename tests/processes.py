"""Processes of this machine, for tests that kill some (Linux)."""

from collections.abc import Callable
from pathlib import Path


def ancestors(pid: int) -> list[int]:
    """The processes that a process comes from, its parent first."""
    found = []
    while pid > 1:
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        found.append(pid)
    return found


def processes(wanted: Callable[[bytes], bool], below: int) -> list[int]:
    """Those whose command line (words with a zero byte after each) is wanted, and that come from a process."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if wanted(path.read_bytes()) and below in ancestors(int(path.parent.name)):
                found.append(int(path.parent.name))
        except (OSError, ValueError):  # it has ended meanwhile
            continue
    return found
