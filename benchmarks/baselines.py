"""The baselines on a CartPole world as `envsuite new` writes it, beside Stable-Baselines3 on Gymnasium's CartPole.

Run by hand: ``python benchmarks/baselines.py [speed] [ppo] [sb3] [pqn] [dqn]``, all by default. ``speed`` measures
training throughput in turn in one process, in processor time, which other programs on the machine disturb least. The
others train ten seeds of an algorithm for 300,000 steps, ``sb3`` Stable-Baselines3's PPO for the 100,000 steps of RL
Zoo. Writes ``benchmarks/results/baselines.json``.
"""

import json
import os
import sys
import tempfile
import time
import warnings
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from cartpole import new_world

from envsuite.core.files import write_atomic
from envsuite.evaluation.records import machine
from envsuite.registry import register

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "baselines"))

RESULTS = Path(__file__).parent / "results" / "baselines.json"
ROUNDS = 3
SEEDS = range(10)
GOAL = 475.0  # of 500; where Gymnasium says that CartPole-v1 is solved
STEPS = 300_000
SETTINGS: dict[str, dict[str, Any]] = {
    "ppo_compiled": {
        **{"num_envs": 64, "num_steps": 16, "epochs": 4, "minibatches": 4, "learning_rate": 3e-3, "gamma": 0.99},
        "total_steps": 60_000,
    },
    "ppo": {"num_envs": 64, "num_steps": 32, "epochs": 4, "minibatches": 4, "learning_rate": 2.5e-3, "gamma": 0.99},
    "dqn": {
        **{"num_envs": 16, "updates": 0.125, "learning_rate": 5e-4, "final_rate": 0.0, "batch_size": 128},
        **{"first_steps": 2_000, "target_every": 1_000, "explore": 0.16, "final_explore": 0.04},
    },
    "pqn": {"num_envs": 16, "num_steps": 32, "epochs": 4, "minibatches": 4, "learning_rate": 1e-3, "hidden": (64, 64)},
}
"""Found by hand in a few runs of each."""

NAMES = {"ppo_compiled": "CompiledPPO", "ppo": "PPO", "dqn": "DQN", "pqn": "PQN"}
ZOO: dict[str, Any] = {"n_steps": 32, "batch_size": 256, "n_epochs": 20, "gamma": 0.98, "gae_lambda": 0.8}
"""RL Zoo's settings of PPO on CartPole, with 8 instances; its step size of 1e-3 and its clip range of 0.2 fall to 0."""
ZOO_STEPS = 100_000


def trainer(name: str, env_id: str, **changes: Any) -> Any:
    """A trainer with the settings above."""
    module = import_module(name)
    settings = {"env_id": env_id, "threads": 1, "total_steps": STEPS, **SETTINGS[name], **changes}
    return getattr(module, NAMES[name])(getattr(module, f"{NAMES[name]}Config")(**settings))


def rate_of_ours(env_id: str, num_envs: int, **changes: Any) -> float:
    """Environment steps a second of processor time, evaluation left out."""
    made = trainer("ppo", env_id, num_envs=num_envs, **changes)
    made.iterate()
    first, started = made.steps, time.process_time()
    while time.process_time() - started < 4.0:
        made.iterate()
    return (made.steps - first) / (time.process_time() - started)


def gymnasiums(count: int) -> Any:
    """Gymnasium's CartPole as Stable-Baselines3 takes it."""
    from stable_baselines3.common.vec_env import DummyVecEnv

    return DummyVecEnv([lambda: gymnasium.make("CartPole-v1")] * count)


def rate_of_sb3(env: Any, **settings: Any) -> float:
    """The same of Stable-Baselines3's PPO."""
    from stable_baselines3 import PPO

    model = PPO("MlpPolicy", env, device="cpu", seed=0, **settings)
    size = settings["n_steps"] * env.num_envs
    model.learn(size)
    done, started = 0, time.process_time()
    while time.process_time() - started < 4.0:
        model.learn(4 * size, reset_num_timesteps=False)
        done += 4 * size
    return done / (time.process_time() - started)


def speed(env_id: str) -> dict[str, Any]:
    """Throughput of each, the median of rounds, and the median ratios to ours with 64 instances."""
    from envsuite.adapters.sb3 import SB3VecEnv

    torch.set_num_threads(1)

    same = {"n_steps": 32, "batch_size": 512, "n_epochs": 4, "learning_rate": 2.5e-3}
    cases = {
        "envsuite, 64 instances": lambda: rate_of_ours(env_id, 64),
        "envsuite, 256 instances": lambda: rate_of_ours(env_id, 256),
        "envsuite, 8 instances, 20 epochs": lambda: rate_of_ours(env_id, 8, epochs=20, minibatches=1),
        "SB3, 8 instances, 20 epochs (RL Zoo)": lambda: rate_of_sb3(gymnasiums(8), **ZOO),
        "SB3, 64 instances, settings of ours": lambda: rate_of_sb3(gymnasiums(64), **same),
        "SB3 on our VecEnv, 64 instances": lambda: rate_of_sb3(SB3VecEnv(env_id, 64), **same),
    }
    table = np.array([[case() for case in cases.values()] for _ in range(ROUNDS)])
    found = {}
    for k, name in enumerate(cases):
        ratio = float(np.median(table[:, 0] / table[:, k]))
        found[name] = {"steps_per_second": float(np.median(table[:, k])), "ratio": ratio}
        print(f"{name:<40}{found[name]['steps_per_second']:>12,.0f}{ratio:>8.1f}", flush=True)
    return found


def cartpole(name: str, env_id: str) -> dict[str, Any]:
    """When each seed of an algorithm first has a mean return of 475, and where it ends."""
    rows = []
    if name in NAMES:
        trainer(name, env_id).iterate()  # compiles
    for seed in SEEDS:
        events = zoo(seed) if name == "sb3" else ours(name, env_id, seed)
        first = next(((step, spent) for step, score, spent in events if score >= GOAL), (None, None))
        rows.append({"seed": seed, "step": first[0], "seconds": first[1], "final": events[-1][1]})
        print(name, rows[-1], flush=True)
    solved = sum(row["step"] is not None for row in rows)
    print(f"{name}: {solved} of {len(rows)} seeds reached {GOAL:g}", flush=True)
    return {"solved": solved, "runs": rows}


def ours(name: str, env_id: str, seed: int) -> list[tuple[int, float, float]]:
    """Steps, mean return of 100 episodes and training time (s), after each fifteenth of the steps."""
    events: list[tuple[int, float, float]] = []

    def log(step: int, episodes: Any, **numbers: float) -> None:
        events.append((step, numbers["mean_return"], numbers["training_time"]))

    trainer(name, env_id, seed=seed, evaluations=15).train(log)
    return events


def zoo(seed: int) -> list[tuple[int, float, float]]:
    """The same of Stable-Baselines3's PPO with RL Zoo's settings."""
    from stable_baselines3 import PPO
    from stable_baselines3.common.evaluation import evaluate_policy

    def falling(first: float) -> Any:
        return lambda left: first * left

    events: list[tuple[int, float, float]] = []
    schedules = {"learning_rate": falling(1e-3), "clip_range": falling(0.2)}
    model = PPO("MlpPolicy", gymnasiums(8), device="cpu", seed=seed, **ZOO, **schedules)
    clock = {"spent": 0.0, "since": time.perf_counter()}
    test = gymnasiums(20)
    test.seed(10_000)

    def callback(values: dict, _: dict) -> bool:
        step = values["self"].num_timesteps
        if step >= 20_000 * (len(events) + 1):
            clock["spent"] += time.perf_counter() - clock["since"]
            score = float(evaluate_policy(model, test, n_eval_episodes=100)[0])
            events.append((step, score, clock["spent"]))
            clock["since"] = time.perf_counter()
        return True

    model.learn(ZOO_STEPS, callback=callback)
    return events


def main() -> None:
    """Measure what was asked for, print, write."""
    warnings.simplefilter("ignore")
    asked = sys.argv[1:] or ["speed", *SETTINGS, "sb3"]
    result = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.is_file() else {}
    names = ("numpy", "numba", "gymnasium", "torch", "stable-baselines3")
    result |= {"machine": machine(), "versions": {name: version(name) for name in names}}
    with tempfile.TemporaryDirectory() as folder:
        new_world(folder)
        card = import_module("benched.toys.pole_on_cart.cards").CARDS[0]
        register(card)
        for name in asked:
            if name == "speed":
                result["speed"] = speed(card.id)
            else:
                result.setdefault("cartpole", {})[name] = cartpole(name, card.id)
            RESULTS.parent.mkdir(exist_ok=True)
            write_atomic(RESULTS, json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
