"""`envsuite evaluate --track`: tables, resumption, and messages that help."""
# ruff: noqa: F811  (pytest passes the fixture by its name)

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import envsuite
from envsuite.cli import main
from envsuite.evaluation.episodes import EpisodeLog
from envsuite.evaluation.records import RunFolder
from envsuite.evaluation.replay import replay
from envsuite.evaluation.results import read_results
from envsuite.evaluation.tracks import load_track
from tests.evaluation.conftest import track_file  # noqa: F401  (a fixture)

HOVER = "envsuite/QuadHover-v0"


def run(*arguments: object):
    return CliRunner().invoke(main, ["evaluate", *map(str, arguments)])


def succeed(*arguments: object) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def trained(root: Path, seed: int, algorithm: str = "ppo", status: str = "finished", **config) -> Path:
    """A run folder with a policy that depends on its seed."""
    from envsuite.agents.onnx import Action, Interface, mlp, save

    folder = RunFolder(root, HOVER, algorithm, config, seed, envsuite.card(HOVER).behaviour)
    folder.log(1000 + seed, mean_return=1.0)
    generator = np.random.Generator(np.random.Philox(seed))
    weights = generator.normal(0, 0.05, (4, 146)).astype(np.float32)
    model = mlp([weights], [np.full(4, 0.1, np.float32)])
    save(folder.path / "policy.onnx", model, Interface(HOVER, Action("clip", (-1.0,) * 4, (1.0,) * 4)))
    folder.finish(status)
    return folder.path


def test_built_in_policies_are_scored_over_episodes(track_file, tmp_path):
    arguments = ("--track", track_file(), "--policy", "random", "--policy", "good=expert", "--out", tmp_path / "out")
    rows = json.loads(succeed(*arguments, "--executor", "serial", "--json"))
    names = [(row["method"], row["task"]) for row in rows]
    tasks = ("hover", "climb", "all tasks")
    assert names == [(method, task) for method in ("random", "good") for task in tasks]
    hover = rows[3]
    (result, _) = read_results(tmp_path / "out" / "good")
    assert hover["score"]["value"] == result.score
    assert hover["score"]["low"] < result.score < hover["score"]["high"]
    assert hover["normalised"]["value"] == pytest.approx((result.score + 100) / 600)
    assert hover["score"]["unit"] == "episode"
    assert rows[5]["normalised"]["value"] == pytest.approx(
        (rows[3]["normalised"]["value"] + rows[4]["normalised"]["value"]) / 2
    )
    text = succeed(*arguments)
    assert "N=6 episodes" in text
    assert "Intervals over episodes tell nothing of other training runs." in text


def test_run_folders_are_scored_over_training_seeds(track_file, tmp_path):
    for seed in range(4):
        trained(tmp_path / "runs", seed)
    trained(tmp_path / "runs", 9, status="failed: x")
    arguments = ("--track", track_file(), "--policy", tmp_path / "runs", "--out", tmp_path / "out", "--workers", 2)
    result = run(*arguments, "--json")
    (row,) = json.loads(result.stdout)
    assert "is left out: status 'failed: x'" in result.stderr, "a failed run is not left out silently"
    assert (row["method"], row["task"], row["score"]["runs"], row["score"]["unit"]) == ("ppo", "hover", 4, "run")
    results = read_results(tmp_path / "out" / "ppo")
    assert [(result.train_seed, result.checkpoint) for result in results] == [(k, 1000 + k) for k in range(4)]
    assert row["score"]["value"] == pytest.approx(np.mean([result.score for result in results]))
    assert len({result.score for result in results}) == 4
    text = succeed(*arguments)
    assert "ppo has no policy for climb." in text
    assert "Intervals over episodes" not in text
    card = load_track(track_file()).tasks[0].card
    for result in results:
        home = tmp_path / "out" / "ppo"
        assert result.actions == f"actions/hover-{result.train_seed}.npz"
        assert replay(EpisodeLog.load(home / result.actions), card) is None
        assert result.policy == f"policy/hover/{result.train_seed}.onnx"
        assert (home / result.policy).with_suffix(".json").is_file()
    # the same with another number of workers, elsewhere, and one policy at a time
    succeed(*arguments[:-3], tmp_path / "serial", "--executor", "serial")
    one = next(path for path in (tmp_path / "runs").rglob("run.json") if json.loads(path.read_text())["seed"] == 2)
    succeed("--track", track_file(), "--policy", f"x={one.parent}/policy.onnx", "--out", tmp_path / "serial")
    for result, other in zip(results, read_results(tmp_path / "serial" / "ppo"), strict=True):
        assert (result.returns, result.lengths, result.metrics) == (other.returns, other.lengths, other.metrics)
    (alone,) = read_results(tmp_path / "serial" / "x")
    assert (alone.train_seed, alone.returns) == (None, results[2].returns)


def test_finished_jobs_are_skipped_and_changed_policies_are_not(track_file, tmp_path):
    paths = [trained(tmp_path / "runs", seed) for seed in range(2)]
    arguments = (
        "--track",
        track_file(),
        "--policy",
        tmp_path / "runs",
        "--out",
        tmp_path / "out",
        "--executor",
        "serial",
    )
    succeed(*arguments)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("shards/*/result.json")}
    first = read_results(tmp_path / "out" / "ppo")
    succeed(*arguments)
    (paths[1] / "policy.onnx").write_bytes((trained(tmp_path / "other", 5) / "policy.onnx").read_bytes())
    succeed(*arguments)
    after = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("shards/*/result.json")}
    assert len(after) == 3
    assert {path: after[path] for path in before} == before
    second = read_results(tmp_path / "out" / "ppo")
    assert [result.train_seed for result in second] == [0, 1], "nothing is counted twice"
    assert first[0] == second[0]
    assert first[1].returns != second[1].returns


def test_slurm_writes_a_script_and_merges_afterwards(track_file, tmp_path):
    arguments = ("--track", track_file(), "--policy", "random", "--out", tmp_path / "out", "--executor", "slurm")
    result = run(*arguments)
    assert result.exit_code == 0
    assert f"sbatch {tmp_path}/out/jobs.sbatch" in result.stderr
    for index in (1, 0):
        job = ("job", tmp_path / "out" / "jobs.jsonl", index, "--out", tmp_path / "out")
        done = CliRunner().invoke(main, [*map(str, job)])
        assert "done: random/" in done.output
    assert "random" in succeed(*arguments)
    assert len(read_results(tmp_path / "out" / "random")) == 2
    result = CliRunner().invoke(main, ["job", str(tmp_path / "out" / "jobs.jsonl"), "2", "--out", str(tmp_path)])
    assert "index is 2, expected less than 2" in result.output


def test_failures_are_named_and_the_rest_is_kept(track_file, tmp_path):
    (tmp_path / "bad.onnx").write_bytes(b"no policy")
    track = track_file()
    arguments = ("--track", track, "--policy", "random", "--policy", tmp_path / "bad.onnx", "--out", tmp_path / "out")
    result = run(*arguments, "--executor", "serial")
    assert result.exit_code == 1
    assert "2 of 4 jobs failed; the others are kept" in result.output
    assert "bad/hover-bad: " in result.output
    assert len(list((tmp_path / "out").glob("random/shards/*/result.json"))) == 2
    assert not list((tmp_path / "out").glob("*/results.jsonl"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--policy", "random"), "give either an environment's ID, or --track"),
        (("QuadHover", "--track", "quadcopters", "--policy", "random"), "give either"),
        (("QuadHover",), "Missing option '--policy'"),
        (("QuadHover", "--policy", "random", "--policy", "expert"), "with an ID, give one --policy"),
        (("QuadHover", "--policy", "random", "--workers", "3"), "--workers is not for use with ID"),
        (("--track", "quadcopters", "--policy", "random", "--episodes", "3"), "--episodes is not for use with --track"),
        (("--track", "quadcoptres", "--policy", "random"), "did you mean 'quadcopters'"),
        (("--track", "quadcopters", "--policy", "exprt"), "policy 'exprt' is neither one of ['expert', 'random']"),
        (("--track", "quadcopters", "--policy", "a.b*c=random"), "neither one of"),
        (("--track", "quadcopters", "--policy", "..=random"), "method's name is '..'"),
    ],
)
def test_what_cannot_be_done_is_refused(arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert result.exit_code in (1, 2)
    assert message in " ".join(result.output.split())
    assert list(tmp_path.iterdir()) == []


def test_ambiguous_runs_are_refused(track_file, tmp_path):
    trained(tmp_path / "runs", 0)
    trained(tmp_path / "runs", 0, rate=2)
    result = run("--track", track_file(), "--policy", tmp_path / "runs", "--out", tmp_path / "out")
    assert "two runs have the training seed 0" in result.output
    trained(tmp_path / "two", 0)
    trained(tmp_path / "two", 1, "sac")
    result = run("--track", track_file(), "--policy", tmp_path / "two", "--out", tmp_path / "out")
    assert "holds runs of several algorithms, ['ppo', 'sac']" in result.output
    (tmp_path / "empty").mkdir()
    result = run("--track", track_file(), "--policy", tmp_path / "empty", "--out", tmp_path / "out")
    assert "holds no finished run with a policy (0 runs in all)" in result.output
