"""Checks that tag, version and changelog agree, and prints the release's notes: ``python .ci/release.py v1.2.3``."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def notes(tag: str, root: Path = ROOT) -> str:
    """The changelog's section of a version.

    Args:
        tag: of the release, ``v`` and the version.
        root: of the repository.

    Raises:
        ValueError: tag and package have different versions, or the changelog has no dated section of it.
    """
    source = (root / "envsuite" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"$', source, re.MULTILINE)
    if found is None or tag != f"v{found[1]}":
        raise ValueError(f"the tag is {tag}, the package's version {found[1] if found else 'missing'}")
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = rf"^## \[{re.escape(found[1])}\] - \d{{4}}-\d{{2}}-\d{{2}}$"
    section = re.search(rf"{heading}\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    if section is None or not section[1].strip():
        raise ValueError(f"CHANGELOG.md has no section '## [{found[1]}] - YYYY-MM-DD'")
    return section[1].strip() + "\n"


if __name__ == "__main__":
    try:
        sys.stdout.write(notes(sys.argv[1]))
    except ValueError as error:
        sys.exit(f"error: {error}")
