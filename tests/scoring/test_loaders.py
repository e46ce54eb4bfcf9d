"""Loaders against files as the programs write them."""

import csv
import json

import numpy as np
import pytest

from envsuite.evaluation.records import RunFolder
from envsuite.scoring.loaders.events import load_events
from envsuite.scoring.loaders.folders import load_metrics, load_runs
from envsuite.scoring.loaders.sb3 import load_evaluations, load_monitor
from envsuite.scoring.loaders.table import load_csv


def write_csv(path, rows, header=("method", "task", "seed", "step", "score")):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def test_csv(tmp_path):
    rows = [("PPO", "hover, windy", seed, 100, seed / 2) for seed in range(3)]
    found = load_csv(write_csv(tmp_path / "scores.csv", rows))
    assert found.tasks == ("hover, windy",)
    assert found.final("PPO")[:, 0].tolist() == [0, 0.5, 1]


def test_csv_of_episodes(tmp_path):
    path = write_csv(tmp_path / "scores.csv", [("expert", "hover", "", "", k) for k in range(4)])
    with pytest.raises(ValueError, match=r"line 2: .*unit='episode'"):
        load_csv(path)
    assert load_csv(path, unit="episode").final("expert").shape == (4, 1)
    path = write_csv(tmp_path / "runs.csv", [("PPO", "hover", 1, 5, k) for k in range(4)])
    with pytest.raises(ValueError, match="4 scores of method 'PPO'"):
        load_csv(path)


@pytest.mark.parametrize(
    ("header", "row", "mention"),
    [
        (("method", "task", "seed", "score"), ("a", "b", 0, 1), "no column step"),
        (("method", "task", "seed", "step", "score"), ("a", "b", 0, 1, "high"), "line 2.*'high'"),
        (("method", "task", "seed", "step", "score"), ("a", "b", 0, "soon", 1), "line 2.*'soon'"),
        (("method", "task", "seed", "step", "score"), ("a", "b", 0, 1), "line 2"),
    ],
)
def test_bad_csv_is_named(tmp_path, header, row, mention):
    with pytest.raises(ValueError, match=mention):
        load_csv(write_csv(tmp_path / "scores.csv", [row], header))


def write_monitor(path, start, episodes):
    lines = [f'#{{"t_start": {start}, "env_id": "CartPole-v1"}}', "r,l,t"]
    path.write_text("\n".join(lines + [",".join(map(str, row)) for row in episodes]) + "\n", encoding="utf-8")
    return path


def test_monitor_of_one_environment(tmp_path):
    path = write_monitor(tmp_path / "monitor.csv", 1000.0, [(1.0, 10, 0.5), (3.0, 30, 1.5), (8.0, 20, 2.0)])
    found = load_monitor(path)
    assert found.steps.tolist() == [10, 40, 60]
    assert found.scores.tolist() == [1, 3, 8]
    assert found.wall.tolist() == [0.5, 1.5, 2.0]
    mean = load_monitor(path, window=2)
    assert (mean.steps.tolist(), mean.scores.tolist()) == ([40, 60], [2.0, 5.5])
    with pytest.raises(ValueError, match="3 episodes"):
        load_monitor(path, window=4)


def test_monitors_of_one_run_are_merged_in_the_order_in_which_episodes_ended(tmp_path):
    generator = np.random.default_rng(0)
    every = []
    for k in range(3):
        ends = np.round(np.sort(generator.random(20)) * 100, 6)
        rows = [(round(generator.normal(), 6), int(generator.integers(1, 50)), t) for t in ends]
        every += [(1000.0 + k + t, value, length) for value, length, t in rows]
        write_monitor(tmp_path / f"{k}.monitor.csv", 1000.0 + k, rows)
    found = load_monitor(tmp_path)
    assert found.scores.tolist() == [value for _, value, _ in sorted(every)]
    assert found.steps[-1] == sum(length for _, _, length in every)
    assert found.steps[4] == sum(length for _, _, length in sorted(every)[:5])
    assert found.wall == pytest.approx([t - 1000.0 for t, _, _ in sorted(every)])


@pytest.mark.parametrize(
    ("text", "mention"),
    [
        ("r,l,t\n1,2,3\n", "the first line is 'r,l,t"),
        ('#{"t_start": 0}\nr,l\n1,2\n', "expected r, l and t"),
        ('#{"t_start": 0}\nr,l,t\n1,2,x\n', "line 3"),
    ],
)
def test_bad_monitor_is_named(tmp_path, text, mention):
    (tmp_path / "monitor.csv").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=mention):
        load_monitor(tmp_path / "monitor.csv")
    with pytest.raises(ValueError, match=r"no monitor\.csv"):
        load_monitor([])


def test_evaluations(tmp_path):
    results = np.array([[1.0, 3.0], [5.0, 6.0]])
    np.savez(tmp_path / "evaluations.npz", timesteps=[100, 200], results=results, ep_lengths=results)
    found = load_evaluations(tmp_path / "evaluations.npz")
    assert (found.steps.tolist(), found.scores.tolist()) == ([100, 200], [2.0, 5.5])


def test_bad_evaluations_are_named_and_never_unpickled(tmp_path):
    np.savez(tmp_path / "other.npz", timesteps=[100])
    np.savez(tmp_path / "flat.npz", timesteps=[100], results=[1.0])
    (tmp_path / "text.npz").write_text("hello")
    hostile = np.array([{"a": 1}], dtype=object)
    np.savez(tmp_path / "hostile.npz", timesteps=[100], results=hostile)
    for name in ("other", "text", "hostile"):
        with pytest.raises(ValueError, match=r"no evaluations\.npz"):
            load_evaluations(tmp_path / f"{name}.npz")
    with pytest.raises(ValueError, match=r"shape \(1,\)"):
        load_evaluations(tmp_path / "flat.npz")


def write_events(folder, points, tag="charts/episodic_return"):
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.summary.writer.event_file_writer import EventFileWriter

    writer = EventFileWriter(str(folder))
    for step, value in points:
        summary = Summary(value=[Summary.Value(tag=tag, simple_value=value)])
        writer.add_event(Event(wall_time=2e9 + step, step=step, summary=summary))
    writer.close()


def test_events(tmp_path):
    pytest.importorskip("tensorboard")
    write_events(tmp_path, [(10, 1.0), (20, 2.0), (20, 4.0), (35, 5.0)])
    found = load_events(tmp_path)
    assert found.steps.tolist() == [10, 20, 35]
    assert found.scores.tolist() == [1.0, 3.0, 5.0], "episodes that end at one step are averaged"
    assert np.diff(found.wall).tolist() == [10.0, 15.0]
    with pytest.raises(ValueError, match=r"no scalar 'losses'; it has charts/episodic_return"):
        load_events(tmp_path, "losses")
    with pytest.raises(ValueError, match="does not exist"):
        load_events(tmp_path / "absent")


def test_more_events_than_tensorboard_shows_are_all_read(tmp_path):
    pytest.importorskip("tensorboard")
    write_events(tmp_path, [(step, float(step)) for step in range(11_000)])
    assert len(load_events(tmp_path).steps) == 11_000


def write_run(root, seed, points, status="finished", **changes):
    folder = RunFolder(root, "envsuite/QuadHover-v0", "ppo", {"rate": 1e-3}, seed, "behaviour")
    for step, value in points:
        folder.log(step, mean_return=value, loss=0.1)
    folder.finish(status)
    record = json.loads((folder.path / "run.json").read_text(encoding="utf-8"))
    (folder.path / "run.json").write_text(json.dumps(record | changes), encoding="utf-8")
    return folder.path


def test_run_folders(tmp_path):
    for seed in range(3):
        write_run(tmp_path, seed, [(100, seed), (200 + seed, 10.0 + seed)])
    found = load_runs(tmp_path)
    assert (found.methods, found.tasks) == (("ppo",), ("envsuite/QuadHover-v0",))
    assert found.final("ppo")[:, 0].tolist() == [10, 11, 12]
    assert found.grid().tolist() == [100, 200, 201, 202]
    assert found.curves("ppo", [150, 202])[:, 0].tolist() == [[0, 10], [1, 11], [2, 12]]
    assert load_runs([tmp_path], metric="loss").final("ppo").tolist() == [[0.1]] * 3
    assert found.runs("ppo", found.tasks[0])[0].wall is not None


def test_unfinished_runs_are_not_left_out_silently(tmp_path):
    for seed, status in ((0, "finished"), (1, "failed: FloatingPointError: the loss is nan")):
        write_run(tmp_path, seed, [(100, 1.0)], status)
    with pytest.raises(ValueError, match=r"the loss is nan.*unfinished=skip"):
        load_runs(tmp_path)
    assert load_runs(tmp_path, unfinished="skip").final("ppo").shape == (1, 1)
    assert load_runs(tmp_path, unfinished="keep").final("ppo").shape == (2, 1)


def test_runs_that_were_stopped_or_go_on_count_as_far_as_they_came(tmp_path):
    write_run(tmp_path, 0, [(100, 1.0)])
    write_run(tmp_path, 1, [(50, 0.5)], "stopped by SIGTERM")
    write_run(tmp_path, 2, [(60, 0.25)], "running")
    write_run(tmp_path, 3, [], "running")
    with pytest.warns(UserWarning, match="evaluation") as told:
        found = load_runs(tmp_path)
    assert sorted(found.final("ppo")[:, 0]) == [0.25, 0.5, 1.0]
    words = sorted(str(one.message).partition(" ")[2] for one in told)
    assert words == [
        "goes on or was killed: it has no evaluation yet and is left out",
        "goes on or was killed: its score is that of its last evaluation",
        "was stopped by SIGTERM: its score is that of its last evaluation",
    ]
    assert load_runs(tmp_path, unfinished="skip").final("ppo").shape == (1, 1)
    with pytest.raises(ValueError, match="say unfinished=skip or keep"):
        load_runs(tmp_path, unfinished="refuse")


def test_two_runs_of_one_seed_need_names(tmp_path):
    for rate in (1e-3, 1e-4):
        write_run(tmp_path / str(rate), 0, [(100, rate)], config={"rate": rate})
    with pytest.raises(ValueError, match=r"are both method 'ppo'.*seed 0"):
        load_runs(tmp_path)
    found = load_runs(tmp_path, method=lambda record: f"ppo {record['config']['rate']}")
    assert set(found.methods) == {"ppo 0.001", "ppo 0.0001"}


def test_a_line_cut_off_by_a_crash_is_left_out(tmp_path):
    path = tmp_path / "metrics.jsonl"
    path.write_text('{"step": 1, "mean_return": 2.0}\n{"step": 2, "loss": 1}\n{"step": 3, "mean_ret', encoding="utf-8")
    found = load_metrics(path)
    assert (found.steps.tolist(), found.scores.tolist(), found.wall) == ([1], [2.0], None)
    with pytest.raises(ValueError, match="no 'accuracy'; it has loss, mean_return, step"):
        load_metrics(path, "accuracy")
    path.write_text('{"step": 1, "mean_return": 2.0}\n{"step": 2, "mea\n{"step": 3}\n', encoding="utf-8")
    with pytest.raises(ValueError, match="line 2"):
        load_metrics(path)


def test_bad_run_folders_are_named(tmp_path):
    with pytest.raises(ValueError, match="no runs below"):
        load_runs(tmp_path)
    with pytest.raises(ValueError, match="'drop'"):
        load_runs(tmp_path, unfinished="drop")
    (tmp_path / "run.json").write_text("{", encoding="utf-8")
    with pytest.raises(ValueError, match=r"run\.json: "):
        load_runs(tmp_path)
    (tmp_path / "run.json").write_text('{"seed": 1}', encoding="utf-8")
    with pytest.raises(ValueError, match="has no algorithm, env_id, status"):
        load_runs(tmp_path)
