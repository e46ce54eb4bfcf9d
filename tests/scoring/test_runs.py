"""Tables of runs: episodes given as runs are refused."""

import numpy as np
import pytest

from envsuite.scoring import RunCurve, RunScores, UnequalLengthWarning, compare, estimate

ROWS = [
    (method, task, seed, step, score + step / 100)
    for method, score in (("PPO", 1.0), ("TD3", 2.0))
    for task in ("hover", "race")
    for seed in (3, 1, 2, 7, 5)
    for step in (0, 100)
]


def test_long_table_becomes_arrays():
    found = RunScores.from_rows([(*row[:4], row[4] + row[2] / 10) for row in reversed(ROWS)])
    assert set(found.methods) == {"PPO", "TD3"}
    assert found.seeds("PPO", "hover") == (1, 2, 3, 5, 7)
    task = found.tasks.index("race")
    assert found.final("TD3")[:, task].tolist() == pytest.approx([3.1, 3.2, 3.3, 3.5, 3.7])
    assert set(found.finals()) == {"PPO", "TD3"}
    curves = found.curves("PPO", found.grid())
    assert curves.shape == (5, 2, 2)
    assert curves[0, task].tolist() == pytest.approx([1.1, 2.1])
    assert sorted(RunScores.from_rows(found.rows()).rows()) == sorted(found.rows())


def test_episodes_given_as_runs_are_refused():
    rows = [("PPO", "hover", 0, 1000, float(k)) for k in range(100)]
    with pytest.raises(ValueError, match=r"100 scores of method 'PPO', task 'hover', seed 0 at step 1000.*episodes"):
        RunScores.from_rows(rows)


def test_episodes_of_policies_without_training_are_said_to_be_episodes():
    rows = [("expert", "hover", 0, 0, float(k)) for k in range(30)]
    found = RunScores.from_rows(rows, unit="episode")
    assert found.unit == "episode"
    assert found.final("expert").shape == (30, 1)
    assert "N=30 episodes" in str(estimate(found.final("expert"), unit=found.unit, resamples=10))
    assert not found.paired("expert", "expert")


def test_unequal_numbers_of_runs_become_a_list():
    found = RunScores.from_rows([row for row in ROWS if row[:3] != ("PPO", "race", 7)])
    assert [len(column) for column in found.final("PPO")] == [5, 4]
    assert [part.shape for part in found.curves("PPO", [50, 100])] == [(5, 2), (4, 2)]
    assert not found.paired("PPO", "TD3")


def test_pairs_need_the_same_seeds():
    found = RunScores.from_rows(ROWS)
    assert found.paired("PPO", "TD3")
    result = compare(found.final("PPO"), found.final("TD3"), paired=True, resamples=100)
    assert result.difference.value == pytest.approx(-1.0)
    other = [(*row[:2], row[2] + 1, *row[3:]) if row[0] == "PPO" else row for row in ROWS]
    assert not RunScores.from_rows(other).paired("PPO", "TD3")


def test_scores_are_normalised_by_task():
    found = RunScores.from_rows(ROWS).normalised({"hover": (1.0, 3.0), "race": (0.0, 2.0)})
    assert found.final("PPO")[0].tolist() == [0.5, 1.0]
    with pytest.raises(ValueError, match="no references for 'race'"):
        RunScores.from_rows(ROWS).normalised({"hover": (1.0, 3.0)})


def test_curves_over_wall_time():
    fast = RunCurve([0, 100], [1.0, 2.0], [1.0, 2.0])
    slow = RunCurve([0, 100], [1.0, 2.0], [1.5, 10.0])
    found = RunScores({("PPO", "hover"): {0: fast, 1: slow}})
    with pytest.warns(UnequalLengthWarning):
        grid = found.grid(over="wall")
    assert grid.tolist() == [1.5, 2.0, 10.0]
    assert found.curves("PPO", grid, over="wall")[:, 0].tolist() == [[1, 2, 2], [1, 1, 2]]


@pytest.mark.parametrize(
    ("call", "mention"),
    [
        (lambda: RunScores.from_rows([]), "there are no runs"),
        (lambda: RunScores.from_rows(ROWS, unit="seed"), "unit is 'seed'"),
        (lambda: RunScores.from_rows(ROWS).final("SAC"), "'SAC'.*methods: "),
        (lambda: RunScores.from_rows([("a", "b", 0, 0, np.nan)]), "scores of a run hold nan"),
        (lambda: RunScores.from_rows(ROWS).grid(over="wall"), "no wall times"),
        (lambda: RunScores.from_rows(ROWS).grid(over="time"), "'time'"),
        (lambda: RunCurve([0, 1], [1.0]), "scores of a run have shape"),
        (lambda: RunCurve([1, 0], [1.0, 1.0]), "not ascending"),
        (lambda: RunCurve([], []), r"shape \(0,\)"),
    ],
)
def test_bad_input_is_named(call, mention):
    with pytest.raises(ValueError, match=mention):
        call()
