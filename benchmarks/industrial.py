"""Industrial plants beside their originals, in one run on one core: agreement, returns of random play, rates.

    python benchmarks/industrial.py --neorl2 FOLDER --benchmark FOLDER [--plants NAME...]

``--neorl2`` names a folder that holds the package ``neorl2`` (github.com/polixir/NeoRL2), ``--benchmark`` one that
holds ``industrial_benchmark_python`` (2.0, from the package index). What the originals need (PyTorch, Box2D,
matplotlib, SciPy, MuJoCo) has to be installed beside this project. Plants whose folder is not given are left out.
Results are written to ``benchmarks/results/industrial.json``. Rates are by processor time, of random actions; original
and ours take turns of a fraction of a second, and the medians count.
"""

import argparse
import importlib
import json
import platform
import statistics
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.single import WorldEnv
from envsuite.core.vector import WorldVectorEnv
from envsuite.core.world import make_world
from envsuite.evaluation.rollout import play, random_policy

RESULTS = Path(__file__).parent / "results" / "industrial.json"
INSTANCES, TURNS, SECONDS = 1024, 21, 0.3
EPISODES = {
    "Pipeline": 500,
    "DMSD": 1000,
    "RocketRecovery": 1000,
    "IndustrialBenchmark": 100,
    "RandomFrictionHopper": 1000,
    "SafetyHalfCheetah": 30,
}


def pipeline() -> Any:
    """NeoRL-2's pipeline."""
    return importlib.import_module("neorl2.envs.pipline").PipelineEnv()  # codespell:ignore pipline


def dmsd() -> Any:
    """NeoRL-2's masses."""
    return importlib.import_module("neorl2.envs.dmsd").DoubleMassSpringDamperEnv()


def rocket() -> Any:
    """NeoRL-2's rocket, without the particles that its pictures have."""
    module = importlib.import_module("neorl2.envs.rocketrecovery")
    module.np = numpy_with(clip=_plain(np.clip), sign=_plain(np.sign))  # Box2D takes no numbers of NumPy 2
    return module.RocketRecoveryEnv(render_mode=None)


def hopper() -> Any:
    """NeoRL-2's hopper, which reads a body from a file at every reset."""
    return importlib.import_module("neorl2.envs.randomfrictionhopper").RandomFrictionHopperEnv()


def half_cheetah() -> Any:
    """NeoRL-2's half cheetah with a limit of speed."""
    return importlib.import_module("neorl2.envs.safetyhalfcheetah").SafetyHalfCheetahEnv()


def numpy_with(**others: Any) -> types.SimpleNamespace:
    """NumPy with other functions in places."""
    return types.SimpleNamespace(**{name: getattr(np, name) for name in dir(np) if name[0] != "_"} | others)


def _plain(function: Callable) -> Callable:
    """A function that gives Python's numbers for numbers."""
    return lambda x, *rest: float(function(x, *rest)) if np.ndim(x) == 0 else function(x, *rest)


class Benchmark:
    """Siemens' plant with 30 frames, through the interface of the others."""

    def __init__(self):
        ids = importlib.import_module("industrial_benchmark_python.IDS")
        ids.np = numpy_with(float=float)  # gone from NumPy
        self._make, self._frames = ids.IDS, np.zeros((30, 6))

    def reset(self) -> Any:
        """A new plant."""
        self._plant = self._make(70, inital_seed=np.random.default_rng().integers(2**31))
        self._frames[:] = self._plant.visibleState()[:-2]
        return self._frames, {}

    def step(self, action: np.ndarray) -> tuple[Any, float, bool, bool, dict]:
        """A step."""
        self._plant.step(action)
        self._frames = np.concatenate([self._plant.visibleState()[:-2][None], self._frames[:-1]])
        return self._frames, self._plant.state["reward"], False, False, {}


ORIGINALS: dict[str, tuple[str, Callable[[], Any]]] = {
    "Pipeline": ("neorl2", pipeline),
    "DMSD": ("neorl2", dmsd),
    "RocketRecovery": ("neorl2", rocket),
    "RandomFrictionHopper": ("neorl2", hopper),
    "SafetyHalfCheetah": ("neorl2", half_cheetah),
    "IndustrialBenchmark": ("benchmark", Benchmark),
}


def original_returns(env: Any, size: int, horizon: int, episodes: int) -> np.ndarray:
    """Returns of random play."""
    draw, returns = np.random.default_rng(0), []
    for _ in range(episodes):
        env.reset()
        total = 0.0
        for _ in range(horizon):
            _, reward, terminated, *_ = env.step(draw.uniform(-1, 1, size).astype(np.float32))
            total += float(reward)
            if terminated:
                break
        returns.append(total)
    return np.array(returns)


def turn(step: Callable[[int], Any], count: int) -> float:
    """Steps a second in one turn."""
    started, done = time.process_time(), 0
    while time.process_time() - started < SECONDS:
        step(done)
        done += 1
    return done * count / (time.process_time() - started)


def one_by_one(env: Any, rows: np.ndarray, horizon: int) -> Callable[[int], None]:
    """Steps of one environment, resets at the end of its episodes included."""
    left = 0

    def step(k: int) -> None:
        nonlocal left
        if left == 0:
            env.reset()
            left = horizon
        left = 0 if env.step(rows[k % len(rows), k % INSTANCES])[2] else left - 1

    return step


def rates(card: envsuite.EnvCard, env: Any, size: int) -> dict[str, float]:
    """Steps a second of the original, of a batch, whose resets are automatic, and of one instance."""
    horizon = card.horizon or 0
    rows = np.random.default_rng(0).uniform(-1, 1, (16, INSTANCES, size)).astype(np.float32)
    batch = WorldVectorEnv(card.world, num_envs=INSTANCES, num_threads=1, copy=False, max_episode_steps=horizon)
    batch.reset(seed=0)
    players: dict[str, tuple[Callable[[int], Any], int]] = {
        "original": (one_by_one(env, rows, horizon), 1),
        "batch": (lambda k: batch.step(rows[k % len(rows)]), INSTANCES),
        "one instance": (one_by_one(WorldEnv(card.world), rows, horizon), 1),
    }
    turns = [{name: turn(*player) for name, player in players.items()} for _ in range(TURNS)]
    return {name: statistics.median(one[name] for one in turns) for name in players}


def agreement(name: str) -> float | None:
    """Largest difference of observations and rewards over episodes, from the original's starts and with its demands."""
    if name not in ("Pipeline", "DMSD"):
        return None  # the tests of the family hold the others, under the same draws
    card, env, draw, worst = envsuite.card(name), ORIGINALS[name][1](), np.random.default_rng(1), 0.0
    for seed in range(5):
        env.reset(seed=seed)
        batch = Batch(make_world(card.world, **({"switch": 0.0} if name == "Pipeline" else {})), 1)
        batch.seed([seed])
        batch.reset()
        state = batch.states[0]
        if name == "Pipeline":
            state["pipe"], state["arrived"] = float(env.watergate_flow), float(env.watergate_flow)
        else:
            state["x"], state["v"] = env.state[:2], env.state[2:]
            state["targets"] = env._targets[[0, -1]].T
        for _ in range(card.horizon or 0):
            action = draw.uniform(-1, 1, batch.world.action.shape).astype(np.float32)
            seen, reward, *_ = env.step(action.copy())
            if name == "Pipeline":
                state["target"] = env.target_flow_rate
            output = batch.step(action[None])
            worst = max(worst, float(abs(output.observations[0] - seen).max()), abs(float(output.rewards[0] - reward)))
    return worst


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description="Industrial plants beside their originals.")
    parser.add_argument("--neorl2", help="folder that holds the package neorl2")
    parser.add_argument("--benchmark", help="folder that holds industrial_benchmark_python")
    parser.add_argument("--plants", nargs="+", default=list(ORIGINALS), choices=list(ORIGINALS), help="which of them")
    given = vars(parser.parse_args())
    plants = given.pop("plants")
    sys.path[:0] = [folder for folder in given.values() if folder]
    found: dict[str, Any] = json.loads(RESULTS.read_text()) if RESULTS.is_file() else {}
    found["machine"] = {"processor": platform.processor() or platform.machine(), "python": platform.python_version()}
    for name in plants:
        package, make = ORIGINALS[name]
        if not given[package]:
            continue
        card = envsuite.card(name)
        size = make_world(card.world).action.shape[0]
        env = make()
        theirs = original_returns(env, size, card.horizon or 0, EPISODES[name])
        here = play(card, random_policy, 2000).returns
        steps = rates(card, env, size)
        found[name] = {
            "largest difference over an episode": agreement(name),
            "random returns": {
                "original": [theirs.mean(), theirs.std(ddof=1), len(theirs)],
                "here": [here.mean(), here.std(ddof=1), len(here)],
            },
            "steps a second": steps,
            "times as fast": {kind: steps[kind] / steps["original"] for kind in ("batch", "one instance")},
        }
        print(name, json.dumps(found[name]), flush=True)
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
