"""Intervals over episodes against closed forms and against what they promise: coverage."""

import numpy as np
import pytest
from scipy import stats

from envsuite.scoring import episode_interval, proportion_interval


def test_bootstrap_of_the_mean_matches_the_normal_interval_for_many_values():
    values = np.random.default_rng(0).normal(3.0, 2.0, 2000)
    found = episode_interval(values)
    reach = 1.959964 * values.std() / np.sqrt(values.size)
    assert found.value == pytest.approx(values.mean())
    assert found.low == pytest.approx(values.mean() - reach, abs=0.05 * reach)
    assert found.high == pytest.approx(values.mean() + reach, abs=0.05 * reach)


def test_bootstrap_agrees_with_scipy():
    values = np.random.default_rng(1).exponential(1.0, 40)
    mine = episode_interval(values, np.median, resamples=50_000)
    theirs = stats.bootstrap(
        (values,), np.median, n_resamples=50_000, method="percentile", rng=np.random.default_rng(5)
    ).confidence_interval
    assert mine.low == pytest.approx(theirs.low, abs=0.03)
    assert mine.high == pytest.approx(theirs.high, abs=0.03)


def test_bootstrap_covers_the_truth_nearly_as_often_as_it_says():
    generator = np.random.default_rng(2)
    hits = 0
    for trial in range(400):
        found = episode_interval(generator.normal(0.0, 1.0, 50), resamples=1000, seed=trial)
        hits += found.low <= 0.0 <= found.high
    assert 0.90 <= hits / 400 <= 0.98


def test_same_seed_same_interval():
    values = np.arange(30.0)
    assert episode_interval(values, seed=4) == episode_interval(values, seed=4)
    assert episode_interval(values, seed=4) != episode_interval(values, seed=5)


def test_one_value_says_nothing_of_its_spread():
    found = episode_interval([2.5])
    assert (found.value, found.low, found.high) == (2.5, -np.inf, np.inf)


@pytest.mark.parametrize(("successes", "trials"), [(0, 10), (3, 10), (50, 50), (81, 263)])
def test_proportion_is_wilsons(successes, trials):
    expected = stats.binomtest(successes, trials).proportion_ci(0.95, method="wilson")
    found = proportion_interval(successes, trials)
    assert found.low == pytest.approx(expected.low, abs=1e-12)
    assert found.high == pytest.approx(expected.high, abs=1e-12)


@pytest.mark.parametrize(
    ("call", "mention"),
    [
        (lambda: episode_interval([]), "no values"),
        (lambda: episode_interval([1.0, np.nan]), "nan is not finite"),
        (lambda: episode_interval([1.0, 2.0], confidence=95), "confidence is 95"),
        (lambda: proportion_interval(5, 4), "5 successes of 4"),
        (lambda: proportion_interval(0, 0), "0 successes of 0"),
    ],
)
def test_bad_input_is_named(call, mention):
    with pytest.raises(ValueError, match=mention):
        call()


def test_estimates_say_that_episodes_are_behind_them():
    assert str(episode_interval([1.0, 3.0], resamples=10)).endswith("(N=2 episodes)")
    assert proportion_interval(1, 1).basis == "N=1 episode"
