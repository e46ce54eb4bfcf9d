"""Environment steps a second of replay verification: recorded episodes played again and compared bit for bit.

Run by hand: ``python benchmarks/replay.py [ID ...]``, the hover tasks by default: 1,000 episodes of the reference,
one thread, with all comparisons of rewards, flags, lengths and states. Prints a table and writes
``benchmarks/results/replay.json``.
"""

import json
import sys
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np

import envsuite
from envsuite.core.files import write_atomic
from envsuite.evaluation.records import machine
from envsuite.evaluation.replay import replay
from envsuite.evaluation.rollout import expert_policy, play

EPISODES = 1000
HOVER = ["envsuite/QuadHover-v0", "envsuite/QuadHoverGPD-v0", "envsuite/QuadMultiHover-v0"]
REPEATS = 9


def measure(env_id: str) -> dict[str, float]:
    """Replay all episodes several times.

    Returns:
        ``steps``, and their number a second: ``median`` and ``best`` of the repeats.
    """
    card = envsuite.card(env_id)
    log = play(card, expert_policy, EPISODES, record=True).log
    assert log is not None
    rates = []
    for _ in range(REPEATS + 1):  # the first compiles, or loads what is compiled
        started = time.perf_counter()
        fault = replay(log, card)
        rates.append(len(log.actions) / (time.perf_counter() - started))
        assert fault is None, str(fault)
    return {"steps": len(log.actions), "median": float(np.median(rates[1:])), "best": max(rates[1:])}


def main() -> None:
    """Measure, print, write."""
    result = {
        "machine": machine(),
        "versions": {name: version(name) for name in ("numpy", "numba")},
        "episodes": EPISODES,
    }
    print(f"{'environment':<30}{'steps':>10}{'steps/s':>14}{'best':>14}")
    for env_id in [envsuite.card(name).id for name in sys.argv[1:]] or HOVER:
        found = result[env_id] = measure(env_id)
        print(f"{env_id:<30}{found['steps']:>10,}{found['median']:>14,.0f}{found['best']:>14,.0f}")
    folder = Path(__file__).parent / "results"
    folder.mkdir(exist_ok=True)
    write_atomic(folder / "replay.json", json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
