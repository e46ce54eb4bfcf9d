"""The call shapes of rliable."""

import numpy as np
import pytest

from envsuite.scoring import bootstrap_interval, improvement, interquartile_mean, profile_estimate
from envsuite.scoring.rliable import library, metrics
from tests.scoring.golden import X, Y, close

SCORES = {
    "A": np.random.default_rng(0).normal(0.5, 0.3, (6, 5)),
    "B": np.random.default_rng(1).normal(0.7, 0.3, (9, 5)),
}


def four(scores):
    return np.array(
        [
            metrics.aggregate_median(scores),
            metrics.aggregate_iqm(scores),
            metrics.aggregate_mean(scores),
            metrics.aggregate_optimality_gap(scores, gamma=0.5),
        ]
    )


def by_hand(scores):
    """The same without our functions, so one call a resample."""
    ranked = np.sort(scores, axis=None)
    cut = len(ranked) // 4
    gap = 0.5 - np.minimum(scores, 0.5).mean()
    return np.array([np.median(scores.mean(axis=0)), ranked[cut : len(ranked) - cut].mean(), scores.mean(), gap])


def test_values_are_golden():
    values, intervals = library.get_interval_estimates({"X": X, "Y": Y[[0, 1, 2, 3, 3]]}, four, reps=50_000)
    close(values["X"], [0.56, 0.60, 0.65, 0.083333])
    assert intervals["X"].shape == (2, 4)
    np.testing.assert_allclose(intervals["X"][:, :3].T, [[0.470, 0.650], [0.522, 0.700], [0.563, 0.747]], atol=0.005)
    close(library.run_score_deviation(X, 0.5), 0.6)
    close(library.mean_score_deviation(X, 0.5), 2 / 3)
    close(metrics.probability_of_improvement(X, Y), 0.658333)


@pytest.mark.parametrize("method", ["percentile", "basic", "bc", "expanded"])
@pytest.mark.parametrize("task_bootstrap", [False, True])
def test_all_at_once_equals_one_by_one(method, task_bootstrap):
    options = {"method": method, "task_bootstrap": task_bootstrap, "reps": 200, "random_state": 3}
    fast, slow = (library.get_interval_estimates(SCORES, func, **options) for func in (four, by_hand))
    for name in SCORES:
        np.testing.assert_allclose(fast[0][name], slow[0][name], atol=1e-12)
        np.testing.assert_allclose(fast[1][name], slow[1][name], atol=1e-12)


def test_bca_is_ours():
    found = library.get_interval_estimates(SCORES, four, method="bca", reps=400)[1]
    expected = bootstrap_interval(SCORES["A"], interquartile_mean, method="bca", resamples=400)
    assert found["A"][:, 1] == pytest.approx(expected)
    one = library.get_interval_estimates({"A": SCORES["A"][:, :1]}, four, method="bca", reps=100)[1]["A"]
    assert (one[0] <= one[1]).all()


@pytest.mark.parametrize(
    "func",
    [
        lambda scores: 2 * four(scores) + 1,
        lambda scores: np.array([metrics.aggregate_iqm(scores) - metrics.aggregate_mean(scores)]),
        lambda scores: np.array([max(metrics.aggregate_iqm(scores), 0.55)]),
        lambda scores: np.array([np.max(four(scores))]),  # would mix resamples if it were taken at once
        lambda scores: np.sort(four(scores)),
        lambda scores: np.array([four(scores).sum()]),
        lambda scores: np.array([metrics.aggregate_mean(scores[:, 1:])]),
        lambda scores: np.array([metrics.aggregate_mean(scores), np.max(scores)]),
    ],
)
def test_any_function_of_metrics_is_right(func):
    found = library.get_interval_estimates({"A": SCORES["A"]}, func, reps=50)[1]["A"]

    def blind(scores):
        return func(np.array(scores) + np.zeros(scores.shape))

    assert found == pytest.approx(library.get_interval_estimates({"A": SCORES["A"]}, blind, reps=50)[1]["A"])


def test_curves_draw_whole_runs():
    curve = np.stack([SCORES["A"], SCORES["A"] + 1, SCORES["A"] - 2], axis=2)

    def iqm(scores):
        return np.array([metrics.aggregate_iqm(scores[..., frame]) for frame in range(scores.shape[-1])])

    values, intervals = library.get_interval_estimates({"A": curve}, iqm, reps=300)
    assert np.diff(values["A"]) == pytest.approx([1, -3])
    np.testing.assert_allclose(np.diff(intervals["A"]), [[1, -3], [1, -3]])
    slow = library.get_interval_estimates({"A": curve}, lambda scores: iqm(scores + 0), reps=300)[1]["A"]
    np.testing.assert_allclose(intervals["A"], slow)


def test_pairs_of_methods():
    pairs = {"A,B": (SCORES["A"], SCORES["B"]), "B,A": [SCORES["B"], SCORES["A"]]}
    values, intervals = library.get_interval_estimates(pairs, metrics.probability_of_improvement, reps=500)
    assert values["A,B"] + values["B,A"] == pytest.approx(1)
    ours = improvement(SCORES["A"], SCORES["B"], method="percentile", resamples=500)
    assert intervals["A,B"].shape == (2, 1)
    assert (values["A,B"], *intervals["A,B"][:, 0]) == pytest.approx((ours.value, ours.low, ours.high))
    wrapped = library.get_interval_estimates(
        pairs, lambda x, y: np.array([metrics.probability_of_improvement(x, y)]), reps=500
    )
    assert wrapped[1]["A,B"].shape == (2, 1)
    np.testing.assert_allclose(wrapped[1]["A,B"], intervals["A,B"])
    swapped = library.get_interval_estimates(pairs, lambda x, y: 1 - metrics.probability_of_improvement(y, x), reps=500)
    np.testing.assert_allclose(swapped[1]["A,B"], intervals["A,B"])
    bca = library.get_interval_estimates(pairs, metrics.probability_of_improvement, method="bca", reps=500)[1]
    np.testing.assert_allclose(bca["A,B"], intervals["A,B"], atol=0.05)


def test_random_state_is_honoured():
    def found(state):
        return library.get_interval_estimates({"A": SCORES["A"]}, four, reps=100, random_state=state)[1]["A"].tolist()

    assert found(1) == found(1) != found(2)
    assert found(np.random.RandomState(1)) == found(np.random.RandomState(1)) != found(np.random.RandomState(2))
    assert found(np.random.default_rng(1)) == found(np.random.default_rng(1))
    state = np.random.RandomState(1)
    assert found(state) != found(state), "a generator moves on"
    np.random.seed(0)  # noqa: NPY002 - the global generator must not matter
    first = found(None)
    np.random.seed(1)  # noqa: NPY002
    assert first == found(None)


@pytest.mark.parametrize("shares_of_runs", [True, False])
def test_profiles(shares_of_runs):
    tau = np.linspace(0, 1, 11)
    values, intervals = library.create_performance_profile(SCORES, tau, shares_of_runs, reps=300, random_state=4)
    ours = profile_estimate(
        SCORES["B"], tau, "run" if shares_of_runs else "task", method="percentile", resamples=300, seed=4
    )
    assert values["B"].tolist() == ours.value.tolist()
    assert intervals["B"].tolist() == [ours.low.tolist(), ours.high.tolist()]

    def custom(scores, levels):
        return np.array([(scores if shares_of_runs else scores.mean(axis=0)).__gt__(level).mean() for level in levels])

    again = library.create_performance_profile(SCORES, tau, custom_profile_func=custom, reps=300, random_state=4)
    np.testing.assert_allclose(again[0]["B"], values["B"])
    np.testing.assert_allclose(again[1]["B"], intervals["B"])


def test_bad_input_is_named():
    with pytest.raises(ValueError, match=r"\[3, 2\] tasks"):
        library.get_interval_estimates({"A": (X, X[:, :2])}, metrics.probability_of_improvement)
    with pytest.raises(ValueError, match="'normal'"):
        library.get_interval_estimates({"A": X}, four, method="normal")
    with pytest.raises(ValueError, match="a single run"):
        library.get_interval_estimates({"A": X[:1]}, four)


def test_figures(tmp_path):
    pytest.importorskip("matplotlib")
    from envsuite.scoring.rliable import plot_utils

    values, intervals = library.get_interval_estimates(SCORES, four, reps=100)
    figure, panels = plot_utils.plot_interval_estimates(values, intervals, ["Median", "IQM", "Mean", "Gap"], ["B", "A"])
    assert len(panels) == 4
    bar = panels[1].patches[0]
    assert (bar.get_x(), bar.get_x() + bar.get_width()) == pytest.approx(tuple(intervals["B"][:, 1]))
    figure.savefig(tmp_path / "intervals.png")
    single = plot_utils.plot_interval_estimates({"A": values["A"][:1]}, {"A": intervals["A"][:, :1]}, ["Median"])
    assert hasattr(single[1], "barh")
    tau = np.linspace(0, 1, 11)
    for scaled in (False, True):
        profiles = library.create_performance_profile(SCORES, tau, reps=50)
        panel = plot_utils.plot_performance_profiles(
            profiles[0], tau, profiles[1], use_non_linear_scaling=scaled, legend=True, linewidth=3
        )
        assert [line.get_linewidth() for line in panel.lines] == [3, 3], "the width holds for every curve"
        panel.figure.savefig(tmp_path / "profiles.png")
    panel = plot_utils.plot_sample_efficiency_curve([1, 2, 3, 4], values, intervals, ["A"], colors={"A": "red"})
    assert panel.lines[0].get_ydata().tolist() == values["A"].tolist()
    pairs = library.get_interval_estimates(
        {"A,B": (SCORES["A"], SCORES["B"])}, metrics.probability_of_improvement, reps=50
    )
    panel = plot_utils.plot_probability_of_improvement(*pairs, color_palette="viridis")
    assert [label.get_text() for label in panel.get_yticklabels()] == ["A"]
    panel.figure.savefig(tmp_path / "improvement.png")
    with pytest.raises(ValueError, match="no pair 'X;Y'"):
        plot_utils.plot_probability_of_improvement(*pairs, pair_separator=";")
