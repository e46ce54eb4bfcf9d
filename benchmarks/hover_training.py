"""How long PPO takes until a drone settles: training in seconds, from the first step to the finished policy.

    python benchmarks/hover_training.py [--seeds 10] [--rltools BINARY]

Wants a machine with nothing else to do. Everything is measured in one run:

- compiled PPO with the settings of ``baselines/ppo_compiled.toml``, all seeds;
- PPO in PyTorch with the settings that got there soonest before, three seeds, and Stable-Baselines3's PPO with the same
  settings, curriculum and networks, one seed, on one thread each;
- where the time goes;
- RLtools' own training of a quadcopter, if its program is given: ``src/rl/zoo`` of rl-tools, built with
  ``-O3 -march=native -ffast-math``, OpenBLAS, TD3, L2F and RL_TOOLS_RL_ZOO_BENCHMARK. Two lines are changed so that it
  learns to hover: ``l2f/td3.h`` names ENVIRONMENT_FACTORY instead of ENVIRONMENT_TINY_FACTORY, and the amplitudes A
  and B in ``parameters/trajectories/lissajous.h`` are 0. Its policy is then evaluated as ours are;
- rollouts of a perceptron, between whose steps there is Python, or not.

Learning to Fly in Seconds (Eschmann et al., RA-L 2024) reports 18 s on a laptop. Writes
``benchmarks/results/hover_training.json`` and the tables ``docs/_tables/seconds.md``.
"""

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "baselines"))

import torch
from ppo import PPO, PPOConfig
from ppo_compiled import CompiledPPO, CompiledPPOConfig
from tables import table
from torch import nn

import envsuite
import envsuite.torch
from envsuite.core.batch import Batch
from envsuite.core.files import write_atomic
from envsuite.core.world import make_world
from envsuite.evaluation.records import machine
from envsuite.evaluation.rollout import play

ENV = "envsuite/QuadHover-v0"
BEFORE = {
    "total_steps": 1_100_000,
    "num_envs": 128,
    "num_steps": 16,
    "epochs": 2,
    "minibatches": 3,
    "learning_rate": 2e-3,
    "stages": [
        {"step": 450_000, "set_reward_weights": {"position": 10.0, "velocity": 0.1, "action": 0.1}},
        {"step": 700_000, "set_reward_weights": {"position": 20.0, "velocity": 0.3, "action": 0.3}},
    ],
    "evaluations": 1,
    "threads": 1,
}
"""The settings in PyTorch that got there soonest; those of ``ppo.toml`` take four times as many steps."""
VEHICLE = "l2f_cf2024"
"""RLtools' Crazyflie."""
PAGE = Path(__file__).parents[1] / "docs" / "_tables" / "seconds.md"


def processor() -> float:
    """Seconds of processor time of this process and of those that it waited for."""
    return sum(
        one.ru_utime + one.ru_stime
        for one in (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    )


def measured(episodes: Any) -> dict[str, float]:
    """How good a policy is, on 100 episodes."""
    return {
        "settled": float(episodes.metrics["is_success"].mean()),
        "mean length": float(episodes.lengths.mean()),
        "mean return": float(episodes.returns.mean()),
    }


def train(trainer: Any, config: Any) -> dict[str, float]:
    """Train once, and evaluate on 100 episodes."""
    made = trainer(config)
    spent, started = processor(), time.perf_counter()
    _, episodes = made.train()
    whole = time.perf_counter() - started
    found = {"seed": config.seed, "training (s)": made.training_time, "processor (s)": processor() - spent}
    return {**found, "with the evaluation (s)": whole, "steps": made.steps, **measured(episodes)}


class Timed:
    """Adds up the time of methods of an object."""

    def __init__(self):
        self.spent: dict[str, float] = {}

    def watch(self, owner: Any, method: str, name: str) -> None:
        """Count calls of a method under a name."""
        call = getattr(owner, method)

        def timed(*given: Any, **named: Any) -> Any:
            started = time.perf_counter()
            try:
                return call(*given, **named)
            finally:
                self.spent[name] = self.spent.get(name, 0.0) + time.perf_counter() - started

        setattr(owner, method, timed)


def stepping_alone(count: int, steps: int) -> float:
    """Seconds that the kernels take for so many steps of so many instances, hovering."""
    card = envsuite.card(ENV)
    batch = Batch(make_world(card.world, **card.options), count, horizon=card.horizon or 0, reuse=True, num_threads=1)
    batch.seed(np.arange(count))
    batch.reset()
    actions = np.zeros((count, 4), np.float32)
    batch.step(actions)
    started = time.perf_counter()
    for _ in range(200):
        batch.step(actions, batch.done)
    return (time.perf_counter() - started) / 200 * steps / count


def breakdown() -> dict[str, dict[str, float]]:
    """Seconds that the parts of a training take on one thread."""
    parts: dict[str, dict[str, float]] = {}
    made: Any = PPO(PPOConfig.for_env(ENV, seed=0, **BEFORE))
    clock = Timed()
    for owner, method, name in (
        (made.rows, "step", "stepping"),
        (made, "play", "playing"),
        (made, "judge", "judging"),
        (made, "update", "learning"),
        (made, "evaluate", "evaluating"),
    ):
        clock.watch(owner, method, name)
    made.train()
    acting = clock.spent.pop("playing") - clock.spent["stepping"]
    parts["PyTorch"] = {**clock.spent, "acting": acting}
    swift: Any = CompiledPPO(CompiledPPOConfig.for_env(ENV, seed=0, threads=1))
    clock = Timed()
    for owner, method, name in (
        (swift.rollout, "play", "playing"),
        (swift, "judged", "judging"),
        (swift, "learn", "learning"),
        (swift, "evaluate", "evaluating"),
    ):
        clock.watch(owner, method, name)
    swift.train()
    stepping = stepping_alone(swift.config.num_envs, swift.steps)
    acting = clock.spent.pop("playing") - stepping
    parts["compiled"] = {"stepping": stepping, **clock.spent, "acting": acting}
    return parts


def of_sb3(seed: int) -> dict[str, float]:
    """Stable-Baselines3's PPO with the same settings, curriculum and networks."""
    import stable_baselines3
    from stable_baselines3.common.vec_env import VecNormalize

    from envsuite.adapters.sb3 import SB3VecEnv

    torch.set_num_threads(1)
    config = PPOConfig.for_env(ENV, **BEFORE)
    inner = SB3VecEnv(ENV, config.num_envs, **config.env_options)
    env = VecNormalize(inner, gamma=config.gamma)
    rows = config.num_envs * config.num_steps
    model = stable_baselines3.PPO(
        *("MlpPolicy", env),
        n_steps=config.num_steps,
        batch_size=-(-rows // config.minibatches),  # SB3 would learn from two rows that are left
        n_epochs=config.epochs,
        gamma=config.gamma,
        learning_rate=lambda left: config.learning_rate * left,
        policy_kwargs={"net_arch": [*config.hidden], "log_std_init": config.log_std},
        device="cpu",
        seed=seed,
    )
    due = [dict(stage) for stage in config.stages]

    def callback(*_: Any) -> bool:
        while due and model.num_timesteps >= due[0]["step"]:
            inner.env.world.set_reward_weights(due.pop(0)["set_reward_weights"])
        return True

    spent, started = processor(), time.perf_counter()
    model.learn(config.total_steps, callback=callback)
    found = {"seed": seed, "training (s)": time.perf_counter() - started, "processor (s)": processor() - spent}

    class Player:
        def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
            pass

        def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
            return model.predict(env.normalize_obs(observations), deterministic=True)[0]

    episodes = play(envsuite.card(ENV), lambda world, slots: Player(), 100)
    return {**found, "steps": model.num_timesteps, **measured(episodes)}


class OfRltools:
    """Plays a network that RLtools wrote as C++: it sees the last 16 actions, the newest first."""

    def __init__(self, code: str):
        memories = re.findall(r"memory\[\] = \{([^}]*)\}", code)
        *arrays, seen, given = [
            np.array([float.fromhex(one.strip().rstrip("f")) for one in memory.split(",")], np.float32)
            for memory in memories
        ]
        self._layers = [
            (weight.reshape(bias.size, -1).T, bias) for weight, bias in zip(arrays[::2], arrays[1::2], strict=True)
        ]
        example = seen.reshape(-1, len(self._layers[0][0]))
        np.testing.assert_allclose(self._network(example), given.reshape(len(example), -1), atol=1e-5)

    def _network(self, x: np.ndarray) -> np.ndarray:
        for k, (weight, bias) in enumerate(self._layers):
            x = x @ weight + bias
            x = np.maximum(x, 0) if k < len(self._layers) - 1 else np.tanh(x)
        return x

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """It remembers nothing."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions (n, 4)."""
        newest = observations[:, 18:].reshape(len(observations), 32, 4)[:, :15:-1].reshape(len(observations), -1)
        return self._network(np.concatenate([observations[:, :18], newest], 1))


def of_rltools(program: str, seed: int) -> dict[str, float]:
    """RLtools' own training, and its policy in our task with its vehicle."""
    with tempfile.TemporaryDirectory() as folder:
        spent, started = processor(), time.perf_counter()
        told = subprocess.run(
            [Path(program).resolve(), str(seed)], cwd=folder, capture_output=True, text=True, check=True,
            env={"OPENBLAS_NUM_THREADS": "1"},
        ).stdout  # fmt: skip
        found = {"seed": seed, "training (s)": time.perf_counter() - started, "processor (s)": processor() - spent}
        (code,) = Path(folder).rglob("checkpoint.h")
        player = OfRltools(code.read_text(encoding="utf-8"))
    found["mean length in its own task"] = float(re.findall(r"Mean episode length: ([\d.]+)", told)[-1])
    card = envsuite.card(ENV)
    episodes = play(replace(card, options={**card.options, "vehicle": VEHICLE}), lambda world, slots: player, 100)
    return {**found, "steps": int(re.findall(r"Step: \d+/(\d+)", told)[-1]), **measured(episodes)}


def rollouts() -> dict[str, dict[str, float]]:
    """Steps a second of a perceptron of two layers of 64 on one thread, and how much faster than by a distribution."""
    torch.set_num_threads(1)
    found: dict[str, dict[str, float]] = {}
    for count in (64, 1024):
        env = envsuite.torch.make_vec(ENV, count, num_threads=1, copy=False)
        env.reset(seed=0)
        network = nn.Sequential(nn.Linear(146, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 4))
        policy, spread = envsuite.torch.Perceptron(env.world, network), torch.zeros(4)

        def by_distribution(seen: torch.Tensor, network: Any = network, spread: Any = spread) -> Any:
            drawn = torch.distributions.Normal(network(seen), spread.exp())
            actions = drawn.sample()
            return actions.clamp(-1, 1), {"log_prob": drawn.log_prob(actions).sum(-1)}

        cases: dict[str, Callable[[], Any]] = {
            "torch.distributions": lambda env=env: env.rollout(by_distribution, 64),
            "Perceptron, called at each step": lambda env=env, policy=policy: env.rollout(
                lambda seen: policy(seen), 64
            ),
            "Perceptron, compiled": lambda env=env, policy=policy: env.rollout(policy, 64),
        }
        times: dict[str, list[float]] = {name: [] for name in cases}
        for _ in range(7):
            for name, case in cases.items():
                started = time.perf_counter()
                case()
                times[name].append(time.perf_counter() - started)
        first = np.array(times["torch.distributions"])
        found[str(count)] = {
            name: {"steps a second": count * 64 / float(np.median(spent)), "ratio": float(np.median(first / spent))}
            for name, spent in times.items()
        }
    return found


def page(result: dict[str, Any]) -> str:
    """The tables."""
    rows = []
    for name, runs in result["runs"].items():
        for run in runs:
            cells = [f"{run[key]:.1f}" for key in ("training (s)", "processor (s)")]
            cells += [f"{run['settled']:.2f}", f"{run['mean length']:.0f}"]
            rows.append([name, str(run["seed"]), f"{run['steps']:,}", *cells])
    header = ["training", "seed", "steps", "training (s)", "processor (s)", "settled of 100", "mean length of 500"]
    parts = ["stepping", "acting", "judging", "learning", "evaluating"]
    where = [[name, *(f"{spent[part]:.2f}" for part in parts)] for name, spent in result["breakdown"].items()]
    fast = [
        [f"{count} instances, {name}", f"{one['steps a second'] / 1e3:,.0f} k", f"{one['ratio']:.1f}"]
        for count, found in result["rollouts"].items()
        for name, one in found.items()
    ]
    tables = [
        table(header, rows),
        "Seconds on one thread, seed 0:\n\n" + table(["PPO", *parts], where),
        "Rollouts of 64 steps with two layers of 64 units, on one thread:\n\n"
        + table(["rollout", "steps a second", "ratio"], fast),
    ]
    return "\n\n".join(tables) + "\n"


def main() -> None:
    """Train, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10, help="training seeds of compiled PPO, from 0")
    parser.add_argument("--rltools", help="RLtools' program")
    given = parser.parse_args()
    # the first steps of a process read compiled kernels
    train(CompiledPPO, CompiledPPOConfig.for_env(ENV, total_steps=10_000, stages=[]))
    train(PPO, PPOConfig.for_env(ENV, **{**BEFORE, "total_steps": 10_000, "stages": []}))
    runs: dict[str, list[dict[str, float]]] = {}

    def measure(name: str, case: Callable[[], dict[str, float]]) -> None:
        runs.setdefault(name, []).append(case())
        print(name, ", ".join(f"{key} {value:.4g}" for key, value in runs[name][-1].items()), flush=True)

    for seed in range(given.seeds):
        measure("compiled PPO", lambda seed=seed: train(CompiledPPO, CompiledPPOConfig.for_env(ENV, seed=seed)))
        if seed < 3:
            measure("PPO in PyTorch", lambda seed=seed: train(PPO, PPOConfig.for_env(ENV, seed=seed, **BEFORE)))
        if seed < 3 and given.rltools:
            measure("RLtools, TD3", lambda seed=seed: of_rltools(given.rltools, seed))
    measure("PPO of Stable-Baselines3", lambda: of_sb3(0))
    result = {"machine": machine(), "before": BEFORE, "runs": runs, "breakdown": breakdown(), "rollouts": rollouts()}
    folder = Path(__file__).parent / "results"
    folder.mkdir(exist_ok=True)
    write_atomic(folder / "hover_training.json", json.dumps(result, indent=2) + "\n")
    write_atomic(PAGE, page(result))
    print(page(result))


if __name__ == "__main__":
    main()
