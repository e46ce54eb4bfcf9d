"""Honest statistics of scores: arrays in, plain results out.

Names are loaded when they are first asked for, so importing the package costs nothing.
"""

from importlib import import_module
from typing import Any

_MODULES = {
    "pairwise": ("Comparison", "compare", "difference", "improvement", "permutation_test"),
    "curves": (
        "Curve",
        "UnequalLengthWarning",
        "area_under_curve",
        "common_grid",
        "highlight_runs",
        "on_grid",
        "sample_efficiency",
    ),
    "dilemmas": ("Exploitation", "cross_play", "cross_play_gap", "exploitation"),
    "episodes": ("episode_interval", "proportion_interval"),
    "equilibria": ("max_entropy_equilibrium", "regret_matching_plus", "zero_sum_equilibrium"),
    "games": ("alpha_rank", "cyclic_share", "exploitability", "matrix_values", "nash_conv"),
    "intervals": ("Estimate", "FewRunsWarning", "bootstrap_interval", "estimate", "profile_estimate"),
    "many": ("Comparisons", "compare_all", "holm", "rank_groups", "rank_shares", "tie_letters"),
    "metrics": (
        "interquartile_mean",
        "mean",
        "median",
        "normalise",
        "optimality_gap",
        "performance_profile",
        "probability_of_improvement",
    ),
    "multiobjective": (
        "cardinality",
        "expected_utility",
        "hypervolume",
        "inverted_generational_distance",
        "inverted_generational_distance_plus",
        "maximum_utility_loss",
        "nondominated",
        "simplex_weights",
        "sparsity",
    ),
    "utilities": (
        "expected_scalarised_return",
        "gini_coefficient",
        "jain_index",
        "product",
        "scalarised_expected_return",
        "sum_of_squares",
    ),
    "support": ("corner_weights", "next_weights", "optimistic_value"),
    "planning": (
        "Tolerance",
        "power",
        "prediction_interval",
        "prediction_power",
        "prediction_runs",
        "run_spread",
        "runs_needed",
        "tolerance_confidence",
        "tolerance_interval",
        "tolerance_runs",
        "tolerance_share",
    ),
    "ratings": (
        "Glicko2",
        "bradley_terry",
        "bradley_terry_intervals",
        "rating_against",
        "elo",
        "share_intervals",
        "win_matrix",
        "win_shares",
    ),
    "runs": ("RunCurve", "RunScores"),
    "tables": ("comparison_table", "estimate_table", "ranking_table", "table"),
}

_HOME = {name: module for module, names in _MODULES.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
