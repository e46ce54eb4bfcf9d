"""Meta-World's tasks beside the package of that name, in one run on one core: steps a second.

    python benchmarks/metaworld.py --peer PYTHON [--tasks reach ...]

The peer is an interpreter that has ``metaworld``; it is asked for one task after another, ours and theirs in turn. For
each task: steps a second of a batch of 1,024 under random actions, and of the original; the same while the original's
scripted player is at work (a batch of 64, steps 60 to 90); the share of time that resets take in episodes of 500
steps; on a few tasks what two threads gain, by the clock. The best of three turns in three rounds, by processor time.
Results of all tasks are written to ``benchmarks/results/metaworld.json``.
"""

import argparse
import json
import platform
import subprocess
import time
from pathlib import Path
from statistics import median

import numpy as np

from envsuite.core.batch import Batch
from envsuite.core.companions import Players, companion
from envsuite.manipulation.meta.cards import INSTRUCTIONS
from envsuite.manipulation.meta.world import MetaWorld

RESULT = Path(__file__).parent / "results" / "metaworld.json"
HORIZON, TURNS, ROUNDS = 500, 3, 3
MANY, FEW = 1024, 64
STEPS, BEFORE, DURING = 6, 60, 10
THREADED = ("reach", "push", "assembly")


def best(work, clock=time.process_time) -> float:
    """Seconds of the quickest of some turns."""
    spent = []
    for _ in range(TURNS):
        start = clock()
        work()
        spent.append(clock() - start)
    return min(spent)


def begun(task: str, count: int, threads: int = 1) -> Batch:
    """Instances at the beginning of an episode."""
    batch = Batch(MetaWorld(task=task), count, num_threads=threads, horizon=HORIZON)
    batch.seed(np.arange(count))
    batch.reset()
    return batch


def at_random(task: str, threads: int = 1, clock=time.process_time) -> float:
    """Steps a second of a batch under random actions."""
    batch = begun(task, MANY, threads)
    actions = np.random.default_rng(0).uniform(-1, 1, (STEPS, MANY, 4)).astype(np.float32)

    def play() -> None:
        for rows in actions:
            batch.step(rows)

    play()
    return MANY * STEPS / best(play, clock)


def at_work(task: str) -> float:
    """Steps a second while the original's player is at work, which is not counted itself."""
    batch = begun(task, FEW)
    player, spent = companion(batch.world, Players).collector("original"), []
    for _ in range(BEFORE + TURNS * DURING):
        actions = player.act(batch.last.observations, batch.states)
        start = time.process_time()
        batch.step(actions)
        spent.append(time.process_time() - start)
    return FEW * DURING / np.array(spent[BEFORE:]).reshape(TURNS, DURING).sum(1).min()


def resets(task: str) -> float:
    """Resets a second."""
    batch = begun(task, MANY)
    return MANY / best(batch.reset)


def rates(task: str, peer: subprocess.Popen) -> dict[str, float]:
    """Steps and resets a second of a task, here and of the original."""
    assert peer.stdin
    assert peer.stdout
    found = {"random steps/s": at_random(task), "player steps/s": at_work(task), "resets/s": resets(task)}
    print(task, file=peer.stdin, flush=True)
    for name, value in json.loads(peer.stdout.readline()).items():
        found[f"original {name}"] = value
    return found


def measure(task: str, peer: subprocess.Popen) -> dict[str, float]:
    """Figures of a task: the best of some rounds, since others use the machine too."""
    rounds = [rates(task, peer) for _ in range(ROUNDS)]
    found = {name: max(one[name] for one in rounds) for name in rounds[0]}
    found["share of resets"] = 1 / (1 + HORIZON * found["resets/s"] / found["random steps/s"])
    for name in ("random", "player"):
        found[f"{name} ratio"] = found[f"{name} steps/s"] / found[f"original {name} steps/s"]
    if task in THREADED:
        one, two = (max(at_random(task, n, time.perf_counter) for _ in range(ROUNDS)) for n in (1, 2))
        found["two threads gain"] = two / one
    return found


def main() -> None:
    """Measure the tasks."""
    parser = argparse.ArgumentParser(description="Steps a second beside metaworld.")
    parser.add_argument("--peer", required=True, metavar="PYTHON", help="interpreter that has metaworld")
    parser.add_argument("--tasks", nargs="+", choices=list(INSTRUCTIONS), default=list(INSTRUCTIONS))
    given = parser.parse_args()
    # -P: this folder holds a module of the package's name
    command = [given.peer, "-P", str(Path(__file__).with_name("metaworld_peer.py"))]
    rows = {}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as peer:
        for task in given.tasks:
            rows[task] = measure(task, peer)
            print(task, {name: float(f"{value:.3g}") for name, value in rows[task].items()}, flush=True)
    names = [name for name in rows[given.tasks[0]] if "threads" not in name]
    middle = {name: median(row[name] for row in rows.values()) for name in names}
    print("median", {name: float(f"{value:.3g}") for name, value in middle.items()})
    if len(rows) == len(INSTRUCTIONS):
        machine = {"machine": platform.processor() or platform.machine(), "instances": MANY}
        RESULT.write_text(json.dumps(machine | {"median": middle, "tasks": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
