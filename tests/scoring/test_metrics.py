"""Point metrics against golden values, brute force and identities."""

from functools import partial

import numpy as np
import pytest

from envsuite.scoring import (
    interquartile_mean,
    mean,
    median,
    normalise,
    optimality_gap,
    performance_profile,
    probability_of_improvement,
)
from envsuite.scoring.metrics import metric_name
from tests.scoring.golden import X, Y, close


@pytest.mark.parametrize(
    ("scores", "expected"),
    [(X, (0.65, 0.56, 0.60, 0.403333, 0.083333)), (Y, (0.554167, 0.4875, 0.491667, 0.470833, 0.116667))],
)
def test_golden_values(scores, expected):
    found = (
        mean(scores),
        median(scores),
        interquartile_mean(scores),
        optimality_gap(scores),
        optimality_gap(scores, 0.5),
    )
    close(found, expected)


def test_golden_probability_and_profiles():
    close([probability_of_improvement(X, Y), probability_of_improvement(Y, X)], [0.658333, 0.341667])
    thresholds = [0, 0.25, 0.5, 0.75, 1, 1.25]
    close(performance_profile(X, thresholds), [1, 0.8, 0.6, 0.333333, 0.2, 0.066667])
    close(performance_profile(X, thresholds, "task"), [1, 1, 0.666667, 0.333333, 0.333333, 0])


@pytest.mark.parametrize("gamma", [0.3, 1.0, 2.5])
def test_area_under_the_profile_is_gamma_less_the_gap(gamma):
    scores = np.abs(np.random.default_rng(0).normal(1.0, 0.8, (6, 4)))
    edges = np.unique(np.concatenate([[0.0, gamma], scores[scores < gamma]]))
    area = (performance_profile(scores, edges[:-1]) * np.diff(edges)).sum()  # constant from one score to the next
    assert area == pytest.approx(gamma - optimality_gap(scores, gamma), abs=1e-12)
    assert area == pytest.approx(np.minimum(scores, gamma).mean(), abs=1e-12)


def test_probability_counts_ties_half_and_is_complementary():
    x, y = np.array([[1.0], [2.0], [2.0]]), np.array([[2.0], [0.0]])
    assert probability_of_improvement(x, y) == pytest.approx((0 + 1 + 0.5 + 1 + 0.5 + 1) / 6)
    assert probability_of_improvement(x, y) + probability_of_improvement(y, x) == pytest.approx(1.0)
    assert probability_of_improvement(x, x) == pytest.approx(0.5)


def _weighted_iqm(columns):
    """Brute force: every score repeated so often that all tasks have equally many, and that T divides by four."""
    common = np.lcm.reduce([len(column) for column in columns]) * 4
    pooled = np.sort(np.concatenate([np.repeat(column, common // len(column)) for column in columns]))
    return pooled[len(pooled) // 4 : 3 * len(pooled) // 4].mean()


@pytest.mark.parametrize("sizes", [(3, 4), (5, 2, 7), (1, 6), (4, 4)])
def test_ragged_scores_weigh_tasks_alike(sizes):
    generator = np.random.default_rng(3)
    columns = [generator.normal(size=size) for size in sizes]
    means = [column.mean() for column in columns]
    assert mean(columns) == pytest.approx(np.mean(means))
    assert median(columns) == pytest.approx(np.median(means))
    assert optimality_gap(columns, 0.2) == pytest.approx(0.2 - np.mean([np.minimum(c, 0.2).mean() for c in columns]))
    assert interquartile_mean(columns) == pytest.approx(_weighted_iqm(columns))
    levels = [-0.5, 0.1]
    assert performance_profile(columns, levels) == pytest.approx(
        [np.mean([(c > level).mean() for c in columns]) for level in levels]
    )
    other = [column + 0.3 for column in columns[::-1]]
    pairs = [
        np.mean([[np.heaviside(a - b, 0.5) for b in right] for a in left])
        for left, right in zip(columns, other, strict=True)
    ]
    assert probability_of_improvement(columns, other) == pytest.approx(np.mean(pairs))


@pytest.mark.parametrize(("runs", "tasks"), [(1, 1), (3, 1), (5, 3), (4, 2), (7, 5)])
def test_interquartile_mean_is_the_integer_trimmed_mean(runs, tasks):
    scores = np.random.default_rng(4).normal(size=(runs, tasks))
    ranked = np.sort(scores.ravel())
    cut = runs * tasks // 4
    assert interquartile_mean(scores) == pytest.approx(ranked[cut : runs * tasks - cut].mean())


def test_checkpoints_are_scored_one_by_one():
    scores = np.random.default_rng(5).normal(size=(5, 3, 4))
    for metric in (mean, median, interquartile_mean, optimality_gap):
        assert metric(scores) == pytest.approx([metric(scores[:, :, k]) for k in range(4)])
    found = probability_of_improvement(scores, scores[:3])
    assert found == pytest.approx([probability_of_improvement(scores[..., k], scores[:3, :, k]) for k in range(4)])


def test_normalise():
    scores = np.array([[1.0, 10.0], [3.0, 30.0]])
    assert normalise(scores, [1.0, 10.0], [3.0, 20.0]).tolist() == [[0, 0], [1, 2]]
    assert normalise(scores[:, :, None], [1.0, 10.0], [3.0, 20.0]).shape == (2, 2, 1)
    assert normalise(scores, 1.0, 2.0).tolist() == [[0, 9], [2, 29]]
    with pytest.raises(ValueError, match="no scale"):
        normalise(scores, 1.0, 1.0)


def test_names():
    assert metric_name(interquartile_mean) == "interquartile mean"
    assert metric_name(partial(optimality_gap, gamma=0.5)) == "optimality gap (gamma 0.5)"


@pytest.mark.parametrize(
    ("call", "mention"),
    [
        (lambda: mean([[1.0, 2.0], [3.0, 4.0]]), "rows are runs or tasks"),
        (lambda: mean(np.zeros(3)), r"shape \(3,\).*reshape"),
        (lambda: mean(np.zeros((0, 3))), "there are none"),
        (lambda: mean([]), "no task"),
        (lambda: mean([np.ones(2), np.ones(0)]), "task 1 has no scores"),
        (lambda: mean([np.ones(2), np.ones((2, 3))]), "shapes"),
        (lambda: mean(np.array([[1.0, np.nan]])), r"nan at \(0, 1\)"),
        (lambda: mean([np.ones(2), np.array([np.inf])]), "of task 1"),
        (lambda: optimality_gap(X, np.nan), "gamma is nan"),
        (lambda: probability_of_improvement(X, Y[:, :2]), "3 tasks"),
        (lambda: performance_profile(X, [[1.0]]), "thresholds have shape"),
        (lambda: performance_profile(X, [0.0], "both"), "'both'"),
        (lambda: performance_profile(X[:, :, None], [0.0]), "checkpoints"),
    ],
)
def test_bad_input_is_named(call, mention):
    with pytest.raises(ValueError, match=mention):
        call()
