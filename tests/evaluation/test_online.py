"""From offline to online: budgets, regrets, and which of a run's policies a task takes."""

import dataclasses

import pytest

import envsuite
from envsuite.evaluation.jobs import make_jobs
from envsuite.evaluation.online import is_online, normalised, online_protocol, outcome, regret, runs_online
from envsuite.evaluation.policies import find_policies
from envsuite.evaluation.records import RunFolder
from envsuite.evaluation.runs import RunRecord
from envsuite.evaluation.tracks import load_track

HOVER, MIXED = "envsuite/QuadHover-v0", "quad-hover/mixed-v0"


def write_run(place, seed, shares, dataset=MIXED, kept=(0, 500), regrets=True):
    """A finished run whose evaluations lie at shares of the way from random to reference play."""
    card = envsuite.card(HOVER)
    low, high = card.scale
    run = RunFolder(place, HOVER, "cal_ql", {"dataset": dataset, "seed": seed}, seed, card.behaviour)
    for k, share in enumerate(shares):
        told = {"regret": 0.0} if k and regrets else {}
        run.log(500 * k, mean_return=low.mean + share * (high.mean - low.mean), **told)
    for steps in kept:
        (run.path / f"policy-{steps}.onnx").write_bytes(b"early %d" % steps)
    (run.path / "policy.onnx").write_bytes(b"late")
    run.finish("finished", mean_return=0.0)
    return run.path


def test_a_budget_is_forty_episodes_and_evaluated_in_quarters():
    found = online_protocol("maze-legacy-umaze/controller-v0")
    assert found.env_id == "envsuite/MazeLegacyUmaze-v0"
    assert found.budget == 40 * 300
    assert found.schedule == (0, 3000, 6000, 9000, 12000)
    with pytest.raises(FileNotFoundError, match="there is no dataset no/such-v0"):
        online_protocol("no/such-v0")


def test_regret_leaves_out_what_was_before(monkeypatch):
    """As CORL counts: one minus the mean of the evaluations while playing."""
    assert regret([0.9, 0.2, 0.4]) == pytest.approx(1 - (0.2 + 0.4) / 2)
    with pytest.raises(ValueError, match="1 evaluations, expected one before playing and at least one after"):
        regret([0.5])
    low, high = envsuite.card(HOVER).scale
    assert normalised(HOVER, (low.mean + high.mean) / 2) == pytest.approx(0.5)
    bare = dataclasses.replace(envsuite.card(HOVER), random=None)
    monkeypatch.setattr(envsuite, "card", lambda env_id: bare)
    with pytest.raises(ValueError, match="has no measured random and reference player"):
        normalised(HOVER, 0.0)


def test_outcomes_are_means_over_runs(tmp_path):
    paths = [write_run(tmp_path, seed, shares) for seed, shares in enumerate([(0.1, 0.4, 0.8), (0.3, 0.2, 0.6)])]
    found = outcome([RunRecord.load(path) for path in paths])
    assert (found.seeds, found.budget) == (2, 1000)
    assert (found.before, found.after) == (pytest.approx(0.2), pytest.approx(0.7))
    assert found.regret == pytest.approx(((1 - 0.6) + (1 - 0.4)) / 2)
    low, high = found.interval
    assert low < found.regret < high
    single = outcome([RunRecord.load(paths[0])])
    assert (single.interval, single.told()) == (None, "0.40")
    assert list(runs_online(tmp_path)) == ["cal_ql/quad-hover/mixed-v0"]
    other = RunRecord.load(write_run(tmp_path / "other", 0, (0.1, 0.2), regrets=False))
    assert not is_online(other)
    with pytest.raises(ValueError, match="is no run from offline to online"):
        outcome([other])
    with pytest.raises(ValueError, match="there are no runs to sum up"):
        outcome([])


@pytest.fixture
def track(track_file):
    """Two tasks of one dataset with different budgets, and one of another environment without."""
    path = track_file()
    text = path.read_text()
    task = text[text.index("[[tasks]]") : text.index("[[tasks]]", text.index("[[tasks]]") + 1)]
    later = task.replace('name = "hover"', f'name = "hover-late"\ndataset = "{MIXED}"')
    early = later.replace("hover-late", "hover-early").replace("training_steps = 1000", "training_steps = 700")
    path.write_text(text.replace(task, early + later))
    return path


def test_tasks_take_the_last_policy_that_had_not_played_more(tmp_path, track):
    run = write_run(tmp_path / "runs", 3, (0.0, 0.1, 0.2))
    loaded = load_track(track)
    jobs = {job.task: job for job in make_jobs(loaded, str(track), find_policies(str(run)))}
    assert set(jobs) == {"hover-early", "hover-late"}
    assert (jobs["hover-early"].policy, jobs["hover-early"].checkpoint) == (str(run / "policy-500.onnx"), 500)
    assert (jobs["hover-late"].policy, jobs["hover-late"].checkpoint) == (str(run), 1000)
    assert jobs["hover-early"].policy_digest != jobs["hover-late"].policy_digest
    assert {job.train_seed for job in jobs.values()} == {3}
    built_in = make_jobs(loaded, str(track), find_policies("random"))
    assert {job.task for job in built_in} == {"hover-early", "hover-late", "climb"}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"dataset": "quad-hover/expert-v0"}, "began with quad-hover/expert-v0, expected a run that began with quad-"),
        ({"kept": ()}, "kept no policies while it played, expected a run that began with quad-hover/mixed-v0"),
        ({"kept": (900,)}, "kept no policy of at most 700 steps, as hover-early has"),
    ],
)
def test_runs_that_do_not_fit_are_refused(tmp_path, track, changes, said):
    run = write_run(tmp_path / "runs", 0, (0.0, 0.1, 0.2), **changes)
    with pytest.raises(ValueError, match=said):
        make_jobs(load_track(track), str(track), find_policies(str(run)))


def test_tracks_name_datasets_of_their_environments(track):
    track.write_text(track.read_text().replace(MIXED, "dmsd/neorl2-v0", 1))
    with pytest.raises(ValueError, match=r"dataset is 'dmsd/neorl2-v0', expected one of .*quad-hover/mixed-v0"):
        load_track(track)


def test_the_track_is_that_of_the_protocol():
    track = load_track("offline-to-online")
    for task in track.tasks:
        protocol = online_protocol(task.dataset)
        assert task.env_id == protocol.env_id
        assert task.name.endswith(f"-{100 * task.training_steps // protocol.budget}")
        assert task.training_steps in protocol.schedule[1:]
        low, high = envsuite.card(task.env_id).scale
        assert (task.low.mean, task.high.mean) == (low.mean, high.mean)
    by_dataset = {task.dataset: [one for one in track.tasks if one.dataset == task.dataset] for task in track.tasks}
    assert {len(tasks) for tasks in by_dataset.values()} == {4}
