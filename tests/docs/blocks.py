"""The Python and console blocks of a page as one program, and what its source says about running them.

Comments of a page, which readers do not see, say what tests need:

- ``<!-- in tests: LONG -> SHORT -->``: read LONG as SHORT in all blocks of the page.
- ``<!-- in tests, before: CODE -->``: run this before the next block, Python or lines that begin with ``$``.
- ``<!-- in tests, not run: REASON -->``: leave the next block out.
"""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
KINDS = ("python", "console")

_FENCE = re.compile(r"^(`{3,}|~{3,})\s*(\S*)")
_SHORTER = re.compile(r"<!-- in tests: (.+?) -> (.+?) -->")
_BEFORE = re.compile(r"<!-- in tests, before:\s*(.*?)\s*-->", re.DOTALL)
_LEFT_OUT = re.compile(r"<!-- in tests, not run: (.+?) -->", re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block.

    Attributes:
        kind: ``"python"`` or ``"console"``.
        text: its content.
        line: of its first line, from 1.
        before: what tests run before it.
        reason: why tests leave it out; empty if they run it.
    """

    kind: str
    text: str
    line: int
    before: str = ""
    reason: str = ""


def pages() -> list[Path]:
    """All pages whose blocks are run."""
    found = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "leaderboard/README.md")]
    written = (path for path in (ROOT / "docs").rglob("*.md") if not any(one.startswith("_") for one in path.parts))
    worlds = (path for path in (ROOT / "envsuite").rglob("README.md") if "template" not in path.parts)
    folders = {ROOT / "docs" / "environments"}  # written from the worlds' own pages
    return sorted(path for path in (*found, *written, *worlds) if not folders & set(path.parents))


def blocks(text: str) -> list[Block]:
    """The Python and console blocks of a page."""
    found: list[Block] = []
    lines, inside, kind, start, since = text.splitlines(), "", "", 0, 0
    for number, line in enumerate(lines):
        fence = _FENCE.match(line)
        if inside and line.startswith(inside):
            if kind in KINDS:
                above = "\n".join(lines[since : start - 1])
                before = "\n".join(_BEFORE.findall(above))
                reason = " ".join(" ".join(_LEFT_OUT.findall(above)).split())
                found.append(Block(kind, "\n".join(lines[start:number]) + "\n", start, before, reason))
            inside, since = "", number + 1
        elif fence and not inside:
            inside, kind, start = fence[1], fence[2], number + 1
    return found


def commands(text: str) -> list[str]:
    """The commands of a console block, whose lines begin with ``$``; a backslash goes on; the rest is output."""
    found: list[str] = []
    goes_on = False
    for line in text.splitlines():
        if goes_on:
            found[-1] += "\n" + line
        elif line.startswith("$ "):
            found.append(line[2:])
        else:
            continue
        goes_on = line.endswith("\\")
    return found


def script(text: str) -> str:
    """A page as one Python program."""
    shorter = _SHORTER.findall(text)
    parts = ["import subprocess"]
    for block in blocks(text):
        if block.reason:
            continue
        before = "console" if block.before.startswith("$ ") else "python"
        for kind, content in ((before, block.before), (block.kind, block.text)):
            for long, short in shorter:
                content = content.replace(long, short)
            if kind == "python":
                parts.append(content)
            else:
                parts += [f"subprocess.run({one!r}, shell=True, check=True)" for one in commands(content)]
    return "\n".join(parts)


def shortened(text: str) -> set[str]:
    """What a page's tests read as something shorter."""
    return {long for long, _ in _SHORTER.findall(text)}
