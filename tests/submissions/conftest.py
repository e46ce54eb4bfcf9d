"""One small leaderboard for all tests of submissions."""

import pytest

from .helpers import Bench


@pytest.fixture(scope="session")
def bench(tmp_path_factory):
    made = Bench(tmp_path_factory.mktemp("bench"))
    yield made
    made.close()


@pytest.fixture
def folder(bench, tmp_path):
    """A copy of the submission in a leaderboard of its own."""
    return bench.copy(tmp_path)
