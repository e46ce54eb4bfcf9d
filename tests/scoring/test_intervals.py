"""Intervals over training runs: golden values, independent formulas, refusals and warnings."""

import warnings
from functools import partial

import numpy as np
import pytest
from scipy import stats

from envsuite.scoring import (
    FewRunsWarning,
    bootstrap_interval,
    estimate,
    interquartile_mean,
    mean,
    median,
    optimality_gap,
    performance_profile,
    profile_estimate,
)
from envsuite.scoring.intervals import METHODS, interval
from envsuite.scoring.layout import to_layout
from envsuite.scoring.resampling import Plan, bootstrap
from tests.scoring.golden import X

SCORES = np.random.default_rng(0).gamma(2.0, 0.4, (8, 6))


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        (interquartile_mean, (0.522, 0.700)),
        (mean, (0.563, 0.747)),
        (median, (0.470, 0.650)),
        (optimality_gap, (0.337, 0.463)),
    ],
)
@pytest.mark.parametrize("seed", [0, 1])
def test_golden_percentile_intervals(metric, expected, seed):
    found = bootstrap_interval(X, metric, method="percentile", resamples=50_000, seed=seed)
    assert found == pytest.approx(expected, abs=0.005)


def _draws(metric=interquartile_mean, scores=SCORES, **options):
    return bootstrap(metric, to_layout(scores), Plan(4000, **options))


def test_expanded_interval_has_the_corrected_tails():
    tail = stats.norm.cdf(-np.sqrt(8 / 7) * stats.t.ppf(0.975, 6 * 7))
    assert tail < 0.025
    expected = np.quantile(_draws().draws, [tail, 1 - tail])
    assert bootstrap_interval(SCORES, resamples=4000) == pytest.approx(tuple(expected))


def test_expanded_interval_of_unequal_runs_corrects_the_variance_of_the_mean():
    sizes = [3, 5, 9]
    columns = [np.random.default_rng(size).normal(size=size) for size in sizes]
    boot = _draws(mean, columns)
    resampled = sum((n - 1) / n**2 for n in sizes)  # times the variance between runs, by the number of tasks squared
    assert boot.inflation == pytest.approx(sum(1 / n for n in sizes) / resampled)
    assert boot.freedom == 14
    closed = sum(column.var() / len(column) for column in columns) / 9
    assert boot.draws.var() == pytest.approx(closed, rel=0.07)


def test_expanded_interval_with_drawn_tasks_counts_tasks():
    tail = stats.norm.cdf(-np.sqrt(6 / 5) * stats.t.ppf(0.975, 5))
    expected = np.quantile(_draws(task_bootstrap=True).draws, [tail, 1 - tail])
    assert bootstrap_interval(SCORES, task_bootstrap=True, resamples=4000) == pytest.approx(tuple(expected))


def test_percentile_and_basic_mirror_each_other():
    low, high = np.quantile(_draws().draws, [0.05, 0.95])
    options = {"confidence": 0.9, "resamples": 4000}
    assert bootstrap_interval(SCORES, method="percentile", **options) == pytest.approx((low, high))
    value = interquartile_mean(SCORES)
    found = bootstrap_interval(SCORES, method="basic", **options)
    assert found == pytest.approx((2 * value - high, 2 * value - low))


@pytest.mark.parametrize(("method", "noise"), [("percentile", 0.006), ("basic", 0.006), ("bca", 0.02)])
def test_one_task_agrees_with_scipy(method, noise):
    values = np.random.default_rng(1).exponential(1.0, 40)
    mine = bootstrap_interval(values[:, None], mean, method=method, resamples=100_000)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=100_000, method=method, rng=np.random.default_rng(5)
    ).confidence_interval
    assert mine == pytest.approx((theirs.low, theirs.high), abs=noise)


def test_corrected_percentiles_follow_their_formula():
    boot = _draws(mean)
    draws, value = boot.draws, float(boot.value)
    bias = stats.norm.ppf(((draws < value).mean() + (draws <= value).mean()) / 2)
    centred = (SCORES - SCORES.mean(axis=0)) / 6  # influence of each score on the mean over tasks
    acceleration = (centred**3).sum() / 8**3 / (6 * ((centred**2).sum() / 8**2) ** 1.5)
    for method, a in (("bc", 0.0), ("bca", acceleration)):
        z = np.array([-1.959963984540054, 1.959963984540054])
        level = stats.norm.cdf(bias + (bias + z) / (1 - a * (bias + z)))
        assert interval(boot, method, 0.95) == pytest.approx(tuple(np.quantile(draws, level)), abs=1e-9)
    assert abs(acceleration) > 0.005, "the test says nothing without skewness"


@pytest.mark.parametrize("method", METHODS)
def test_scores_that_do_not_vary_have_an_interval_without_width(method):
    assert bootstrap_interval(np.full((6, 3), 0.1), mean, method=method, resamples=200) == pytest.approx((0.1, 0.1))


@pytest.mark.parametrize("method", METHODS)
def test_scaling_scores_scales_intervals(method):
    found = bootstrap_interval(3.0 - 2.0 * SCORES, mean, method=method, resamples=500)
    plain = bootstrap_interval(SCORES, mean, method=method, resamples=500)
    assert found == pytest.approx((3.0 - 2.0 * plain[1], 3.0 - 2.0 * plain[0]), abs=2e-3)
    assert plain[0] < mean(SCORES) < plain[1]
    if method != "studentized":
        low, high = bootstrap_interval(SCORES, method=method, resamples=500)
        assert low < interquartile_mean(SCORES) < high


def test_same_seed_same_bits_and_other_seed_others():
    for method in METHODS:
        first, again, threaded, other = (
            bootstrap_interval(SCORES, mean, method=method, resamples=999, **options)
            for options in ({}, {}, {"threads": 2}, {"seed": 1})
        )
        assert first == again == threaded
        assert first != other


def test_a_metric_of_ones_own_sees_the_same_resamples():
    own = bootstrap_interval(SCORES, lambda scores: np.sort(scores.ravel())[12:36].mean(), resamples=300)
    assert own == pytest.approx(bootstrap_interval(SCORES, resamples=300))
    low, high = bootstrap_interval(SCORES, lambda scores: scores.mean(axis=1).max(), resamples=300)
    assert low < high


def test_a_metric_may_return_several_numbers():
    both = bootstrap_interval(SCORES, lambda scores: np.array([mean(scores), median(scores)]), resamples=300)
    single = [bootstrap_interval(SCORES, metric, resamples=300) for metric in (mean, median)]
    np.testing.assert_allclose(np.array(both).T, single, atol=1e-12)


def test_bca_of_ones_own_metric_needs_ragged_scores():
    own = bootstrap_interval(SCORES, lambda scores: mean(scores), method="bca", resamples=300)
    assert own == pytest.approx(bootstrap_interval(SCORES, mean, method="bca", resamples=300))
    with pytest.raises(ValueError, match="'own' does not take a list of vectors"):
        bootstrap_interval(SCORES, own_metric(), method="bca", resamples=10)


def own_metric():
    def own(scores):
        return scores.mean()

    return own


def test_checkpoints_share_their_draws():
    curve = np.stack([SCORES, SCORES + 1.0], axis=2)
    low, high = bootstrap_interval(curve, resamples=400)
    alone = bootstrap_interval(SCORES, resamples=400)
    np.testing.assert_allclose([low, high], np.add.outer(alone, [0.0, 1.0]), atol=1e-12)
    # a difference along time of whole runs is certain
    found = bootstrap_interval(curve, lambda scores: (scores[..., 1] - scores[..., 0]).mean(), resamples=100)
    assert found == pytest.approx((1.0, 1.0))


def test_estimates_tell_what_they_rest_on():
    found = estimate(X, resamples=500)
    assert (found.value, found.runs, found.tasks) == (pytest.approx(0.6), 5, 3)
    assert str(found).startswith("0.6 [")
    assert str(found).endswith("(N=5 runs, M=3 tasks)")
    assert estimate(X, unit="episode", resamples=10).basis == "N=5 episodes, M=3 tasks"
    assert estimate([X[:, 0], np.append(X[:, 1], 0.2)], resamples=10).basis == "N=5 runs, M=2 tasks"
    curve = estimate(np.stack([X, X], axis=2), resamples=10)
    assert str(curve).count("\n") == 1


def test_profiles_have_bands():
    thresholds = np.linspace(0, 2, 9)
    found = profile_estimate(SCORES, thresholds)
    assert found.value == pytest.approx(performance_profile(SCORES, thresholds))
    assert ((found.low <= found.value) & (found.value <= found.high)).all()
    shares = found.value[(found.value > 0.2) & (found.value < 0.8)]
    assert len(shares) > 0
    width = (found.high - found.low)[(found.value > 0.2) & (found.value < 0.8)]
    assert (width > 0.1).all()
    bca = profile_estimate(SCORES, thresholds, "task", method="bca", resamples=200)
    assert bca.low.shape == (9,)


@pytest.mark.parametrize("runs", [2, 3, 5])
@pytest.mark.parametrize("metric", [mean, median])
def test_one_task_and_few_runs_have_students_interval(runs, metric):
    values = np.random.default_rng(runs).normal(size=(runs, 1))
    with pytest.warns(FewRunsWarning, match=f"one task with {runs} runs.*Student's t"):
        found = estimate(values, metric)
    expected = stats.t.interval(0.95, runs - 1, values.mean(), stats.sem(values[:, 0]))
    assert (found.low, found.high) == pytest.approx(expected)
    assert found.method == "student-t"


def test_one_task_and_few_runs_are_warned_of_for_other_metrics_and_methods():
    for options in ({"metric": interquartile_mean}, {"metric": mean, "method": "percentile"}):
        with pytest.warns(FewRunsWarning, match="take the mean"):
            found = estimate(X[:, :1], resamples=100, **options)
        assert found.method != "student-t"


def test_few_runs_are_warned_of_and_five_are_not():
    with pytest.warns(FewRunsWarning, match="4 runs"):
        bootstrap_interval(X[:4], resamples=100)
    with pytest.warns(FewRunsWarning, match="3 runs"):
        profile_estimate(X[:3], [0.5])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bootstrap_interval(X, resamples=100)
        bootstrap_interval(np.arange(6.0)[:, None], resamples=100)


def test_warnings_point_to_the_caller():
    for call in (bootstrap_interval, estimate, lambda scores: profile_estimate(scores, [0.5])):
        with pytest.warns(FewRunsWarning) as caught:
            call(X[:4])
        assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize(
    ("call", "mention"),
    [
        (lambda: bootstrap_interval(X[:1]), "a single run"),
        (lambda: bootstrap_interval([X[:, 0], X[:1, 1]]), "a single run of task 1"),
        (lambda: bootstrap_interval(X, method="bayes"), "'bayes', expected one of expanded"),
        (lambda: bootstrap_interval(X, confidence=95), "confidence is 95"),
        (lambda: bootstrap_interval(X, resamples=0), "resamples is 0"),
        (lambda: bootstrap_interval(X, seed=-1), "seed is -1"),
        (lambda: bootstrap_interval(X, threads=1.5), "threads is 1.5"),
        (lambda: bootstrap_interval(np.arange(9.0)[:, None], task_bootstrap=True), "only one"),
        (lambda: bootstrap_interval(X, partial(optimality_gap, gamma=np.inf)), "gamma is inf"),
    ],
)
def test_bad_input_is_named(call, mention):
    with pytest.raises(ValueError, match=mention):
        call()
