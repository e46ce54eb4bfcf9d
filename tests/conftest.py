"""Which tests run in one process when several run at once."""

from pathlib import Path

import pytest

import envsuite

ROOT = Path(__file__).parent
CARDS = envsuite.cards()
FAMILIES = {card.family for card in CARDS.values()}


def group_of(item: pytest.Item) -> str:
    """Tests of one world share its compiled kernels, so they share a process, and so do those of one file."""
    chosen = getattr(getattr(item, "callspec", None), "params", {})
    for value in chosen.values():
        if isinstance(value, str) and value in CARDS:
            module = CARDS[value].world.split(":")[0]
            return "/".join(module.split(".")[1:-1])
    folder = item.path.parent.relative_to(ROOT)
    return folder.as_posix() if folder.parts and folder.parts[0] in FAMILIES else item.path.as_posix()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Group tests, for ``--dist loadgroup``."""
    for item in items:
        item.add_marker(pytest.mark.xdist_group(group_of(item)))
