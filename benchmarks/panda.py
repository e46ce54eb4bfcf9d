"""The Panda arm's tasks beside panda-gym, in one run on one core: steps a second.

    python benchmarks/panda.py --peer PYTHON [--tasks reach ...]

The peer is an interpreter that has ``panda_gym``; it is asked for one task after another, ours and theirs in turn. For
each task and each way of control: steps a second of a batch of 256 under random actions, of one instance, of the
backend ``bullet`` where PyBullet is installed, and of the original; resets a second; and, but for Flip, steps a second
of a batch while the scripted player is at work, fingers on the objects. The best of three turns in two rounds, by
processor time. Results are written to ``benchmarks/results/panda.json``.
"""

import argparse
import json
import platform
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from envsuite.core.batch import Batch
from envsuite.core.companions import Players, companion
from envsuite.core.world import make_world
from envsuite.manipulation.panda.params import TASKS

RESULT = Path(__file__).parent / "results" / "panda.json"
WORLD = "envsuite.manipulation.panda.world:PandaWorld"
TURNS, ROUNDS, MANY, HORIZON = 3, 2, 256, 50
STEPS, ALONE, PLAYED = 20, 400, 45


def begun(count: int, **options) -> Batch:
    """Instances at the beginning of an episode."""
    batch = Batch(make_world(WORLD, **options), count, num_threads=1, horizon=HORIZON)
    batch.seed(np.arange(count))
    batch.reset()
    return batch


def stepped(batch: Batch, actions: np.ndarray) -> float:
    """Seconds of a step, in which episodes go on that have ended."""
    batch.states["clock"]["done"], batch.done[:] = 0, False
    start = time.process_time()
    batch.step(actions)
    return time.process_time() - start


def at_random(count: int, steps: int, **options) -> float:
    """Steps a second under random actions."""
    batch, rng, best = begun(count, **options), np.random.default_rng(0), np.inf
    shape = (count, *batch.world.action.shape)
    for _ in range(TURNS):
        batch.reset()
        best = min(best, sum(stepped(batch, rng.uniform(-1, 1, shape).astype(np.float32)) for _ in range(steps)))
    return count * steps / best


def at_work(task: str) -> float:
    """Steps a second while the scripted player is at work, which is not counted itself."""
    batch = begun(MANY, task=task)
    player = companion(batch.world, Players).expert()
    seconds = [stepped(batch, player.act(batch.last.observations, batch.states)) for _ in range(PLAYED)]
    return MANY * PLAYED / sum(seconds)


def resets(task: str) -> float:
    """Resets a second."""
    batch, best = begun(MANY, task=task), np.inf
    for _ in range(TURNS):
        start = time.process_time()
        batch.reset()
        best = min(best, time.process_time() - start)
    return MANY / best


def rates(task: str, control: str, peer: subprocess.Popen) -> dict[str, float]:
    """Figures of a task, here and of the original."""
    assert peer.stdin
    assert peer.stdout
    options = {"task": task, "control": control}
    found = {"batch steps/s": at_random(MANY, STEPS, **options), "single steps/s": at_random(1, ALONE, **options)}
    if find_spec("pybullet"):
        found["bullet steps/s"] = at_random(1, 50, backend="bullet", **options)
    if control == "ee":
        found["resets/s"] = resets(task)
        if task != "flip":
            found["player steps/s"] = at_work(task)
    print(task, control, file=peer.stdin, flush=True)
    for name, value in json.loads(peer.stdout.readline()).items():
        found[f"original {name}"] = value
    return found


def measure(task: str, control: str, peer: subprocess.Popen) -> dict[str, float]:
    """The best of some rounds, since others use the machine too, and ratios to the original."""
    rounds = [rates(task, control, peer) for _ in range(ROUNDS)]
    found = {name: max(one[name] for one in rounds) for name in rounds[0]}
    for name in ("batch", "single", "bullet", "player"):
        if f"{name} steps/s" in found:
            found[f"{name} ratio"] = found[f"{name} steps/s"] / found["original steps/s"]
    return found


def main() -> None:
    """Measure the tasks."""
    parser = argparse.ArgumentParser(description="Steps a second beside panda-gym.")
    parser.add_argument("--peer", required=True, metavar="PYTHON", help="interpreter that has panda_gym")
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=list(TASKS))
    given = parser.parse_args()
    # -P: this folder holds a module of the package's name
    command = [given.peer, "-P", str(Path(__file__).with_name("panda_peer.py"))]
    rows = {}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as peer:
        for task in given.tasks:
            for control in ("ee", "joints"):
                rows[f"{task} {control}"] = found = measure(task, control, peer)
                print(task, control, {name: float(f"{value:.3g}") for name, value in found.items()}, flush=True)
    if given.tasks == list(TASKS):
        RESULT.write_text(json.dumps({"machine": platform.platform(), "tasks": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
