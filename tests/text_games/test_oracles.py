"""The oracle that asks a language model: a server on this machine, the cache, and what it falls back on."""

import numpy as np
import pytest

pytest.importorskip("httpx")

from envsuite.agents.chat.client import Endpoint
from envsuite.core.batch import Batch
from envsuite.testing.chat import ChatServer, Reply
from envsuite.text_games.car_dealer.buyer import RulesBuyer, decision, model_buyer
from envsuite.text_games.car_dealer.buyer import from_model as from_model_buyer
from envsuite.text_games.car_dealer.catalogue import VERSION
from envsuite.text_games.car_dealer.rules import ACCEPT, REJECT
from envsuite.text_games.car_dealer.world import CarDealerWorld
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


def buyers(count: int = 3) -> np.ndarray:
    """At the start of their episodes; the first one is polite, wants a Ford sedan with a sunroof and has $50,000."""
    batch = Batch(CarDealerWorld(), count, num_threads=1)
    batch.seed(range(count))
    batch.reset()
    for name, value in {"personality": 3, "strategy": 2, "brand": 2, "kind": 1, "wanted": 64, "budget": 50_000,
                        "value": 15, "patience": 6}.items():  # fmt: skip
        batch.states[name][0] = value
    return batch.states.copy()


def test_the_buyer_of_rules_goes_on_from_what_was_said():
    buyer, history, replies = RulesBuyer(buyers()), [], []
    for text in ("What do you need?", "bla", "I offer you a Ford sedan for $40,000.", "I make it $24,000."):
        replies.append(buyer.answer(0, text, len(history), history))
        history.append((text, replies[-1].text))
    assert [one.confidence for one in replies] == [1.0, 0.0, 1.0, 1.0]
    assert "sunroof" in replies[0].text
    assert replies[1].text == ""
    assert decision(replies[2].text) is None
    assert decision(replies[3].text) == (ACCEPT, 24_000)
    assert replies[3].intent.startswith("I offer a Ford (sedan)")
    assert replies[3].version == VERSION
    with pytest.raises(ValueError, match="history has 4 turns, expected none after the buyer has decided"):
        buyer.answer(0, "Welcome!", 4, history)
    with pytest.raises(ValueError, match="secret is 3, expected an index from 0 to 2"):
        buyer.answer(3, "Welcome!")


def test_a_model_plays_the_buyer_and_sees_the_talk(tmp_path):
    said = iter(["Too dear!\nI pay $20,000. [Decision: None.]", "Fine. [Decision: Accept. Buy price: $24,500.]"])
    with ChatServer(lambda body: next(said)) as server:
        buyer = model_buyer(buyers(), tmp_path, Endpoint(server.url, "some-model"))
        first = buyer.answer(0, "I offer you a Ford sedan for $40,000.")
        history = [("I offer you a Ford sedan for $40,000.", first.text)]
        second = buyer.answer(0, "I offer it for $24,500.", 1, history)
        bodies = [body for _, body in server.requests]
    assert first.text == "Too dear! I pay $20,000. [Decision: None.]"
    assert (decision(first.text), decision(second.text)) == (None, (ACCEPT, 24_500))
    assert bodies[0]["temperature"] == 0
    system = bodies[0]["messages"][0]["content"]
    for part in ("You play the buyer", "polite", "a Ford (sedan)", "sunroof", "$50,000", "100 %", "6 turns"):
        assert part in system
    assert [one["role"] for one in bodies[1]["messages"]] == ["system", "user", "assistant", "user"]
    assert bodies[1]["messages"][2]["content"] == first.text
    replay = model_buyer(buyers(), tmp_path, model="some-model")
    assert replay.answer(0, "I offer it for $24,500.", 1, history) == second
    other = replay.answer(0, "I offer it for $24,500.", 1, [("Welcome!", "Hello.")])
    assert other.fallback == "not cached"
    assert decision(other.text) == (ACCEPT, 24_500)
    assert second.version != VERSION
    assert "some-model" in second.version


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I take it. [Decision: Accept. MSRP: $1. Buy price: $24,500.]", (ACCEPT, 24_500)),
        ("[decision: accept. buy price: 24500]", (ACCEPT, 24_500)),
        ("No. [Decision: Reject.]", (REJECT, 0)),
        ("Perhaps. [Decision: None.]", None),
        ("I accept!", None),
    ],
)
def test_decisions_are_read(text, expected):
    assert decision(text) == expected
    assert from_model_buyer(text, 0, 0) == text


def test_a_model_that_buys_for_no_price_has_not_answered(tmp_path):
    with ChatServer(lambda body: "It is a deal. [Decision: Accept.]") as server:
        buyer = model_buyer(buyers(), tmp_path, Endpoint(server.url, "m"))
        found = buyer.answer(0, "I offer you a Ford sedan for $40,000.")
    assert found.fallback == "unreadable"
    assert decision(found.text) is None


def test_a_replay_needs_the_name_of_its_model(tmp_path):
    with pytest.raises(ValueError, match="model is empty"):
        ModelOracle(RulesOracle(), NAMES, tmp_path)
