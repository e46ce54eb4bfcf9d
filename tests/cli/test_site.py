"""The commands that build and serve the site."""

import subprocess
import sys
import urllib.request

from click.testing import CliRunner

from envsuite.cli import main


def test_build_without_submissions(tmp_path):
    done = CliRunner().invoke(
        main, ["leaderboard", "build", "--leaderboard", str(tmp_path), "--out", f"{tmp_path}/site"]
    )
    assert done.exit_code == 0, done.output
    assert "nobody yet" in (tmp_path / "site" / "index.html").read_text()


def test_build_says_what_a_leaderboard_is_and_what_is_left_out(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["leaderboard", "build"])
    assert done.exit_code == 2
    assert "give a folder with submissions/ and verified/" in done.output
    folder = tmp_path / "board" / "submissions" / "quadcopters" / "20260101_mine"
    folder.mkdir(parents=True)
    (folder / "submission.toml").write_text("")
    done = CliRunner().invoke(main, ["leaderboard", "build", "--leaderboard", "board", "--track", "quadcopters"])
    assert done.exit_code == 0, done.output
    assert "20260101_mine has no record" in done.stderr
    assert (tmp_path / "site" / "index.html").is_file()


def test_build_refuses_an_unknown_track_and_a_folder_in_use(tmp_path):
    given = ["--leaderboard", str(tmp_path), "--track", "hoover", "--out", f"{tmp_path}/site"]
    done = CliRunner().invoke(main, ["leaderboard", "build", *given])
    assert done.exit_code == 1
    assert "hoover" in done.output
    (tmp_path / "notes.txt").write_text("mine")
    done = CliRunner().invoke(main, ["leaderboard", "build", "--leaderboard", str(tmp_path), "--out", str(tmp_path)])
    assert done.exit_code == 1
    assert "choose another folder" in done.output


def test_serve(tmp_path):
    runner = CliRunner()
    done = runner.invoke(main, ["leaderboard", "serve", str(tmp_path)])
    assert done.exit_code == 1
    assert "envsuite leaderboard build" in done.output
    runner.invoke(main, ["leaderboard", "build", "--leaderboard", f"{tmp_path}", "--out", f"{tmp_path}/site"])
    command = [sys.executable, "-u", "-m", "envsuite.cli", "leaderboard", "serve", f"{tmp_path}/site", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        with urllib.request.urlopen(address + "assets/table.js", timeout=10) as answer:
            assert b"aria-sort" in answer.read()
        server.terminate()
