"""`envsuite leaderboard` as people and programs use it."""

import dataclasses
import json
import shutil
import time
from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner

from envsuite.cli import main
from envsuite.submissions.ledger import Ledger
from envsuite.submissions.record import Verification
from envsuite.submissions.season import Season
from tests.submissions.helpers import META, Bench, write_runs, write_track


def run(*arguments):
    return CliRunner().invoke(main, ["leaderboard", *map(str, arguments)])


def succeed(*arguments) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    made = Bench(tmp_path_factory.mktemp("bench"))
    yield made
    made.close()


@pytest.fixture
def board(bench, tmp_path):
    """A leaderboard with a submission and an open season; folder of the submission, file of the secret."""
    folder = tmp_path / "board" / "submissions" / "probes" / bench.submission.name
    shutil.copytree(bench.submission, folder)
    secret = tmp_path / "secret"
    succeed("season", "new", "now", "--opens", "2020-01-01", "--closes", "2099-12-31", "--secret-file", secret,
            "--leaderboard", tmp_path / "board")  # fmt: skip
    return folder, secret


def test_two_commands_from_run_folders_to_a_verified_row(tmp_path, board):
    _, secret = board
    out = tmp_path / "board" / "submissions"
    track = write_track(tmp_path / "tracks")
    runs = write_runs(tmp_path / "runs")
    (tmp_path / "meta.toml").write_text(f'authors = {json.dumps(META["authors"])}\nslug = "mine"\n')
    given = ("--track", track, "--method", "Mine", "--meta", tmp_path / "meta.toml", "--out", out, "--json")
    folder = json.loads(succeed("submit", runs, *given))["folder"]
    [answer] = json.loads(succeed("verify", folder, "--track", track, "--secret-file", secret, "--write", "--json"))
    assert (answer["level"], answer["refused"]) == (2, None)
    record = Verification.load(answer["record"])
    assert record.info.authors == META["authors"]
    assert record.mean_normalised == answer["mean_normalised"]
    assert record.season == "now"


def test_verify_speaks_to_people(bench, board):
    folder, secret = board
    text = succeed("verify", folder, "--track", bench.track_file, "--secret-file", secret, "--write")
    assert "level 2 (re-run), 4 runs" in text
    assert "hidden seeds" in text
    shown = succeed("season", "show", "now", "--leaderboard", folder.parents[2])
    assert folder.name in shown


def test_exit_statuses(bench, board):
    folder, _ = board
    given = ("--track", bench.track_file)
    assert run("verify", folder, *given, "--level", "0").exit_code == 0
    assert not (folder.parents[2] / "verified").exists()
    result = run("verify", folder, *given, "--level", "2", "--write")
    assert result.exit_code == 2
    assert "its secret is needed" in result.output
    assert run("verify", folder, *given, "--level", "2", "--season", "none").exit_code == 2
    assert run("verify").exit_code == 2
    succeed("verify", folder, *given, "--write")
    record = folder.parents[2] / "verified" / "probes" / f"{folder.name}.json"
    before = record.read_bytes()
    (folder / "README.md").write_text("changed")
    result = run("verify", folder, folder.with_name("absent"), *given, "--write")
    assert result.exit_code == 1
    assert "REFUSED (files): README.md has SHA-256" in result.output
    assert f"{record} stays as it is; without the files that it is of, no site is built" in result.output
    assert "absent is no folder" in result.output
    assert record.read_bytes() == before, "verification loses no record"


def test_no_verification_lowers_a_record_or_writes_unasked(bench, board):
    folder, secret = board
    place, given = folder.parents[2], ("--track", bench.track_file)
    ledger = place / "seasons" / "now.ledger.jsonl"
    result = run("verify", folder, *given, "--secret-file", secret)
    assert result.exit_code == 2
    assert "uses up one of the method's evaluations: say --write" in " ".join(result.output.split())
    assert not ledger.exists()
    succeed("verify", folder, *given, "--secret-file", secret, "--write")
    record = place / "verified" / "probes" / f"{folder.name}.json"
    before, lines = record.read_bytes(), ledger.read_bytes()
    assert Verification.load(record).level == 2
    succeed("verify", folder, *given)
    succeed("verify", folder, *given, "--level", "0")
    result = run("verify", folder, *given, "--write")
    assert result.exit_code == 2
    assert "is at level 2 (re-run) and would not be replaced by level 1 (replayed)" in " ".join(result.output.split())
    assert record.read_bytes() == before
    assert ledger.read_bytes() == lines
    known = Verification.load(record)
    for lower in (dataclasses.replace(known, level=1), dataclasses.replace(known, season="other")):
        with pytest.raises(ValueError, match="stays as it is"):
            lower.save(place)
    assert record.read_bytes() == before
    dataclasses.replace(known, level=3).save(place)
    assert Verification.load(record).level == 3


def test_lower_levels_have_their_own_status(bench, board):
    folder, _ = board
    for path in ("policy", "actions"):
        shutil.rmtree(folder / path)
    from envsuite.evaluation.results import read_results
    from tests.submissions.helpers import change_results, change_text

    for which in range(len(read_results(folder))):
        change_results(folder, lambda result: {"policy": None, "policy_sha256": None, "actions": None}, which)
    line = next(line for line in (folder / "submission.toml").read_text().splitlines() if "parameters" in line)
    change_text(folder, "submission.toml", (line, "parameters = 0"))
    result = run("verify", folder, "--track", bench.track_file, "--json")
    assert result.exit_code == 3
    [answer] = json.loads(result.stdout)
    assert answer["level"] == 0
    assert answer["next_level"] == "4 of 4 runs have no recorded actions"


def test_keys_sign_and_are_recognised(bench, board, tmp_path):
    folder, _ = board
    keys = folder.parents[2] / "keys"
    succeed("keygen", "team", "--private", tmp_path / "private.pem", "--keys", keys)
    succeed("sign", folder, "--id", "team", "--private", tmp_path / "private.pem")
    assert "signed by team" in succeed("verify", folder, "--track", bench.track_file)
    assert run("keygen", "team", "--private", tmp_path / "private.pem", "--keys", keys).exit_code == 1


def test_seasons_are_made_once_and_not_revealed_early(board, tmp_path):
    folder, secret = board
    place = ("--leaderboard", folder.parents[2])
    result = run("season", "reveal", "now", "--secret-file", secret, *place)
    assert result.exit_code == 1
    assert "its secret would spoil its hidden seeds" in result.output
    dates = ("--opens", "2020-01-01", "--closes", "2020-02-01")
    succeed("season", "new", "old", *dates, "--secret-file", tmp_path / "old", *place)
    assert run("season", "new", "old", *dates, "--secret-file", tmp_path / "other", *place).exit_code == 1
    assert "(published)" not in succeed("season", "show", "old", *place)
    assert run("season", "reveal", "old", "--secret-file", secret, *place).exit_code == 1
    succeed("season", "reveal", "old", "--secret-file", tmp_path / "old", *place)
    assert "(published)" in succeed("season", "show", "old", *place)
    backwards = ("--opens", "2020-02-01", "--closes", "2020-01-01", "--secret-file", tmp_path / "new")
    assert run("season", "new", "wrong", *backwards, *place).exit_code == 1
    assert not (tmp_path / "new").exists()


def test_nothing_enters_a_season_that_is_over_and_what_is_in_it_is_verified_by_anybody(bench, board, tmp_path):
    folder, secret = board
    place = ("--leaderboard", folder.parents[2])
    given = ("--track", bench.track_file, "--level", "2")
    dates = ("--opens", "2020-01-01", "--closes", "2020-02-01")
    succeed("season", "new", "old", *dates, "--secret-file", tmp_path / "old", *place)
    result = run("verify", folder, *given, "--season", "old", "--secret-file", tmp_path / "old")
    assert result.exit_code == 1
    assert "REFUSED (season): season old closed at 2020-02-02 00:00:00 UTC" in result.output
    assert sorted(path.name for path in (folder.parents[2] / "seasons").iterdir()) == ["now.toml", "old.toml"]
    succeed("verify", folder, *given, "--season", "now", "--secret-file", secret, "--write")
    seasons = folder.parents[2] / "seasons"
    text = (seasons / "now.toml").read_text()
    closes = (datetime.now(UTC) + timedelta(seconds=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
    (seasons / "now.toml").write_text(text.replace("2099-12-31", closes))
    time.sleep(2)
    succeed("season", "reveal", "now", "--secret-file", secret, *place)
    assert (
        Season.load(seasons / "now.toml").last_entry == Ledger(Season.load(seasons / "now.toml"), seasons.parent).last
    )
    succeed("verify", folder, *given, "--season", "now")


def test_submit_names_what_is_wrong(bench, tmp_path):
    result = run("submit", tmp_path / "nothing", "--track", bench.track_file, "--method", "X", "--out", tmp_path)
    assert result.exit_code == 1
    assert "is neither one of" in result.output
    result = run("submit", "random", "--track", "quadrocopters", "--method", "X", "--out", tmp_path)
    assert "did you mean 'quadcopters'?" in result.output


def test_retrain_needs_a_verified_submission(board):
    folder, _ = board
    result = run("retrain", folder)
    assert result.exit_code == 1
    assert "verify the submission first" in result.output
