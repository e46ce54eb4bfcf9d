"""Level 3: the command is ours, the seeds are new, and the difference has an interval."""

import dataclasses
from pathlib import Path

import pytest

import envsuite
from envsuite.agents.onnx import save
from envsuite.core.files import write_atomic
from envsuite.evaluation.records import RunFolder
from envsuite.evaluation.scripts import known_baselines, training_command
from envsuite.evaluation.tracks import load_track
from envsuite.submissions.build import build_submission, seal
from envsuite.submissions.intake import take_in
from envsuite.submissions.retrained import new_seeds, retrain

from .helpers import META, network, write_track

MAZE = "envsuite/MazeRandomSmall-v0"
BASELINES = Path(__file__).parents[2] / "baselines"


@pytest.fixture
def verified(bench, folder):
    found = bench.verify(folder, 2)
    return dataclasses.replace(found, info=dataclasses.replace(found.info, baseline="ppo"))


def trainer(runs: Path, calls: list, scale=1):
    """Stands for a training run: leaves a run folder with a network."""

    def train(command: list[str]) -> None:
        calls.append(command)
        env_id, seed = command[command.index("--env-id") + 1], int(command[command.index("--seed") + 1])
        run = RunFolder(runs, env_id, "ppo", {"seed": seed}, seed, envsuite.card(env_id).behaviour)
        run.log(1000, mean_return=0.0)
        save(run.path / "policy.onnx", *network(env_id, seed, scale=scale))
        run.finish("finished")

    return train


def test_like_runs_reach_level_3(bench, folder, verified, tmp_path):
    calls = []
    runs = tmp_path / "new"
    found = retrain(verified, bench.track, folder=folder, baselines=BASELINES, runs=runs, train=trainer(runs, calls))
    assert len(calls) == 6
    assert all(command[1] == str(BASELINES / "ppo.py") for command in calls)
    assert [one.task for one in found.retrained] == ["hover", "pair"]
    for one in found.retrained:
        assert one.seeds == new_seeds(verified, 3)
        mean = sum(run.score for run in found.runs if run.task == one.task) / 2
        assert one.difference == pytest.approx(mean - sum(one.scores) / 3)
        assert one.low <= one.difference <= one.high
    assert found.level == 3
    assert found.flags == verified.flags


def test_unlike_runs_do_not_and_the_record_says_so(bench, folder, verified, tmp_path):
    runs = tmp_path / "new"
    found = retrain(
        verified, bench.track, folder=folder, baselines=BASELINES, runs=runs, train=trainer(runs, [], scale=1e5)
    )
    assert found.level == 2
    assert found.flags == verified.flags + [
        f"{task}: new training runs differ from the submitted ones" for task in ("hover", "pair")
    ]


def test_some_tasks_are_not_enough(bench, folder, verified, tmp_path):
    runs = tmp_path / "new"
    settings = {"folder": folder, "baselines": BASELINES, "runs": runs, "train": trainer(runs, [])}
    assert retrain(verified, bench.track, tasks=["pair"], **settings).level == 2


def test_seeds_are_new_and_follow_from_the_line_of_the_ledger(verified):
    seeds = new_seeds(verified, 50)
    assert len(set(seeds)) == 50
    assert not set(seeds) & set(verified.info.train_seeds)
    assert max(seeds) < 10**9
    assert new_seeds(verified, 3) == seeds[:3]
    assert new_seeds(dataclasses.replace(verified, ledger_line="00" * 32), 3) != seeds[:3]


def test_only_baselines_of_the_repository_are_run(tmp_path):
    assert {"ppo", "td3"} <= set(known_baselines(BASELINES))
    for name in ("", "trainer", "quickstart", "../ppo", "ppo.py", "ppo; true"):
        with pytest.raises(ValueError, match="only those can be trained anew"):
            training_command(BASELINES, name, "envsuite/QuadHover-v0", 1, tmp_path)


def test_what_cannot_be_compared_is_refused(bench, folder, verified, tmp_path):
    settings = {"folder": folder, "baselines": BASELINES, "runs": tmp_path / "new"}
    with pytest.raises(ValueError, match="level 2 comes before"):
        retrain(dataclasses.replace(verified, level=1), bench.track, **settings)
    with pytest.raises(ValueError, match="expected at least 3"):
        retrain(verified, bench.track, seeds=2, **settings)
    (tmp_path / "new").mkdir()
    with pytest.raises(ValueError, match="has left no finished run"):
        retrain(verified, bench.track, train=lambda command: None, **settings)


def test_policies_are_trained_anew_on_the_id_that_they_were_trained_on(bench, tmp_path):
    """Both mazes are played with one policy a seed; the held-out one has no training of its own."""
    path = write_track(tmp_path / "tracks", {"mazes": (MAZE, 2), "held-out": (MAZE.replace("-", "HeldOut-"), 2)})
    for seed in (0, 1):
        trainer(tmp_path / "runs", [])(["ppo", "--env-id", MAZE, "--seed", str(seed)])
    meta = {**META, "slug": "probe", "baseline": "ppo"}
    made = build_submission([tmp_path / "runs"], path, "Probe", tmp_path / "submissions", meta=meta)
    bench.season.save(tmp_path / "seasons")
    track, calls = load_track(path), []
    verified = bench.verify(made, 2, track=track)
    assert verified.level == 2
    assert {run.policy_sha256 for run in verified.runs if run.task == "mazes"} == {
        run.policy_sha256 for run in verified.runs if run.task == "held-out"
    }
    train = trainer(tmp_path / "new", calls)
    found = retrain(
        verified,
        track,
        folder=made,
        baselines=BASELINES,
        runs=tmp_path / "new",
        train=lambda command: calls.append(command) if command in calls else train(command),
    )
    assert [command[command.index("--env-id") + 1] for command in calls] == [MAZE] * 6
    assert [one.task for one in found.retrained] == ["mazes", "held-out"]
    place = made / "policy" / "held-out" / "1.json"
    write_atomic(place, place.read_text().replace(MAZE, MAZE.replace("-", "HeldOut-")))
    seal(made)
    with pytest.raises(ValueError, match="expected the verified"):
        retrain(verified, track, folder=made, baselines=BASELINES, runs=tmp_path / "new", train=train)
    with take_in(made) as intake:
        changed = dataclasses.replace(verified, digest=intake.digest)
    with pytest.raises(ValueError, match=r"held-out: its policies were trained on .* expected one id"):
        retrain(changed, track, folder=made, baselines=BASELINES, runs=tmp_path / "new", train=train)
