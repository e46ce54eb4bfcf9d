"""Which tests run in one process when several run at once."""

from pathlib import Path

import pytest

import envsuite

ROOT = Path(__file__).parent
FAMILIES = {card.family for card in envsuite.cards().values()}


def group_of(item: pytest.Item) -> str | None:
    """Tests of one world share its compiled kernels, so they share a process; others go anywhere."""
    folder = item.path.parent.relative_to(ROOT)
    if folder.as_posix() == "contract" and isinstance(item, pytest.Function):
        module = envsuite.card(item.callspec.params["env_id"]).world.split(":")[0]
        return "/".join(module.split(".")[1:-1])
    return folder.as_posix() if folder.parts and folder.parts[0] in FAMILIES else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Group tests, for ``--dist loadgroup``."""
    for item in items:
        if group := group_of(item):
            item.add_marker(pytest.mark.xdist_group(group))
