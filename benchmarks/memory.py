"""Steps a second of the tasks with memory, beside MiniGrid and Memory Gym on the same machine.

    python benchmarks/memory.py [--minigrid PYTHON] [--memory-gym PYTHON]

writes ``benchmarks/results/memory.json``. The peers run in environments of their own, whose interpreters are named; all
play uniformly random actions on one thread, resets included. Rates are by processor time, the best of several turns.
"""

import argparse
import json
import platform
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

RESULTS = Path(__file__).resolve().parent / "results" / "memory.json"
SLOTS, STEPS, TURNS, SECONDS = 1024, 100, 5, 3.0
TASKS = (
    *("EndlessTMazeFixed3x5", "EndlessTMazeUniform10x10", "ColorCubesMedium", "ColorCubesExtremeLarge"),
    *("MemoryLength100x3", "PassiveTMaze100", "PassiveVisualMatch60", "MemoryCards5", "MemoryCards30"),
    *("Numpad", "Ballet4"),
    *("MiniGridMemoryS7", "MiniGridMemoryS17Random"),
    *("MortarMayhem", "EndlessMortarMayhem", "MysteryPath", "EndlessMysteryPath"),
    *("SearingSpotlights", "EndlessSearingSpotlights"),
)
PEERS = {
    "minigrid": {"MiniGridMemoryS7": "MiniGrid-MemoryS7-v0", "MiniGridMemoryS17Random": "MiniGrid-MemoryS17Random-v0"},
    "memory_gym": {
        "MortarMayhem": "MortarMayhem-Grid-v0",
        "EndlessMortarMayhem": "Endless-MortarMayhem-v0",
        "MysteryPath": "MysteryPath-Grid-v0",
        "EndlessMysteryPath": "Endless-MysteryPath-v0",
        "SearingSpotlights": "SearingSpotlights-v0",
        "EndlessSearingSpotlights": "Endless-SearingSpotlights-v0",
    },
}


def rate(name: str) -> int:
    """Steps a second of a batch."""
    import numpy as np

    import envsuite
    from envsuite.core.batch import Batch
    from envsuite.core.world import make_world

    card = envsuite.card(f"envsuite/{name}-v0")
    batch = Batch(make_world(card.world, **card.options), SLOTS, num_threads=1, horizon=card.horizon)
    batch.seed(np.arange(SLOTS))
    batch.reset()
    action = batch.world.action
    actions, best = np.random.default_rng(0).integers(0, action.high + 1, (STEPS, SLOTS, *action.shape)), 0.0
    for _ in range(TURNS):
        start = time.process_time()
        for row in actions:
            batch.step(row, batch.done)
        best = max(best, SLOTS * STEPS / (time.process_time() - start))
    return round(best)


def peer_rates(package: str) -> dict[str, int]:
    """Steps a second of one instance of each task of a package."""
    __import__(package)
    import gymnasium

    found = {"version": version(package.replace("_", "-"))}
    for name, env_id in PEERS[package].items():
        env = gymnasium.make(env_id)
        env.reset(seed=0)
        env.action_space.seed(0)
        start, steps = time.process_time(), 0
        while time.process_time() - start < SECONDS:
            for _ in range(100):
                *_, terminated, truncated, _ = env.step(env.action_space.sample())
                if terminated or truncated:
                    env.reset()
            steps += 100
        found[name] = round(steps / (time.process_time() - start))
    return found


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minigrid", help="interpreter that has minigrid")
    parser.add_argument("--memory-gym", help="interpreter that has memory-gym")
    parser.add_argument("--peer", help="measure this package here and print the result")
    given = parser.parse_args()
    if given.peer:
        print(json.dumps(peer_rates(given.peer)))
        return
    found: dict = {"machine": platform.processor() or platform.machine(), "slots": SLOTS}
    found["envsuite"] = {name: rate(name) for name in TASKS}
    for package in PEERS:
        if python := getattr(given, package):
            done = subprocess.run([python, __file__, "--peer", package], capture_output=True, text=True, check=True)
            found[package] = json.loads(done.stdout.splitlines()[-1])
    print(json.dumps(found, indent=2))
    RESULTS.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    sys.exit(main())
