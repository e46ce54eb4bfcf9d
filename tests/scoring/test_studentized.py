"""Studentised intervals: closed forms, ragged runs, differences, refusals, and coverage of skewed scores."""

from functools import partial

import numpy as np
import pytest

from envsuite.scoring import (
    FewRunsWarning,
    bootstrap_interval,
    difference,
    estimate,
    improvement,
    interquartile_mean,
    mean,
    optimality_gap,
    profile_estimate,
)
from envsuite.scoring.layout import to_layout
from envsuite.scoring.resampling import Plan, samples

SCORES = np.random.default_rng(3).lognormal(0, 1, (6, 4))
RAGGED = [np.random.default_rng(size).gamma(2.0, 1.0, size) for size in (5, 7, 9)]
OPTIONS = {"method": "studentized", "resamples": 2000}


def by_hand(columns, resamples, confidence=0.95):
    """The same from the resamples themselves, task by task."""

    def moments(parts):
        return np.mean([part.mean() for part in parts]), sum(part.var(ddof=1) / len(part) for part in parts)

    centre, own = moments(columns)
    ratios = []
    for parts in resamples:
        value, variance = moments(parts)
        ratios.append((value - centre) / np.sqrt(variance))
    ratios = np.sort(ratios)
    tail = int((1 - confidence) / 2 * len(ratios))
    return centre - ratios[-1 - tail] * np.sqrt(own), centre - ratios[tail] * np.sqrt(own)


@pytest.mark.parametrize("scores", [SCORES, RAGGED])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_equals_the_formula_on_every_resample(scores, confidence):
    drawn = [one if isinstance(one, list) else list(one.T) for (one,) in samples(Plan(2000, 5), (to_layout(scores), 0))]
    columns = scores if isinstance(scores, list) else list(scores.T)
    found = bootstrap_interval(scores, mean, confidence=confidence, seed=5, **OPTIONS)
    assert found == pytest.approx(by_hand(columns, drawn, confidence))


def test_optimality_gap_is_a_mean_of_clipped_scores():
    gap = partial(optimality_gap, gamma=1.5)
    low, high = bootstrap_interval(SCORES, mean, **OPTIONS)
    clipped = bootstrap_interval(1.5 - np.minimum(SCORES, 1.5), mean, **OPTIONS)
    assert bootstrap_interval(SCORES, gap, **OPTIONS) == pytest.approx(clipped)
    assert (low, high) != pytest.approx(clipped)
    found = estimate(SCORES, gap, **OPTIONS)
    assert found.value == pytest.approx(gap(SCORES))
    assert found.low < found.value < found.high


def test_moves_and_scales_with_the_scores():
    low, high = bootstrap_interval(SCORES, mean, **OPTIONS)
    moved = bootstrap_interval(10 + 3 * SCORES, mean, **OPTIONS)
    assert moved == pytest.approx((10 + 3 * low, 10 + 3 * high))
    mirrored = bootstrap_interval(-SCORES, mean, **OPTIONS)
    assert mirrored == pytest.approx((-high, -low))
    assert high - mean(SCORES) > mean(SCORES) - low, "the long tail is on the side that may hide it"


def test_curves_have_an_interval_each_and_threads_change_nothing():
    curve = np.stack([SCORES, SCORES**2], axis=2)
    low, high = bootstrap_interval(curve, mean, **OPTIONS)
    for k in range(2):
        assert (low[k], high[k]) == pytest.approx(bootstrap_interval(curve[..., k], mean, **OPTIONS))
    again = bootstrap_interval(curve, mean, threads=3, **OPTIONS)
    np.testing.assert_array_equal(again, (low, high))


def test_differences():
    other = np.random.default_rng(4).lognormal(0.3, 1, (6, 4))
    found = difference(SCORES, other, mean, **OPTIONS)
    swapped = difference(other, SCORES, mean, **OPTIONS)
    assert found.low < found.value < found.high
    assert (swapped.low, swapped.high) == pytest.approx((-found.high, -found.low), abs=0.15)
    paired = difference(SCORES, other, mean, paired=True, **OPTIONS)
    assert (paired.low, paired.high) == pytest.approx(bootstrap_interval(SCORES - other, mean, **OPTIONS))
    with pytest.raises(ValueError, match="studentized"):
        improvement(SCORES, other, method="studentized")


def test_no_spread():
    equal = np.full((6, 3), 0.5)
    assert bootstrap_interval(equal, mean, **OPTIONS) == (0.5, 0.5)
    few = np.zeros((6, 2))
    few[0, 0] = 1.0
    with pytest.warns(FewRunsWarning, match="infinite"):
        low, high = bootstrap_interval(few, mean, **OPTIONS)
    assert low < 1 / 12 < high == np.inf


def test_refusals():
    for call in (
        lambda: bootstrap_interval(SCORES, interquartile_mean, **OPTIONS),
        lambda: bootstrap_interval(SCORES, np.mean, **OPTIONS),
        lambda: profile_estimate(SCORES, [0.5], method="studentized"),
    ):
        with pytest.raises(ValueError, match="mean and the optimality gap"):
            call()
    with pytest.raises(ValueError, match="task_bootstrap"):
        bootstrap_interval(SCORES, mean, task_bootstrap=True, **OPTIONS)


SKEWED = {
    "log-normal": (lambda generator, shape: generator.lognormal(0, 1, shape), np.exp(0.5)),
    "gamma": (lambda generator, shape: generator.gamma(0.5, 1, shape), 0.5),
    "zero-inflated": (lambda generator, shape: (generator.random(shape) < 0.3) * generator.exponential(1, shape), 0.3),
    "heavy tails": (lambda generator, shape: generator.standard_t(3, shape), 0.0),
}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::envsuite.scoring.FewRunsWarning")
@pytest.mark.parametrize("family", SKEWED)
@pytest.mark.parametrize("runs", [3, 5, 10])
def test_coverage_of_skewed_scores(family, runs):
    draw, truth = SKEWED[family]
    generator, trials = np.random.default_rng(runs), 1500
    hits = {"studentized": 0, "expanded": 0}
    for trial in range(trials):
        scores = draw(generator, (runs, 10))
        for method in hits:
            low, high = bootstrap_interval(scores, mean, method=method, resamples=2000, seed=trial)
            hits[method] += low <= truth <= high
    assert 0.915 <= hits["studentized"] / trials <= 0.985
    if family != "heavy tails":
        assert hits["studentized"] > hits["expanded"]


def test_the_default_is_too_narrow_for_skewed_means_and_the_studentised_is_not():
    draw, truth = SKEWED["log-normal"]
    generator, trials = np.random.default_rng(0), 1000
    hits = {"studentized": 0, "expanded": 0}
    for trial in range(trials):
        scores = draw(generator, (5, 10))
        for method in hits:
            low, high = bootstrap_interval(scores, mean, method=method, resamples=1000, seed=trial)
            hits[method] += low <= truth <= high
    assert hits["expanded"] / trials < 0.92
    assert hits["studentized"] > hits["expanded"] + 0.015 * trials
