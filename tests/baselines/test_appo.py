"""One learner and many actors: V-trace by its formula, batches from elsewhere, and deaths."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

import appo  # noqa: E402
from appo import APPO, Actor, APPOConfig, vtrace  # noqa: E402
from launch import run  # noqa: E402
from learning import gae  # noqa: E402

from envsuite.cards import baselines_folder  # noqa: E402
from envsuite.evaluation.runs import find_runs  # noqa: E402
from tests.processes import processes  # noqa: E402

from .worlds import small  # noqa: E402

QUICK = {"num_envs": 4, "num_steps": 10, "total_steps": 480, "evaluations": 4, "episodes": 5, "threads": 1}


def numbers(steps: int = 7, rows: int = 3):
    torch.manual_seed(0)
    columns = [torch.randn(steps, rows) for _ in range(3)]
    return [*columns[:2], torch.rand(steps, rows) < 0.3, columns[2], torch.randn(rows)]


def test_without_older_weights_vtrace_is_gae():
    reward, value, done, bootstrap, after = numbers()
    expected = gae(reward, value, done, bootstrap, after, 0.9, 0.8)
    target, _ = vtrace(reward, value, done, bootstrap, after, torch.zeros_like(reward), 0.9, 0.8, 1.0, 1.0)
    torch.testing.assert_close(target - value, expected)
    target, advantage = vtrace(reward, value, done, bootstrap, after, torch.zeros_like(reward), 0.9, 1.0, 1.0, 1.0)
    torch.testing.assert_close(advantage, target - value)


@pytest.mark.parametrize("limits", [(1.0, 1.0), (2.0, 0.5)])
def test_vtrace_is_the_sum_of_equation_1(limits):
    reward, value, done, bootstrap, after = numbers()
    log_ratio = torch.randn_like(reward)
    target, advantage = vtrace(reward, value, done, bootstrap, after, log_ratio, 0.9, 0.8, *limits)
    ratio = log_ratio.exp()
    for row in range(reward.shape[1]):
        following = []
        for step in range(len(reward)):
            last = step == len(reward) - 1
            ended = bool(done[step, row])
            following.append(bootstrap[step, row] if ended else after[row] if last else value[step + 1, row])
        for start in range(len(reward)):
            total, weight = value[start, row].clone(), 1.0
            for step in range(start, len(reward)):
                error = reward[step, row] + 0.9 * following[step] - value[step, row]
                total += weight * min(limits[0], ratio[step, row]) * error
                if done[step, row]:
                    break
                weight *= 0.9 * 0.8 * min(limits[1], ratio[step, row])
            torch.testing.assert_close(target[start, row], total)
    for row in range(reward.shape[1]):
        for step in range(len(reward)):
            last = step == len(reward) - 1
            then = bootstrap[step, row] if done[step, row] else after[row] if last else target[step + 1, row]
            weight = min(limits[0], ratio[step, row])
            expected = weight * (reward[step, row] + 0.9 * then - value[step, row])
            torch.testing.assert_close(advantage[step, row], expected)


class Here:
    """Actors without Ray: each plays when it is asked, and is taken in the order of asking."""

    lost = 0

    def __init__(self, config: APPOConfig, steps: int):
        self.actors = [Actor(config, 100 * steps + k) for k in range(config.actors)]
        self.played, self.closed = [], False

    def tell(self, weights, version):
        self.weights, self.version = weights, version

    def ask(self, k):
        self.played.append((k, self.version, self.actors[k].play(self.weights)))

    def take(self):
        k, version, found = self.played.pop(0)
        return k, version, {name: torch.from_numpy(one) for name, one in found.items()}

    def close(self):
        self.closed = True


@pytest.mark.parametrize("asynchronous", [True, False])
@pytest.mark.parametrize("task", ["Locks", "Pendulum"])
def test_batches_of_all_actors_are_learned_from(tmp_path, monkeypatch, asynchronous, task):
    monkeypatch.setattr(appo, "Crew", Here)
    config = APPOConfig(env_id=small(task), actors=2, asynchronous=asynchronous, hidden=(16,), **QUICK)
    (record,) = find_runs(run(APPO, config, tmp_path))
    assert record.status == "finished"
    assert record.policy is not None
    events = record.metrics()
    assert [event["step"] for event in events] == [120, 240, 360, 480]
    # both actors began with the first weights; from then on each batch is two updates old, the one before one
    assert {event["staleness"] for event in events[1:]} == {1.0 if asynchronous else 0.0}
    assert all(event["play_seconds"] > 0 and event["megabytes"] > 0 for event in events)


def test_a_run_goes_on_after_its_learner(tmp_path, monkeypatch):
    monkeypatch.setattr(appo, "Crew", Here)
    config = APPOConfig(env_id=small("Locks"), actors=2, hidden=(16,), **QUICK)
    (record,) = find_runs(run(APPO, config, tmp_path, until=0.5))
    assert [event["step"] for event in record.metrics()] == [120, 240]
    (record,) = find_runs(run(APPO, config, tmp_path))
    assert [event["step"] for event in record.metrics()] == [120, 240, 360, 480]
    assert record.status == "finished"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"actors": 3}, "num_envs is 4 and actors 3"),
        ({"actors": 0}, "actors 0"),
        ({"teach": 1.0}, "neither a teacher"),
        ({"trace_limit": 2.0}, "the first not below the second"),
    ],
)
def test_settings_that_cannot_be_meant_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        APPOConfig(env_id=small("Locks"), **QUICK | options)


SCRIPT = [sys.executable, str(baselines_folder() / "appo.py"), "--env-id", "QuadPIDTune"]


def begin(folder: Path) -> subprocess.Popen:
    settings = {"num_envs": 64, "num_steps": 32, "total_steps": 120_000, "evaluations": 60, "episodes": 5}
    options = [f"--{name.replace('_', '-')}={value}" for name, value in settings.items()]
    command = [*SCRIPT, *options, "--runs", str(folder)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def events(folder: Path) -> int:
    return sum(path.read_text().count("\n") for path in folder.rglob("metrics.jsonl"))


def wait_until(what, seconds: float = 240.0) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.1)


@pytest.mark.slow
def test_actors_and_the_learner_may_be_killed(tmp_path):
    pytest.importorskip("ray")
    learner = begin(tmp_path)
    wait_until(lambda: events(tmp_path) >= 2)
    playing = processes(lambda words: words.startswith(b"ray::Actor"), learner.pid)
    assert len(playing) == 2
    os.kill(playing[0], signal.SIGKILL)
    seen = events(tmp_path)
    wait_until(lambda: events(tmp_path) >= seen + 3)
    learner.kill()
    learner.communicate()
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in playing), 60)
    (record,) = find_runs(tmp_path)
    assert max(event["actors_lost"] for event in record.metrics()) == 1.0
    again = begin(tmp_path)
    _, error = again.communicate(timeout=600)
    assert again.returncode == 0, error
    (record,) = find_runs(tmp_path)
    assert record.status == "finished"
    assert len(record.data["reopened"]) == 1
    steps = [event["step"] for event in record.metrics()]
    assert steps == sorted(set(steps))
    assert json.loads((record.path / "run.json").read_text())["results"]["episodes"] == 5
