"""Duel: frames a second with both computer players active, agent steps and pictures a second, on a core, beside peers.

    python benchmarks/fighting.py --peer /path/to/other/venv/bin/python

The peers' environment may hold ``ale-py`` (Boxing), ``slimevolleygym`` with ``gym``, and ``stable-retro`` (Airstriker);
without it this side alone is measured. All figures are per second of processor time, in one run. Results go to
``benchmarks/results/fighting.json``.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from envsuite.core.companions import Pictures, companion

RESULTS = Path(__file__).parent / "results"
SECONDS = 4.0
FIGHTS = 512


def steps_of(step, reset, actions, frames: int) -> float:
    """Agent steps a second of one environment, each of several of its own steps."""
    reset()
    begun, count = time.process_time(), 0
    while time.process_time() - begun < SECONDS:
        for action in actions:
            for _ in range(frames):
                if step(action):
                    reset()
                    break
        count += len(actions)
    return count / (time.process_time() - begun)


def boxing() -> float:
    """ALE Boxing, four frames a step, random actions."""
    import ale_py
    import gymnasium

    gymnasium.register_envs(ale_py)
    env = gymnasium.make("ALE/Boxing-v5", frameskip=4)
    actions = np.random.default_rng(0).integers(env.action_space.n, size=100).tolist()
    return steps_of(lambda action: any(env.step(action)[2:4]), env.reset, actions, 1)


def slime_volley() -> float:
    """Slime Volley against its own player, one frame a step as it is meant, random actions."""
    import slimevolleygym

    env = slimevolleygym.SlimeVolleyEnv()
    actions = list(np.random.default_rng(0).integers(2, size=(100, 3)))
    return steps_of(lambda action: env.step(action)[2], env.reset, actions, 1)


def retro() -> float:
    """stable-retro with the one free game it ships, four frames a step, pictures, random actions."""
    import stable_retro

    env = stable_retro.make("Airstriker-Genesis-v0", render_mode="rgb_array")
    actions = list(np.random.default_rng(0).integers(2, size=(100, env.action_space.n), dtype=np.int8))
    return steps_of(lambda action: any(env.step(action)[2:4]), env.reset, actions, 4)


PEERS = {"ALE Boxing, 4 frames": boxing, "Slime Volley, 1 frame": slime_volley, "stable-retro, 4 frames": retro}


def peer() -> None:
    """Agent steps a second of the peers that are installed."""
    found = {}
    for name, measured in PEERS.items():
        try:
            found[name] = measured()
        except ImportError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
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


def images_per_second(form: str) -> float:
    """Pictures of fights under way, drawn alone."""
    from envsuite.core.batch import Batch
    from envsuite.fighting.kernel import DuelWorld

    world = DuelWorld(character="random", level="random")
    batch = Batch(world, FIGHTS, num_threads=1)
    batch.seed(np.arange(FIGHTS))
    batch.reset()
    rng = np.random.default_rng(0)
    for _ in range(60):
        batch.step(rng.integers(0, (9, 10), size=(FIGHTS, 2)))
    out = np.empty((FIGHTS, *companion(world, Pictures).forms[form]), np.uint8)
    companion(world, Pictures).draw_many(batch.states, form, out)
    begun, count = time.process_time(), 0
    while time.process_time() - begun < SECONDS / 4:
        companion(world, Pictures).draw_many(batch.states, form, out)
        count += 1
    return count * FIGHTS / (time.process_time() - begun)


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", help="Python of the peer's environment")
    parser.add_argument("--measure-peer", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure_peer:
        peer()
        return
    from envsuite.core.files import write_atomic
    from envsuite.evaluation.records import machine
    from envsuite.fighting.state import PIXEL_FORMS

    found: dict = {
        "machine": machine(),
        "frames per second, both computer players": {f"level {k}": frames_per_second(k) for k in (1, 4, 8)},
        "agent steps per second, 4 frames, 202 numbers": {
            **{f"against level {k}": steps_per_second(k) for k in (1, 4, 8)},
            "two agents": steps_per_second(None),
        },
        "pictures per second": {form: images_per_second(form) for form in PIXEL_FORMS},
    }
    if arguments.peer:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        command = [arguments.peer, __file__, "--measure-peer"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        found["agent steps per second of the peers"] = json.loads(done.stdout.strip().splitlines()[-1])
        slowest = min(found["agent steps per second, 4 frames, 202 numbers"].values())
        rates = found["agent steps per second of the peers"]
        found["times as fast as the peers, at least"] = {name: slowest / rate for name, rate in rates.items()}
    write_atomic(RESULTS / "fighting.json", json.dumps(found, indent=2) + "\n")
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
