"""Power against published tables and simulation, tolerance intervals against Wilks's numbers."""

import numpy as np
import pytest
from scipy import stats

from envsuite.scoring import (
    interquartile_mean,
    mean,
    power,
    prediction_interval,
    prediction_power,
    prediction_runs,
    run_spread,
    runs_needed,
    tolerance_confidence,
    tolerance_interval,
    tolerance_runs,
    tolerance_share,
)


@pytest.mark.parametrize(("share", "one", "two"), [(0.5, 5, 8), (0.75, 11, 18), (0.9, 29, 46), (0.95, 59, 93)])
def test_runs_for_tolerance(share, one, two):
    assert tolerance_runs(share, sides=1) == one
    assert tolerance_runs(share) == two
    assert tolerance_confidence(two, share) >= 0.95 > tolerance_confidence(two - 1, share)


@pytest.mark.parametrize(("runs", "percent", "digits"), [(3, 13.5, 1), (5, 34, 0), (10, 61, 0), (20, 78, 0)])
def test_what_the_range_of_runs_covers(runs, percent, digits):
    assert round(100 * tolerance_share(runs), digits) == percent
    assert tolerance_confidence(runs, tolerance_share(runs)) == pytest.approx(0.95)


def test_tolerance_interval_is_the_range_and_holds_its_promise():
    found = tolerance_interval([3.0, 1.0, 2.0, 5.0, 4.0])
    assert (found.low, found.high, found.runs) == (1.0, 5.0, 5)
    assert str(found) == "[1, 5] holds 34.3 % of runs with 95 % confidence (N=5)"
    worst = tolerance_interval([3.0, 1.0], sides=1)
    assert (worst.low, worst.high) == (1.0, np.inf)
    assert worst.share == pytest.approx(0.05**0.5)
    samples = np.random.default_rng(0).random((20_000, 5))  # the covered share of a uniform is the width
    covered = np.ptp(samples, axis=1) >= found.share
    assert covered.mean() == pytest.approx(0.95, abs=0.006)


@pytest.mark.parametrize(("effect", "runs"), [(0.2, 394), (0.5, 64), (0.8, 26)])
def test_runs_for_power_are_those_of_cohens_tables(effect, runs):
    assert runs_needed(effect, 1.0) == runs  # Cohen (1988), two-sided t-test, level 0.05, power 0.8
    assert runs_needed(-effect, 1.0) == runs
    assert runs_needed(10 * effect, 10.0) == runs


def test_power_is_that_of_a_simulated_test():
    generator = np.random.default_rng(1)
    x, y = generator.normal(1.2, 1.0, (2, 4000, 6))
    y -= 1.2
    rejected = stats.ttest_ind(x, y, axis=1).pvalue < 0.05
    assert power(6, 1.2, 1.0) == pytest.approx(rejected.mean(), abs=0.025)
    paired = stats.ttest_1samp(x, 0.0, axis=1).pvalue < 0.05
    assert power(6, 1.2, 1.0, paired=True) == pytest.approx(paired.mean(), abs=0.025)


def test_more_tasks_and_certain_differences():
    assert runs_needed(1.5, 1.0, tasks=10) <= runs_needed(1.5, 1.0)
    assert runs_needed(100.0, 1.0) == 2
    assert power(2, 1e6, 1.0, tasks=5) == 1.0


def test_spread_of_one_task_is_the_standard_deviation():
    values = np.random.default_rng(2).normal(0, 3.0, (12, 1))
    assert run_spread(values, mean) == pytest.approx(values.std(ddof=1), rel=0.02)
    many = np.random.default_rng(3).normal(0, 3.0, (12, 9))
    assert run_spread(many, mean) == pytest.approx(np.sqrt(many.var(axis=0, ddof=1).mean() / 9), rel=0.02)
    assert run_spread(many, interquartile_mean) > 0


@pytest.mark.parametrize(
    ("call", "mention"),
    [
        (lambda: tolerance_runs(1.0), "share is 1.0"),
        (lambda: tolerance_share(1), "1 runs, expected at least 2"),
        (lambda: tolerance_share(5, sides=3), "sides is 3"),
        (lambda: tolerance_interval([1.0, np.nan]), "nan"),
        (lambda: runs_needed(0.0, 1.0), "delta is 0.0"),
        (lambda: runs_needed(1.0, -1.0), "spread is -1.0"),
        (lambda: runs_needed(1e-9, 1.0), "more than 1,000,000"),
        (lambda: runs_needed(1.0, 1.0, wanted=2.0), "confidence is 2.0"),
        (lambda: power(1, 1.0, 1.0), "1 runs"),
        (lambda: run_spread(np.zeros((1, 2))), "1 runs"),
    ],
)
def test_bad_input_is_named(call, mention):
    with pytest.raises(ValueError, match=mention):
        call()


def test_prediction_interval_holds_the_mean_of_new_runs_as_often_as_it_says():
    generator = np.random.default_rng(0)
    for seen, new in ((3, 1), (10, 1), (10, 3)):
        inside = 0
        for _ in range(3000):
            low, high = prediction_interval(generator.normal(5.0, 2.0, seen), new)
            inside += low <= generator.normal(5.0, 2.0, new).mean() <= high
        assert inside / 3000 == pytest.approx(0.95, abs=0.013)  # over three standard errors


def test_prediction_interval_in_closed_form():
    """Of two runs, a and b, with Student's t for one degree of freedom, which is Cauchy's distribution."""
    reach = np.tan(np.pi * 0.45) * (4.0 / np.sqrt(2)) * np.sqrt(1.5)
    assert prediction_interval([1.0, 5.0], confidence=0.9) == pytest.approx((3.0 - reach, 3.0 + reach))
    with pytest.raises(ValueError, match="1 runs seen"):
        prediction_interval([1.0])
    with pytest.raises(ValueError, match="nan"):
        prediction_interval([1.0, np.nan])


def test_prediction_power_is_the_share_of_changed_runs_outside():
    generator, trials = np.random.default_rng(6), 20_000
    for seen, new, delta in ((10, 1, 2.0), (10, 4, 1.5), (3, 2, 4.0)):
        hits = 0
        for _ in range(trials // 4):
            low, high = prediction_interval(generator.normal(0.0, 1.0, seen), new)
            hits += not low <= generator.normal(-delta, 1.0, new).mean() <= high
        values = np.arange(seen) - (seen - 1) / 2
        values = values / values.std(ddof=1)  # a spread of 1
        assert prediction_power(values, delta, new) == pytest.approx(hits / (trials // 4), abs=0.02)


def test_prediction_runs_are_the_fewest():
    values = [10.0, 12.0, 9.0, 11.0, 13.0, 10.0]
    needed = prediction_runs(values, 4.0)
    assert needed is not None
    assert needed > 1
    assert prediction_power(values, 4.0, needed) >= 0.8 > prediction_power(values, 4.0, needed - 1)
    assert prediction_runs(values, 1.0) is None, "six runs do not tell their mean so exactly"
    assert prediction_power(values, 1.0, 10**6) < 0.8
    assert prediction_runs([3.0, 3.0], 0.1) == 1
    with pytest.raises(ValueError, match="expected at least 2"):
        prediction_power([1.0], 1.0)
    with pytest.raises(ValueError, match="delta is 0"):
        prediction_power(values, 0.0)


def test_power_has_a_number_everywhere():
    found = [prediction_power([0.0, 1.0, 2.0, 0.5, 1.5], delta, 3) for delta in np.geomspace(1e-3, 1e4, 200)]
    assert np.isfinite(found).all()
    assert (np.diff(found) > -1e-6).all()
    assert found[-1] == pytest.approx(1)
    several = [power(8, delta, 1.0, tasks=3) for delta in np.geomspace(1e-3, 1e3, 200)]
    assert np.isfinite(several).all()
    assert (np.diff(several) > -1e-6).all()
