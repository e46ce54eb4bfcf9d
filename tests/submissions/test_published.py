"""The submissions in this repository are what their verification says."""

import dataclasses
from pathlib import Path

import pytest

pytest.importorskip("msgspec")

from envsuite.submissions.record import load_all
from envsuite.submissions.season import Season
from envsuite.submissions.verify import Settings, verify

BOARD = Path(__file__).resolve().parents[2] / "leaderboard"
RECORDS = {record.folder: record for record in load_all(BOARD)}


def again(folder: str, tmp_path: Path, level: int):
    """Verify a submission as if it were new; the season is over, so anybody knows its secret."""
    record = RECORDS[folder]
    season = Season.load(BOARD / "seasons" / f"{record.season}.toml") if level == 2 else None
    return verify(
        BOARD / "submissions" / record.track / folder, Settings(leaderboard=tmp_path, level=level, season=season)
    )


def test_there_are_submissions():
    assert {"random", "expert", "ppo"} <= {folder.partition("_")[2] for folder in RECORDS}
    assert all(record.level == 2 for record in RECORDS.values())


@pytest.mark.parametrize("folder", RECORDS)
def test_every_recorded_episode_replays(folder, tmp_path):
    record = RECORDS[folder]
    found = again(folder, tmp_path, 1)
    assert found.digest == record.digest
    for mine, theirs in zip(found.runs, record.runs, strict=True):
        assert mine == dataclasses.replace(theirs, level=1, hidden=None)


@pytest.mark.slow
@pytest.mark.parametrize("folder", RECORDS)
def test_hidden_scores_are_those_of_the_revealed_secret(folder, tmp_path):
    found = again(folder, tmp_path, 2)
    for mine, theirs in zip(found.runs, RECORDS[folder].runs, strict=True):
        assert dataclasses.replace(mine.hidden, seconds=0.0) == dataclasses.replace(theirs.hidden, seconds=0.0)
