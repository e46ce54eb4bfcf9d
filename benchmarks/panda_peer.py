"""What ``benchmarks/panda.py`` asks the original: steps and resets a second of its tasks, by processor time.

Run by an interpreter that has ``panda_gym``: reads a task and a way of control a line, answers with one line of JSON.
"""

import contextlib
import importlib
import json
import os
import sys
import time
from typing import Any

import numpy as np

TURNS, STEPS = 3, 100


def measure(task: str, control: str) -> dict[str, float]:
    """Figures of a task."""
    import gymnasium

    simulation: Any = importlib.import_module("panda_gym.pybullet").PyBullet
    plain = simulation.create_box  # the texture of Flip's cube is not in the wheel
    simulation.create_box = lambda self, *given, texture=None, **named: plain(self, *given, **named)
    name = task.title().replace("-", "") + ("Joints" if control == "joints" else "")
    env: Any = gymnasium.make(f"Panda{name}-v3").unwrapped
    rng, found = np.random.default_rng(0), {"steps/s": 0.0, "resets/s": 0.0}
    for _ in range(TURNS):
        start = time.process_time()
        env.reset()
        found["resets/s"] = max(found["resets/s"], 1 / (time.process_time() - start))
        actions = rng.uniform(-1, 1, (STEPS, *env.action_space.shape)).astype(np.float32)
        start = time.process_time()
        for action in actions:
            env.step(action)
        found["steps/s"] = max(found["steps/s"], STEPS / (time.process_time() - start))
    env.close()
    simulation.create_box = plain
    return found


def main() -> None:
    """Answer."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # the engine talks
    for line in sys.stdin:
        with contextlib.redirect_stdout(sys.stderr):
            found = measure(*line.split())
        print(json.dumps(found), file=answers, flush=True)


if __name__ == "__main__":
    main()
