"""Submissions of learners that begin with a dataset and then play: a policy for each share of the budget."""

import dataclasses
from pathlib import Path

import envsuite
from envsuite.agents.onnx import save
from envsuite.evaluation.records import RunFolder
from envsuite.evaluation.results import read_results
from envsuite.evaluation.tracks import load_track
from envsuite.submissions.build import build_submission
from envsuite.submissions.retrained import retrain

from .helpers import META, network, write_track

HOVER, MIXED = "envsuite/QuadHover-v0", "quad-hover/mixed-v0"
BASELINES = Path(__file__).parents[2] / "baselines"


def write_run(runs: Path, seed: int) -> None:
    config = {"dataset": MIXED, "seed": seed}
    run = RunFolder(runs, HOVER, "cal_ql", config, seed, envsuite.card(HOVER).behaviour)
    run.log(1000, mean_return=0.0)
    for name, more in (("policy-0", 0), ("policy", 50)):
        model, interface = network(HOVER, seed + more)
        save(run.path / f"{name}.onnx", model, interface)
    run.finish("finished")


def online_track(folder: Path):
    path = write_track(folder, {"before": (HOVER, 3), "after": (HOVER, 3)})
    text = path.read_text().replace("training_steps = 10_000\n", f'training_steps = 500\ndataset = "{MIXED}"\n', 1)
    path.write_text(text.replace("training_steps = 10_000\n", f'training_steps = 1000\ndataset = "{MIXED}"\n'))
    return path


def test_each_share_of_the_budget_has_its_policy(bench, tmp_path):
    """Submitted, verified with hidden seeds, and trained again with the dataset."""
    for seed in (0, 1):
        write_run(tmp_path / "runs", seed)
    path = online_track(tmp_path / "tracks")
    meta = {**META, "slug": "probe", "baseline": "cal_ql"}
    made = build_submission([tmp_path / "runs"], path, "Probe", tmp_path / "submissions", meta=meta)
    results = {(one.task, one.train_seed): one for one in read_results(made)}
    assert {key: one.checkpoint for key, one in results.items()} == {
        ("before", 0): 0,
        ("before", 1): 0,
        ("after", 0): 1000,
        ("after", 1): 1000,
    }
    assert results["before", 0].policy_sha256 != results["after", 0].policy_sha256
    bench.season.save(tmp_path / "seasons")
    track = load_track(path)
    verified = bench.verify(made, 2, track=track)
    assert verified.level == 2
    calls: list[list[str]] = []

    def train(command: list[str]) -> None:
        calls.append(command)
        seed = int(command[command.index("--seed") + 1])
        if command not in calls[:-1]:  # what is finished is not repeated
            write_run(tmp_path / "new", seed)

    found = retrain(
        dataclasses.replace(verified), track, folder=made, baselines=BASELINES, runs=tmp_path / "new", train=train
    )
    assert [command[command.index("--dataset") + 1] for command in calls] == [MIXED] * 6
    assert [one.task for one in found.retrained] == ["before", "after"]
    assert found.retrained[0].scores != found.retrained[1].scores
