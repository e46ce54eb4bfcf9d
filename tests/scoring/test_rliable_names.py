"""Every public name of rliable 1.2.0: signatures and numbers recorded from it, and beside it where it is installed."""

import importlib.util
import inspect

import numpy as np
import pytest

from envsuite.scoring import probability_of_improvement
from envsuite.scoring.rliable import library, metrics, plot_utils

X = np.array([[0.1, 0.5, 1.2], [0.3, 0.4, 0.9], [0.2, 0.7, 1.5], [0.6, 0.55, 0.8], [0.25, 0.65, 1.1]])
Y = np.vstack([X[::-1] - 0.05, [[0.2, 0.3, 1.0]]])
Z = np.arange(24.0).reshape(4, 3, 2) % 7

#: Parameters of rliable 1.2.0; a default after each that has one.
SIGNATURES = {
    "library": {
        "get_interval_estimates": "score_dict func method='percentile' task_bootstrap=False reps=50000 "
        "confidence_interval_size=0.95 random_state=None",
        "run_score_deviation": "scores tau",
        "mean_score_deviation": "scores tau",
        "create_performance_profile": "score_dict tau_list use_score_distribution=True custom_profile_func=None "
        "method='percentile' task_bootstrap=False reps=2000 confidence_interval_size=0.95",
        "StratifiedBootstrap": "*args random_state=None task_bootstrap=False **kwargs",
        "StratifiedIndependentBootstrap": "*args random_state=None **kwargs",
    },
    "metrics": {
        "aggregate_mean": "scores",
        "aggregate_median": "scores",
        "aggregate_optimality_gap": "scores gamma=1",
        "aggregate_iqm": "scores",
        "probability_of_improvement": "scores_x scores_y",
    },
    "plot_utils": {
        "plot_performance_profiles": "performance_profiles tau_list performance_profile_cis=None "
        "use_non_linear_scaling=False ax=None colors=None color_palette='colorblind' alpha=0.15 figsize=(10,5) "
        "xticks=None yticks=None xlabel ylabel linestyles=None **kwargs",
        "plot_interval_estimates": "point_estimates interval_estimates metric_names algorithms=None colors=None "
        "color_palette='colorblind' max_ticks=4 subfigure_width=3.4 row_height=0.37 "
        "xlabel_y_coordinate=-0.1 xlabel **kwargs",
        "plot_sample_efficiency_curve": "frames point_estimates interval_estimates algorithms colors=None "
        "color_palette='colorblind' figsize=(7,5) xlabel ylabel ax=None labelsize ticklabelsize **kwargs",
        "plot_probability_of_improvement": "probability_estimates probability_interval_estimates pair_separator=',' "
        "ax=None figsize=(4,3) colors=None color_palette='colorblind' alpha=0.75 xticks=None xlabel left_ylabel "
        "right_ylabel **kwargs",
    },
}  # fmt: skip
MODULES = {"library": library, "metrics": metrics, "plot_utils": plot_utils}


def _written(signature, like):
    """Parameters as words, with defaults only where the word of the same name has one."""
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    wanted = {word.partition("=")[0]: word for word in like.split()}
    words = []
    for one in signature.parameters.values():
        word = stars.get(one.kind, "") + one.name
        words.append(word + (f"={one.default!r}".replace(", ", ",") if "=" in wanted.get(word, "") else ""))
    return " ".join(words)


@pytest.mark.parametrize(("module", "name"), [(m, n) for m, names in SIGNATURES.items() for n in names])
def test_signatures_are_rliables(module, name):
    wanted = SIGNATURES[module][name]
    found = _written(inspect.signature(getattr(MODULES[module], name)), wanted)
    if name == "create_performance_profile":
        found = found.removesuffix(" random_state")  # one more, at the end
    assert found == wanted


def test_metrics_of_every_shape_are_rliables():
    assert metrics.aggregate_iqm(Z) == pytest.approx(2.5833333333333335)
    assert metrics.aggregate_optimality_gap(Z, gamma=2.5) == pytest.approx(0.75)
    np.testing.assert_allclose(metrics.aggregate_mean(Z), [2.8333333333333335, 2.6666666666666665])
    np.testing.assert_allclose(metrics.aggregate_median(Z), [2.5, 3.0])
    assert metrics.probability_of_improvement(Z, Z[:3]) == pytest.approx(0.4583333333333333)
    assert metrics.aggregate_iqm(X[:, 0]) == pytest.approx(0.25)
    assert metrics.aggregate_optimality_gap(X[:, 0]) == pytest.approx(0.71)


def test_deviations_and_distributions_are_rliables():
    assert library.run_score_deviation(Z, 2) == pytest.approx(0.5)
    assert library.mean_score_deviation(Z, 2.9) == pytest.approx(0.5)
    np.testing.assert_allclose(library.score_distributions(X, [0.2, 0.5, 1.0]), [13 / 15, 9 / 15, 3 / 15])
    np.testing.assert_allclose(library.average_score_distributions(X, [0.2, 0.5, 1.0]), [1, 2 / 3, 1 / 3])
    assert library.Float is not None


def iqm(scores):
    return np.array([metrics.aggregate_iqm(scores), metrics.aggregate_mean(scores)])


@pytest.mark.parametrize("task_bootstrap", [False, True])
@pytest.mark.parametrize("method", ["percentile", "basic", "bc", "bca", "norm", "debiased", "cov"])
def test_class_gives_the_intervals_of_the_function(method, task_bootstrap):
    options = {"method": method, "reps": 300}
    boot = library.StratifiedBootstrap(X, random_state=3, task_bootstrap=task_bootstrap)
    found = boot.conf_int(iqm, size=0.9, **options)
    wanted = library.get_interval_estimates(
        {"X": X}, iqm, task_bootstrap=task_bootstrap, confidence_interval_size=0.9, random_state=3, **options
    )
    np.testing.assert_array_equal(found, wanted[1]["X"])
    assert (found[0] < found[1]).all()


def test_independent_class_gives_the_intervals_of_a_pair():
    boot = library.StratifiedIndependentBootstrap(X, Y, random_state=np.random.RandomState(5))
    found = boot.conf_int(metrics.probability_of_improvement, reps=300, method="percentile")
    wanted = library.get_interval_estimates(
        {"X,Y": [X, Y]}, metrics.probability_of_improvement, reps=300, random_state=np.random.RandomState(5)
    )
    np.testing.assert_array_equal(found, wanted[1]["X,Y"])
    assert found.shape == (2, 1)


@pytest.mark.parametrize("scores", [X, Z])
@pytest.mark.parametrize("task_bootstrap", [False, True])
def test_resamples_and_their_indices_agree(scores, task_bootstrap):
    boot = library.StratifiedBootstrap(scores, random_state=1, task_bootstrap=task_bootstrap)
    draws, count = boot.apply(np.mean, 20)[:, 0], 0
    boot.reset()
    for (resample,), named in boot.bootstrap(20):
        assert named == {}
        assert resample.shape == scores.shape
        np.testing.assert_array_equal(resample, scores[boot.index])
        assert boot.pos_data[0] is resample
        assert resample.mean() == pytest.approx(draws[count])
        columns = {tuple(scores[:, m].reshape(-1)) for m in range(scores.shape[1])}
        for m in range(scores.shape[1]):  # each column is drawn from one task, its own unless tasks are drawn
            sources = [set(column) for column in columns] if task_bootstrap else [set(scores[:, m].reshape(-1))]
            assert any(set(resample[:, m].reshape(-1)) <= source for source in sources)
        count += 1
    assert count == 20
    index = boot.update_indices()
    assert scores[index].shape == scores.shape
    boot.reset()
    np.testing.assert_array_equal(boot.data[0][0], scores)


def test_several_arrays_of_one_class_are_drawn_alike_and_of_the_other_apart():
    alike = library.StratifiedBootstrap(X, twin=10 * X, random_state=2)
    for (one,), named in alike.bootstrap(10):
        np.testing.assert_allclose(10 * one, named["twin"])
        np.testing.assert_array_equal(alike.twin, named["twin"])
    assert np.ptp(alike.apply(lambda one, twin: np.mean(twin) - 10 * np.mean(one), 50)) < 1e-12
    bca = alike.conf_int(lambda one, twin, scale: scale * np.mean(np.concatenate([np.ravel(one), np.ravel(twin)])),
                         reps=200, method="percentile", extra_kwargs={"scale": 2.0})  # fmt: skip
    assert bca[0, 0] < 11 * X.mean() < bca[1, 0]
    apart = library.StratifiedIndependentBootstrap(X, twin=10 * X, random_state=2)
    assert np.ptp(apart.apply(lambda one, twin: np.mean(twin) - 10 * np.mean(one), 50)) > 0.1
    seen = [(one.mean(), named["twin"].mean()) for (one,), named in apart.bootstrap(10)]
    assert any(b != pytest.approx(10 * a) for a, b in seen)
    with pytest.raises(ValueError, match="one shape"):
        library.StratifiedBootstrap(X, Y)


def test_spread_is_that_of_the_draws_and_tails_are_one_sided():
    boot = library.StratifiedBootstrap(X, random_state=4)
    closed = X.var(axis=0).sum() / len(X) / X.shape[1] ** 2
    assert boot.var(np.mean, 20_000) == pytest.approx(closed, rel=0.05)
    cov = boot.cov(iqm, 500)
    np.testing.assert_allclose(np.diag(cov), boot.clone(X).var(iqm, 500), rtol=0.3)
    both = library.StratifiedBootstrap(X, random_state=4).conf_int(np.mean, 500, "percentile", 0.9)
    for tail, end in (("lower", 0), ("upper", 1)):
        found = library.StratifiedBootstrap(X, random_state=4).conf_int(np.mean, 500, "percentile", 0.95, tail)
        assert found[end] == pytest.approx(both[end])
        assert np.isinf(found[1 - end])


def test_calls_move_on_and_reset_goes_back():
    boot = library.StratifiedBootstrap(X, random_state=7)
    first, second = boot.conf_int(np.mean, 100), boot.conf_int(np.mean, 100)
    assert not np.array_equal(first, second)
    np.testing.assert_array_equal(boot.conf_int(np.mean, 100, reuse=True), second)
    boot.reset()
    np.testing.assert_array_equal(boot.conf_int(np.mean, 100), first)
    np.testing.assert_array_equal(boot.clone(X).conf_int(np.mean, 100), first)


def test_settings_that_do_not_exist_are_refused():
    boot = library.StratifiedBootstrap(X)
    for options, mention in (
        ({"method": "studentized"}, "'studentized'"),
        ({"sampling": "parametric"}, "'parametric'"),
        ({"tail": "both"}, "'both'"),
        ({"tail": "lower", "size": 0.4}, "0.4"),
        ({"size": 1.0}, "1.0"),
    ):
        with pytest.raises(ValueError, match=mention):
            boot.conf_int(np.mean, 10, **options)
    with pytest.raises(ValueError, match="no scores"):
        library.StratifiedBootstrap()
    with pytest.raises(ValueError, match="'twin'"):
        library.StratifiedBootstrap(X, twin=X).conf_int(np.mean, 10, extra_kwargs={"twin": 1})


@pytest.mark.skipif(importlib.util.find_spec("rliable") is None, reason="needs rliable 1.2.0")
def test_beside_rliable():
    from rliable import library as theirs
    from rliable import metrics as their_metrics
    from rliable import plot_utils as their_plots

    for other, mine in ((theirs, library), (their_metrics, metrics), (their_plots, plot_utils)):
        public = {name for name, one in vars(other).items() if getattr(one, "__module__", "") == other.__name__}
        public |= {name for name in vars(other) if name.endswith("distributions") or name == "Float"}
        assert not {name for name in public if not name.startswith("_") and not hasattr(mine, name)}
    for name in ("aggregate_mean", "aggregate_median", "aggregate_iqm", "aggregate_optimality_gap"):
        for scores in (X, Y, Z, X[:1]):
            np.testing.assert_allclose(getattr(metrics, name)(scores), getattr(their_metrics, name)(scores))
    for pair in ((X, Y), (Y, X), (X, X), (Z, Z[:3])):
        wanted = their_metrics.probability_of_improvement(*pair)
        assert metrics.probability_of_improvement(*pair) == pytest.approx(wanted)
    np.testing.assert_allclose(library.score_distributions(X, [0.2, 0.5]), theirs.score_distributions(X, [0.2, 0.5]))
    generator = np.random.default_rng(0)
    scores = generator.gamma(2.0, 0.4, (8, 6)), generator.gamma(2.0, 0.5, (7, 6))
    spread = np.ptp(scores[0]) / 100

    def alone(values):
        return np.array([np.mean(values), np.median(np.mean(values, axis=0))])

    for method in ("percentile", "basic", "bc", "norm"):
        mine, other = (one.get_interval_estimates({"A": scores[0]}, alone, method=method, reps=20_000)
                       for one in (library, theirs))  # fmt: skip
        np.testing.assert_allclose(mine[0]["A"], other[0]["A"])
        np.testing.assert_allclose(mine[1]["A"], other[1]["A"], atol=spread)
    mine, other = (
        one.StratifiedIndependentBootstrap(*scores).conf_int(probability_of_improvement, 4000, "percentile")
        for one in (library, theirs)
    )
    assert mine.shape == other.shape
    np.testing.assert_allclose(mine, other, atol=0.02)
