"""Every check of the conformance kit on every registered environment."""

from collections.abc import Iterator

import pytest

from envsuite import cards
from envsuite.testing import CHECKS, NotApplicable

ALWAYS = ("anchors", "behaviour", "observations_in_space", "seeding")


def cases() -> Iterator:
    """Environment and check; for further cards of a world only the quick checks run by default."""
    seen = set()
    for env_id, card in cards().items():
        first = card.world not in seen
        seen.add(card.world)
        for check in CHECKS:
            marks = () if first or check in ALWAYS else (pytest.mark.slow,)
            yield pytest.param(env_id, check, marks=marks, id=f"{env_id}-{check}")


@pytest.mark.parametrize(("env_id", "check"), [*cases()])
def test_contract(env_id, check):
    try:
        CHECKS[check](cards()[env_id])
    except NotApplicable as reason:
        pytest.skip(str(reason))
