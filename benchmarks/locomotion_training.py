"""Time that PPO takes to published scores, here and on Gymnasium's own environments, with the same settings and seeds.

    python benchmarks/locomotion_training.py [TASK ...]

Wants the extras ``torch`` and ``mujoco``. The learner, its settings (``baselines/ppo.toml``) and its evaluation are the
same; only what is stepped differs: the batch of kernels, or as many of Gymnasium's environments in one process
(`gymnasium.vector.SyncVectorEnv`). Counted is the time of training up to the first of the evaluations, 100,000 steps
apart, whose mean return reaches the score; evaluations are not counted. Results are written to
``benchmarks/results/locomotion_training.json``.
"""

import json
import platform
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium.vector import AutoresetMode

sys.path.insert(0, str(Path(__file__).parents[1] / "baselines"))

from ppo import PPO, PPOConfig
from rows import Rows

RESULT = Path(__file__).parent / "results" / "locomotion_training.json"
SCORES = {"HalfCheetah": 4800, "Walker2d": 4683, "Ant": 4372, "Swimmer": 325, "Hopper": 2500}
"""Gymnasium's threshold; TD3 after 1 M steps (twice); nine tenths of Gymnasium's threshold; CleanRL's SAC after 1 M."""
STEPS = 100_000


class Batch:
    """Gymnasium's environments with the attributes of ours that a learner reads."""

    def __init__(self, task: str, count: int):
        self._envs = gymnasium.make_vec(
            task, count, vectorization_mode="sync", vector_kwargs={"autoreset_mode": AutoresetMode.SAME_STEP}
        )
        self.num_envs = count
        for name in ("action_space", "observation_space", "single_action_space", "single_observation_space"):
            setattr(self, name, getattr(self._envs, name))

    def reset(self, seed: int) -> Any:
        """Begin; nothing of the info is used."""
        return self._envs.reset(seed=seed)[0], {}

    def step(self, actions: np.ndarray) -> Any:
        """One step of each; ``final_obs_dense`` holds the last observations of those that ended."""
        observations, rewards, terminated, truncated, infos = self._envs.step(actions)
        ended = terminated | truncated
        last = {"final_info": {}, "final_obs_dense": np.stack(infos["final_obs"][ended])} if ended.any() else {}
        return observations, rewards, terminated, truncated, last


class GymnasiumRows(Rows):
    """Rows of Gymnasium's environments."""

    def make(self, card, config):
        """The environments of the same name."""
        return Batch(f"{card.id.split('/')[-1].rpartition('-')[0]}-v5", config.num_envs)

    def state_dict(self):
        """Nothing: Gymnasium's environments have no snapshots, and nothing here goes on from a checkpoint."""
        return {}


class GymnasiumPPO(PPO):
    """PPO on them."""

    def make_rows(self):
        """What it learns from."""
        return GymnasiumRows(self.config)


class Enough(Exception):  # noqa: N818  (not an error)
    """The score is reached."""


def time_to(task: str, make: type[PPO], seed: int) -> dict[str, float]:
    """Steps and seconds of training to the score."""
    whole = PPOConfig.for_env(task).total_steps
    config = PPOConfig.for_env(task, seed=seed, evaluations=whole // STEPS, episodes=20)
    found: dict[str, float] = {}

    def log(step: int, episodes: Any, mean_return: float, training_time: float, **numbers: float) -> None:
        found.update(steps=step, seconds=training_time, mean_return=mean_return)
        if mean_return >= SCORES[task]:
            raise Enough

    try:
        make(config).train(log)
    except Enough:
        return {**found, "reached": True}
    return {**found, "reached": False}


def main() -> None:
    """Measure, print, write."""
    results = json.loads(RESULT.read_text(encoding="utf-8"))["tasks"] if RESULT.is_file() else {}
    for task in sys.argv[1:] or SCORES:
        results[task] = {"score": SCORES[task], "kernels": [], "Gymnasium": []}
        for seed in range(2):
            for name, make in (("kernels", PPO), ("Gymnasium", GymnasiumPPO)):
                one = time_to(task, make, seed)
                results[task][name].append(one)
                print(task, name, seed, one, flush=True)
        machine = {"machine": platform.processor() or platform.machine(), "torch": torch.__version__}
        content = json.dumps({**machine, "gymnasium": gymnasium.__version__, "tasks": results}, indent=1)
        RESULT.write_text(content + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
