"""The parts of a language-model player: keys, addresses, prompts, answers, prices."""

import pickle
import traceback
from fractions import Fraction

import pytest

from envsuite.agents.chat.answers import Invalid, action_text
from envsuite.agents.chat.client import Endpoint, _retry_after, _usage
from envsuite.agents.chat.completion import Completion, Usage
from envsuite.agents.chat.prices import Price, load_price
from envsuite.agents.chat.prompts import load_prompts, windowed, with_picture
from envsuite.agents.chat.secret import Key, read_key

SECRET = "sk-test-0123456789abcdef"
LOCAL = "http://127.0.0.1:8000/v1"


def test_a_key_shows_itself_nowhere():
    key = Key(f" {SECRET}\n", "NAME")
    endpoint = Endpoint(LOCAL, "m", key)
    assert SECRET not in f"{key!r} {key} {endpoint!r}"
    assert key.header() == {"Authorization": f"Bearer {SECRET}"}
    hidden = key.hide({"a": [SECRET, (f"x{SECRET}y", 1)], SECRET: None})
    assert hidden == {"a": ["[key]", ["x[key]y", 1]], "[key]": None}
    with pytest.raises(TypeError, match="pickling"):
        pickle.dumps(key)


@pytest.mark.parametrize("bad", ["short", "with space inside it", "sk-line\nbreak-0123456", "sk-ünicode-0123456"])
def test_an_unusable_key_is_refused_without_being_shown(bad, monkeypatch):
    monkeypatch.setenv("MY_KEY", bad)
    with pytest.raises(ValueError, match="MY_KEY") as caught:
        read_key("MY_KEY")
    assert bad not in "".join(traceback.format_exception(caught.value))


def test_a_missing_key_is_named(monkeypatch):
    monkeypatch.delenv("MY_KEY", raising=False)
    with pytest.raises(ValueError, match="MY_KEY holds no key"):
        read_key("MY_KEY")


@pytest.mark.parametrize(
    "url", ["ftp://host/v1", "host/v1", "https://", "http://h:port/v1", "https://h/v1?a=b", "https://h/v1#x"]
)
def test_addresses_that_cannot_be_meant_are_refused(url):
    with pytest.raises(ValueError, match="base URL"):
        Endpoint(url, "m")


def test_a_password_in_an_address_is_refused_and_not_repeated():
    with pytest.raises(ValueError, match="environment variable") as caught:
        Endpoint("https://user:hunter22@host/v1", "m")
    assert "hunter22" not in str(caught.value)


def test_a_key_does_not_travel_unencrypted_unless_asked_to():
    key = Key(SECRET, "NAME")
    with pytest.raises(ValueError, match="unencrypted"):
        Endpoint("http://example.org/v1", "m", key)
    for url in ("https://example.org/v1", LOCAL, "http://localhost/v1", "http://[::1]:8000/v1"):
        Endpoint(url, "m", key)
    Endpoint("http://example.org/v1", "m", key, insecure=True)
    Endpoint("http://example.org/v1", "m")


def test_parameters_cannot_replace_what_the_runner_sets():
    with pytest.raises(ValueError, match="messages"):
        Endpoint(LOCAL, "m", parameters={"messages": []})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[1, 2]", "[1, 2]"),
        ("I think 3.\nAction: [1, 2]", "[1, 2]"),
        ("Action: left\nno, wait\n**Action:** right", "right"),
        ("> action : **up**", "up"),
        ("<think>Action: left</think>right", "right"),
        ("<think>never ends. Action: left", ""),
        ("Action:\na: x\nb: y", "a: x\nb: y"),
        ("", ""),
    ],
)
def test_free_text(text, expected):
    assert action_text(Completion(text), structured=False) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"thought": "t", "action": "go"}', "go"),
        ('Sure:\n```json\n{"action": [1, 2]}\n```', "[1, 2]"),
        ('{"action": 3}', "3"),
        ("", ""),
        ('{"thought": "t"}', "no_action"),
        ('{"action": true}', "no_action"),
        ("[1]", "not_json"),
        ("go", "not_json"),
        ("[" * 100_000, "not_json"),
    ],
)
def test_structured_answers(text, expected):
    found = action_text(Completion(text), structured=True)
    assert (str(found.kind) if isinstance(found, Invalid) else found) == expected


def test_windows():
    past = [(f"q{k}", f"a{k}") for k in range(4)]

    def said(window):
        return [message["content"] for message in windowed("s", past, window, [("p", "bad")], "now")]

    assert said(None) == ["s", "q0", "a0", "q1", "a1", "q2", "a2", "q3", "a3", "p", "bad", "now"]
    assert said(1) == ["s", "q3", "a3", "p", "bad", "now"]
    assert said(0) == ["s", "p", "bad", "now"]
    assert said(9) == said(None)
    roles = [message["role"] for message in windowed("", past, 1, [], "now")]
    assert roles == ["user", "assistant", "user"]
    pictured = with_picture(windowed("s", past, 1, [], "now"), "data:x", "low")
    assert pictured[-1]["content"][0] == {"type": "text", "text": "now"}
    assert pictured[-1]["content"][1] == {"type": "image_url", "image_url": {"url": "data:x", "detail": "low"}}


def test_own_prompts(tmp_path):
    path = tmp_path / "prompt.toml"
    path.write_text('turn = "{$step}: $description costs $$1"\n')
    prompts = load_prompts(path)
    assert prompts.fill("turn", {"step": 3, "description": "D"}) == "{3}: D costs $1"
    assert prompts.system == load_prompts().system
    for text, what in (
        ('turn = "$situation $description"', "situation"),
        ('turn = "$step"', "see nothing"),
        ('turn = "$description 5$"', "dollar"),
        ('other = "x"', "other"),
        ("turn = 3", "turn"),
        ("turn =", "TOML"),
    ):
        path.write_text(text)
        with pytest.raises(ValueError, match=what):
            load_prompts(path)


def test_costs_are_exact_in_hundredths_of_a_millionth():
    price = Price(input=2.5, output=10, cached_input=1.25)
    usage = Usage(prompt=1_000_003, cached=400_001, completion=70_007, reasoning=60_000)
    exact = (Fraction(600_002) * Fraction(5, 2) + Fraction(400_001) * Fraction(5, 4) + 70_007 * 10) / 10**6
    assert price.cost(usage) == pytest.approx(float(exact), rel=1e-15)
    assert Price(2.5, 10).cost(Usage(10, 10, 0)) == pytest.approx(25e-6, rel=1e-15)


def test_price_tables(tmp_path):
    path = tmp_path / "prices.toml"
    path.write_text('[models."a/b"]\ninput = 1\noutput = 2.5\ncurrency = "EUR"\n')
    assert load_price(path, "a/b") == Price(1, 2.5, None, "EUR")
    with pytest.raises(ValueError, match="no table"):
        load_price(path, "c")
    for row, what in (("input = -1\noutput = 1", "input"), ("input = 1", "output"), ("input = 1\noutput = nan", "nan")):
        path.write_text(f"[models.m]\n{row}\n")
        with pytest.raises(ValueError, match=what):
            load_price(path, "m")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"prompt_tokens": 7, "completion_tokens": 2}, Usage(7, 0, 2, 0)),
        (
            {
                "prompt_tokens": 7,
                "completion_tokens": 5,
                "prompt_tokens_details": {"cached_tokens": 6},
                "completion_tokens_details": {"reasoning_tokens": 4},
            },
            Usage(7, 6, 5, 4),
        ),
        ({"prompt_tokens": 7}, None),
        ({"prompt_tokens": -1, "completion_tokens": 2}, None),
        ({"prompt_tokens": True, "completion_tokens": 2}, None),
        ({"prompt_tokens": "7", "completion_tokens": 2}, None),
        ({"prompt_tokens": 7, "completion_tokens": 2, "prompt_tokens_details": None}, Usage(7, 0, 2, 0)),
        (None, None),
    ],
)
def test_token_counts_are_taken_only_where_they_make_sense(data, expected):
    assert _usage(data) == expected


def test_retry_after_holds_seconds_or_a_date():
    assert _retry_after("1.5") == 1.5
    assert _retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert _retry_after("Fri, 01 Jan 2100 00:00:00 GMT") > 1e9
    assert _retry_after("-3") == 0
    assert _retry_after("soon") is None
    assert _retry_after("nan") is None
    assert _retry_after(None) is None
