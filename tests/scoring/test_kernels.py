"""The generator and the resampled metrics against plain Python."""

import os
import subprocess
import sys
from functools import partial

import numpy as np
import pytest

from envsuite.scoring import interquartile_mean, kernels, mean, median, optimality_gap, performance_profile
from envsuite.scoring.layout import to_layout
from envsuite.scoring.resampling import Plan, bootstrap, improvement_bootstrap, profile_bootstrap, samples

METRICS = (mean, median, interquartile_mean, partial(optimality_gap, gamma=0.4))
WORD = 2**64 - 1


def splitmix(state):
    """SplitMix64 in Python integers: the next state and its output."""
    state = (state + 0x9E3779B97F4A7C15) & WORD
    z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
    return state, z ^ (z >> 31)


def scores(shape=(6, 5), seed=0):
    return np.random.default_rng(seed).normal(0.3, 0.5, shape)


def ragged(sizes=(6, 4, 5), seed=1):
    generator = np.random.default_rng(seed)
    return [generator.normal(0.3, 0.5, size) for size in sizes]


def test_generator_gives_the_published_numbers():
    state, found = 1234567, []
    for _ in range(5):
        state, word = splitmix(state)
        found.append(word)
        assert int(kernels.mix(np.uint64(state))) == word
    # the output of the reference implementation for this seed, S. Vigna, splitmix64.c
    assert found == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("task_bootstrap", [False, True])
def test_draws_are_a_function_of_key_resample_task_and_draw(task_bootstrap):
    layout, plan = to_layout(ragged()), Plan(3, 7, task_bootstrap)
    key = int(plan.key(0))
    columns = layout.columns()

    def stream(key, number):
        return splitmix((key + number * 0x9E3779B97F4A7C15) & WORD)[1]

    for r, (resample,) in enumerate(samples(plan, (layout, 0))):
        base, tasks = stream(key, r), [0, 1, 2]
        if task_bootstrap:
            state, tasks = stream(base, 3), []
            for _ in range(3):
                state, word = splitmix(state)
                tasks.append((word >> 32) * 3 >> 32)
        for j, task in enumerate(tasks):
            state, expected = stream(base, j), []
            size = len(columns[task])
            for _ in range((size + 1) // 2):  # two draws from each word
                state, word = splitmix(state)
                expected += [columns[task][half * size >> 32] for half in (word >> 32, word & 0xFFFFFFFF)]
            assert resample[j].tolist() == expected[:size]


def test_indices_are_uniform_and_independent_of_each_other():
    drawn = np.zeros((7, 4), np.int64)
    sizes, tasks = np.full(4, 7), np.arange(4)
    table = []
    for r in range(20_000):
        kernels.draw_runs(np.uint64(5), r, tasks, sizes, drawn)
        table.append(drawn.ravel().copy())
    table = np.array(table)
    shares = np.stack([(table == value).mean(axis=0) for value in range(7)])
    error = np.sqrt(1 / 7 * 6 / 7 / 20_000)
    assert np.abs(shares - 1 / 7).max() < 4.5 * error
    correlation = np.corrcoef(table.T) - np.eye(table.shape[1])
    assert np.abs(correlation).max() < 4.5 / np.sqrt(20_000)
    serial = [np.corrcoef(column[1:], column[:-1])[0, 1] for column in table.T]
    assert np.abs(serial).max() < 4.5 / np.sqrt(20_000)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("task_bootstrap", [False, True])
@pytest.mark.parametrize("shape", [(6, 5), (3, 8), (5, 1), (3, 1), (2, 4), (4, 3, 5)])
def test_kernels_equal_the_metric_on_each_resample(metric, task_bootstrap, shape):
    layout, plan = to_layout(scores(shape)), Plan(40, 3, task_bootstrap and shape[1] > 1)
    fast = bootstrap(metric, layout, plan).draws
    slow = bootstrap(lambda each: metric(each), layout, plan).draws
    np.testing.assert_allclose(fast, slow, rtol=0, atol=1e-12)


@pytest.mark.parametrize("metric", METRICS)
def test_kernels_equal_the_metric_on_each_ragged_resample(metric):
    layout, plan = to_layout(ragged()), Plan(40, 3)
    fast = bootstrap(metric, layout, plan).draws
    slow = bootstrap(lambda each: metric(each), layout, plan).draws
    np.testing.assert_allclose(fast, slow, rtol=0, atol=1e-12)


def test_repeated_scores_do_not_confuse_ranks():
    layout, plan = to_layout(np.round(scores((8, 6)), 0)), Plan(40)
    fast = bootstrap(interquartile_mean, layout, plan).draws
    slow = bootstrap(lambda each: interquartile_mean(each), layout, plan).draws
    np.testing.assert_allclose(fast, slow, rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", ["run", "task"])
@pytest.mark.parametrize("task_bootstrap", [False, True])
@pytest.mark.parametrize("make", [scores, ragged])
def test_profiles_equal_the_profile_of_each_resample(kind, task_bootstrap, make):
    layout, plan = to_layout(make()), Plan(40, 2, task_bootstrap)
    thresholds = np.array([0.5, -0.4, 0.1, float(layout.values[0, 0, 0]), 0.1])  # in any order, repeated, hit exactly
    fast = profile_bootstrap(layout, thresholds, kind, plan).draws
    slow = bootstrap(lambda each: performance_profile(each, thresholds, kind), layout, plan).draws
    np.testing.assert_allclose(fast, slow, rtol=0, atol=1e-12)


@pytest.mark.parametrize("task_bootstrap", [False, True])
def test_improvement_equals_that_of_each_resample(task_bootstrap):
    from envsuite.scoring import probability_of_improvement

    x, y, plan = to_layout(ragged()), to_layout(np.round(scores((5, 3)), 1)), Plan(40, 4, task_bootstrap)
    fast = improvement_bootstrap(x, y, plan).draws
    slow = [probability_of_improvement(*resample) for resample in samples(plan, (x, 0), (y, 1))]
    np.testing.assert_allclose(fast, slow, rtol=0, atol=1e-12)


@pytest.mark.parametrize("metric", METRICS)
def test_influence_is_that_of_leaving_each_score_out(metric):
    columns = ragged((3, 2, 4))
    found = bootstrap(metric, to_layout(columns), Plan(1)).influence()
    expected = []
    for n in range(4):
        for m in range(3):
            if n < len(columns[m]):
                own = [
                    metric([*columns[:m], np.delete(columns[m], k), *columns[m + 1 :]]) for k in range(len(columns[m]))
                ]
                expected.append((np.mean(own) - own[n]) * (len(own) - 1) / len(own))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_a_checkpoint_has_the_draws_that_it_has_alone():
    curve = scores((5, 4, 3))
    joint = bootstrap(interquartile_mean, to_layout(curve), Plan(50, 9)).draws
    for k in range(3):
        alone = bootstrap(interquartile_mean, to_layout(curve[:, :, k]), Plan(50, 9)).draws
        assert (joint[:, k] == alone).all()


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_do_not_change_a_bit(threads):
    layout = to_layout(scores())
    for task_bootstrap in (False, True):
        one, many = Plan(1001, 5, task_bootstrap), Plan(1001, 5, task_bootstrap, threads)
        for metric in METRICS:
            assert (bootstrap(metric, layout, one).draws == bootstrap(metric, layout, many).draws).all()
        other = to_layout(scores(seed=8))
        pair = [improvement_bootstrap(layout, other, plan).draws for plan in (one, many)]
        assert (pair[0] == pair[1]).all()


def test_a_read_only_install_works():
    code = (
        "import tempfile\n"
        "def refuse(*args, **kwargs): raise OSError('read-only')\n"
        "tempfile.TemporaryFile = refuse\n"  # how Numba tries whether a folder can be written
        "import numpy as np\n"
        "from envsuite.scoring import kernels\n"
        "assert type(kernels.mix._cache).__name__ == 'NullCache'\n"
        "print(kernels.mix(np.uint64(0x9E3779B97F4A7C15)))"
    )
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == splitmix(0)[1]
