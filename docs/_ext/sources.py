"""Where an object's source is in the repository, for the links beside its name."""

import inspect
import sys
from functools import cache
from importlib.metadata import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


@cache
def home() -> str:
    """The repository's address, as the package states it."""
    urls = dict(one.split(", ", 1) for one in metadata("envsuite").get_all("Project-URL"))
    return urls["Homepage"]


def link(domain: str, info: dict[str, Any]) -> str | None:
    """The address of an object's lines; None for what has none of its own, such as constants.

    Args:
        domain: of the object; only Python's has lines.
        info: ``module`` and ``fullname``, see `sphinx.ext.linkcode`.
    """
    if domain != "py" or info["module"] not in sys.modules:
        return None
    found: Any = sys.modules[info["module"]]
    for name in info["fullname"].split("."):
        found = getattr(found, name, None)
    found = found.fget if isinstance(found, property) else getattr(found, "py_func", found)
    try:
        lines, first = inspect.getsourcelines(found)
        path = Path(inspect.getsourcefile(found) or "").resolve().relative_to(ROOT)
    except (TypeError, OSError, ValueError):
        return None
    return f"{home()}/blob/main/{path.as_posix()}#L{first}-L{first + len(lines) - 1}"
