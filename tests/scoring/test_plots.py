"""Figures show the numbers that they were given."""

import itertools

import numpy as np
import pytest

from envsuite.scoring import (
    estimate,
    improvement,
    mean,
    profile_estimate,
    rank_shares,
    sample_efficiency,
)

pytest.importorskip("matplotlib")

from envsuite.scoring import plots

GENERATOR = np.random.default_rng(0)
SCORES = {name: GENERATOR.normal(level, 0.3, (6, 4)) for name, level in (("random", 0.1), ("PPO", 0.7), ("TD3", 0.9))}


def drawn(figure, tmp_path):
    """Write the picture, which finds what only drawing finds."""
    path = tmp_path / "figure.png"
    figure.savefig(path)
    assert path.stat().st_size > 2000
    return figure


def test_bars_are_intervals(tmp_path):
    found = {
        name: {"IQM": estimate(each, resamples=200), "mean": estimate(each, mean, resamples=200)}
        for name, each in SCORES.items()
    }
    figure = drawn(plots.interval_bars(found), tmp_path)
    assert len(figure.axes) == 2
    bar = figure.axes[1].patches[2]
    assert (bar.get_x(), bar.get_x() + bar.get_width()) == pytest.approx(
        (found["TD3"]["mean"].low, found["TD3"]["mean"].high)
    )
    assert "N=6 runs, M=4 tasks" in figure.get_supxlabel()


@pytest.mark.parametrize("scale", [False, True])
def test_profiles(scale, tmp_path):
    thresholds = np.linspace(0, 1.5, 31)
    found = {name: profile_estimate(each, thresholds, resamples=100) for name, each in SCORES.items()}
    figure = drawn(plots.profiles(found, thresholds, scale_by_share=scale), tmp_path)
    line = figure.axes[0].lines[0]
    assert line.get_ydata().tolist() == found["random"].value.tolist()
    x = line.get_xdata()
    assert (np.diff(x) > 0).all()
    if scale:  # room in proportion to the share of runs
        share = np.mean([each.value for each in found.values()], axis=0)
        np.testing.assert_allclose(np.diff(x), -np.diff(share), atol=2e-6)
    else:
        assert x.tolist() == thresholds.tolist()


def test_curves_with_single_runs(tmp_path):
    steps = np.arange(5) * 1000
    curves = {name: GENERATOR.normal(0, 1, (6, 4, 5)).cumsum(axis=2) for name in ("PPO", "TD3")}
    found = {name: sample_efficiency(each, steps, resamples=100) for name, each in curves.items()}
    figure = drawn(plots.sample_efficiency(found, runs={"PPO": curves["PPO"][:, 0]}), tmp_path)
    lines = figure.axes[0].lines
    assert len(lines) == 2 + 3
    assert lines[0].get_ydata().tolist() == found["PPO"].estimate.value.tolist()
    singles = {tuple(line.get_ydata()) for line in lines[1:4]}
    assert singles <= {tuple(run) for run in curves["PPO"][:, 0]}


def test_improvement(tmp_path):
    found = {(a, b): improvement(SCORES[a], SCORES[b], resamples=100) for a, b in itertools.permutations(SCORES, 2)}
    figure = drawn(plots.improvement_bars(found), tmp_path)
    left, right = figure.axes
    assert [label.get_text() for label in left.get_yticklabels()] == [x for x, _ in found]
    assert [label.get_text() for label in right.get_yticklabels()] == [y for _, y in found]
    assert left.get_ylim() == right.get_ylim()


def test_matrix(tmp_path):
    ranks = rank_shares(SCORES, resamples=200)
    figure = drawn(plots.matrix(ranks, list(SCORES), ["1", "2", "3"], label="share", centre=None), tmp_path)
    assert len(figure.axes[0].texts) == 9
    shares = np.array([[np.nan, 0.25], [0.75, np.nan]])
    figure = drawn(plots.matrix(shares, ["a", "b"], ["a", "b"]), tmp_path)
    assert [text.get_text() for text in figure.axes[0].texts] == ["0.25", "0.75"]
    drawn(plots.matrix(np.full((1, 1), np.nan), ["a"], ["a"]), tmp_path)


def test_fronts(tmp_path):
    figure = drawn(plots.fronts({"A": [[1, 3], [2, 2], [0, 0]], "B": [[3, 1]]}, reference=[-1, -1]), tmp_path)
    first = figure.axes[0].lines[0]
    assert first.get_xdata().tolist() == [-1, 1, 2, 2]
    assert first.get_ydata().tolist() == [3, 3, 2, -1]


def test_figures_can_share_axes_and_leave_no_window(tmp_path):
    from matplotlib.figure import Figure

    figure = Figure()
    axes = figure.subplots()
    assert plots.fronts({"A": [[1, 3]]}, axes=axes) is figure
    import sys

    assert "matplotlib.pyplot" not in sys.modules or not sys.modules["matplotlib.pyplot"].get_fignums()


@pytest.mark.parametrize(
    ("call", "mention"),
    [
        (lambda: plots.interval_bars({}), "nothing to draw"),
        (lambda: plots.matrix([[1.0]], ["a", "b"], ["a"]), r"expected \(2, 1\)"),
        (lambda: plots.fronts({"A": [[1, 2, 3], [4, 5, 6]]}), r"shape \(2, 3\)"),
    ],
)
def test_bad_input_is_named(call, mention):
    with pytest.raises(ValueError, match=mention):
        call()
