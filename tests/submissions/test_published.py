"""The submissions in this repository are what their verification says."""

import dataclasses
import shutil
from pathlib import Path

import pytest

pytest.importorskip("msgspec")

from envsuite.submissions.ledger import Ledger
from envsuite.submissions.record import load_all
from envsuite.submissions.season import Season
from envsuite.submissions.verify import Settings, verify

BOARD = Path(__file__).resolve().parents[2] / "leaderboard"
RECORDS = {f"{record.track}/{record.folder}": record for record in load_all(BOARD)}


SEASONS = {path.stem: Season.load(path) for path in sorted((BOARD / "seasons").glob("*.toml"))}


def again(folder: str, tmp_path: Path, level: int):
    """Verify a submission on a copy of the ledgers; the season is over, so anybody knows its secret."""
    record = RECORDS[folder]
    shutil.copytree(BOARD / "seasons", tmp_path / "seasons")
    season = SEASONS[record.season] if level == 2 else None
    return verify(BOARD / "submissions" / folder, Settings(leaderboard=tmp_path, level=level, season=season))


def test_there_are_submissions():
    assert {"random", "expert", "ppo"} <= {folder.partition("_")[2] for folder in RECORDS}
    assert all(record.level == 2 for record in RECORDS.values())


FIRST = {name for name, record in RECORDS.items() if record.track == "quadcopters"}
"""Replayed by every run of the tests; the others take minutes."""


@pytest.mark.parametrize(
    "folder", [name if name in FIRST else pytest.param(name, marks=pytest.mark.slow) for name in RECORDS]
)
def test_every_recorded_episode_replays(folder, tmp_path):
    record = RECORDS[folder]
    found = again(folder, tmp_path, 1)
    assert found.digest == record.digest
    for mine, theirs in zip(found.runs, record.runs, strict=True):
        assert mine == dataclasses.replace(theirs, level=1, hidden=None)


WITHDRAWN = {"2026-verse": {7, 8}}
"""Lines of entries that went when a rule of their environment was mended before the first release."""


@pytest.mark.parametrize("name", SEASONS)
def test_every_evaluation_has_its_line_and_every_line_was_within_the_season(name):
    season = SEASONS[name]
    entries = Ledger(season, BOARD).entries
    records = [record for record in RECORDS.values() if record.season == name]
    assert {record.ledger_entry for record in records} == set(range(len(entries))) - WITHDRAWN.get(name, set())
    assert {record.commitment for record in records} == {season.commitment}


@pytest.mark.slow
@pytest.mark.parametrize("folder", RECORDS)
def test_hidden_scores_are_those_of_the_revealed_secret(folder, tmp_path):
    if not SEASONS[RECORDS[folder].season].secret:
        pytest.skip("its season has not ended")
    found = again(folder, tmp_path, 2)
    assert (found.seed_digest, found.ledger_line) == (RECORDS[folder].seed_digest, RECORDS[folder].ledger_line)
    for mine, theirs in zip(found.runs, RECORDS[folder].runs, strict=True):
        assert dataclasses.replace(mine.hidden, seconds=0.0) == dataclasses.replace(theirs.hidden, seconds=0.0)
