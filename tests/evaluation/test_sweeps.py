"""Sweeps: what is tried, who goes on, and what comes out; trained by arithmetic instead of baselines."""

import json
import tomllib
from pathlib import Path

import pytest

from envsuite.cards import baselines_folder
from envsuite.evaluation import sweep_runs
from envsuite.evaluation.sweep_runs import run_sweep
from envsuite.evaluation.sweeps import Range, Search, Sweep, configurations, label, load_sweep
from envsuite.evaluation.training import JOBS, TrainingJob, as_options

BASELINES = baselines_folder()


@pytest.fixture(autouse=True)
def unchecked(monkeypatch):
    """The baselines' scripts are asked in tests/cli."""
    monkeypatch.setattr(sweep_runs, "check_settings", lambda sweep, baselines, tried: None)


class Stand:
    """Does jobs: the score of a setting is minus its distance from 3, and half of the run tells half of it."""

    def __init__(self, folder: Path, failing: tuple[float, ...] = ()):
        self.folder, self.failing, self.asked = folder, failing, []

    def __call__(self, jobs: list[TrainingJob], title: str) -> dict[str, BaseException]:
        self.asked.append([(job.settings["gamma"], job.seed, job.until) for job in jobs])
        failed = {}
        for job in jobs:
            if job.settings["gamma"] in self.failing:
                failed[job.label] = ValueError("it diverged")
                continue
            path = self.folder / JOBS / f"{job.key}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            score = -abs(job.settings["gamma"] - 3) * job.until - job.seed
            path.write_text(json.dumps({"run": "r", "steps": 1, "score": score, "started": 0.0, "ended": 1.0}))
        return failed


def grid(**changes) -> Sweep:
    settings = {
        "name": "x",
        "baselines": ["ppo/QuadHover"],
        "seeds": 2,
        "space": {"gamma": [1, 2, 3, 4, 5, 6, 7, 8, 9]},
    }
    return Sweep(**settings | changes)


def test_a_grid_is_all_combinations_in_order(tmp_path):
    both = grid(space={"gamma": [1, 2], "hidden": [[64, 64], [32]]}, settings={"epochs": 3})
    assert configurations(both) == [
        {"gamma": 1, "hidden": [64, 64]},
        {"gamma": 1, "hidden": [32]},
        {"gamma": 2, "hidden": [64, 64]},
        {"gamma": 2, "hidden": [32]},
    ]
    assert label(configurations(both)[0]) == "gamma=1,hidden=64x64"
    stand = Stand(tmp_path)
    rows, jobs, whole = run_sweep(both, BASELINES, tmp_path, stand)
    assert whole
    assert len(jobs) == 8
    assert {job.group for job in jobs} == {label(one) for one in configurations(both)}
    assert all(job.settings["epochs"] == 3 for job in jobs)
    assert [row.mean for row in rows] == [-1.5, -1.5, -2.5, -2.5]
    found = tomllib.loads((tmp_path / "best.toml").read_text())["envsuite/QuadHover-v0"]
    assert found.pop("search") == "grid of 4 settings, 2 training seeds each, of gamma, hidden"
    assert found == {"epochs": 3, "gamma": 2, "hidden": [64, 64]}


def test_halving_goes_on_with_the_best(tmp_path, monkeypatch):
    tried = [{"gamma": value} for value in (1, 2, 3, 4, 5, 6, 7, 8, 9)]
    monkeypatch.setattr(sweep_runs, "configurations", lambda sweep: tried)
    stand = Stand(tmp_path, failing=(3,))
    halving = grid(search=Search("halving", trials=9, rungs=3))
    rows, jobs, _ = run_sweep(halving, BASELINES, tmp_path, stand)
    assert [sorted({gamma for gamma, _, _ in part}) for part in stand.asked] == [[*range(1, 10)], [1, 2, 4], [2]]
    assert [part[0][2] for part in stand.asked] == pytest.approx([1 / 9, 1 / 3, 1])
    assert len(jobs) == 2 * (9 + 3 + 1)
    assert (rows[0].configuration, rows[0].part, rows[0].scores) == ({"gamma": 2}, 1, [-1, -2])
    assert [row.error for row in rows if row.configuration == {"gamma": 3}] == ["it diverged"]
    again = run_sweep(halving, BASELINES, tmp_path, stand)
    assert again[0] == rows


def test_what_is_done_elsewhere_is_waited_for(tmp_path):
    rows, jobs, whole = run_sweep(grid(), BASELINES, tmp_path, lambda jobs, title: None)
    assert not whole
    assert len(jobs) == 18
    assert not (tmp_path / "best.toml").exists()
    assert all(row.part == 0 for row in rows)


def test_another_sweep_in_the_same_folder_is_refused(tmp_path):
    run_sweep(grid(), BASELINES, tmp_path, Stand(tmp_path))
    with pytest.raises(ValueError, match="holds a sweep with other seeds, space: give this one another name"):
        run_sweep(grid(seeds=1, space={"gamma": [3]}), BASELINES, tmp_path, Stand(tmp_path))


def test_draws_follow_from_the_seed_and_keep_to_the_ranges():
    pytest.importorskip("optuna")
    space = {"rate": Range(1e-4, 1e-2, log=True), "num_envs": Range(8, 64), "hidden": [[16], [32], [64]]}
    drawn = configurations(grid(space=space, search=Search("random", trials=200)))
    assert drawn == configurations(grid(space=space, search=Search("random", trials=200)))
    assert drawn != configurations(grid(space=space, search=Search("random", trials=200, seed=1)))
    assert all(1e-4 <= one["rate"] <= 1e-2 and type(one["num_envs"]) is int for one in drawn)
    assert 70 <= sum(one["rate"] < 1e-3 for one in drawn) <= 130, "half of a logarithmic range, three standard errors"
    assert {one["num_envs"] for one in drawn} <= set(range(8, 65))
    assert {tuple(one["hidden"]) for one in drawn} == {(16,), (32,), (64,)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("baselines = 3", "Expected `array`"),
        ("baselines = []", "at least one baseline"),
        ("baselines = ['ppo/QuadHover']\nseed = 3", "unknown key 'seed'"),
        ("baselines = ['ppo/QuadHover']\nseeds = 0", "one training seed"),
        ("baselines = ['ppo/QuadHover']\nseeds = [1, 2, 1]", "seeds: 1 is there twice"),
        ("baselines = ['ppo/QuadHover']\n[space]\ngamma = []", "gamma has no values"),
        ("baselines = ['ppo/QuadHover']\n[space]\ngamma = {low = 0, high = 1}", "gamma is a range"),
        ("baselines = ['ppo/QuadHover']\n[space]\ngamma = {low = 1, high = 0}", "low is 1 and high 0"),
        (
            "baselines = ['ppo/QuadHover']\n[space]\ngamma = {low = 0, high = 1, log = true}",
            "above 0 for a logarithmic",
        ),
        ("baselines = ['ppo/QuadHover']\n[settings]\ngamma = 1\n[space]\ngamma = [1]", "in settings and in space"),
        ("baselines = ['ppo/QuadHover']\n[search]\nmethod = 'best'", "Invalid enum value 'best'"),
        ("baselines = ['ppo/QuadHover']\n[search]\nkeep = 1.0", "keep is 1.0"),
        ("baselines = [", "is not TOML"),
    ],
)
def test_files_that_cannot_be_meant_are_refused(tmp_path, text, message):
    (tmp_path / "x.toml").write_text(text)
    with pytest.raises(ValueError, match=message):
        load_sweep(tmp_path / "x.toml")


def test_settings_become_options():
    settings = {"total_steps": 10, "normalise": False, "scaled": True, "hidden": [8, 8], "env_options": {"a": 1}}
    assert as_options(settings) == [
        *("--total-steps", "10", "--no-normalise", "--scaled", "--hidden", "[8, 8]", "--env-options", '{"a": 1}')
    ]
