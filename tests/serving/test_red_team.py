"""Every attempt is answered as it must be, harms nobody, and stands on the page."""

import re
from pathlib import Path

import pytest

from .red_team_cases import CASES, under_attack

PAGE = Path(__file__).parents[2] / "docs" / "red-team.md"


@pytest.fixture(scope="module")
def target():
    with under_attack() as one:
        yield one


@pytest.mark.parametrize("one", CASES, ids=[one.title for one in CASES])
def test_attempts_are_answered_and_harm_nobody(target, one):
    answer = one.attack(target)
    assert re.match(one.match, answer) or re.search(one.match, answer), answer
    target.witness()


def test_the_page_has_every_attempt_once():
    section = PAGE.read_text(encoding="utf-8").partition("## The server\n")[2].partition("\n## ")[0]
    for one in CASES:
        assert section.count(f"\n| {one.title} | ") == 1, "write the page anew"
    assert section.count("\n| ") == len(CASES) + 2
