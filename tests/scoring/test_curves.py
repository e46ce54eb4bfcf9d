"""Learning curves: joint draws, areas, grids."""

import numpy as np
import pytest

from envsuite.scoring import (
    UnequalLengthWarning,
    area_under_curve,
    bootstrap_interval,
    common_grid,
    estimate,
    highlight_runs,
    interquartile_mean,
    mean,
    on_grid,
    sample_efficiency,
)

STEPS = np.array([0.0, 10.0, 40.0, 100.0])
SCORES = np.random.default_rng(0).normal(0.5, 0.3, (7, 4, 4)) + np.linspace(0, 1, 4)


def test_curve_is_the_metric_at_each_checkpoint():
    found = sample_efficiency(SCORES, STEPS)
    assert found.x.tolist() == STEPS.tolist()
    for k in range(4):
        alone = estimate(SCORES[:, :, k], resamples=2000)
        assert (found.estimate.value[k], found.estimate.low[k]) == pytest.approx((alone.value, alone.low))
        assert found.estimate.high[k] == pytest.approx(alone.high)


def test_area_is_that_of_trapezoids():
    found = area_under_curve(SCORES, STEPS, mean, resamples=1000)
    assert found.value == pytest.approx(np.trapezoid(SCORES.mean(axis=(0, 1)), STEPS) / 100)
    each = np.trapezoid(SCORES, STEPS, axis=2) / 100  # of the mean: the mean of every run's own area
    assert (found.low, found.high) == pytest.approx(bootstrap_interval(each, mean, resamples=1000))


@pytest.mark.parametrize("method", ["expanded", "bca"])
def test_area_draws_whole_runs(method):
    level = np.random.default_rng(1).normal(0, 1, (10, 3, 1))
    constant = np.broadcast_to(level, (10, 3, 50))  # a run stays where it is
    whole = area_under_curve(constant, np.arange(50.0), interquartile_mean, method=method, resamples=2000)
    alone = bootstrap_interval(level[:, :, 0], interquartile_mean, method=method, resamples=2000)
    assert (whole.low, whole.high) == pytest.approx(alone)


def test_ragged_curves():
    columns = [SCORES[:, 0], SCORES[:5, 1]]
    found = sample_efficiency(columns, STEPS, mean, resamples=100)
    expected = (SCORES[:, 0].mean(axis=0) + SCORES[:5, 1].mean(axis=0)) / 2
    assert found.estimate.value == pytest.approx(expected)
    assert area_under_curve(columns, STEPS, mean, resamples=100).runs == 5


def test_grid_begins_where_every_run_has_a_value():
    places = [np.array([1.0, 5.0, 9.0]), np.array([2.0, 5.0, 10.0])]
    assert common_grid(places).tolist() == [2, 5, 9, 10]
    assert common_grid(places, end="shortest").tolist() == [2, 5, 9]
    assert common_grid(places, points=3).tolist() == [2, 6, 10]
    with pytest.warns(UnequalLengthWarning, match="ends at 5, the longest at 10"):
        assert common_grid([places[0][:2], places[1]]).tolist() == [2, 5, 10]


def test_previous_value_is_held():
    found = on_grid([1, 5, 9], [10.0, 20.0, 30.0], [1, 4.99, 5, 8, 9, 100])
    assert found.tolist() == [10, 10, 20, 20, 30, 30]
    assert on_grid([1, 5, 5], [10.0, 20.0, 21.0], [5]).tolist() == [21.0]


def test_runs_nearest_to_percentiles_are_highlighted():
    assert highlight_runs([5.0, 1.0, 3.0, 2.0, 4.0]).tolist() == [1, 2, 0]
    assert highlight_runs([7.0]).tolist() == [0, 0, 0]
    assert highlight_runs(np.arange(101.0), [25]).tolist() == [25]


@pytest.mark.parametrize(
    ("call", "mention"),
    [
        (lambda: sample_efficiency(SCORES[:, :, 0], STEPS), "axis of checkpoints"),
        (lambda: sample_efficiency(SCORES, STEPS[:2]), r"expected \(4,\)"),
        (lambda: sample_efficiency(SCORES, STEPS[::-1]), "not ascending"),
        (lambda: area_under_curve(SCORES[:, :, :1], STEPS[:1]), "at least 2"),
        (lambda: common_grid([]), "no checkpoints"),
        (lambda: common_grid([np.array([1.0]), np.array([2.0])], end="shortest"), "no checkpoint in common"),
        (lambda: common_grid([np.array([1.0])], end="half"), "'half'"),
        (lambda: on_grid([2.0], [1.0], [1.0]), "before the first value"),
        (lambda: on_grid([2.0, 1.0], [1.0, 1.0], [2.0]), "not ascending"),
        (lambda: on_grid([2.0], [1.0, 2.0], [2.0]), "same vector shape"),
        (lambda: highlight_runs([]), "final scores"),
    ],
)
def test_bad_input_is_named(call, mention):
    with pytest.raises(ValueError, match=mention):
        call()
