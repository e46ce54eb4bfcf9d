from importlib.util import find_spec

import pytest

if find_spec("aiohttp") is None or find_spec("websocket") is None:
    collect_ignore_glob = ["*"]

IDS = ("QuadHover", "MazePointOpen", "MOConnect4", "QuadMultiHover", "IteratedPrisoners")
"""One agent and several, choices and numbers, float32 and float64, turns, several objectives."""


@pytest.fixture(scope="session")
def server():
    from .running import running

    with running(*IDS) as one:
        yield one
