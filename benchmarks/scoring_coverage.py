"""How often 95 % intervals hold the true value: simulated runs of families whose true value is known.

Run by hand: ``python benchmarks/scoring_coverage.py``, some ten minutes on one core. Prints the table of
docs/scoring.md and writes ``benchmarks/results/scoring-coverage.json``. With 3,000 trials a share is known to within
0.8 points (two standard errors).
"""

import argparse
import functools
import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

from envsuite.scoring import FewRunsWarning, bootstrap_interval, interquartile_mean, mean, optimality_gap

Draw = Callable[[np.random.Generator, int, int], np.ndarray]


def levels(tasks: int) -> np.ndarray:
    """What each task's scores lie around."""
    return np.linspace(0.2, 1.2, tasks)


def normal(generator: np.random.Generator, runs: int, tasks: int) -> np.ndarray:
    """Spread 0.25 around each task's level."""
    return levels(tasks) + generator.normal(0, 0.25, (runs, tasks))


def two_modes(generator: np.random.Generator, runs: int, tasks: int) -> np.ndarray:
    """Three runs of ten fail."""
    failed = generator.random((runs, tasks)) < 0.3
    return levels(tasks) * np.where(failed, 0.3, 1.0) + generator.normal(0, 0.08, (runs, tasks))


def heavy_tails(generator: np.random.Generator, runs: int, tasks: int) -> np.ndarray:
    """Student's t with three degrees of freedom."""
    return generator.standard_t(3, (runs, tasks))


def log_normal(generator: np.random.Generator, runs: int, tasks: int) -> np.ndarray:
    """Skewed; of a standard normal logarithm."""
    return generator.lognormal(0, 1, (runs, tasks))


def gamma(generator: np.random.Generator, runs: int, tasks: int) -> np.ndarray:
    """Skewed, of shape 1/2."""
    return generator.gamma(0.5, 1, (runs, tasks))


def zero_inflated(generator: np.random.Generator, runs: int, tasks: int) -> np.ndarray:
    """Seven runs of ten score nothing, the others an exponential draw."""
    return (generator.random((runs, tasks)) < 0.3) * generator.exponential(1, (runs, tasks))


FAMILIES: tuple[Draw, ...] = (normal, two_modes, heavy_tails, log_normal, gamma, zero_inflated)
SIZES = ((3, 10), (5, 10), (10, 10), (5, 3), (10, 3), (5, 30))
COLUMNS = (
    (mean, "expanded"),
    (mean, "studentized"),
    (mean, "bca"),
    (interquartile_mean, "expanded"),
    (optimality_gap, "expanded"),
)


@functools.cache
def true_value(family: Draw, metric: Callable, tasks: int) -> float:
    """The metric of a million runs of all tasks together."""
    return float(metric(family(np.random.default_rng(0), 1_000_000 // tasks, tasks)))


def coverage(family: Draw, metric: Callable, method: str, runs: int, tasks: int, trials: int) -> float:
    """Share of the trials whose interval holds the metric of the family itself."""
    generator, hits = np.random.default_rng([runs, tasks]), 0
    truth = true_value(family, metric, tasks)
    for trial in range(trials):
        scores = family(generator, runs, tasks)
        low, high = bootstrap_interval(scores, metric, method=method, resamples=2000, seed=trial)
        hits += low <= truth <= high
    return hits / trials


def main() -> int:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=3000)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "scoring-coverage.json")
    options = parser.parse_args()
    warnings.simplefilter("ignore", FewRunsWarning)
    head = [f"{metric.__name__.replace('_', ' ')}, {method}" for metric, method in COLUMNS]
    print("| family | N, M | " + " | ".join(head) + " |\n" + "| --- " * (len(head) + 2) + "|")
    found = []
    for family in FAMILIES:
        for runs, tasks in SIZES:
            row = [coverage(family, metric, method, runs, tasks, options.trials) for metric, method in COLUMNS]
            name = family.__name__.replace("_", " ")
            print(f"| {name} | {runs}, {tasks} | " + " | ".join(f"{100 * one:.1f}" for one in row) + " |", flush=True)
            found.append({"family": name, "runs": runs, "tasks": tasks} | dict(zip(head, row, strict=True)))
    options.out.write_text(json.dumps({"trials": options.trials, "rows": found}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
