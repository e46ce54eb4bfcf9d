"""Every check of the conformance kit, and the player's window, on every registered environment."""

from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from envsuite import cards
from envsuite.cli import main
from envsuite.core.window import Window
from envsuite.core.world import make_world
from envsuite.testing import CHECKS, NotApplicable

ALWAYS = ("anchors", "behaviour", "observations_in_space", "seeding")


def checks() -> Iterator:
    """Environment and check; for further cards of a world only the quick checks run by default."""
    seen = set()
    for env_id, card in cards().items():
        first = card.world not in seen
        seen.add(card.world)
        for check in CHECKS:
            marks = () if first or check in ALWAYS else (pytest.mark.slow,)
            yield pytest.param(env_id, check, marks=marks, id=f"{env_id}-{check}")


@pytest.mark.parametrize(("env_id", "check"), [*checks()])
def test_contract(env_id, check):
    try:
        CHECKS[check](cards()[env_id])
    except NotApplicable as reason:
        pytest.skip(str(reason))


@pytest.mark.parametrize("env_id", [*cards()])
def test_play_shows_a_window_and_takes_keys(monkeypatch, env_id):
    card = cards()[env_id]
    keys = make_world(card.world, **card.options).keys_to_action()
    pressed = iter([set(held) for held in keys] * 2)
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(Window, "pressed", lambda self: next(pressed, {"escape"}))
    played = CliRunner().invoke(main, ["play", env_id, "--fps", "200"])
    assert played.exit_code == 0, played.output
    assert "return" in played.output
