"""Intervals hold what they promise: simulated runs, true values known."""

import numpy as np
import pytest

from envsuite.scoring import bootstrap_interval, difference, interquartile_mean, mean, optimality_gap

LEVELS = {tasks: np.linspace(0.2, 1.2, tasks) for tasks in (10, 30)}


def normal(generator, runs, tasks):
    """Runs spread around the level of their task."""
    return LEVELS[tasks] + generator.normal(0, 0.25, (runs, tasks))


def two_modes(generator, runs, tasks):
    """Three runs of ten fail."""
    failed = generator.random((runs, tasks)) < 0.3
    return LEVELS[tasks] * np.where(failed, 0.3, 1.0) + generator.normal(0, 0.08, (runs, tasks))


@pytest.mark.slow
@pytest.mark.parametrize("runs_of", [normal, two_modes])
@pytest.mark.parametrize("metric", [interquartile_mean, mean, optimality_gap])
@pytest.mark.parametrize(("runs", "tasks"), [(5, 10), (10, 10), (5, 30)])
def test_default_interval_covers_the_truth(runs_of, metric, runs, tasks):
    generator = np.random.default_rng([runs, tasks])
    truth = metric(runs_of(generator, 200_000, tasks))
    trials, hits = 1500, 0
    for trial in range(trials):
        low, high = bootstrap_interval(runs_of(generator, runs, tasks), metric, resamples=2000, seed=trial)
        hits += low <= truth <= high
    assert 0.92 <= hits / trials <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize("paired", [False, True])
def test_interval_of_differences_covers_the_truth(paired):
    generator = np.random.default_rng(3)
    trials, hits = 1500, 0
    for trial in range(trials):
        shared = generator.normal(0, 0.3, (5, 10)) if paired else 0.0
        x, y = normal(generator, 5, 10) + shared, normal(generator, 5, 10) + shared - 0.1
        found = difference(x, y, mean, paired=paired, resamples=2000, seed=trial)
        hits += found.low <= 0.1 <= found.high
    assert 0.92 <= hits / trials <= 0.97


def test_the_percentile_interval_is_too_narrow_for_few_runs_and_the_default_is_not():
    generator = np.random.default_rng(4)
    hits = {"percentile": 0, "expanded": 0}
    for trial in range(400):
        scores = normal(generator, 5, 10)
        for method in hits:
            low, high = bootstrap_interval(scores, mean, method=method, resamples=1000, seed=trial)
            hits[method] += low <= LEVELS[10].mean() <= high
    assert hits["percentile"] < hits["expanded"]
    assert 0.92 <= hits["expanded"] / 400 <= 0.975
