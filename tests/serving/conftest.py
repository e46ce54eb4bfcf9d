import pytest

pytest.importorskip("aiohttp")
pytest.importorskip("websocket")

from .running import running

IDS = ("QuadHover", "MazePointOpen", "MOConnect4", "QuadMultiHover", "IteratedPrisoners")
"""One agent and several, choices and numbers, float32 and float64, turns, several objectives."""


@pytest.fixture(scope="session")
def server():
    with running(*IDS) as one:
        yield one
