"""Duel: frames a second with both computer players active, and agent steps a second, on one core, beside peers.

    python benchmarks/fighting.py --peer /path/to/other/venv/bin/python

The peer's environment needs ``ale-py`` with ``gymnasium`` (Boxing); without it this side alone is measured. All figures
are per second of processor time, in one run. Results go to ``benchmarks/results/fighting.json``.
"""

import argparse
import json
import os
import subprocess
import time
from pathlib import Path

import numpy as np

RESULTS = Path(__file__).parent / "results"
SECONDS = 4.0
FIGHTS = 512


def peer() -> None:
    """Steps a second of ALE Boxing, four frames a step, random actions."""
    found = {}
    try:
        import ale_py
        import gymnasium

        gymnasium.register_envs(ale_py)
        env = gymnasium.make("ALE/Boxing-v5", frameskip=4)
    except (ImportError, gymnasium.error.Error):
        print(json.dumps(found))
        return
    env.reset(seed=0)
    actions = np.random.default_rng(0).integers(env.action_space.n, size=100_000).tolist()
    begun, steps = time.process_time(), 0
    while time.process_time() - begun < SECONDS:
        for action in actions[steps : steps + 100]:
            if any(env.step(action)[2:4]):
                env.reset()
        steps += 100
    found["ALE Boxing, 4 frames"] = steps / (time.process_time() - begun)
    print(json.dumps(found))


def frames_per_second(level: int) -> float:
    """Whole rounds between two computer players, without observations."""
    from envsuite.fighting.balance import fight

    k = np.arange(FIGHTS)
    first, second, levels = k % 12, k // 12 % 12, np.full((FIGHTS, 2), level)
    fight(first[:1], second[:1], levels[:1])
    begun, frames, seed = time.process_time(), 0.0, 0
    while time.process_time() - begun < SECONDS:
        frames += fight(first, second, levels, seed=seed).seconds.sum() * 60
        seed += FIGHTS
    return frames / (time.process_time() - begun)


def steps_per_second(level: int | None) -> float:
    """Agent steps of the VectorEnv, four frames each, random actions; without a level both players are agents."""
    import gymnasium

    import envsuite  # noqa: F401 (registers the ids)
    from envsuite.core.parallel import VectorParallelEnv

    if level is None:
        env = VectorParallelEnv("envsuite.fighting.kernel:DuelVersusWorld", FIGHTS, num_threads=1)
    else:
        env = gymnasium.make_vec("envsuite/Duel-v0", num_envs=FIGHTS, level=level, num_threads=1)
    env.reset(seed=0)
    actions = np.random.default_rng(0).integers(0, (9, 10), size=(64, *env.action_space.shape))
    env.step(actions[0])
    begun, count = time.process_time(), 0
    while time.process_time() - begun < SECONDS:
        env.step(actions[count % 64])
        count += 1
    return count * FIGHTS * (2 if level is None else 1) / (time.process_time() - begun)


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", help="Python of the peer's environment")
    parser.add_argument("--measure-peer", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure_peer:
        peer()
        return
    from envsuite.evaluation.records import machine, write_atomic

    found: dict = {
        "machine": machine(),
        "frames per second, both computer players": {f"level {k}": frames_per_second(k) for k in (1, 4, 8)},
        "agent steps per second, 4 frames, 202 numbers": {
            **{f"against level {k}": steps_per_second(k) for k in (1, 4, 8)},
            "two agents": steps_per_second(None),
        },
    }
    if arguments.peer:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        command = [arguments.peer, __file__, "--measure-peer"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        found["agent steps per second of the peer"] = json.loads(done.stdout.strip().splitlines()[-1])
        if found["agent steps per second of the peer"]:
            slowest = min(found["agent steps per second, 4 frames, 202 numbers"].values())
            fastest = max(found["agent steps per second of the peer"].values())
            found["slowest over fastest peer"] = slowest / fastest
    write_atomic(RESULTS / "fighting.json", json.dumps(found, indent=2) + "\n")
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
