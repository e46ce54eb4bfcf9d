"""Two models against each other through two local servers, and ratings from games of models and computer players."""

import math

import numpy as np
import pytest

import envsuite
from envsuite.agents.chat.client import Endpoint
from envsuite.agents.chat.secret import Key
from envsuite.evaluation.chat.rating import PRIOR, Game, games, rate
from envsuite.evaluation.chat.runner import Runner
from envsuite.evaluation.chat.scoring import score
from envsuite.scoring import bradley_terry
from envsuite.testing.chat import ChatServer
from tests.evaluation.chat.test_fights import DUEL, SHORT, reads
from tests.evaluation.chat.test_runner import QUICK, SECRET, journals, make_record
from tests.evaluation.chat.test_runner import play as play_one

VERSUS = "envsuite/DuelVersus-v0"
PAIR = {"actions": "macro24", "frame_skip": 30, "characters": ["arden", "arden"], "round_frames": 600}
OTHER = "sk-other-9876543210fedcba"


def rival_record(path, first, second, episodes=3, names=("reader", "statue")):
    """Nobody has been asked yet."""
    others = ((names[1], second.url),)
    record = make_record(path, first.url, VERSUS, episodes, window=0, retries=0, options=PAIR, others=others)
    ends = [
        Endpoint(first.url, names[0], Key(SECRET, "A_KEY")),
        Endpoint(second.url, names[1], Key(OTHER, "B_KEY")),
    ]
    return record, ends


def test_each_model_is_asked_for_its_own_fighter(tmp_path):
    with ChatServer(reads) as first, ChatServer(lambda body: "Action: idle") as second:
        record, ends = rival_record(tmp_path / "a", first, second)
        result = Runner(record, ends, patience=QUICK).run()
        assert not result.failed
        again, ends = rival_record(tmp_path / "b", first, second)
        Runner(again, ends, patience=QUICK, concurrency=1).run()
        models = [{body["model"] for _, body in server.requests} for server in (first, second)]
        keys = [{headers["Authorization"] for headers, _ in server.requests} for server in (first, second)]
    assert models == [{"reader"}, {"statue"}]
    assert keys == [{f"Bearer {SECRET}"}, {f"Bearer {OTHER}"}]
    text = "".join(journals(record))
    assert SECRET not in text
    assert OTHER not in text
    scores = score(record)
    assert {seed: one.agent_returns.tolist() for seed, one in scores.outcomes.items()} == {
        seed: one.agent_returns.tolist() for seed, one in score(again).outcomes.items()
    }
    played = games(scores)
    assert [(one.first, one.second) for one in played] == [("tester", "statue")] * 3
    assert [one.share for one in played] == [1.0] * 3, "who kicks beats who stands"
    assert scores.plain()["others"] == ["statue"]


def test_games_against_computer_players_are_named_by_level(tmp_path):
    with ChatServer(lambda body: "Action: idle") as server:
        record = make_record(tmp_path, server.url, DUEL, 2, window=0, options={**SHORT, "level": 3})
        play_one(record)
    played = games(score(record))
    assert [(one.first, one.second) for one in played] == [("tester", "level 3")] * 2
    assert all(one.share == 0 for one in played)


def test_records_that_are_no_games_are_refused(tmp_path):
    with ChatServer(lambda body: "Action: [1, 1, -1, -1]") as server:
        record = make_record(tmp_path, server.url, episodes=1)
        play_one(record)
    with pytest.raises(ValueError, match="neither a game of two models nor one against a computer player"):
        games(score(record))


def test_ratings_are_those_of_the_table_of_all_games():
    generator = np.random.default_rng(0)
    strength = {"level 1": 0.0, "level 8": 1.5, "a": 1.0, "b": 2.0}
    played, points, names = [], np.zeros((4, 4)), sorted(strength)
    for seed in range(400):
        for first, second in (("a", "level 1"), ("b", "level 8"), ("a", "b"), ("b", "level 1")):
            share = float(generator.random() < 1 / (1 + math.exp(strength[second] - strength[first])))
            played.append(Game(seed, first, second, share))
            i, j = names.index(first), names.index(second)
            points[i, j] += share
            points[j, i] += 1 - share
    found = rate(played)
    assert list(found) == sorted(found, key=lambda name: -found[name].value)
    assert found["level 1"].value == 1000
    expected = dict(zip(names, bradley_terry(points, anchor=names.index("level 1"), prior=PRIOR), strict=True))
    for name, one in found.items():
        assert one.value == pytest.approx(expected[name])
        true = 1000 + 400 / math.log(10) * strength[name]
        assert one.low - 60 < true < one.high + 60
        assert one.low < one.value < one.high or name == "level 1"
    assert rate(played, "b")["b"].value == 1000


def test_what_cannot_be_rated_is_refused():
    with pytest.raises(ValueError, match="anchor is 'level 9', expected one of 'a', 'b'"):
        rate([Game(0, "a", "b", 1.0), Game(1, "a", "b", 0.0)], "level 9")
    with pytest.raises(ValueError, match="plays against itself"):
        rate([Game(0, "a", "a", 1.0), Game(1, "a", "a", 0.0)])
    with pytest.raises(ValueError, match="seeds >= 2"):
        rate([Game(0, "a", "b", 1.0)])


def test_models_and_agents_are_as_many(tmp_path):
    with pytest.raises(ValueError, match=r"2 models are given, envsuite/Duel-v0 has 1 agents"):
        make_record(tmp_path, "http://127.0.0.1:1/v1", DUEL, others=(("other", "http://127.0.0.1:1/v1"),))
    card = envsuite.card(VERSUS)
    assert card.agents == 2
    record = make_record(tmp_path, "http://127.0.0.1:1/v1", VERSUS, others=(("other", "http://127.0.0.1:1/v1"),))
    with pytest.raises(ValueError, match="1 endpoints for 2 models"):
        Runner(record, Endpoint("http://127.0.0.1:1/v1", "tester"))
