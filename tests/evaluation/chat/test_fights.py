"""Language agents in fights: macros through a local server, the fight halted or going on, and how it was fought."""

import json
import math

import pytest

from envsuite.evaluation.chat.report import as_page, as_text
from envsuite.evaluation.chat.scoring import score
from envsuite.testing.chat import ChatServer, Reply, last_prompt
from tests.evaluation.chat.test_runner import make_record, play

DUEL = "envsuite/Duel-v0"
SHORT = {"actions": "macro24", "frame_skip": 30, "level": 1, "opponent": "arden", "round_frames": 600}
SHARES = ("attacks_hit", "attacks_blocked", "attacks_whiffed", "attacks_interrupted")


def reads(body) -> str:
    """Walks up, then kicks and blocks by turns."""
    prompt = last_prompt(body)
    told = json.loads(prompt[prompt.index('{"you"') : prompt.rindex("}") + 1])
    if told["distance"] > 60:
        return "Action: forward"
    return "Action: sweep" if int(told["seconds"]) % 2 else "Action: stand_block"


def test_how_a_fight_was_fought_is_in_the_report(tmp_path):
    with ChatServer(reads) as server:
        record = make_record(tmp_path, server.url, DUEL, 2, window=0, options=SHORT)
        assert not play(record).failed
    scores = score(record)
    pooled, outcomes = scores.pooled(), list(scores.outcomes.values())
    assert sum(pooled[name] for name in SHARES) == pytest.approx(1)
    assert 0 < pooled["entropy"] <= math.log2(3)
    asked = sum((one.audit.asked for one in outcomes), type(outcomes[0].audit.asked)())
    assert asked.total() == sum(one.audit.decisions for one in outcomes) == scores.count("turns")
    for one in outcomes:
        assert one.audit.dealt == one.metrics["dealt"]
        assert one.audit.whiffs == one.metrics["whiffs"]
        assert one.audit.frames == one.metrics["frames"]
    text, page = as_text(scores), as_page([scores])
    for name in (*SHARES, "entropy", "repeats", "damage_share", "inactive", "is_success"):
        assert name in text
        assert name in page
    assert "seconds an answer" in text
    played = sum(float(one.metrics["frames"]) for one in outcomes) / 60
    assert scores.tokens_per_second == pytest.approx(scores.spent.usage.completion / played)
    assert "tokens out a second of game" in text
    assert "tokens out a second of game" in page
    assert "level=1" in page, "records of several levels can be told apart"


def test_one_trick_has_no_entropy_and_repeats_itself(tmp_path):
    with ChatServer(lambda body: "Action: jab, jab") as server:
        options = {**SHORT, "actions": "queue"}
        record = make_record(tmp_path, server.url, DUEL, 1, window=0, options=options)
        play(record)
    ((seed, outcome),) = score(record).outcomes.items()
    assert outcome.audit.entropy == 0
    assert outcome.audit.repeated == outcome.audit.decisions - 1
    assert outcome.audit.asked.total() == 2 * outcome.audit.decisions, seed


def test_macros_that_are_not_possible_are_illegal_answers(tmp_path):
    with ChatServer(lambda body: "Action: super") as server:
        options = {**SHORT, "round_frames": 60}
        record = make_record(tmp_path, server.url, DUEL, 1, retries=0, fallback="neutral", options=options)
        play(record)
    scores = score(record)
    assert scores.invalid()["illegal"] == scores.count("answers") > 0
    assert scores.pooled()["entropy"] == 0


def test_the_fight_goes_on_while_the_model_thinks(tmp_path):
    with ChatServer(lambda body: Reply("Action: poke", delay=0.1)) as server:
        record = make_record(tmp_path, server.url, DUEL, 1, window=0, options=SHORT, clock="realtime")
        play(record)
    scores = score(record)
    (outcome,) = scores.outcomes.values()
    assert outcome.thought >= 6 * outcome.turns - 6, "a tenth of a second is six frames"
    assert outcome.audit.frames == outcome.metrics["frames"] <= 600
    assert outcome.thought + 30 * outcome.length >= int(outcome.metrics["frames"])
    assert "realtime" in as_page([scores])
