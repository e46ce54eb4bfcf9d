"""JSON of strangers: no key twice, no NaN or infinity, and one kind of error for everything."""

import json
from collections import Counter
from typing import Any


def loads(text: str | bytes) -> Any:
    """Read JSON.

    Raises:
        ValueError: it is not JSON, has a key twice in one object, a number that is none, or is nested too deeply.
    """
    try:
        return json.loads(text, parse_constant=_refuse, object_pairs_hook=_unique)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is not a number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the key {twice[:60]!r} stands there twice")
    return table
