"""The oracle that asks a language model: a server on this machine, the cache, and what it falls back on."""

import pytest

pytest.importorskip("httpx")

from envsuite.agents.chat.client import Endpoint
from envsuite.testing.chat import ChatServer, Reply
from envsuite.text_games.guess_city.knowledge import cities
from envsuite.text_games.guess_city.language import RulesOracle as CityRules
from envsuite.text_games.guess_city.language import from_model
from envsuite.text_games.oracle.model import ModelOracle
from envsuite.text_games.twenty_questions.knowledge import things
from envsuite.text_games.twenty_questions.oracle import RulesOracle

NAMES = [one.name for one in things()]
CAT = NAMES.index("cat")


def test_a_model_answers_once_and_then_the_cache_does(tmp_path):
    with ChatServer(lambda body: "No, it is not.") as server:
        oracle = ModelOracle(RulesOracle(), NAMES, tmp_path, Endpoint(server.url, "some-model"))
        replies = [oracle.answer(CAT, "Is it an animal?") for _ in range(3)]
        assert len(server.requests) == 1
        body = server.requests[0][1]
    assert body["temperature"] == 0
    assert "The secret is: cat." in body["messages"][0]["content"]
    assert body["messages"][1]["content"] == "Is it an animal?"
    for reply in replies:
        assert (reply.text, reply.intent, reply.fallback) == ("No.", "Is it an animal?", "")
        assert reply.version == oracle.version
        assert oracle.version != RulesOracle().version
        assert "some-model" in oracle.version
    replay = ModelOracle(RulesOracle(), NAMES, tmp_path, model="some-model")
    assert replay.answer(CAT, "Is it an animal?") == replies[0]
    other = replay.answer(CAT, "Is it alive?")
    assert (other.text, other.fallback) == ("Yes.", "not cached")
    assert (
        ModelOracle(RulesOracle(), NAMES, tmp_path, model="another").answer(CAT, "Is it an animal?").fallback
        == "not cached"
    )


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (Reply(status=500), "status"),
        (Reply(body=b"no json"), "malformed"),
        (Reply("Perhaps."), "unreadable"),
        (Reply(drop="before"), "connection"),
        (Reply("Yes.", delay=2.0), "timeout"),
    ],
)
def test_rules_answer_where_a_model_does_not(reply, why, tmp_path):
    with ChatServer(lambda body: reply) as server:
        oracle = ModelOracle(RulesOracle(), NAMES, tmp_path, Endpoint(server.url, "m", timeout=0.5))
        found = oracle.answer(CAT, "Is it made of metal?")
    assert (found.text, found.fallback, found.version) == ("No.", why, oracle.version)


def test_open_answers_of_a_model_do_not_name_the_city(tmp_path):
    names = [one.name for one in cities()]
    tokyo = names.index("Tokyo")
    with ChatServer(lambda body: "Tokyo is in Japan;\nJapanese people love the Imperial Palace.") as server:
        oracle = ModelOracle(CityRules(), names, tmp_path, Endpoint(server.url, "m"), normalise=from_model)
        early, late = (oracle.answer(tokyo, "What is it like?", turn).text for turn in (0, 15))
    for word in ("Tokyo", "Japan", "Japanese", "Imperial"):
        assert word not in early
        assert word in late


def test_a_replay_needs_the_name_of_its_model(tmp_path):
    with pytest.raises(ValueError, match="model is empty"):
        ModelOracle(RulesOracle(), NAMES, tmp_path)
