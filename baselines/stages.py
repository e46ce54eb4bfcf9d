"""Policies that a training had on its way: run it again and keep those nearest to some shares of what it reached.

``python baselines/stages.py ppo Hopper --seed 1 --into FOLDER`` trains with the settings of ``baselines/ppo.toml`` and
writes ``Hopper-expert.onnx``, the last policy, and ``Hopper-early``, ``-low``, ``-medium`` and ``-high``: those whose
mean returns are nearest to 10, 25, 50 and 75 % of the way from the random policy's to the last one's. Looking at a
policy changes no bit of the training, so that they are stages of the published run with the same seed.
"""

import argparse
import importlib
from pathlib import Path
from typing import Any

from config import Config
from progress import sentences, told
from trainer import Trainer

import envsuite
from envsuite.agents.onnx import OnnxPolicy, save
from envsuite.evaluation.rollout import onnx_player, play, random_policy

SHARES = {"early": 0.1, "low": 0.25, "medium": 0.5, "high": 0.75}
EPISODES = 20
"""Of each look at a policy."""


class Watcher:
    """Keeps the policies of a training whose returns come nearest to `SHARES`, as far as one knows on the way.

    Args:
        trainer: before it begins.
        looks: at its policy, equally spaced over the first half of the training, then as many over the rest by tenths.
    """

    def __init__(self, trainer: Trainer, looks: int):
        self.trainer, self.found = trainer, []
        total = trainer.config.total_steps
        half = [total * (k + 1) // (2 * looks) for k in range(looks)]
        self._due = [*half, *(total * k // 20 for k in range(11, 21))]

    def look(self, steps: int) -> None:
        """Play some episodes if it is time to."""
        if not self._due or steps < self._due[0]:
            return
        self._due = [one for one in self._due if one > steps]
        policy = self.trainer.policy()
        self.found.append((steps, mean_return(self.trainer.config.env_id, onnx_player(policy)), policy))

    def nearest(self, value: float) -> tuple[int, float, OnnxPolicy]:
        """Steps, mean return and policy of the look nearest to a return."""
        return min(self.found, key=lambda one: abs(one[1] - value))


def mean_return(env_id: str, player: Any) -> float:
    """Over `EPISODES` of the evaluation seeds."""
    return float(play(envsuite.card(env_id), player, EPISODES).returns.mean())


def stages(trainer: Trainer, looks: int, progress: Any) -> dict[str, tuple[int, float, OnnxPolicy]]:
    """Train; steps, mean return and policy of each stage."""
    watcher = Watcher(trainer, looks)

    def after(steps: int) -> None:
        progress(steps)
        watcher.look(steps)

    policy, episodes = trainer.train(progress=after)
    last, first = float(episodes.returns.mean()), mean_return(trainer.config.env_id, random_policy)
    found = {name: watcher.nearest(first + share * (last - first)) for name, share in SHARES.items()}
    return {**found, "expert": (trainer.steps, last, policy)}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("algorithm", help="name of a baseline, such as ppo")
    parser.add_argument("env", help="name of an environment, such as Hopper")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--looks", type=int, default=40, help="at the policy in the first half of the training")
    parser.add_argument("--into", type=Path, default=Path())
    given = parser.parse_args()
    module = importlib.import_module(given.algorithm)
    make, settings = (
        next(
            one
            for one in vars(module).values()
            if isinstance(one, type) and one.__module__ == module.__name__ and issubclass(one, kind)
        )
        for kind in (Trainer, Config)
    )
    with sentences("nothing was kept"):
        config = settings.for_env(given.env, seed=given.seed, evaluations=1)
        with told(config.total_steps) as progress:
            found = stages(make(config), given.looks, progress)
    given.into.mkdir(parents=True, exist_ok=True)
    name = envsuite.card(given.env).id.split("/")[-1].rpartition("-v")[0]
    for stage, (steps, value, policy) in found.items():
        save(given.into / f"{name}-{stage}.onnx", policy.program.model, policy.interface)
        print(f"{name}-{stage}: {steps:,} steps, mean return {value:.1f}")


if __name__ == "__main__":
    main()
