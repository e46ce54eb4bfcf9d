"""Every check of the conformance kit, and the player's window, on every registered environment."""

from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from envsuite import cards
from envsuite.cli import main
from envsuite.core.companions import Controls, companion
from envsuite.core.window import Window
from envsuite.core.world import make_world
from envsuite.testing import CHECKS, NotApplicable

ALWAYS = ("behaviour", "observations_in_space", "seeding")
"""Checks of every card by default; the others of the first card of each world."""
ONCE = ("async_spawn", "cuda_simulator", "interpreted")
"""Checks in processes of their own, which cost more than what they check: of the first world of each family."""

LONG = ("simple_players",)
"""Checks that are slow for every card."""
HARD = ("expert_beats_random", "anchors", "cuda_simulator", "interpreted")
"""Checks that take long, or as plain Python for ever, for bodies of many joints, cloths, worlds that are large and
players that search..."""
LARGE = (
    "envsuite.crafting.",
    "envsuite.text_games.car_dealer.",
    "envsuite.text_games.chess.",
    "envsuite.locomotion.ant.",
    "envsuite.locomotion.humanoid.",
    "envsuite.mazes.ant.",
    "envsuite.momarl.multiwalker.",
    *(f"envsuite.manipulation.{name}." for name in ("cloth", "panda", "shapes", "workbench")),
)
"""... and packages of such, for which the others of their families stand by default."""


def checks() -> Iterator:
    """Environment and check, marked slow where one like it runs by default."""
    seen = set()
    for env_id, card in cards().items():
        for check in CHECKS:
            if check in LONG:
                yield pytest.param(env_id, check, marks=pytest.mark.slow, id=f"{env_id}-{check}")
                continue
            kind = check, card.family if check in ONCE else card.world
            able = not (check in HARD and card.world.startswith(LARGE))
            enough = check in ALWAYS or (able and kind not in seen)
            if able:
                seen.add(kind)
            yield pytest.param(env_id, check, marks=() if enough else (pytest.mark.slow,), id=f"{env_id}-{check}")


def windows() -> Iterator:
    """Environments, marked slow but for the first of each world."""
    seen = set()
    for env_id, card in cards().items():
        yield pytest.param(env_id, marks=(pytest.mark.slow,) if card.world in seen else ())
        seen.add(card.world)


@pytest.mark.parametrize(("env_id", "check"), [*checks()])
def test_contract(env_id, check):
    try:
        CHECKS[check](cards()[env_id])
    except NotApplicable as reason:
        pytest.skip(str(reason))


@pytest.mark.parametrize("env_id", [*windows()])
def test_play_shows_a_window_and_takes_keys(monkeypatch, env_id):
    card = cards()[env_id]
    if not card.playable:
        pytest.skip(f"{card.engine} is not installed")
    keys = companion(make_world(card.world, **card.options), Controls).keys()
    pressed = iter([set(held) for held in keys] * 2)
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(Window, "pressed", lambda self: next(pressed, {"escape"}))
    played = CliRunner().invoke(main, ["play", env_id, "--fps", "200"])
    if keys:
        assert played.exit_code == 0, played.output
        assert "return" in played.output
    else:
        assert played.exit_code == 1
        assert played.output.startswith(f"Error: {env_id} has no keys to play with")
