"""`envsuite agents`: a run from the first command to the page."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import envsuite
from envsuite.cli import main
from envsuite.testing.chat import ChatServer, Reply, last_prompt
from envsuite.text_games import readers

SECRET = "sk-test-0123456789abcdef"
FALL = "Action: [1, 1, -1, -1]"


@pytest.fixture
def envsuite_agents(monkeypatch):
    monkeypatch.setenv("TEST_KEY", SECRET)

    def call(*arguments: object, code: int = 0):
        result = CliRunner().invoke(main, ["agents", *map(str, arguments)])
        assert result.exit_code == code, result.output
        assert SECRET not in result.output
        return result

    return call


def asked(server: ChatServer, out, *more: object) -> tuple[object, ...]:
    head = ("run", "--env", "QuadHover", "--model", "tester", "--base-url", server.url, "--key-variable", "TEST_KEY")
    return (*head, "--out", out, "--episodes", 2, "--first-wait", 0, *more)


def test_run_score_and_report_agree(envsuite_agents, tmp_path):
    prices = tmp_path / "prices.toml"
    prices.write_text("[models.tester]\ninput = 1000\noutput = 2000\n")
    out = tmp_path / "out"
    with ChatServer(lambda body: FALL) as server:
        command = asked(server, out, "--prices", prices, "--parameter", "temperature=0.5", "--json")
        first = json.loads(envsuite_agents(*command).stdout)
        calls = len(server.requests)
        assert server.requests[0][1]["temperature"] == 0.5
        assert json.loads(envsuite_agents(*command).stdout) == first
        assert len(server.requests) == calls
    assert first["calls"] == first["turns"] == first["first_valid"] == calls
    assert first["tokens"] == {"prompt": 10 * calls, "cached": 0, "completion": 5 * calls, "reasoning": 0}
    assert first["cost"] == pytest.approx(0.02 * calls)
    assert json.loads(envsuite_agents("score", out, "--json").stdout) == first
    text = envsuite_agents("score", out).stdout
    assert f"{first['estimates']['return']['value']:.4g} [" in text
    assert "(100.0 %) of turns" in text
    page = tmp_path / "page.html"
    envsuite_agents("report", out, "--out", page)
    html = page.read_text()
    assert f"{first['estimates']['return']['value']:.4g} [" in html
    assert f"{first['cost']:.6g} USD" in html
    assert not [mark for mark in ("http:", "https:", "<script") if mark in html]
    assert SECRET not in html


def test_an_unfinished_run_says_so_and_goes_on(envsuite_agents, tmp_path):
    with ChatServer(lambda body: FALL) as server:
        stopped = envsuite_agents(*asked(server, tmp_path, "--max-calls", 5), code=1)
        assert "limit of 5 calls" in stopped.stderr
        assert "only 0 of 2 episodes" in stopped.stdout
        envsuite_agents(*asked(server, tmp_path))


def test_the_endpoint_s_refusal_is_told(envsuite_agents, tmp_path):
    with ChatServer(lambda body: Reply(status=401, body=f"bad key {SECRET}".encode())) as server:
        result = envsuite_agents(*asked(server, tmp_path), code=1)
    assert "HTTP 401: bad key [key]" in result.stderr


@pytest.mark.parametrize(
    ("more", "what"),
    [
        (("--parameter", "temperature"), "NAME=VALUE"),
        (("--image", "big"), "WIDTHxHEIGHT"),
        (("--history", "-1"), "number of turns"),
        (("--max-cost", "1"), "prices"),
        (("--key-variable", "UNSET_KEY"), "UNSET_KEY"),
        (("--base-url", "https://me:pass@host/v1"), "user or password"),
        (("--program", "cat"), "either --base-url or --program"),
        (("--picture-only",), "no size of pictures"),
        (("--rival", "tester"), "the same as --model"),
        (("--rival", "other"), "2 models are given"),
        (("--rival-url", "http://127.0.0.1:1/v1"), "--rival names the other model"),
    ],
)
def test_what_cannot_be_meant_is_refused(envsuite_agents, tmp_path, more, what):
    with ChatServer(lambda body: FALL) as server:
        result = CliRunner().invoke(main, ["agents", *map(str, asked(server, tmp_path / "out", *more))])
        assert result.exit_code in (1, 2)
        assert what in result.output
        assert not server.requests


def test_a_folder_without_a_record_is_named(envsuite_agents, tmp_path):
    assert "chat.json" in envsuite_agents("score", tmp_path, code=1).stderr


TOWERS = ("run", "--env", "Bulwark-L1", "--option", "decision_ticks=40", "--model", "reader", "--episodes", 2)


def test_a_program_is_run_scored_and_reported(envsuite_agents, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(envsuite.__file__).parents[1]))
    program = f"{sys.executable} -m envsuite.tower_defense.experts.reader"
    out = tmp_path / "out"
    first = json.loads(envsuite_agents(*TOWERS, "--program", program, "--out", out, "--json").stdout)
    assert first["estimates"]["normalised"]["value"] > 0.9
    assert first["pooled"]["format_errors"] == 0
    assert first["calls"] == first["turns"]
    assert json.loads(envsuite_agents("score", out, "--json").stdout) == first
    page = tmp_path / "page.html"
    envsuite_agents("report", out, "--out", page)
    html = page.read_text()
    assert "valid_actions" in html
    assert "scripted player S3" in html


@pytest.mark.parametrize(
    ("env", "least", "turns"),
    [("CoinCollectorEasy", 1.0, 10), ("LMRLWordle", -5.0, 6), ("NumberLine", 1.0, 5)],
)
def test_games_are_played_by_a_server_and_scored_from_the_record(envsuite_agents, tmp_path, env, least, turns):
    out = tmp_path / "out"
    with ChatServer(lambda body: readers.answer(last_prompt(body))) as server:
        head = ("run", "--env", env, "--model", "reader", "--base-url", server.url, "--key-variable", "TEST_KEY")
        first = json.loads(envsuite_agents(*head, "--out", out, "--episodes", 5, "--json").stdout)
    assert json.loads(envsuite_agents("score", out, "--json").stdout) == first
    assert first["estimates"]["return"]["value"] >= least
    assert first["estimates"]["success"]["value"] == 1
    assert first["calls"] == first["turns"] == first["first_valid"] <= 5 * turns


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("run", "--env", "QuadHover", "--model", "m"), "either --base-url or --program"),
        ((*TOWERS, "--program", "cat", "--answers", "json"), "a program gets none"),
        ((*TOWERS, "--program", "'unbalanced"), "cannot be read"),
        (("serve",), "either --answer or --player"),
        (("serve", "--player", "json:nothing"), "is no function"),
        (("serve", "--player", "nothing"), "is no function"),
    ],
)
def test_models_that_cannot_be_meant_are_refused(envsuite_agents, arguments, what):
    result = envsuite_agents(*arguments, code=2)
    assert what in " ".join(result.output.split())


def test_worlds_without_a_clock_are_told(envsuite_agents, tmp_path):
    with ChatServer(lambda body: FALL) as server:
        result = envsuite_agents(*asked(server, tmp_path, "--clock", "realtime"), code=1)
        assert "no clock" in result.output
        assert not server.requests


def test_two_models_fight_and_are_rated(envsuite_agents, tmp_path, monkeypatch):
    monkeypatch.setenv("OTHER_KEY", "sk-other-0123456789")
    options = ("--option", "actions=macro24", "--option", "frame_skip=60", "--option", "round_frames=300")
    with ChatServer(lambda body: "Action: sweep") as one, ChatServer(lambda body: "Action: idle") as two:
        common = ("run", "--base-url", one.url, "--key-variable", "TEST_KEY", "--episodes", 2, *options)
        rival = ("--rival", "idler", "--rival-url", two.url, "--rival-key-variable", "OTHER_KEY")
        shown = envsuite_agents(*common, "--env", "DuelVersus", "--model", "sweeper", *rival, "--out", tmp_path / "a")
        assert "sweeper against idler" in shown.stdout
        envsuite_agents(*common, "--env", "Duel", "--option", "level=1", "--model", "sweeper", "--out", tmp_path / "b")
        assert {body["model"] for _, body in two.requests} == {"idler"}
    found = json.loads(envsuite_agents("rate", tmp_path / "a", tmp_path / "b", "--json").stdout)
    assert set(found) == {"sweeper", "idler", "level 1"}
    assert found["level 1"]["value"] == 1000
    assert (found["sweeper"]["games"], found["idler"]["games"]) == (4, 2)
    assert found["sweeper"]["value"] >= found["idler"]["value"]
    assert "1000 [1000, 1000]" in envsuite_agents("rate", tmp_path / "a", tmp_path / "b").stdout
    refused = envsuite_agents("rate", tmp_path / "a", "--anchor", "nobody", code=1)
    assert "anchor is 'nobody'" in refused.stderr
