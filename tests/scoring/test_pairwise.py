"""Comparisons of two and of many methods."""

import itertools

import numpy as np
import pytest
from scipy import stats

from envsuite.scoring import (
    FewRunsWarning,
    compare,
    compare_all,
    difference,
    holm,
    improvement,
    interquartile_mean,
    mean,
    median,
    optimality_gap,
    permutation_test,
    probability_of_improvement,
    rank_groups,
    rank_shares,
    tie_letters,
)
from tests.scoring.golden import X, Y

GENERATOR = np.random.default_rng(0)
BETTER, WORSE = GENERATOR.normal(1.0, 0.3, (8, 5)), GENERATOR.normal(0.6, 0.3, (8, 5))


def test_difference_of_means_has_the_standard_error_of_a_difference():
    found = difference(BETTER, WORSE, mean)
    assert found.value == pytest.approx(BETTER.mean() - WORSE.mean())
    variance = sum(side.var(axis=0, ddof=1).sum() / 8 for side in (BETTER, WORSE)) / 25
    reach = stats.t.ppf(0.975, 35) * np.sqrt(variance)
    assert found.low == pytest.approx(found.value - reach, abs=0.06 * reach)
    assert found.high == pytest.approx(found.value + reach, abs=0.06 * reach)


def test_pairs_of_the_same_seed_leave_out_what_they_share():
    shared = GENERATOR.normal(0.0, 1.0, (8, 5))
    x, y = BETTER + shared, WORSE + shared
    paired, apart = (difference(x, y, mean, paired=paired) for paired in (True, False))
    assert paired.value == apart.value
    gaps = x - y
    reach = stats.t.ppf(0.975, 35) * np.sqrt(gaps.var(axis=0, ddof=1).sum() / 8 / 25)
    assert paired.high - paired.value == pytest.approx(reach, rel=0.06)
    assert apart.high - apart.low > 2 * (paired.high - paired.low)
    constant = difference(x, x + 0.5, interquartile_mean, paired=True)
    assert (constant.low, constant.high) == pytest.approx((-0.5, -0.5))


def test_sides_are_drawn_independently():
    found = difference(BETTER, BETTER, mean)
    assert found.low < -0.05
    assert found.high > 0.05


@pytest.mark.parametrize("method", ["expanded", "percentile", "basic", "bc", "bca"])
@pytest.mark.parametrize("paired", [False, True])
def test_every_method_has_intervals_of_differences(method, paired):
    found = difference(BETTER, WORSE, method=method, paired=paired, resamples=2000)
    assert 0 < found.low < found.value < found.high < 1


def test_drawn_tasks_are_the_same_for_both_sides():
    tasks = np.linspace(0, 100, 5)  # differences between tasks do not matter if both sides have the same tasks
    found = difference(BETTER + tasks, WORSE + tasks, mean, task_bootstrap=True, resamples=500)
    assert found.high - found.low < 2
    again = difference(BETTER + tasks, WORSE + tasks, mean, task_bootstrap=True, resamples=500, method="bca")
    assert again.high - again.low < 2


def test_improvement_has_an_interval():
    found = improvement(X, Y[[0, 1, 2, 3, 0]])
    assert found.value == pytest.approx(probability_of_improvement(X, Y[[0, 1, 2, 3, 0]]))
    assert 0.2 < found.low < found.value < found.high < 1
    same = improvement(X, X, method="bca", resamples=500)
    assert same.low < 0.5 < same.high
    curve = improvement(np.stack([BETTER, WORSE], axis=2), np.stack([WORSE, WORSE], axis=2), resamples=200)
    assert curve.low.shape == (2,)


def _all_p(x, y, metric):
    """Brute force over all labellings of every task."""
    pooled = np.concatenate([x, y])
    tasks = [list(itertools.combinations(range(len(pooled)), len(x))) for _ in range(x.shape[1])]
    observed, extreme, total = abs(metric(x) - metric(y)), 0, 0
    for choice in itertools.product(*tasks):
        a = np.stack([pooled[list(rows), m] for m, rows in enumerate(choice)], axis=1)
        others = [[n for n in range(len(pooled)) if n not in rows] for rows in choice]
        b = np.stack([pooled[rows, m] for m, rows in enumerate(others)], axis=1)
        extreme += abs(metric(a) - metric(b)) >= observed - 1e-12
        total += 1
    return extreme / total


@pytest.mark.parametrize("metric", [mean, median, interquartile_mean, optimality_gap])
@pytest.mark.parametrize(("n_x", "n_y"), [(3, 3), (2, 4)])
def test_permutation_test_is_exact_for_small_samples(metric, n_x, n_y):
    x, y = BETTER[:n_x, :2], WORSE[:n_y, :2]
    assert permutation_test(x, y, metric) == pytest.approx(_all_p(x, y, metric))
    assert permutation_test(x, y, lambda scores: metric(scores)) == pytest.approx(_all_p(x, y, metric))


def test_permutation_test_of_one_task_agrees_with_scipy():
    x, y = BETTER[:, 0], WORSE[:, 0] + 0.25
    theirs = stats.permutation_test((x, y), lambda a, b: a.mean() - b.mean(), n_resamples=np.inf).pvalue
    # 12,870 labellings: drawn by default, all of them if so many are allowed
    assert permutation_test(x[:, None], y[:, None], mean, draws=13_000) == pytest.approx(theirs)
    assert permutation_test(x[:, None], y[:, None], mean) == pytest.approx(theirs, abs=0.02)


def test_paired_permutation_test_swaps_within_pairs():
    x, y = BETTER[:6, 0], WORSE[:6, 0]
    theirs = stats.permutation_test(
        (x, y), lambda a, b: a.mean() - b.mean(), permutation_type="samples", n_resamples=np.inf
    ).pvalue
    assert permutation_test(x[:, None], y[:, None], mean, paired=True) == pytest.approx(theirs)
    sampled = permutation_test(np.tile(x[:, None], 3), np.tile(y[:, None], 3), mean, paired=True)
    assert 0 < sampled < theirs


def test_permutation_test_takes_ragged_scores():
    x, y = [BETTER[:4, 0], BETTER[:3, 1]], [WORSE[:3, 0], WORSE[:5, 1]]
    known = permutation_test(x, y, draws=3000)
    assert known == permutation_test(x, y, lambda scores: interquartile_mean(scores), draws=3000)
    assert 0 < known < 0.2


def test_p_values_of_equal_methods_are_uniform():
    generator = np.random.default_rng(4)
    found = [permutation_test(*generator.normal(size=(2, 4, 3)), seed=k, draws=200) for k in range(300)]
    assert stats.kstest(found, "uniform").pvalue > 0.01


def test_comparison_prints_all_it_knows():
    with pytest.warns(FewRunsWarning, match="one task with 5 runs"):
        found = compare(BETTER[:5, :1], WORSE[:5, :1], mean, resamples=500)
    assert found.exact
    assert found.p_value == pytest.approx(_all_p(BETTER[:5, :1], WORSE[:5, :1], mean))
    assert "N=5 runs" in str(found)
    assert "exact permutation test" in str(found)


def test_one_task_and_few_runs_have_students_interval_of_the_difference():
    x, y = BETTER[:4, 0], WORSE[:5, 0]
    with pytest.warns(FewRunsWarning, match="4 runs.*Student's t") as caught:
        found = difference(x[:, None], y[:, None], mean)
    assert len(caught) == 1
    theirs = stats.ttest_ind(x, y, equal_var=False).confidence_interval()
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high))
    assert found.method == "student-t"
    with pytest.warns(FewRunsWarning):
        found = difference(x[:, None], y[:4, None], mean, paired=True)
    theirs = stats.ttest_rel(x, y[:4]).confidence_interval()
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high))


def test_holm_steps_down():
    # worked by hand: 0.01 * 4, 0.02 * 3, 0.03 * 2 raised to the one before, 0.9
    assert holm([0.03, 0.01, 0.9, 0.02]) == pytest.approx([0.06, 0.04, 0.9, 0.06])
    assert holm([0.4, 0.6]).tolist() == [0.8, 0.8]
    with pytest.raises(ValueError, match="p-values"):
        holm([1.2])


def test_letters_are_shared_by_ties_and_by_nothing_else():
    methods = ["A", "B", "C", "D"]
    assert tie_letters(methods, {("A", "B"), ("B", "C")}) == {"A": "a", "B": "ab", "C": "b", "D": "c"}
    generator = np.random.default_rng(1)
    for _ in range(30):
        names = [f"m{k}" for k in range(7)]
        tied = {pair for pair in itertools.combinations(names, 2) if generator.random() < 0.5}
        letters = tie_letters(names, tied)
        for a, b in itertools.combinations(names, 2):
            assert bool(set(letters[a]) & set(letters[b])) == ((a, b) in tied)


def test_rank_groups_hold_what_is_tied_with_their_best():
    tied = {("A", "C"), ("C", "B"), ("B", "D")}
    assert rank_groups(["A", "B", "C", "D"], tied) == {"A": 1, "B": 2, "C": 1, "D": 2}


def test_many_methods_are_ranked():
    generator = np.random.default_rng(2)
    scores = {name: generator.normal(level, 0.2, (8, 6)) for name, level in
              (("poor", 0.0), ("good", 1.0), ("alike", 1.02), ("fair", 0.5))}  # fmt: skip
    found = compare_all(scores, resamples=1000, draws=2000)
    assert set(found.methods[:2]) == {"good", "alike"}
    assert found.methods[2:] == ("fair", "poor")
    assert [found.ranks[name] for name in found.methods] == [1, 1, 2, 3]
    assert [found.letters[name] for name in found.methods] == ["a", "a", "b", "c"]
    assert found.separated("poor", "good")
    assert not found.separated("good", "alike")
    assert all(pair.difference.value > 0 for pair in found.pairs.values())
    assert list(found.adjusted.values()) == pytest.approx(holm([pair.p_value for pair in found.pairs.values()]))
    reverse = compare_all(scores, optimality_gap, resamples=200, draws=200)
    assert reverse.methods[-1] == "poor", "a lower gap is better"
    assert compare_all(scores, maximise=False, resamples=200, draws=200).methods[0] == "poor"


def test_rank_shares_add_up():
    scores = {"best": BETTER, "same": WORSE, "worse": WORSE}
    found = rank_shares(scores, resamples=4000)
    assert found.sum(axis=0) == pytest.approx(np.ones(3))
    assert found.sum(axis=1) == pytest.approx(np.ones(3))
    assert found[0, 0] > 0.95
    assert found[1, 1] == pytest.approx(found[2, 1], abs=0.05)


@pytest.mark.parametrize(
    ("call", "mention"),
    [
        (lambda: difference(X, Y[:, :2]), "3 tasks.*expected the same"),
        (lambda: difference(X, Y, paired=True), r"paired runs: X has \[5, 5, 5\]"),
        (lambda: difference(X, Y[:1]), "a single run"),
        (lambda: permutation_test(X[:, :, None], Y[:, :, None]), "checkpoints"),
        (lambda: compare_all({"X": X}), "1 methods"),
    ],
)
def test_bad_input_is_named(call, mention):
    with pytest.raises(ValueError, match=mention):
        call()
