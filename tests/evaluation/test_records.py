"""Run folders: complete, readable at any moment, found again, and never half-written."""

import hashlib
import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import envsuite
from envsuite.core.files import write_atomic
from envsuite.evaluation.records import RunFolder, config_hash, read_lines
from envsuite.evaluation.rollout import play, random_policy
from envsuite.evaluation.runs import RunRecord, find_runs

CARD = envsuite.card("QuadHover")


def record_of(folder: RunFolder) -> dict:
    return json.loads((folder.path / "run.json").read_text())


def test_a_run_leaves_a_complete_record(tmp_path):
    folder = RunFolder(
        tmp_path,
        "envsuite/X-v0",
        "ppo",
        {"rate": 0.1, "hidden": (64, 64), "limit": math.inf},
        3,
        "abcd",
        options={"weights": "initial"},
        eval_seeds=(10**9, 100),
        sweep="first",
    )
    before = record_of(folder)
    assert before["status"] == "running"
    folder.log(10, loss=1.5)
    folder.log(20, loss=np.float32(0.5), share=np.float64("nan"))
    (folder.path / "policy").mkdir()
    (folder.path / "policy" / "policy.onnx").write_bytes(b"weights")
    folder.finish("finished", mean_return=np.float32(4.0))
    record = record_of(folder)
    assert folder.path.parent == tmp_path / "envsuite" / "X-v0" / "ppo"
    assert record["status"] == "finished"
    assert record["config"] == {"rate": 0.1, "hidden": [64, 64], "limit": "inf"}
    assert record["env_options"] == {"weights": "initial"}
    assert (record["seed"], record["eval_seeds"], record["sweep"]) == (3, [10**9, 100], "first")
    assert record["suite_version"] == envsuite.__version__
    assert record["results"] == {"mean_return": 4.0}
    assert record["packages"]["numpy"] == record["versions"]["numpy"] == np.__version__
    assert record["versions"]["numba"]
    assert "torch" in record["versions"]
    assert record["machine"]["cores"] >= 1
    assert record["machine"]["gpus"] == []
    assert record["threads"]["numba"] >= 1
    assert record["started"] < record["ended"]
    assert record["config_hash"].startswith(folder.path.name.rpartition("-")[2])
    assert record["sha256"]["policy/policy.onnx"] == hashlib.sha256(b"weights").hexdigest()
    assert set(record["sha256"]) >= {"metrics.jsonl", "policy/policy.onnx"}
    events = [json.loads(line) for line in (folder.path / "metrics.jsonl").read_text().splitlines()]
    assert [event["step"] for event in events] == [10, 20]
    assert [event["loss"] for event in events] == [1.5, 0.5]
    assert events[1]["share"] is None
    assert RunRecord.load(folder.path).changed_files() == []
    json.loads((folder.path / "run.json").read_text(), parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))


def test_commands_name_scripts_from_their_checkout(tmp_path, monkeypatch):
    """Also where there is none, and where the path was relative before."""
    (tmp_path / "checkout" / ".git").mkdir(parents=True)
    inside, outside = tmp_path / "checkout" / "baselines" / "ppo.py", tmp_path / "ppo.py"
    for given, told in (
        (inside, "baselines/ppo.py"),
        (outside, str(outside)),
        ("baselines/ppo.py", "baselines/ppo.py"),
    ):
        monkeypatch.setattr(sys, "argv", [str(given), "--seed", "1"])
        with RunFolder(tmp_path / "runs", "envsuite/Nim-v0", "ppo", {}, 0, "0") as folder:
            pass
        assert json.loads((folder.path / "run.json").read_text())["command"] == [told, "--seed", "1"]


def test_parquet_holds_what_the_lines_hold(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    folder = RunFolder(tmp_path, CARD.id, "ppo", {}, 0, CARD.behaviour)
    episodes = play(CARD, random_policy, 3)
    for step in (100, 200):
        folder.log(step, mean_return=float(episodes.returns.mean()) + step)
        folder.log_episodes(step, episodes, task="hover")
    folder.finish("finished")
    run = RunRecord.load(folder.path)
    assert parquet.read_table(folder.path / "metrics.parquet").to_pylist() == run.metrics()
    rows = parquet.read_table(folder.path / "episodes.parquet").to_pylist()
    assert rows == run.episodes()
    assert len(rows) == 6
    third = rows[2]
    assert third["seed"] == 10**9 + 2
    assert third["return"] == episodes.returns[2]
    assert third["length"] == episodes.lengths[2]
    assert (third["checkpoint"], third["task"], third["truncated"]) == (100, "hover", False)
    assert third["distance"] == episodes.metrics["distance"][2]
    assert third["is_success"] == episodes.metrics["is_success"][2]
    assert run.steps == 200


def test_what_parquet_cannot_hold_does_not_spoil_the_end_of_a_run(tmp_path):
    pytest.importorskip("pyarrow")
    folder = RunFolder(tmp_path, "a/B-v0", "ppo", {}, 0, "")
    folder.log(1, count=10**30, flag=True)
    folder.log(2, flag=0.5)
    with pytest.warns(UserWarning, match="has no Parquet form"):
        folder.finish("finished")
    run = RunRecord.load(folder.path)
    assert run.status == "finished"
    assert [event["flag"] for event in run.metrics()] == [1, 0.5]


def test_tensorboard_has_the_numbers(tmp_path):
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    folder = RunFolder(tmp_path, "a/B-v0", "ppo", {}, 0, "", tensorboard=True)
    for step in (5, 10):
        folder.log(step, loss=step / 4)
    folder.finish("finished")
    events = EventAccumulator(str(folder.path / "tensorboard"), size_guidance={"tensors": 0})
    events.Reload()
    found = [(event.step, event.tensor_proto.float_val[0]) for event in events.Tensors("loss")]
    assert found == [(5, 1.25), (10, 2.5)]


def test_equal_runs_are_found_again(tmp_path):
    config = {"rate": 0.1, "hidden": (64, 64)}
    assert RunFolder.find(tmp_path, "a/B-v0", "ppo", config, 1) is None
    killed = RunFolder(tmp_path, "a/B-v0", "ppo", config, 1, "")
    assert RunFolder.find(tmp_path, "a/B-v0", "ppo", {"hidden": [64, 64], "rate": 0.1}, 1) == killed.path
    done = RunFolder(tmp_path, "a/B-v0", "ppo", config, 1, "")
    assert done.path != killed.path, "two that begin in one second"
    done.finish("finished")
    RunFolder(tmp_path, "a/B-v0", "ppo", config, 1, "").finish("failed: x")
    assert RunFolder.find(tmp_path, "a/B-v0", "ppo", config, 1) == done.path
    for other in (("a/B-v0", "sac", config, 1), ("a/B-v0", "ppo", {"rate": 0.2}, 1), ("a/B-v0", "ppo", config, 2)):
        assert RunFolder.find(tmp_path, *other) is None
        assert config_hash(*other) != config_hash("a/B-v0", "ppo", config, 1)


def test_a_killed_run_can_be_read_and_gone_on_with(tmp_path):
    script = f"""
import sys, time
from envsuite.evaluation.records import RunFolder
folder = RunFolder({str(tmp_path)!r}, "a/B-v0", "ppo", {{}}, 0, "")
step = 0
while True:
    step += 1
    folder.log(step, loss=1 / step)
    if step == 200:
        folder._append("metrics", '{{"step": 201, "wa')
        print(folder.path, flush=True)
        time.sleep(60)
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    path = Path(process.stdout.readline().strip())
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    (run,) = find_runs(tmp_path)
    assert (run.path, run.status) == (path, "running")
    assert [event["step"] for event in run.metrics()] == list(range(1, 201))
    assert run.steps == 200
    folder = RunFolder.reopen(path)
    folder.log(201, loss=0.5)
    folder.finish("finished")
    run = RunRecord.load(path)
    assert run.status == "finished"
    assert [event["step"] for event in run.metrics()] == list(range(1, 202))
    assert len(run.data["reopened"]) == 1
    assert run.metrics()[-1]["wall"] >= run.metrics()[-2]["wall"]
    with pytest.raises(ValueError, match="is finished"):
        RunFolder.reopen(path)


def test_lines_are_read_strictly_but_for_a_torn_end(tmp_path):
    path = tmp_path / "metrics.jsonl"
    assert read_lines(path) == []
    path.write_text('{"a": 1}\n{"a": 2')
    assert read_lines(path) == [{"a": 1}]
    path.write_text('{"a": 1\n{"a": 2}\n')
    with pytest.raises(ValueError, match="line 1 is not JSON"):
        read_lines(path)
    path.write_text("[1]\n")
    with pytest.raises(ValueError, match="line 1 is not an object"):
        read_lines(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "no record of a run"),
        ('{"schema": 9}', "no record of a run"),
        ('{"schema": 1, "env_id": 3}', "env_id is 3, expected str"),
    ],
)
def test_other_folders_are_refused_and_left_out_of_lists(tmp_path, content, message):
    RunFolder(tmp_path, "a/B-v0", "ppo", {}, 0, "").finish("finished")
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "run.json").write_text(content)
    with pytest.raises(ValueError, match=message):
        RunRecord.load(tmp_path / "bad")
    with pytest.warns(UserWarning, match=message):
        assert len(find_runs(tmp_path)) == 1


def test_places_may_be_folders_patterns_and_overlap(tmp_path):
    made = [RunFolder(tmp_path, "a/B-v0", name, {}, seed, "") for name in ("x", "y") for seed in (2, 1)]
    assert [(run.algorithm, run.seed) for run in find_runs(tmp_path)] == [("x", 1), ("x", 2), ("y", 1), ("y", 2)]
    assert [run.path for run in find_runs(made[0].path)] == [made[0].path]
    assert [run.path for run in find_runs(made[0].path / "run.json")] == [made[0].path]
    assert len(find_runs(f"{tmp_path}/a/*/[xy]*")) == 4
    assert len(find_runs(tmp_path, algorithm="x")) == 2
    assert find_runs(tmp_path, env_id="other") == []
    with pytest.raises(FileNotFoundError, match="nothing matches"):
        find_runs(tmp_path / "none*")


def test_writing_is_all_or_nothing(tmp_path):
    target = tmp_path / "file"
    write_atomic(target, "old")

    class Broken:
        def encode(self):
            raise OSError("disk full")

    with pytest.raises((OSError, TypeError)):
        write_atomic(target, Broken())
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_readers_never_see_half_a_file(tmp_path):
    target = tmp_path / "file"
    contents = {str(k) * 200_000 for k in range(4)}
    write_atomic(target, "0" * 200_000)
    stop = time.monotonic() + 0.5

    def write(content):
        while time.monotonic() < stop:
            write_atomic(target, content)

    threads = [threading.Thread(target=write, args=(content,)) for content in contents]
    for thread in threads:
        thread.start()
    while time.monotonic() < stop:
        assert target.read_text() in contents
    for thread in threads:
        thread.join()
    assert list(tmp_path.iterdir()) == [target]
