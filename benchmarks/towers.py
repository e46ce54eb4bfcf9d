"""Tower defense: ticks and decisions a second on one core, beside gym-TD in the same run.

    python benchmarks/towers.py --peer /path/to/other/venv/bin/python --gym-td /path/to/checkout

The peer's environment needs ``gym`` 0.26 and NumPy below 1.24, and a checkout of LiuTed/gym-TD; without them this side
alone is measured. All figures are per second of processor time. Results go to ``benchmarks/results/towers.json``.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from envsuite.core.companions import Players, companion
from envsuite.core.world import allocate

RESULTS = Path(__file__).parent / "results"
SECONDS = 4.0
GAMES = 256


def peer(checkout: str) -> None:
    """Steps a second of gym-TD's defender, random actions."""
    import warnings

    warnings.simplefilter("ignore")
    sys.path.insert(0, checkout)
    from gym.utils import seeding

    seeding.np_random = lambda seed=None: (np.random.RandomState(seed), seed)  # what it was written for
    from gym_TD.envs import TDDefense

    found = {}
    for size in (10, 20):
        env = TDDefense(size, seed=0)
        env.reset()
        generator = np.random.default_rng(0)
        begun, steps = time.process_time(), 0
        while time.process_time() - begun < SECONDS:
            for action in generator.integers(env.action_space.n, size=200).tolist():
                if env.step(action)[2]:
                    env.reset()
            steps += 200
        found[f"gym-TD {size} x {size}"] = steps / (time.process_time() - begun)
    print(json.dumps(found))


def ticks_per_second(level: int) -> float:
    """Whole games of the player S2, which builds and upgrades, without observations."""
    from envsuite.core import rng
    from envsuite.core.jit import records
    from envsuite.tower_defense.experts.judge import play_out
    from envsuite.tower_defense.experts.plans import NO_PLAN, PATTERN
    from envsuite.tower_defense.kernel import BulwarkWorld

    world = BulwarkWorld(level=level)
    states, params = allocate(world, GAMES), records(world.params)
    for k in range(GAMES):
        states[k]["rng"]["key"] = rng.seed_key(k)
    play_out(states[:1].copy(), params, 2, PATTERN, NO_PLAN)
    begun, ticks = time.process_time(), 0
    while time.process_time() - begun < SECONDS:
        play_out(states, params, 2, PATTERN, NO_PLAN)
        ticks += int(states["tick"].sum())
    return ticks / (time.process_time() - begun)


def decisions_per_second(level: int) -> float:
    """Steps of the VectorEnv with vector and mask, ten ticks each, played by S3, whose own time is not counted."""
    import gymnasium

    import envsuite  # noqa: F401 (registers the ids)

    env = gymnasium.make_vec(f"envsuite/Bulwark-L{level}-v0", num_envs=GAMES, num_threads=1)
    env.reset(seed=0)
    policy = companion(env.world, Players).expert()
    spent, count = 0.0, 0
    while spent < SECONDS:
        actions = policy.act(env.batch.last.observations, env.batch.states)
        begun = time.process_time()
        env.step(actions)
        if count:  # the first step compiles
            spent += time.process_time() - begun
        count += GAMES
    return (count - GAMES) / spent


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", help="Python of the peer's environment")
    parser.add_argument("--gym-td", help="checkout of gym-TD")
    parser.add_argument("--measure-peer", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure_peer:
        peer(arguments.measure_peer)
        return
    from envsuite.core.files import write_atomic
    from envsuite.evaluation.records import machine

    found: dict = {"machine": machine()}
    levels = {f"L{k}": {"ticks": ticks_per_second(k), "decisions": decisions_per_second(k)} for k in range(1, 6)}
    found["per second of one core"] = levels
    if arguments.peer and arguments.gym_td:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        command = [arguments.peer, __file__, "--measure-peer", arguments.gym_td]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        found["steps per second of the peer"] = json.loads(done.stdout.strip().splitlines()[-1])
        fastest = max(found["steps per second of the peer"].values())
        slowest = min(row["decisions"] for row in levels.values())
        found["decisions of the slowest level, over steps of the fastest peer"] = slowest / fastest
    write_atomic(RESULTS / "towers.json", json.dumps(found, indent=2) + "\n")
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
