"""The command line as people and programs use it."""

import json
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner

import envsuite
from envsuite.cli import main


def run(*arguments: str):
    return CliRunner().invoke(main, list(arguments))


def succeed(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout  # standard error says when something is compiled


def test_help_names_every_command():
    text = succeed("--help")
    for command in ("list", "info", "matrix", "check", "bench", "play", "evaluate", "new"):
        assert command in text
        assert "Usage" in succeed(command, "--help")


def test_list_is_a_list_of_cards():
    cards = json.loads(succeed("list", "--json"))
    assert [card["id"] for card in cards] == list(envsuite.cards())
    assert "envsuite/QuadHover-v0" in succeed("list")
    assert json.loads(succeed("list", "--family", "quadcopters", "--json"))
    assert json.loads(succeed("list", "--tag", "no such tag", "--json")) == []


def test_list_refuses_unknown_families():
    result = run("list", "--family", "birds")
    assert result.exit_code == 2
    assert "'birds' is not one of" in result.output


def test_info_tells_spaces_and_options():
    text = succeed("info", "QuadHover")
    for part in ("rotation matrix", "18..145", "motor 0", "vehicle='l2f_cf2023'", "arXiv 2311.13081"):
        assert part in text
    facts = json.loads(succeed("info", "QuadHover", "--json"))
    assert sum(block["elements"].count("..") for block in facts["observation"]["blocks"]) == 5
    assert facts["horizon"] == 500


def test_matrix_has_no_empty_cell():
    table = json.loads(succeed("matrix", "--json"))
    assert set(table) == set(envsuite.cards())
    for cells in table.values():
        assert all(cell == "yes" or cell == "planned" or cell.startswith("n/a: ") for cell in cells.values())


@pytest.mark.parametrize("command", [("info",), ("bench",), ("play",), ("check",), ("evaluate", "--policy", "random")])
def test_unknown_ids_name_the_nearest_and_exit_with_2(command):
    result = run(*command, "QuadHoovr")
    assert result.exit_code == 2
    assert "did you mean 'envsuite/QuadHover-v0'" in result.output


def test_bench_counts_environment_steps():
    found = json.loads(succeed("bench", "QuadHover", "--num-envs", "64", "--seconds", "0.2", "--json"))
    assert found["steps_per_second"] > 1000
    assert found["steps"] % 64 == 0
    assert found["num_envs"] == 64


@pytest.mark.parametrize(
    "arguments", [("--num-envs", "0"), ("--num-envs", "many"), ("--seconds", "0"), ("--threads", "0")]
)
def test_bench_refuses_numbers_out_of_range(arguments):
    assert run("bench", "QuadHover", *arguments).exit_code == 2


def test_evaluate_reports_intervals():
    found = json.loads(succeed("evaluate", "QuadHover", "--policy", "expert", "--episodes", "20", "--json"))
    assert found["return"]["low"] < found["return"]["value"] < found["return"]["high"]
    assert 0 <= found["is_success"]["low"] <= found["is_success"]["value"] <= 1
    assert found["first_seed"] == 10**9


def test_evaluate_refuses_what_is_no_policy(tmp_path):
    result = run("evaluate", "QuadHover", "--policy", "exprt")
    assert result.exit_code == 1
    assert "'exprt' is neither one of ['expert', 'random'] nor a file" in result.output
    bad = tmp_path / "policy.npz"
    bad.write_bytes(b"x")
    result = run("evaluate", "QuadHover", "--policy", str(bad))
    assert result.exit_code == 1
    assert "is not a policy" in result.output


def test_options_reach_the_environment():
    arguments = ("evaluate", "QuadHoverGPD", "--policy", "expert", "--episodes", "5", "--json")
    rotor, velocity = (
        json.loads(succeed(*arguments, *extra))
        for extra in ((), ("--option", "act=vel", "--option", "speed_limit=0.5"))
    )
    assert rotor["return"]["value"] != velocity["return"]["value"]
    assert "normalised" in rotor
    assert "normalised" not in velocity, "anchors are of the registered options"
    drones = ("bench", "QuadMultiHover", "--num-envs", "8", "--seconds", "0.1", "--option", "num_drones=3", "--json")
    assert json.loads(succeed(*drones))["steps"] > 0


@pytest.mark.parametrize(
    ("option", "mention"),
    [("act", "not of the form NAME=VALUE"), ("colour=red", "no option 'colour'"), ("act=fly", "act is 'fly'")],
)
def test_bad_options_are_refused(option, mention):
    result = run("evaluate", "QuadHoverGPD", "--policy", "random", "--option", option)
    assert result.exit_code == 2
    assert mention in " ".join(result.output.split())


def test_check_runs_what_is_asked_for():
    text = succeed("check", "QuadHover", "--only", "seeding", "--only", "text")
    assert text.count("ok") == 2
    assert run("check").exit_code == 2
    assert run("check", "QuadHover", "--all").exit_code == 2
    result = run("check", "QuadHover", "--only", "everything")
    assert result.exit_code == 2
    assert "gymnasium_api" in result.output


def test_check_fails_loudly(monkeypatch):
    from envsuite.testing import CHECKS

    def broken(card):
        raise AssertionError("the sky is falling")

    monkeypatch.setitem(CHECKS, "seeding", broken)
    result = run("check", "QuadHover", "--only", "seeding")
    assert result.exit_code == 1
    assert "the sky is falling" in result.output


@pytest.mark.parametrize("suffix", [".gif", ".mp4"])
def test_play_records_a_policy_without_a_screen(tmp_path, suffix):
    from PIL import Image

    target = tmp_path / f"flight{suffix}"
    text = succeed("play", "QuadHover", "--policy", "random", "--record", str(target), "--seed", "3")
    assert "return" in text
    assert list(tmp_path.iterdir()) == [target]
    if suffix == ".gif":
        with Image.open(target) as film:
            assert film.n_frames > 3
    else:
        import imageio_ffmpeg

        assert imageio_ffmpeg.count_frames_and_secs(str(target))[0] > 3


def test_play_refuses_other_formats(tmp_path):
    result = run("play", "QuadHover", "--policy", "random", "--record", str(tmp_path / "a.avi"))
    assert result.exit_code == 2
    assert "ends in none of .gif, .mp4" in result.output


def test_what_was_played_is_checked_and_seen_again(tmp_path):
    from PIL import Image

    log, film, again, page = (tmp_path / name for name in ("log.npz", "film.gif", "again.gif", "page.html"))
    played = ("--policy", "random", "--episodes", "2", "--seed", "3")
    succeed("play", "QuadHover", *played, "--record", str(film), "--save", str(log))
    assert "2 episodes of envsuite/QuadHover-v0 replay to the bit" in succeed("replay", str(log), "--check")
    succeed("replay", str(log), "--record", str(again))
    with Image.open(film) as both, Image.open(again) as first:
        assert 3 < first.n_frames < both.n_frames
        assert (np.asarray(first.convert("RGB")) == np.asarray(both.convert("RGB"))).mean() > 0.9, "another palette"
    succeed("replay", str(log), "--episode", "1", "--record", str(page))
    assert "seed 4</h1>" in page.read_text()
    assert run("replay", str(log), "--episode", "2", "--check").exit_code == 0, "all are checked"
    assert "has 2, counted from 0" in run("replay", str(log), "--episode", "2").output
    assert run("replay", str(log), "--record", "film.avi").exit_code == 2
    assert run("play", "QuadHover", "--policy", "random", "--save", "log.txt").exit_code == 2


def test_a_changed_log_is_not_shown(tmp_path):
    log, page = tmp_path / "log.npz", tmp_path / "page.html"
    succeed("play", "QuadHover", "--policy", "random", "--save", str(log))
    arrays = dict(np.load(log))
    arrays["actions"][2] *= 0.5
    np.savez_compressed(log, **arrays)
    result = run("replay", str(log), "--record", str(page))
    assert result.exit_code == 1
    assert "does not replay: episode 0 (seed 0), step" in result.output
    assert not page.exists()
    arrays["header"] = np.array(json.dumps(json.loads(str(arrays["header"])) | {"options": {"wings": 2}}))
    np.savez_compressed(log, **arrays)
    assert "wings" in run("replay", str(log)).output
    log.write_bytes(log.read_bytes()[:100])
    assert "is not a log of episodes" in run("replay", str(log)).output


def test_missing_extras_name_the_install_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygame", None)
    result = run("play", "QuadHover")
    assert result.exit_code == 1
    assert 'pip install "envsuite[play]"' in result.output


def test_listing_loads_no_simulator():
    code = "import sys\nfrom envsuite.cli import main\nmain(['list'], standalone_mode=False)\n"
    code += "print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"


def test_a_missing_library_is_named_with_the_extra_that_the_library_asks_for(monkeypatch):
    monkeypatch.setitem(sys.modules, "msgspec", None)
    result = CliRunner().invoke(main, ["evaluate", "--track", "quadcopters", "--policy", "expert"])
    assert result.exit_code == 1
    assert 'pip install "envsuite[leaderboard]" for tracks' in result.output
    assert '"envsuite[datasets]" for datasets' in result.output
