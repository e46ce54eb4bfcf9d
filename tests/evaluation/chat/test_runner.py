"""Episodes against a local endpoint: scores, resumption, limits, faults of the endpoint and of answers."""

import json
import math
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import envsuite
from envsuite.agents.chat.client import Endpoint
from envsuite.agents.chat.prices import Price
from envsuite.agents.chat.prompts import load_prompts
from envsuite.agents.chat.secret import Key
from envsuite.core.batch import Batch
from envsuite.core.world import make_world
from envsuite.evaluation import rollout
from envsuite.evaluation.chat.journal import Journal
from envsuite.evaluation.chat.runner import Patience, Runner
from envsuite.evaluation.chat.scoring import score
from envsuite.evaluation.chat.settings import Limits, Record, Settings
from envsuite.evaluation.rollout import EVALUATION_SEED
from envsuite.testing.chat import ChatServer, Reply, last_prompt
from tests.evaluation.chat.text_player import maze_answer

HOVER, MAZE, PAIR = "envsuite/QuadHover-v0", "envsuite/MazeOgbenchMedium-v0", "envsuite/QuadMultiHover-v0"
SECRET = "sk-test-0123456789abcdef"
QUICK = Patience(tries=3, first_wait=0.0)
STEADY = "Action: go to [0, 0, 0]"


def make_record(path: Path, url: str, env_id: str = HOVER, episodes: int = 1, price: Price | None = None, **settings):
    card = envsuite.card(env_id)
    made = Settings(
        env_id,
        "tester",
        url,
        load_prompts(),
        EVALUATION_SEED,
        **{"options": card.options, "behaviour": card.behaviour, **settings},
    )
    return Record(path, made, episodes, price).write(lambda value: value)


def play(record: Record, limits: Limits | None = None, patience: Patience = QUICK, concurrency: int = 4, **endpoint):
    made = Endpoint(record.settings.base_url, "tester", Key(SECRET, "TEST_KEY"), **endpoint)
    record.write(made.hide)
    return Runner(record, made, limits, patience, concurrency).run()


def journals(record: Record) -> list[str]:
    """All events in a settled order, without the times that calls took."""
    lines = []
    for path in sorted(record.path.glob("episodes/*.jsonl")):
        for line in path.read_text().splitlines():
            event = json.loads(line)
            event.pop("seconds", None)
            lines.append(path.name + json.dumps(event, sort_keys=True))
    return sorted(lines)


def once(faulty: Reply, then: str = STEADY):
    """Answers the first request with a fault."""
    asked = []

    def answer(body):
        asked.append(body)
        return faulty if len(asked) == 1 else then

    return answer


def ends_soon(body) -> str:
    """Full thrust on one side: leaves the box within some steps."""
    return "Action: [1, 1, -1, -1]"


def test_a_player_with_words_alone_solves_a_maze_as_well_as_the_planner(tmp_path):
    with ChatServer(maze_answer) as server:
        record = make_record(tmp_path, server.url, MAZE, 3, window=0)
        result = play(record)
    scores = score(record)
    assert not result.failed
    assert not result.stopped
    assert scores.estimates()["normalised"].value == pytest.approx(1.0)
    assert sum(scores.invalid().values()) == 0
    assert scores.count("turns") == scores.count("answers") == scores.count("first_valid") == result.asked


def test_set_points_in_words_hover_nearly_as_well_as_the_expert(tmp_path):
    with ChatServer(lambda body: STEADY) as server:
        record = make_record(tmp_path, server.url, HOVER, 2, window=0)
        play(record)
    expert = rollout.play(envsuite.card(HOVER), rollout.expert_policy, 2)
    assert score(record).returns().mean() > 0.95 * expert.returns.mean()


def test_returns_are_those_of_the_actions_played_by_hand(tmp_path):
    with ChatServer(ends_soon) as server:
        record = make_record(tmp_path, server.url, HOVER, 2)
        play(record)
    for seed, outcome in score(record).outcomes.items():
        card = envsuite.card(HOVER)
        batch = Batch(make_world(card.world), 1, horizon=card.horizon)
        batch.seed([seed])
        batch.reset()
        total, length = 0.0, 0
        while not batch.done[0]:
            total += float(batch.step(np.array([[1, 1, -1, -1]], np.float32)).rewards[0])
            length += 1
        assert (outcome.returns, outcome.length) == (total, length)
        assert outcome.terminated
        assert not outcome.truncated


def test_results_do_not_depend_on_concurrency(tmp_path):
    def answer(body):
        time.sleep(hash(last_prompt(body)) % 3 * 0.001)
        return ends_soon(body)

    found = []
    with ChatServer(answer) as server:
        for workers in (1, 5):
            record = make_record(tmp_path / str(workers), server.url, HOVER, 5)
            play(record, concurrency=workers)
            found.append((journals(record), score(record).returns().tolist()))
    assert found[0] == found[1]


def test_each_agent_has_its_own_conversation(tmp_path):
    with ChatServer(lambda body: "Action: [1, 1, 1, 1]") as server:
        record = make_record(tmp_path, server.url, PAIR, 1, window=2)
        play(record)
        heard = [body["messages"] for _, body in server.requests]
    for messages in heard:
        who = "drone_0" if "You are drone_0," in messages[0]["content"] else "drone_1"
        other = {"drone_0": "drone_1", "drone_1": "drone_0"}[who]
        told = [message["content"] for message in messages if message["role"] == "user"]
        assert all(f"You are {who} and" in text and f"You are {other} and" not in text for text in told)
    (outcome,) = score(record).outcomes.values()
    assert outcome.agent_returns.shape == (2,)
    assert outcome.agent_returns.sum() == pytest.approx(float(outcome.returns), rel=1e-12)
    assert outcome.turns == len(heard)


def test_in_games_by_turns_who_waits_is_not_asked_and_nobody_sees_the_other_card(tmp_path):
    with ChatServer(
        lambda body: "[call]" if "[call]" in last_prompt(body).rpartition("Legal moves")[2] else "[bet]"
    ) as server:
        record = make_record(tmp_path, server.url, "envsuite/KuhnPoker-v0", 6, image=(420, 300), window=0)
        play(record)
        heard = [body["messages"][-1]["content"] for _, body in server.requests]
    outcomes = score(record).outcomes
    assert [one.length for one in outcomes.values()] == [2] * 6, "a bet, and a call"
    assert sum(one.turns for one in outcomes.values()) == len(heard) == 12
    assert all("It is your turn" in text["text"] for text, _ in heard)
    cards: dict[str, set[str]] = {}
    for text, picture in heard:
        card = text["text"].partition("Your card is the ")[2].partition(".")[0]
        cards.setdefault(picture["image_url"]["url"], set()).add(card)
    assert all(len(one) == 1 for one in cards.values()), "a picture shows whose it is"
    assert len({card for one in cards.values() for card in one}) > 1
    assert score(record).whole


def test_the_window_bounds_what_is_shown(tmp_path):
    with ChatServer(ends_soon) as server:
        play(make_record(tmp_path / "two", server.url, window=2))
        lengths = [len(body["messages"]) for _, body in server.requests]
        assert lengths[:3] == [2, 4, 6]
        assert set(lengths[2:]) == {6}
        server.requests.clear()
        play(make_record(tmp_path / "all", server.url, window=None))
        assert [len(body["messages"]) for _, body in server.requests] == [2 + 2 * k for k in range(len(lengths))]


@pytest.mark.parametrize(
    ("faulty", "kind"),
    [
        (Reply(status=429, headers={"Retry-After": "0"}, body=b"{}"), "status"),
        (Reply(status=500, body=b"oops"), "status"),
        (Reply(status=200, body=b'{"choices": [{"mess'), "malformed"),
        (Reply(status=200, body=b'{"choices": []}'), "malformed"),
        (Reply(status=200, body=b"[" * 100_000), "malformed"),
        (Reply(status=200, body=b""), "malformed"),
        (Reply(STEADY, headers={"Content-Type": "text/html"}), "content_type"),
        (Reply(body=b" " * ((8 << 20) + 1)), "overlong"),
        (Reply(drop="before"), "connection"),
        (Reply(STEADY, drop="within"), "connection"),
        (Reply(STEADY, delay=10.0), "timeout"),
        (Reply(STEADY, pause=0.2), "timeout"),
    ],
)
def test_a_fault_of_the_endpoint_is_noted_and_asked_again(tmp_path, faulty, kind):
    with ChatServer(once(faulty, ends_soon({}))) as server:
        record = make_record(tmp_path, server.url)
        result = play(record, timeout=2.0 if kind == "timeout" else 30.0)  # a busy machine answers slowly too
    scores = score(record)
    assert not result.failed
    assert dict(scores.failures) == {kind: 1}
    assert scores.spent.calls == result.asked == scores.count("answers") + 1
    assert sum(scores.invalid().values()) == 0


@pytest.mark.parametrize(
    ("faulty", "kind"),
    [
        (Reply(""), "empty"),
        (Reply(None), "empty"),
        (Reply("I would rather not play."), "unreadable"),
        (Reply("Action: [0.1, 0.2]"), "wrong_count"),
        (Reply("Action: [5, 0, 0, 0]"), "out_of_range"),
        (Reply("I cannot", message={"refusal": "I cannot help with that"}), "refused"),
        (Reply("x", finish="content_filter"), "refused"),
        (Reply("[0, 0, 0, 0] and then" + " again" * 50_000, finish="length"), "cut_off"),
        (Reply("\ud800 [", usage=None), "unreadable"),
    ],
)
def test_an_invalid_answer_is_told_why_and_counted_by_kind(tmp_path, faulty, kind):
    with ChatServer(once(faulty, ends_soon({}))) as server:
        record = make_record(tmp_path, server.url)
        play(record)
        second = server.requests[1][1]["messages"]
    scores = score(record)
    assert {name: count for name, count in scores.invalid().items() if count} == {kind: 1}
    assert scores.count("fallbacks") == 0
    assert scores.count("first_valid") == scores.count("turns") - 1
    assert second[-2]["role"] == "assistant"
    assert kind in second[-1]["content"]


@pytest.mark.parametrize("fallback", ["random", "repeat", "neutral"])
def test_without_a_valid_answer_the_fallback_acts(tmp_path, fallback):
    with ChatServer(once(Reply(ends_soon({})), "no idea")) as server:
        record = make_record(tmp_path, server.url, fallback=fallback, retries=1)
        play(record)
    scores = score(record)
    turns = scores.count("turns")
    assert scores.count("fallbacks") == turns - 1
    assert scores.invalid()["unreadable"] == 2 * (turns - 1) == scores.count("answers") - 1
    steps = [json.loads(line) for line in record.journal(EVALUATION_SEED).read_text().splitlines()]
    acted = [step["actions"] for step in steps if step["type"] == "step"][1:]
    if fallback == "repeat":
        assert all(action == [1, 1, -1, -1] for action in acted)
    elif fallback == "neutral":
        assert all(action == [0, 0, 0, 0] for action in acted)
    else:
        assert len({tuple(action) for action in acted}) == len(acted)


def test_structured_answers_ask_for_a_schema_and_read_it(tmp_path):
    answers = iter(['{"thought": "hm"}', "Action: [1, 1, -1, -1]", "[1, 2]"])

    def answer(body):
        assert body["response_format"]["json_schema"]["schema"]["required"] == ["thought", "action"]
        return next(answers, '```json\n{"thought": "left", "action": "[1, 1, -1, -1]"}\n```')

    with ChatServer(answer) as server:
        from envsuite.agents.chat.answers import SCHEMA

        record = make_record(tmp_path, server.url, structured=True, retries=5)
        play(record, response_format=SCHEMA)
    scores = score(record)
    assert {name: count for name, count in scores.invalid().items() if count} == {"no_action": 1, "not_json": 2}
    assert scores.whole


def test_a_picture_goes_with_the_last_message_alone(tmp_path):
    import base64
    import io

    from PIL import Image

    with ChatServer(ends_soon) as server:
        record = make_record(tmp_path, server.url, image=(96, 64), window=1)
        play(record)
        messages = server.requests[1][1]["messages"]
    assert [type(message["content"]) for message in messages] == [str, str, str, list]
    url = messages[-1]["content"][1]["image_url"]["url"]
    picture = Image.open(io.BytesIO(base64.b64decode(url.removeprefix("data:image/png;base64,"))))
    assert picture.size == (96, 64)
    assert np.asarray(picture).std() > 1
    assert score(record).whole
    assert "base64" not in record.journal(EVALUATION_SEED).read_text()


def test_a_run_goes_on_from_any_line_and_asks_only_what_is_missing(tmp_path):
    with ChatServer(ends_soon) as server:
        whole = make_record(tmp_path / "whole", server.url)
        calls = play(whole).asked
        lines = whole.journal(EVALUATION_SEED).read_bytes()
        for cut in (0, 1, len(lines) // 3, len(lines) // 2, lines.rfind(b"\n", 0, -1), len(lines) - 1):
            record = make_record(tmp_path / str(cut), server.url)
            record.journal(EVALUATION_SEED).write_bytes(lines[:cut])
            kept = len(Journal(record.journal(EVALUATION_SEED)).answers)
            assert play(record).asked == calls - kept
            assert journals(record) == journals(whole)
        assert play(whole).asked == 0


def test_a_killed_process_goes_on_without_asking_again(tmp_path):
    """SIGKILL in the middle of an episode; the second process must not repeat an answered request."""
    script = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[3])\n"
        "from tests.evaluation.chat.test_runner import *\n"
        "play(make_record(Path(sys.argv[1]), sys.argv[2], HOVER, 3), concurrency=2)\n"
    )
    root = str(Path(envsuite.__file__).parents[1])
    with ChatServer(ends_soon) as server:
        command = [sys.executable, "-c", script, str(tmp_path / "a"), server.url, root]
        process = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": root})
        while len(server.requests) < 20 and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
        first = len(server.requests)
        record = Record.read(tmp_path / "a")
        kept = sum(len(Journal(record.journal(seed)).answers) for seed in record.seeds)
        assert 0 < first - 2 <= kept <= first
        asked = play(record).asked
        whole = make_record(tmp_path / "b", server.url, HOVER, 3)
        assert asked + kept == play(whole).asked
    assert journals(record) == journals(whole)


def test_limits_stop_the_run_and_it_goes_on_when_they_are_raised(tmp_path):
    price = Price(input=1e6, output=2e6)  # one unit of money a token in, two a token out: 20 an answer
    with ChatServer(ends_soon) as server:
        record = make_record(tmp_path, server.url, episodes=2, price=price)
        for limits, calls in ((Limits(calls=3), 3), (Limits(tokens=75), 2), (Limits(money=140), 2)):
            result = play(record, limits, concurrency=1)
            assert "limit of" in result.stopped
            assert result.asked == calls
        assert "wall time" in play(record, Limits(seconds=1e-9)).stopped
        assert score(record).cost == 140
        assert not play(record).stopped
    scores = score(record)
    assert scores.whole
    assert scores.cost == 20 * scores.spent.calls


def test_a_limit_of_tokens_needs_an_endpoint_that_counts(tmp_path):
    with ChatServer(lambda body: Reply(ends_soon(body), usage=None)) as server:
        record = make_record(tmp_path, server.url, price=Price(1, 1))
        assert "does not count" in play(record, Limits(tokens=100)).stopped
        assert not play(record).stopped
    assert score(record).cost is None


@pytest.mark.parametrize("status", [401, 403, 404])
def test_an_endpoint_that_refuses_all_calls_stops_the_run_at_once(tmp_path, status):
    with ChatServer(lambda body: Reply(status=status, body=b"no")) as server:
        result = play(make_record(tmp_path, server.url, episodes=3), concurrency=1)
    assert f"HTTP {status}" in result.stopped
    assert result.asked == 1


def test_a_bad_request_fails_its_episode_and_an_endless_fault_is_given_up(tmp_path):
    with ChatServer(lambda body: Reply(status=400, body=b"too long")) as server:
        result = play(make_record(tmp_path / "a", server.url, episodes=2))
        assert list(result.failed) == [EVALUATION_SEED, EVALUATION_SEED + 1]
        assert result.asked == 2
    with ChatServer(lambda body: Reply(status=503, body=b"")) as server:
        record = make_record(tmp_path / "b", server.url)
        result = play(record)
        assert "3 tries" in result.failed[EVALUATION_SEED]
        assert not score(record).whole
        assert score(record).estimates() == {}


def test_retry_after_is_obeyed(tmp_path):
    waiting = Reply(status=429, headers={"Retry-After": "0.6"}, body=b"{}")
    with ChatServer(once(waiting, ends_soon({}))) as server:
        start = time.monotonic()
        play(make_record(tmp_path / "a", server.url))
        assert time.monotonic() - start >= 0.6
    with ChatServer(once(replace(waiting, headers={"Retry-After": "3600"}))) as server:
        record = make_record(tmp_path / "b", server.url)
        assert "3600 s" in play(record).failed[EVALUATION_SEED]


def test_a_changed_record_is_found_out(tmp_path):
    with ChatServer(ends_soon) as server:
        record = make_record(tmp_path, server.url)
        play(record)
    path = record.journal(EVALUATION_SEED)
    good = path.read_text()
    for old, new, what in (
        ("Action: [1, 1, -1, -1]", "Action: [1, 1, -1, 0]", "actions"),
        ('"returns": ', '"returns": 1.5, "x": ', "returns"),
        ('"length": ', '"length": 1', "length"),
        ('"attempt": 0', '"attempt": 1', "do not lead there"),
    ):
        head, mark, tail = good.rpartition(old)
        assert mark
        path.write_text(head + new + tail)
        with pytest.raises(ValueError, match=what):
            score(record)
    chat = tmp_path / "chat.json"
    chat.write_text(chat.read_text().replace('"window": 8', '"window": 3'))
    path.write_text(good)
    with pytest.raises(ValueError, match="another conversation"):
        score(Record.read(tmp_path))


def test_other_settings_want_another_folder(tmp_path):
    make_record(tmp_path, "http://127.0.0.1:1/v1")
    with pytest.raises(ValueError, match="another window"):
        make_record(tmp_path, "http://127.0.0.1:1/v1", window=1)
    assert make_record(tmp_path, "http://127.0.0.1:1/v1", episodes=5).episodes == 5


def test_one_process_writes_a_record_at_a_time(tmp_path):
    from filelock import FileLock

    record = make_record(tmp_path, "http://127.0.0.1:1/v1")
    with FileLock(tmp_path / ".lock"), pytest.raises(ValueError, match="another process"):
        play(record)


def test_the_key_is_written_nowhere_even_when_the_endpoint_repeats_it(tmp_path):
    replies = iter(
        [
            Reply(status=500, body=f"bad key {SECRET}".encode()),
            Reply(status=500, body=b"x" * 290 + SECRET.encode()),
            Reply(body=SECRET.encode()),
            Reply("", headers={"Content-Type": f"text/{SECRET}"}),
            Reply(f"Your key is {SECRET}"),
            Reply(body=json.dumps({"choices": [{"message": {"content": SECRET}}], "model": SECRET}).encode()),
        ]
    )
    with ChatServer(lambda body: next(replies, ends_soon(body))) as server:
        record = make_record(tmp_path, server.url)
        result = play(record, patience=Patience(tries=9, first_wait=0.0))
        assert {headers["Authorization"] for headers, _ in server.requests} == {f"Bearer {SECRET}"}
        assert SECRET not in json.dumps([body for _, body in server.requests])
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert SECRET[:12].encode() not in written
    assert b"[key]" in written
    assert SECRET not in str(result)
    assert score(record).whole


def test_a_limit_of_money_needs_prices(tmp_path):
    record = make_record(tmp_path, "http://127.0.0.1:1/v1")
    with pytest.raises(ValueError, match="prices"):
        play(record, Limits(money=1))
    with pytest.raises(ValueError, match="tokens"):
        Limits(tokens=math.nan)
