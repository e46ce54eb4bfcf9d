"""Every check of the conformance kit on every registered environment."""

import pytest

from envsuite import cards
from envsuite.testing import CHECKS, NotApplicable


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("env_id", cards())
def test_contract(env_id, check):
    try:
        CHECKS[check](cards()[env_id])
    except NotApplicable as reason:
        pytest.skip(str(reason))
