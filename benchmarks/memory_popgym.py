"""POPGym's 42 tasks beside the package popgym, in one run on one core: steps a second, resets included.

    python benchmarks/memory_popgym.py --peer PYTHON [--ids RepeatPreviousEasy ...]

The peer is an interpreter that has ``popgym``; it is asked for one task after another, ours and theirs in turn. Random
actions, drawn beforehand; a batch of 1,024 here, one environment there, which begins anew where an episode ends. The
best of three turns in three rounds, by processor time. Results of all tasks are written to
``benchmarks/results/memory_popgym.json``.
"""

import argparse
import json
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np

RESULT = Path(__file__).parent / "results" / "memory_popgym.json"
INSTANCES, STEPS, PEER_STEPS, DRAWN, TURNS, ROUNDS = 1024, 100, 4000, 16, 3, 3


def rate(work: Callable[[], None], steps: int) -> float:
    """Steps a second of the quickest of some turns."""
    spent = []
    for _ in range(TURNS):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return steps / min(spent)


def ours(name: str) -> float:
    """Steps a second of a batch."""
    import envsuite
    from envsuite.core.batch import Batch
    from envsuite.core.world import make_world

    card = envsuite.cards()[f"envsuite/Pop{name}-v0"]
    world = make_world(card.world, **card.options)
    batch = Batch(world, INSTANCES, num_threads=1, horizon=card.horizon or 0)
    batch.seed(np.arange(INSTANCES))
    batch.reset()
    draw, action, shape = np.random.default_rng(0), world.action, (DRAWN, INSTANCES, *world.action.shape)
    if action.dtype is np.int64:
        actions = draw.integers(action.low, action.high, shape, endpoint=True)
    else:
        actions = draw.uniform(action.low, action.high, shape).astype(action.dtype)

    def play() -> None:
        for k in range(STEPS):
            batch.step(actions[k % DRAWN], batch.done)

    play()
    return rate(play, INSTANCES * STEPS)


def theirs(name: str) -> float:
    """Steps a second of the original, in an interpreter that has it."""
    from importlib import import_module

    env = getattr(import_module("popgym.envs"), name)()
    env.reset(seed=0)
    env.action_space.seed(0)
    actions = [env.action_space.sample() for _ in range(PEER_STEPS)]

    def play() -> None:
        env.reset()
        for action in actions:
            _, _, ended, cut, _ = env.step(action)
            if ended or cut:
                env.reset()

    play()
    return rate(play, PEER_STEPS)


def serve() -> None:
    """Answer each name of a task, one a line, with its steps a second."""
    for line in sys.stdin:
        print(theirs(line.strip()), flush=True)


def asked(name: str, peer: subprocess.Popen) -> float:
    """What the peer answers."""
    assert peer.stdin
    assert peer.stdout
    print(name, file=peer.stdin, flush=True)
    return float(peer.stdout.readline())


def main() -> None:
    """Measure the tasks."""
    parser = argparse.ArgumentParser(description="Steps a second beside popgym.")
    parser.add_argument("--peer", metavar="PYTHON", help="interpreter that has popgym")
    parser.add_argument("--ids", nargs="+", help="names such as RepeatPreviousEasy; all by default")
    parser.add_argument("--serve", action="store_true", help="be the peer")
    given = parser.parse_args()
    if given.serve:
        serve()
        return
    if not given.peer:
        parser.error("--peer is missing, expected an interpreter that has popgym")
    from envsuite.memory.popgym.cards import CARDS

    names, rows = [card.id[len("envsuite/Pop") : -len("-v0")] for card in CARDS], {}
    command = [given.peer, "-P", __file__, "--serve"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as peer:
        for name in given.ids or names:
            pairs = [(ours(name), asked(name, peer)) for _ in range(ROUNDS)]
            here, there = (max(one) for one in zip(*pairs, strict=True))
            rows[name] = {"steps/s": here, "popgym steps/s": there, "ratio": here / there}
            print(name, {key: float(f"{value:.3g}") for key, value in rows[name].items()}, flush=True)
    middle = {key: median(row[key] for row in rows.values()) for key in rows[next(iter(rows))]}
    print("median", {key: float(f"{value:.3g}") for key, value in middle.items()})
    if not given.ids:
        machine = {"machine": platform.processor() or platform.machine(), "instances": INSTANCES}
        RESULT.write_text(json.dumps(machine | {"median": middle, "tasks": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
