"""Bootstrap intervals of this project beside rliable: the same work, on one core.

Run by hand: ``python benchmarks/scoring.py --rliable PYTHON``, where PYTHON is that of a virtual environment with
``pip install rliable "pandas<3"`` (rliable 1.2.0 does not import beside newer ones). Prints a table and writes
``benchmarks/results/scoring-<machine>.json``. rliable is timed on fewer resamples, by which its time grows in
proportion, and scaled up. On shared machines read ratios, not absolute figures.
"""

import argparse
import itertools
import json
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

RUNS, TASKS, METHODS = 10, 50, 5
RESAMPLES, PAIR_RESAMPLES = 50_000, 2_000
THRESHOLDS = np.linspace(0.0, 2.0, 81)
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")}

Work = dict[str, tuple[Callable[[int], Any], int]]


def work(library: Any, metrics: Any) -> Work:
    """The calls, which take a number of resamples, and how many are wanted; `library` and `metrics` of either side."""
    generator = np.random.default_rng(0)
    scores = {f"method {k}": generator.gamma(4.0, 0.2 + 0.02 * k, (RUNS, TASKS)) for k in range(METHODS)}
    pairs = {f"{a},{b}": (scores[a], scores[b]) for a, b in itertools.combinations(scores, 2)}

    def four(x: Any) -> np.ndarray:
        return np.array(
            [
                metrics.aggregate_median(x),
                metrics.aggregate_iqm(x),
                metrics.aggregate_mean(x),
                metrics.aggregate_optimality_gap(x),
            ]
        )

    def improvement(x: Any, y: Any) -> np.ndarray:
        return np.array([metrics.probability_of_improvement(x, y)])

    return {
        f"{METHODS} methods, 4 metrics": (
            lambda reps: library.get_interval_estimates(scores, four, reps=reps),
            RESAMPLES,
        ),
        f"{len(pairs)} probabilities of improvement": (
            lambda reps: library.get_interval_estimates(pairs, improvement, reps=reps),
            PAIR_RESAMPLES,
        ),
        f"{METHODS} profiles, {len(THRESHOLDS)} thresholds": (
            lambda reps: library.create_performance_profile(scores, THRESHOLDS, reps=reps),
            PAIR_RESAMPLES,
        ),
    }


def best_seconds(call: Callable[[int], Any], resamples: int, repeats: int) -> float:
    """Shortest of several measurements."""
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        call(resamples)
        times.append(time.perf_counter() - started)
    return min(times)


def intervals_of(library: Any, metrics: Any) -> dict[str, list[list[float]]]:
    """Intervals of the first method's four metrics, to see that both sides do the same."""
    call = next(iter(work(library, metrics).values()))[0]
    np.random.seed(0)  # noqa: NPY002 - rliable draws from the global generator
    values, intervals = call(5000)
    name = next(iter(values))
    return {"values": np.asarray(values[name]).tolist(), "intervals": np.asarray(intervals[name]).tolist()}


def rliable_side() -> None:
    """Measure rliable; run by its own Python."""
    from rliable import library, metrics

    shares = (200, 4, 100)  # resamples that are timed instead of all
    found: dict[str, Any] = {"seconds": {}, "timed_resamples": {}, "check": intervals_of(library, metrics)}
    for (name, (call, wanted)), timed in zip(work(library, metrics).items(), shares, strict=True):
        call(2)
        found["seconds"][name] = best_seconds(call, timed, 5) * wanted / timed
        found["timed_resamples"][name] = timed
    print(json.dumps(found))


def main() -> None:
    """Measure both sides, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rliable", metavar="PYTHON", help="Python with rliable; without it only ours is measured")
    parser.add_argument("--rliable-side", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.rliable_side:
        rliable_side()
        return
    from importlib.metadata import version

    from envsuite.core.files import write_atomic
    from envsuite.evaluation.records import machine
    from envsuite.scoring.rliable import library, metrics

    ours: dict[str, float] = {}
    for name, (call, wanted) in work(library, metrics).items():
        call(2)  # compiles
        ours[name] = best_seconds(call, wanted, 7)
    result: dict[str, Any] = {
        "machine": machine(),
        "versions": {name: version(name) for name in ("numpy", "numba")},
        "ours": ours,
    }
    theirs: dict[str, Any] = {}
    if given.rliable:
        done = subprocess.run(
            [given.rliable, __file__, "--rliable-side"],
            env={**os.environ, **ONE_THREAD},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.exit(f"{given.rliable}: {done.stderr.strip()}")
        theirs = json.loads(done.stdout)
        check = intervals_of(library, metrics)
        np.testing.assert_allclose(check["values"], theirs["check"]["values"], atol=1e-12)
        np.testing.assert_allclose(check["intervals"], theirs["check"]["intervals"], atol=0.01)
        result["rliable"] = theirs
    print(f"{'work on scores of 10 runs x 50 tasks':<40}{'resamples':>11}{'ours s':>9}{'rliable s':>11}{'ratio':>7}")
    for name, (_, wanted) in work(library, metrics).items():
        other = theirs.get("seconds", {}).get(name)
        columns = f"{other:>11.1f}{other / ours[name]:>7.0f}" if other else f"{'-':>11}{'-':>7}"
        print(f"{name:<40}{wanted:>11,}{ours[name]:>9.3f}{columns}")
    if theirs:
        timed = ", ".join(f"{count}" for count in theirs["timed_resamples"].values())
        print(f"rliable: timed on {timed} resamples and scaled up; its intervals agree with ours")
    folder = Path(__file__).parent / "results"
    folder.mkdir(exist_ok=True)
    slug = re.sub(r"[^a-z0-9]+", "-", f"{platform.system()}-{machine()['cpu']}".lower()).strip("-")
    write_atomic(folder / f"scoring-{slug}.json", json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
