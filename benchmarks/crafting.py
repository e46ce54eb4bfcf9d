"""Crafter beside the package of that name, in one run on one core: steps a second and time to make a world.

    python benchmarks/crafting.py --peer PYTHON

The peer is an interpreter that has ``crafter``. Actions are uniformly random; the best of three turns, by processor
time. Results are written to ``benchmarks/results/crafting.json``.
"""

import argparse
import json
import platform
import subprocess
import time
from pathlib import Path

import numpy as np

from envsuite.core.batch import Batch
from envsuite.crafting.crafter.world import CrafterWorld

RESULT = Path(__file__).parent / "results" / "crafting.json"
MANY, STEPS, TURNS, HORIZON = 256, 200, 3, 10_000


def begun(**options) -> Batch:
    """Instances at the beginning of an episode."""
    batch = Batch(CrafterWorld(**options), MANY, num_threads=1, horizon=HORIZON)
    batch.seed(np.arange(MANY))
    batch.reset()
    return batch


def steps(pixels: bool = False, resets: bool = False, **options) -> float:
    """Steps a second; the dead are begun anew if resets count, else they live on."""
    batch, found = begun(**options), []
    actions = np.random.default_rng(0).integers(0, 17, (STEPS, MANY))
    for _ in range(TURNS):
        start = time.process_time()
        for row in actions:
            if not resets:
                batch.states["players"]["inventory"][:, 0, 0] = 9
            batch.step(row, batch.done if resets else None)
            if pixels:
                batch.pixels("pixels")
        found.append(time.process_time() - start)
    return STEPS * MANY / min(found)


def worlds() -> float:
    """Milliseconds to begin an episode."""
    batch, found = begun(), []
    for _ in range(TURNS):
        start = time.process_time()
        batch.reset()
        found.append(time.process_time() - start)
    return 1e3 * min(found) / MANY


def main() -> None:
    """Measure both."""
    parser = argparse.ArgumentParser(description="Steps a second beside crafter.")
    parser.add_argument("--peer", required=True, metavar="PYTHON", help="interpreter that has crafter")
    given = parser.parse_args()
    ours = {
        "steps/s": steps(),
        "steps/s, symbolic": steps(observed="symbolic"),
        "steps/s, pixels": steps(pixels=True),
        "steps/s with resets": steps(resets=True),
        "ms a world": worlds(),
    }
    command = [given.peer, "-P", str(Path(__file__).with_name("crafting_peer.py"))]
    theirs = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    for name, found in (("ours", ours), ("crafter 1.8.3", theirs)):
        print(name, {key: float(f"{value:.3g}") for key, value in found.items()})
    machine = {"machine": platform.processor() or platform.machine(), "instances": MANY}
    RESULT.write_text(json.dumps(machine | {"ours": ours, "crafter": theirs}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
