"""How long PPO takes until a drone settles: training in seconds, from the first step to the finished policy.

Run by hand, on an idle machine: ``python benchmarks/hover_training.py [SEED...]``. The settings are those that get
there soonest; those of ``baselines/ppo.toml`` take four times as many steps and score higher. Learning to Fly in
Seconds (Eschmann et al., RA-L 2024) reports 18 s on a laptop. Writes ``benchmarks/results/hover_training.json``.
"""

import json
import sys
import time
from pathlib import Path

from envsuite.core.files import write_atomic
from envsuite.evaluation.records import machine

sys.path.insert(0, str(Path(__file__).parents[1] / "baselines"))
from ppo import PPO, PPOConfig

SETTINGS = {
    "total_steps": 1_100_000,
    "num_envs": 128,
    "num_steps": 16,
    "epochs": 2,
    "minibatches": 3,
    "learning_rate": 2e-3,
    # weights that make no place in the box worse than crashing come first
    "stages": [
        {"step": 450_000, "set_reward_weights": {"position": 10.0, "velocity": 0.1, "action": 0.1}},
        {"step": 700_000, "set_reward_weights": {"position": 20.0, "velocity": 0.3, "action": 0.3}},
    ],
    "evaluations": 1,
    "threads": 1,
}


def train(seed: int, **changes) -> dict[str, float]:
    """Train once, and evaluate on 100 episodes."""
    trainer = PPO(PPOConfig.for_env("QuadHover", seed=seed, **{**SETTINGS, **changes}))
    started = time.perf_counter()
    _, episodes = trainer.train()
    return {
        "seed": seed,
        "training (s)": trainer.training_time,
        "with the evaluation (s)": time.perf_counter() - started,
        "settled": float(episodes.metrics["is_success"].mean()),
        "mean return": float(episodes.returns.mean()),
    }


def main() -> None:
    """Train, print, write."""
    train(0, total_steps=10_000, stages=[])  # the first steps of a process read compiled kernels
    runs = []
    for seed in [int(seed) for seed in sys.argv[1:]] or range(5):
        runs.append(train(seed))
        print(", ".join(f"{name} {value:.4g}" for name, value in runs[-1].items()), flush=True)
    folder = Path(__file__).parent / "results"
    folder.mkdir(exist_ok=True)
    result = {"machine": machine(), "settings": SETTINGS, "runs": runs}
    write_atomic(folder / "hover_training.json", json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
