"""`envsuite baselines sweep`, `train` and `reproduce` with executors, which really train."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

import envsuite
from envsuite.cards import baselines_folder
from envsuite.cli import main
from envsuite.cli.training import settings_of
from envsuite.evaluation.executors import ProcessExecutor, SerialExecutor, make_executor, run_jobs
from envsuite.evaluation.job_lists import read_jobs
from envsuite.evaluation.runs import find_runs
from envsuite.evaluation.training import TrainingJob, busy, shares
from tests.processes import ancestors, processes

pytest.importorskip("torch")

QUICK = {"total_steps": 1024, "num_envs": 16, "num_steps": 16, "evaluations": 4, "episodes": 3, "threads": 1}
ENV_ID = "envsuite/QuadHoverGPD-v0"


def run(*arguments: object):
    return CliRunner().invoke(main, ["baselines", *map(str, arguments)])


def job(**changes) -> TrainingJob:
    behaviour = envsuite.card(ENV_ID).behaviour
    return TrainingJob(
        str(baselines_folder().resolve()), "ppo", ENV_ID, 1, settings=QUICK | changes, behaviour=behaviour
    )


def curve(folder: Path) -> list[float]:
    (record,) = find_runs(folder)
    return [event["mean_return"] for event in record.metrics()]


def test_a_sweep_trains_what_is_missing(tmp_path):
    file = tmp_path / "two.toml"
    settings = "\n".join(f"{name} = {value}" for name, value in QUICK.items())
    file.write_text(
        f'baselines = ["ppo/QuadHoverGPD"]\nseeds = 1\n[settings]\n{settings}\n[space]\nhidden = [[8], [16, 16]]\n'
    )
    out = tmp_path / "out"
    first = run("sweep", file, "--out", out, "--executor", "slurm")
    assert first.exit_code == 0, first.output
    assert "wrote 2 jobs. Start them with: sbatch" in first.stderr
    assert [one.settings["hidden"] for one in read_jobs(out / "jobs.jsonl")] == [[8], [16, 16]]
    environment = {**os.environ, "SLURM_ARRAY_TASK_ID": "1"}
    done = subprocess.run(["bash", out / "jobs.sbatch"], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "done: ppo/QuadHoverGPD-v0 seed 1" not in done.stdout
    assert "done: ppo/QuadHoverGPD-v0 seed 0, hidden=16x16" in done.stdout
    (record,) = find_runs(out)
    second = run("sweep", file, "--out", out, "--workers", 1, "--json")
    assert second.exit_code == 0, second.output
    assert "1 of 1 runs trained" in second.stderr
    found = json.loads(second.stdout)
    assert {tuple(row["configuration"]["hidden"]) for row in found["rows"]} == {(8,), (16, 16)}
    runs = {one.data["sweep"]: one for one in find_runs(out)}
    assert set(runs) == {"two/hidden=8", "two/hidden=16x16"}
    assert runs["two/hidden=16x16"].path == record.path
    for row in found["rows"]:
        tried = runs[f"two/hidden={'x'.join(map(str, row['configuration']['hidden']))}"]
        assert row["scores"] == [tried.data["results"]["mean_return"]]
    report = CliRunner().invoke(main, ["runs", "report", str(out), "--out", str(tmp_path / "r.html"), "--no-render"])
    assert report.exit_code == 0, report.output
    assert "2 runs of ppo hidden=16x16, ppo hidden=8" in report.output


def test_wrong_settings_are_found_before_anything_is_trained(tmp_path):
    file = tmp_path / "x.toml"
    file.write_text('baselines = ["ppo/QuadHoverGPD"]\n[space]\nsped = [1, 2]\n')
    found = run("sweep", file, "--out", tmp_path / "out")
    assert found.exit_code == 1
    assert "ppo/QuadHoverGPD" in found.output
    assert "unrecognized arguments: --sped 1" in found.output
    file.write_text('baselines = ["ppo/QuadHoverGPD"]\n[space]\ngamma = [2.0]\n')
    assert "gamma is 2.0, expected a number from 0 to 1" in run("sweep", file, "--out", tmp_path / "out").output
    file.write_text('baselines = ["ppo/Nowhere"]\n')
    assert "'Nowhere' is no dataset with a recipe" in run("sweep", file, "--out", tmp_path / "out").output
    assert run("sweep", file, "--executor", "moon").exit_code == 2
    assert not find_runs(tmp_path)
    with pytest.raises(ValueError, match="executor is 'moon', expected one of serial, pool, ray"):
        make_executor("moon", tmp_path)


def test_a_training_whose_worker_is_killed_goes_on(tmp_path):
    """Neither the worker nor what it started is left, and the run ends with the bits of one that nobody stopped."""
    long = job(total_steps=16384, evaluations=64, episodes=1)
    assert run_jobs([long], SerialExecutor(tmp_path / "alone"), tmp_path / "alone") == {}
    folder, killed = tmp_path / "out", []

    def kill() -> None:
        end = time.monotonic() + 120
        while not killed and time.monotonic() < end:
            time.sleep(0.02)
            if list(folder.rglob("checkpoint.pt")) and (found := trainings(folder)):
                killed.extend(found)
                os.kill(ancestors(found[0])[0], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    assert run_jobs([long], ProcessExecutor(folder, 1), folder) == {}
    killer.join()
    assert killed
    assert not trainings(folder)
    (record,) = find_runs(folder)
    assert len(record.data["reopened"]) == 1
    assert curve(folder) == curve(tmp_path / "alone")
    assert 0 < busy([long], folder, 1, 0.0) <= 1


def trainings(folder: Path) -> list[int]:
    """Processes that train into a folder, wherever they come from now: those of a dead worker belong to nobody here."""
    place = str(folder.resolve()).encode()
    return processes(lambda words: b"envsuite.evaluation.attended" in words and place in words.split(b"\0"), 1)


def test_train_and_reproduce_take_executors(tmp_path):
    given = [f"--{name.replace('_', '-')}={value}" for name, value in QUICK.items()]
    options = ("--runs", tmp_path / "runs", "--executor", "serial")
    result = run("train", "ppo/QuadHoverGPD", "--seed", 3, "--seeds", 2, *options, "--", *given)
    assert result.exit_code == 0, result.output
    assert [one.seed for one in find_runs(tmp_path / "runs")] == [3, 4]
    for seed in (3, 4):
        assert f"ppo/QuadHoverGPD-v0 seed {seed}: mean return" in result.stderr
    result = run("train", "ppo/QuadHoverGPD", *options, "--", "--gamma=2")
    assert result.exit_code == 1
    assert "training ended with exit status 1: error: gamma is 2.0" in result.output
    result = run("reproduce", "ppo/QuadHoverGPD", "--seeds", 1, "--runs", tmp_path / "r", "--executor", "slurm")
    assert result.exit_code == 0, result.output
    assert "wrote 1 jobs" in result.stderr
    assert len(read_jobs(tmp_path / "r" / "jobs.jsonl")) == 1


def test_settings_are_read_as_options():
    given = ("--total-steps", "1000", "--no-normalise", "--scaled", "--hidden=[8]", "--activation", "relu")
    settings = {"total_steps": 1000, "normalise": False, "scaled": True, "hidden": [8], "activation": "relu"}
    assert settings_of(given) == settings
    result = run("train", "ppo/QuadHoverGPD", "--executor", "serial", "--", "1000")
    assert "'1000' is no setting" in result.output


def test_progress_is_read_from_what_trainings_say(tmp_path):
    one, other = job(), job(gamma=0.5)
    one.log(tmp_path).parent.mkdir(parents=True)
    one.log(tmp_path).write_text("training: 10 of 100 steps (10 %), 5 s\ntraining: 25 of 100 steps (25 %), 9 s\n")
    assert shares([one, other], tmp_path, 0.0) == {one.label: 25}
    os.utime(one.log(tmp_path), (1.0, 1.0))
    assert shares([one, other], tmp_path, 0.0) == {}
    assert sys.executable in one.command(tmp_path)[0]
