"""Playing with mouse and keyboard."""

import numpy as np
import pytest

from envsuite.agents.human import HumanPolicy
from envsuite.core.companions import Controls, companion
from envsuite.core.window import Window
from envsuite.tower_defense.render import place_on_map
from envsuite.tower_defense.state import site_names
from tests.tower_defense.common import batch_of


@pytest.mark.parametrize("size", [(600, 660), (84, 84), (800, 600)])
def test_corners_of_the_map(size):
    found = [place_on_map((a, b), size) for a in np.linspace(0, 1, 41) for b in np.linspace(0, 1, 41)]
    inside = np.array([place for place in found if place])
    assert inside.min() < -2800
    assert inside.max() > 2800
    assert None in found, "the bar is no part of the map"


def clicks(batch, place, held):
    p = batch.world.params[0]
    x, y = p["sites"][place] if isinstance(place, int) else place
    share = ((x + 3072) / 6144, (60 + (3072 - y) / 6144 * 600) / 660)
    shares = iter([share, None])
    policy = HumanPolicy(batch.world, lambda: held, lambda: next(shares))
    return policy.act(batch.last.observations, batch.states)


def test_clicks_are_commands():
    batch = batch_of(1, level=3)
    names = site_names()
    assert names[clicks(batch, 4, {"1"})[0]] == "build_ballista_S4"
    assert names[clicks(batch, 4, {"u"})[0]] == "upgrade_S4"
    assert names[clicks(batch, (400, 400), set())[0]] == "hero_4_4"
    assert names[clicks(batch, (400, 400), {"f"})[0]].startswith("reinforce_P")
    assert names[clicks(batch, (3000, -3000), {"1"})[0]] == "wait", "there is no site"
    exact = batch_of(1, level=3, actions="xyc")
    assert np.allclose(clicks(exact, (400, -800), set())[0], [400 / 3072, -800 / 3072, 7 / 12], atol=1e-3)


def test_keys_build_on_sites():
    keys = companion(batch_of(1, level=3).world, Controls).keys()
    assert site_names()[keys["2", "c"]] == "build_mortar_S2"
    assert site_names()[keys["space",]] == "blaze"


def test_window_pauses_speeds_up_and_collects_clicks(monkeypatch):
    pygame = pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    window = Window("test", 200)
    frame = np.zeros((66, 60, 3), np.uint8)
    window.show(frame)
    press = [pygame.event.Event(pygame.KEYDOWN, key=key) for key in (pygame.K_RETURN, pygame.K_TAB, pygame.K_RETURN)]
    click = pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(30, 33))
    for event in (*press, click):
        pygame.event.post(event)
    window.show(frame)
    assert window.clicked() == (0.5, 0.5)
    assert window.clicked() is None
    assert not window.closed
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_RETURN))
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.show(frame)  # paused, but the window is closed
    assert window.closed
    window.close()
