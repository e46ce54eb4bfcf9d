"""Ants in mazes beside Gymnasium-Robotics and OGBench, in one run on one core: steps a second.

    python benchmarks/ant_mazes.py

Wants ``gymnasium-robotics``, ``ogbench`` and the extra ``mujoco``. Batches of 256 instances, random actions, one
thread; the best of several turns by processor time, ours and theirs in turn. Results are printed and written to
``benchmarks/results/ant_mazes.json``.
"""

import json
import os
import platform
import time
from pathlib import Path

import gymnasium
import numpy as np

from envsuite.core.vector import WorldVectorEnv

RESULT = Path(__file__).parent / "results" / "ant_mazes.json"
INSTANCES, STEPS, TURNS = 256, 16, 5
PAIRS = {
    "AntMaze_UMaze-v5": "MazeAntUmaze-v0",
    "AntMaze_Large-v5": "MazeAntLarge-v0",
    "antmaze-giant-v0": "MazeAntOgbenchGiant-v0",
}


def spent(work) -> float:
    """Processor seconds of a call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def measure(theirs: str, ours: str) -> dict[str, float]:
    """Steps a second of both."""
    rng = np.random.default_rng(0)
    actions = rng.uniform(-1, 1, (STEPS, INSTANCES, 8)).astype(np.float32)
    one = gymnasium.make(theirs)
    batch = gymnasium.make_vec(f"envsuite/{ours}", num_envs=INSTANCES, num_threads=1)
    assert isinstance(batch, WorldVectorEnv)
    one.reset(seed=0)
    batch.reset(seed=0)

    def play_one() -> None:
        for action in actions.reshape(-1, 8)[:200]:
            _, _, over, cut, _ = one.step(action)
            if over or cut:
                one.reset()

    def play_batch() -> None:
        for rows in actions:
            batch.step(rows)

    for _ in range(4):  # ants come down to the floor
        play_batch()
    play_one()
    times = np.array([(spent(play_batch), spent(play_one)) for _ in range(TURNS)]).min(0)
    found = {"batch steps/s": INSTANCES * STEPS / times[0], "original steps/s": 200 / times[1]}
    return found | {"ratio": found["batch steps/s"] / found["original steps/s"]}


def main() -> None:
    """Measure all pairs."""
    os.environ.setdefault("MUJOCO_GL", "disable")
    import gymnasium_robotics
    import ogbench  # noqa: F401

    gymnasium.register_envs(gymnasium_robotics)
    found = {theirs: measure(theirs, ours) for theirs, ours in PAIRS.items()}
    for name, numbers in found.items():
        print(name, {key: round(value, 1) for key, value in numbers.items()})
    report = {"machine": platform.processor() or platform.machine(), "instances": INSTANCES, "tasks": found}
    RESULT.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
