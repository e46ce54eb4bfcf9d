"""Frames a second of Meta-World's pictures, by processor time of one thread: pixel observations and frames for people.

Nothing here has a peer in the same run: MuJoCo's own renderer needs a graphics driver.

    python benchmarks/meta_pictures.py
"""

import json
import time
from pathlib import Path

import numpy as np

from envsuite.core.batch import Batch
from envsuite.core.companions import Pictures, companion
from envsuite.core.files import write_atomic
from envsuite.manipulation.meta.world import MetaWorld

TASKS = ("reach", "pick-place", "drawer-open", "basketball", "lever-pull", "shelf-place", "assembly", "coffee-push")
COUNT = 32
RESULT = Path(__file__).parent / "results" / "meta_pictures.json"


def _frames_per_second(draw, frames: int, repeats: int = 3) -> float:
    """The best of some tries, after one that compiles."""
    draw()
    took = []
    for _ in range(repeats):
        begun = time.process_time()
        draw()
        took.append(time.process_time() - begun)
    return frames / min(took)


def measure(task: str) -> dict[str, float]:
    """Frames a second of one task at the beginning of its episodes."""
    batch = Batch(MetaWorld(task=task), COUNT, num_threads=1, horizon=500)
    batch.seed(np.arange(COUNT))
    batch.reset()
    pictures = companion(batch.world, Pictures)
    return {
        "pixels": round(_frames_per_second(lambda: batch.pixels("pixels"), COUNT), 1),
        "frames": round(_frames_per_second(lambda: pictures.draw(batch.states[0], pictures.size), 1), 1),
    }


def main() -> None:
    """Measure, print and write."""
    found = {task: measure(task) for task in TASKS}
    for task, one in found.items():
        print(f"{task}: {one['pixels']:.0f} of 84 x 84, {one['frames']:.1f} of 480 x 480")
    write_atomic(RESULT, json.dumps({"frames a second of processor time": found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
