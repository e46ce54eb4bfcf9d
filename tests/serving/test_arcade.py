"""Play in a browser: a game of each family with keys or the mouse, in headless Chromium; messages that are none."""

import json
import os
import shutil
import urllib.error
import urllib.request

import pytest

from envsuite.serving.arcade import read
from envsuite.serving.guard import Limits
from envsuite.serving.protocol import ProtocolError

from .running import running

GAMES = {
    "QuadHoverGPD": "w",
    "MazePointUmaze": "ArrowRight",
    "Bulwark-L1": "",
    "Duel": "d",
    "MOConnect4": "3",
}
AHEAD = {"MOConnect4": 1, "Bulwark-L1": 2}
"""Steps to wait for, where there are few."""
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def server():
    with running(*GAMES, play=True) as one:
        yield one


@pytest.fixture(scope="module")
def page():
    sync_api = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("no browser here")
    with sync_api.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        found = browser.new_page()
        found.problems = []
        found.on("pageerror", lambda error: found.problems.append(str(error)))
        found.on("console", lambda one: found.problems.append(one.text) if one.type == "error" else None)
        yield found
        browser.close()


def status(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=60) as reply:
            return reply.status
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def step(page) -> int:
    return int(page.locator(".game").get_attribute("data-step"))


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_game_of_each_family_is_played(server, page, name):
    page.goto(f"{server.url}/{name}/play")
    page.wait_for_selector(".game[data-step]", timeout=120_000)
    picture = "c => c.toDataURL()"
    canvas = page.locator("canvas")
    first = canvas.evaluate(picture)
    assert len(first) > 3_000
    if name == "MOConnect4":
        page.wait_for_timeout(700)
        assert step(page) == 0  # it waits
    more = f"() => Number(document.querySelector('.game').dataset.step) > {step(page)} + {AHEAD.get(name, 20)}"
    if GAMES[name]:
        page.keyboard.down(GAMES[name])
    else:
        canvas.click(position={"x": 200, "y": 200})
    page.wait_for_function(more)
    if GAMES[name]:
        page.keyboard.up(GAMES[name])
    assert canvas.evaluate(picture) != first
    assert "return" in page.locator(".status").text_content()
    page.get_by_role("button", name="Begin anew").click()
    page.wait_for_function("() => Number(document.querySelector('.game').dataset.step) < 2")
    assert page.problems == []


def test_the_index_names_all_games(server):
    with urllib.request.urlopen(f"{server.url}/play") as reply:
        text = reply.read().decode()
        assert "default-src 'self'" in reply.headers["Content-Security-Policy"]
    assert all(f'href="/{name}/play"' in text for name in GAMES)
    assert status(f"{server.url}/Nothing/play") == 404


def test_without_the_option_nobody_plays():
    with running("MOConnect4") as one:
        assert status(f"{one.url}/play") == 404


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("[]", "expected an object"),
        ("{", "not JSON"),
        ('{"held": "w"}', "held is no list"),
        ('{"held": [1]}', "held is no list"),
        (json.dumps({"held": ["w"] * 21}), "held is no list of at most 20"),
        ('{"click": [0.5]}', "click is no pair"),
        ('{"click": [0.5, 2]}', "click is no pair"),
        ('{"click": [true, 0]}', "click is no pair"),
        ('{"seed": 3}', "unknown 'seed'"),
    ],
)
def test_messages_that_are_none_are_refused(message, told):
    with pytest.raises(ProtocolError, match=told):
        read(message)


def test_games_are_counted_and_bad_messages_answered():
    from websocket import create_connection

    with running("MOConnect4", play=True, limits=Limits(sessions=1)) as one:
        place = one.url.replace("http", "ws") + "/MOConnect4/play/socket"
        first = create_connection(place, timeout=60)
        assert json.loads(first.recv())["waits"]
        assert json.loads(first.recv())["step"] == 0
        assert status(place.replace("ws", "http", 1)) == 503
        first.send('{"held": 7}')
        assert "held is no list" in json.loads(first.recv())["error"]
        first.send('{"held": ["3"]}')
        assert json.loads(first.recv())["step"] == 1
        assert json.loads(first.recv())["step"] == 2  # the computer player has answered
        first.send_binary(b"\x00")
        assert first.recv() == ""  # closed
        first.shutdown()
        second = create_connection(place, timeout=60)
        assert json.loads(second.recv())["id"] == "envsuite/MOConnect4-v0"
        second.close()
        second.shutdown()
