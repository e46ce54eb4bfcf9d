"""Every attempt is answered as it must be, harms nobody, and stands on the page."""

import re
import time
from pathlib import Path

import pytest

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.companions import Words, companion
from envsuite.core.world import make_world
from envsuite.serving.sessions import LONGEST_WORDS

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


HOSTILE = {
    "spaces": " ",
    "digits": "1",
    "numbers": "1 ",
    "brackets": "[",
    "lists": "[1, ",
    "letters": "a",
    "objects": '{"a":',
    "colons": "a:",
    "lines": "\n",
    "huge numbers": "1e999 ",
    "surrogates": "\ud800",
    "zeros": "\0",
}


@pytest.mark.slow
@pytest.mark.parametrize("env_id", [card.id for card in envsuite.cards().values() if card.playable])
def test_no_words_make_a_parser_fail_or_take_long(env_id):
    card = envsuite.card(env_id)
    world = make_world(card.world, **card.options)
    batch = Batch(world, 1)
    batch.seed([0])
    batch.reset()
    words = companion(world, Words)
    words.parse("1", batch.states[0], 0)  # compiles what it needs
    for name, piece in HOSTILE.items():
        for text in (piece * (LONGEST_WORDS // len(piece)), '{"a":' * 1000 + "1" + "}" * 1000):
            start = time.monotonic()
            words.parse(text, batch.states[0], 0)
            assert time.monotonic() - start < 1, name


def test_the_page_has_every_attempt_once():
    section = PAGE.read_text(encoding="utf-8").partition("## The server\n")[2].partition("\n## ")[0]
    for one in CASES:
        assert section.count(f"\n| {one.title} | ") == 1, "write the page anew"
    assert section.count("\n| ") == len(CASES) + 2
