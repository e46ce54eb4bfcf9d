"""Steps a second of every environment, front-end overhead, and time to the first step.

Run by hand: ``python benchmarks/speed.py [ID ...]``, the hover tasks by default. Prints tables and writes
``benchmarks/results/speed.json`` with the machine and the versions. On shared machines read ratios only.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path

import gymnasium
import numpy as np

import envsuite
from envsuite.core.batch import all_ended
from envsuite.core.files import write_atomic
from envsuite.core.jit import kernel
from envsuite.evaluation.records import machine
from envsuite.testing.traces import batch_env, random_actions

INSTANCES = 4096
HOVER = ["envsuite/QuadHover-v0", "envsuite/QuadHoverGPD-v0", "envsuite/QuadMultiHover-v0"]
REPEATS = 7

FIRST_USE = """
import time
import gymnasium, envsuite, numpy
started = time.perf_counter()
env = gymnasium.make_vec({id!r}, num_envs=64)
env.reset(seed=0)
env.step(env.action_space.sample())
print(time.perf_counter() - started)
"""


def seconds_per_call(call: Callable[[], object], budget: float = 0.25) -> float:
    """Median over repeats of the mean time of a call."""
    call()
    started = time.perf_counter()
    call()
    count = max(1, int(budget / max(time.perf_counter() - started, 1e-7)))
    means = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        for _ in range(count):
            call()
        means.append((time.perf_counter() - started) / count)
    return float(np.median(means))


def vector(env_id: str, num_envs: int, threads: int, *, copy: bool = True):
    """A batch environment after its first reset, and actions for it."""
    card = envsuite.card(env_id)
    env = batch_env(card, num_envs, num_threads=threads, copy=copy)
    env.reset(seed=0)
    return env, random_actions(card, 1, num_envs)[0]


def throughput(env_id: str) -> dict[str, float]:
    """Environment steps a second of the batch environment, automatic resets and copies included."""
    rates = {}
    for threads in (1, 2):
        env, actions = vector(env_id, INSTANCES, threads)
        rates[f"{threads} thread"] = INSTANCES / seconds_per_call(partial(env.step, actions))
    return rates


def single(env_id: str) -> dict[str, float]:
    """Steps a second of one instance, with its resets."""
    rates = {}
    card = envsuite.card(env_id)
    actions = random_actions(card, 512, 1)[:, 0]
    for name, env in (("wrapped", gymnasium.make(env_id)), ("unwrapped", gymnasium.make(env_id).unwrapped)):
        env.reset(seed=0)

        def episode_steps(env=env):
            for action in actions:
                _, _, terminated, truncated, _ = env.step(action)
                if terminated or truncated:
                    env.reset()

        rates[name] = len(actions) / seconds_per_call(episode_steps)
    return rates


def overhead(env_id: str) -> dict[str, float]:
    """Microseconds of a vector step beyond the bare kernel, copies included: the same steps from the same state."""
    found = {}
    for num_envs in (1, 64, 1024, INSTANCES):
        env, actions = vector(env_id, num_envs, 1)
        batch, steps = env.batch, max(50, 20_000 // num_envs)
        snapshot, output = env.get_state(), batch.last
        outputs = (output.observations, output.rewards, output.terminated, output.truncated, output.info)
        differences = []
        for _ in range(3 * REPEATS):
            env.set_state(snapshot)
            started = time.perf_counter()
            for _ in range(steps):
                env.step(actions)
            whole = time.perf_counter() - started
            batch.states[:] = snapshot.states
            over, kernel = snapshot.done, 0.0
            for _ in range(steps):
                started = time.perf_counter()
                batch.world.loops.step(batch.states, batch._params, actions, over, batch.horizon, *outputs, 0, num_envs)
                kernel += time.perf_counter() - started
                over = all_ended(output.terminated, output.truncated, batch.world.loops.together)
            differences.append((whole - kernel) / steps)
        found[str(num_envs)] = 1e6 * float(np.median(differences))
    return found


@kernel
def _nothing(
    states, params, actions, restart, horizon, observations, rewards, terminated, truncated, info, start, stop
):
    """A kernel that leaves everything as it is."""


def front_end(env_id: str) -> dict[str, float]:
    """Microseconds of a vector step beyond a kernel that does nothing: checks, fresh arrays, flags, infos.

    Unlike `overhead` it does not count what a kernel's own memory traffic does to the processor's caches.
    """
    found = {}
    for num_envs in (1, 64, 1024, INSTANCES):
        env, actions = vector(env_id, num_envs, 1)
        batch, output = env.batch, env.batch.last
        arrays = (output.observations, output.rewards, output.terminated, output.truncated, output.info)
        batch._loops = replace(batch._loops, step=_nothing)
        bare = partial(_nothing, batch.states, batch._params, actions, batch.done, 0, *arrays, 0, num_envs)
        found[str(num_envs)] = 1e6 * (seconds_per_call(partial(env.step, actions)) - seconds_per_call(bare))
    return found


def first_use(env_id: str) -> dict[str, float]:
    """Seconds from `make_vec` to the first step in a new process: nothing compiled yet, and from the cache."""
    found = {}
    with tempfile.TemporaryDirectory() as cache:
        for name in ("compiling", "cached"):
            done = subprocess.run(
                [sys.executable, "-c", FIRST_USE.format(id=env_id)],
                env={**os.environ, "ENVSUITE_CACHE_DIR": cache},
                capture_output=True,
                text=True,
                check=True,
            )
            found[name] = float(done.stdout)
    return found


def main() -> None:
    """Measure, print, write."""
    result = {
        "machine": machine(),
        "versions": {name: version(name) for name in ("numpy", "numba", "gymnasium", "pettingzoo")},
        "instances": INSTANCES,
    }
    print(f"{'environment':<30}{'1 thread':>12}{'2 threads':>12}{'scaling':>9}{'single':>12}{'wrapped':>12}"
          f"{'compile s':>11}{'cached s':>10}")  # fmt: skip
    for env_id in [envsuite.card(name).id for name in sys.argv[1:]] or HOVER:
        rates, one, use = throughput(env_id), single(env_id), first_use(env_id)
        extra, alone = overhead(env_id), front_end(env_id)
        result[env_id] = {"steps_per_second": rates, "single": one, "first_use": use}
        result[env_id] |= {"overhead_us": extra, "front_end_us": alone}
        print(
            f"{env_id:<30}{rates['1 thread']:>12,.0f}{rates['2 thread']:>12,.0f}"
            f"{rates['2 thread'] / rates['1 thread']:>9.2f}{one['unwrapped']:>12,.0f}{one['wrapped']:>12,.0f}"
            f"{use['compiling']:>11.2f}{use['cached']:>10.2f}"
        )
        for name, found in (("overhead", extra), ("front end alone", alone)):
            print(f"    {name} (us a vector step) at n instances:", {n: round(us, 1) for n, us in found.items()})
    folder = Path(__file__).parent / "results"
    folder.mkdir(exist_ok=True)
    write_atomic(folder / "speed.json", json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
