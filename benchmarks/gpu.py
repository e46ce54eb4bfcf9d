"""Environments and learners on a GPU: agreement with the processor, steps a second, training.

Run by hand on a machine with an NVIDIA GPU and the extras ``cuda`` and ``baselines``:

    python benchmarks/gpu.py agree [ID ...]    # every world's kernels; the largest error over single steps
    python benchmarks/gpu.py steps [ID ...]    # environment steps a second beside the processor's
    python benchmarks/gpu.py train [ID ...]    # PPO wholly on the device beside the processor
    python benchmarks/gpu.py same [ID ...]     # rounds recorded as a CUDA graph learn the same
    python benchmarks/gpu.py settle [SEED ...] # seconds until drones settle

Each writes its part of ``benchmarks/results/gpu.json`` with the machine, as soon as it has a number.
"""

import itertools
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import numpy as np

import envsuite
from envsuite.cards import EnvCard
from envsuite.core.files import write_atomic
from envsuite.core.world import make_world
from envsuite.evaluation.records import machine
from envsuite.testing.traces import batch_env, random_actions

sys.path.insert(0, str(Path(__file__).parents[1] / "baselines"))
RESULT = Path(__file__).parent / "results" / "gpu.json"
STEPPED = (
    *("QuadHover", "QuadMultiHover", "MazePointLarge", "Duel", "Bulwark-L1", "CoinGame", "MOConnect4"),
    *("Hopper", "HalfCheetah", "ClothHanging"),
)
COUNTS = (1024, 16_384, 131_072)
HOST = 1024  # instances on the processor, a batch that it likes
TRAINED = ("QuadHover", "MazePointUmazeDense", "Duel")
PATIENCE = float(os.environ.get("PATIENCE", "900"))  # seconds for one world


def report(part: str, name: str, found: dict) -> None:
    """Print a finding and add it to the results."""
    print(part, name, json.dumps(found), flush=True)
    results = json.loads(RESULT.read_text()) if RESULT.is_file() else {}
    results["machine"] = machine()
    results.setdefault(part, {})[name] = found
    write_atomic(RESULT, json.dumps(results, indent=2) + "\n")


def kernels() -> dict[str, int]:
    """One environment for each set of kernels, and how many environments it stands for."""
    groups: dict[tuple, list[str]] = {}
    for card in envsuite.cards().values():
        world = None if card.engine else make_world(card.world, **card.options)
        if world is not None and world.loops.prepare is None:
            kinds = (world.state_dtype, world.params.dtype, world.info_dtype)
            groups.setdefault((world.loops.reset, world.loops.step, *kinds), []).append(card.id)
    # what compiles longest comes first, so that no core waits for it in the end
    heavy = ("locomotion", "manipulation", "mazes", "fighting")
    chosen = sorted(groups.values(), key=lambda ids: envsuite.card(ids[0]).family not in heavy)
    return {ids[0]: len(ids) for ids in chosen}


def agreement(env_id: str) -> None:
    """Print the largest error of one environment's steps, as JSON."""
    from envsuite.testing.cuda import compare

    started = time.perf_counter()
    while True:
        try:
            worst = compare(envsuite.card(env_id), tolerance=np.inf)
            break
        except Exception as error:
            # the driver keeps memory for each thread that could be running, and other worlds have theirs
            if "OUT_OF_MEMORY" not in str(error) or time.perf_counter() - started > PATIENCE:
                raise
            time.sleep(1.0)
    print(json.dumps({"largest error": worst, "seconds": time.perf_counter() - started}))


def agree(ids: list[str]) -> None:
    """Compare every world, several at once, each in a process of its own."""

    def one(env_id: str) -> tuple[str, dict]:
        command = [sys.executable, "-W", "ignore", __file__, "one", env_id]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return env_id, {"failed": f"more than {PATIENCE} s"}
        if done.returncode:
            return env_id, {"failed": done.stderr.strip().splitlines()[-1][:300]}
        return env_id, json.loads(done.stdout.splitlines()[-1])

    counts = kernels()
    chosen = ids or list(counts)
    with ThreadPoolExecutor(max(1, (os.cpu_count() or 2) - 1)) as pool:
        for work in as_completed([pool.submit(one, env_id) for env_id in chosen]):
            env_id, found = work.result()
            report("agreement", env_id, found | {"environments": counts.get(envsuite.card(env_id).id, 1)})


def rate(step: Callable[[], object], wait: Callable[[], object], steps: int, seconds: float = 1.0) -> float:
    """Environment steps a second of a call that makes `steps` of them; the median of three turns."""
    for _ in range(4):  # kernels are compiled, those of ends of episodes too
        step()
    wait()
    found = []
    for _ in range(3):
        started, calls = time.perf_counter(), 0
        while time.perf_counter() - started < seconds / 3:
            for _ in range(2):
                step()
            wait()
            calls += 2
        found.append(steps * calls / (time.perf_counter() - started))
    return float(np.median(found))


def playing(env: Any, actions: Iterable[Any]) -> Callable[[], object]:
    """What takes a step, with each of the actions in turn."""
    turns = itertools.cycle(actions)
    return lambda: env.step(next(turns))


def device_rates(card: EnvCard) -> dict[str, float]:
    """Steps a second on the GPU, random actions, automatic resets; what compiling took."""
    from numba import cuda

    from envsuite.core.cuda import CudaVectorEnv

    found, options = {}, {"max_episode_steps": card.horizon, "autoreset_mode": "SameStep", **card.options}
    for count in COUNTS:
        started = time.perf_counter()
        env = CudaVectorEnv(card.world, count, **options)
        env.reset(seed=0)
        actions = [cuda.to_device(np.ascontiguousarray(one)) for one in random_actions(card, 8, count)]
        env.step(actions[0])
        cuda.synchronize()
        found.setdefault("first use (s)", time.perf_counter() - started)
        found[f"gpu {count}"] = rate(playing(env, actions), cuda.synchronize, count)
    return found


def host_rate(card: EnvCard) -> dict[str, float]:
    """Steps a second of one thread of the processor."""
    env = batch_env(card, HOST, num_threads=1, copy=False)
    env.reset(seed=0)
    found = rate(playing(env, random_actions(card, 8, HOST)), lambda: None, HOST)
    env.close()
    return {"one thread": found}


def steps(ids: list[str]) -> None:
    """Measure steps a second."""
    for name in ids or STEPPED:
        card = envsuite.card(name)
        report("steps", name, device_rates(card) | host_rate(card))


def train(ids: list[str]) -> None:
    """Measure PPO with two layers of 64: environment steps played and learned from, a second."""
    import torch
    from ppo import PPO, PPOConfig

    fixed = {"total_steps": 1 << 40, "hidden": (64, 64), "stages": (), "num_steps": 16, "evaluations": 1, "threads": 1}
    for name in ids or TRAINED:
        found: dict[str, dict] = {}
        for device, count in (("cuda", 1024), ("cuda", 8192), ("cuda", 65_536), ("cpu", 512)):
            wait = torch.cuda.synchronize if device == "cuda" else lambda: None
            for way in ("graph", "kernel by kernel") if device == "cuda" else ("",):
                trainer = PPO(PPOConfig.for_env(name, device=device, num_envs=count, **fixed))
                trainer.graph = trainer.graph if way == "graph" else None
                one = {"steps a second": rate(trainer.iterate, wait, 16 * count, 3.0)}
                if way != "graph":
                    one |= shares(trainer, wait)
                if device == "cuda":
                    one |= profile(trainer)
                found[f"{device} {count} {way}".strip()] = one
                print(name, device, count, way, one, flush=True)
        report("training", name, found)


def shares(trainer, wait: Callable[[], object]) -> dict[str, float]:
    """Seconds that a round takes to collect and to learn."""
    times = [time.perf_counter()]
    batch = trainer.collect()
    wait()
    times.append(time.perf_counter())
    trainer.update(batch)
    wait()
    times.append(time.perf_counter())
    return {"collecting (s)": times[1] - times[0], "learning (s)": times[2] - times[1]}


def same(ids: list[str]) -> None:
    """Check that recorded rounds learn what rounds kernel by kernel learn: the largest difference of parameters."""
    from ppo import PPO, PPOConfig

    for name in ids or TRAINED:
        trained = []
        for graph in (True, False):
            trainer = PPO(PPOConfig.for_env(name, device="cuda", num_envs=256, num_steps=16, stages=()))
            trainer.graph = trainer.graph if graph else None
            for _ in range(6):
                trainer.iterate()
            trained.append((trainer.steps, [one.detach().cpu().numpy() for one in trainer.agent.parameters()]))
        gap = max(float(np.abs(a - b).max()) for a, b in zip(trained[0][1], trained[1][1], strict=True))
        report("recorded", name, {"steps": [one[0] for one in trained], "largest difference": gap})


SETTLING = {
    "the processor's settings": {},
    "1024 instances": {"num_envs": 1024, "scale": 8},
    "2048 instances, 8 steps": {"num_envs": 2048, "num_steps": 8, "scale": 8},
}


def settle(seeds: list[str]) -> None:
    """Train drones to settle, wholly on the GPU: seconds, and the share of 100 episodes."""
    import hover_training
    from ppo import PPO, PPOConfig

    def train(seed: int, settings: dict) -> dict[str, float]:
        return hover_training.train(PPO, PPOConfig.for_env(hover_training.ENV, seed=seed, **settings))

    for name, changes in SETTLING.items():
        settings = {**hover_training.BEFORE, "device": "cuda", **changes}
        scale = settings.pop("scale", 1)
        settings["total_steps"] *= scale
        settings["stages"] = [one | {"step": one["step"] * scale} for one in settings["stages"]]
        train(0, {**settings, "total_steps": 4 * settings["num_envs"] * 16, "stages": []})
        runs = [train(int(seed), settings) for seed in seeds or range(3)]
        report("settling", name, {"settings": settings, "runs": runs})


def profile(trainer) -> dict[str, float]:
    """Share of the time that the GPU is busy in one round, and how many kernels it starts."""
    import torch

    started = time.perf_counter()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as found:
        trainer.iterate()
        torch.cuda.synchronize()
    spent = time.perf_counter() - started
    events = [one for one in found.events() if one.device_type == torch.autograd.DeviceType.CUDA]
    busy = sum(one.device_time for one in events) / 1e6
    print(found.key_averages().table(sort_by="self_cuda_time_total", row_limit=12, max_name_column_width=60))
    return {"kernels": len(events), "busy (s)": busy, "profiled (s)": spent}


def main() -> None:
    """Do what the command line says."""
    what, ids = (sys.argv[1] if len(sys.argv) > 1 else ""), sys.argv[2:]
    if what == "one":
        agreement(ids[0])
    elif what in (ways := {"agree": agree, "steps": steps, "train": train, "same": same, "settle": settle}):
        ways[what](ids)
    else:
        raise SystemExit(f"expected one of {[*ways]}, got {what!r}")


if __name__ == "__main__":
    main()
