"""Policies that a training had on its way: train, and keep those nearest to some shares of what it reached.

``python baselines/stages.py ppo Hopper --seed 1 --into FOLDER`` trains with the settings of ``baselines/ppo.toml``,
with a run record as always, and writes ``Hopper-expert.onnx``, the last policy, and ``Hopper-early``, ``-low``,
``-medium`` and ``-high``: those whose mean returns are nearest to 10, 25, 50 and 75 % of the way from the random
policy's to the last one's. Looking at a policy changes no bit of the training.
"""

import argparse
import importlib
from pathlib import Path
from typing import Any

from config import Config
from launch import RESUMES, run
from progress import sentences, told
from trainer import Trainer

import envsuite
from envsuite.agents.onnx import OnnxPolicy, load, save
from envsuite.evaluation.rollout import onnx_player, play, random_policy

SHARES = {"early": 0.1, "low": 0.25, "medium": 0.5, "high": 0.75}
EPISODES = 20
"""Of each look at a policy."""


class Watcher:
    """Looks at the policy of a training now and then.

    Args:
        make_trainer: class of the training.
        looks: equally spaced over the first half of the training, where most is learned; ten more over the rest.

    Attributes:
        found: steps, mean return and policy of each look.
    """

    def __init__(self, make_trainer: type[Trainer], looks: int):
        self._make, self._looks = make_trainer, looks
        self.found: list[tuple[int, float, OnnxPolicy]] = []

    def make(self, config: Config) -> Trainer:
        """The training, to be looked at."""
        total, half = config.total_steps, [k / self._looks / 2 for k in range(1, self._looks + 1)]
        self._due = [share * total for share in (*half, *(0.5 + k / 20 for k in range(1, 11)))]
        self._trainer = self._make(config)
        return self._trainer

    def look(self, steps: int) -> None:
        """Play some episodes if it is time to."""
        if self._due and steps >= self._due[0]:
            self._due = [one for one in self._due if one > steps]
            policy = self._trainer.policy()
            self.found.append((steps, mean_return(self._trainer.config.env_id, onnx_player(policy)), policy))

    def nearest(self, value: float) -> tuple[int, float, OnnxPolicy]:
        """The look with the mean return nearest to a value."""
        return min(self.found, key=lambda one: abs(one[1] - value))


def mean_return(env_id: str, player: Any) -> float:
    """Over `EPISODES` of the evaluation seeds."""
    return float(play(envsuite.card(env_id), player, EPISODES).returns.mean())


def stages(watcher: Watcher, config: Config, root: Path) -> dict[str, tuple[int, float, OnnxPolicy]]:
    """Train; steps, mean return and policy of each stage.

    Raises:
        ValueError: the training was finished, or begun, before.
    """
    with told(config.total_steps) as progress:

        def after(steps: int) -> None:
            progress(steps)
            watcher.look(steps)

        path = run(watcher.make, config, root, after)  # ty: ignore[invalid-argument-type]
    if not watcher.found or watcher.found[0][0] > 0.1 * config.total_steps:
        raise ValueError(f"{path} was there before; expected a training from its beginning")
    policy = load(path / "policy.onnx")
    last, first = mean_return(config.env_id, onnx_player(policy)), mean_return(config.env_id, random_policy)
    found = {name: watcher.nearest(first + share * (last - first)) for name, share in SHARES.items()}
    return {**found, "expert": (config.total_steps, last, policy)}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("algorithm", help="name of a baseline, such as ppo")
    parser.add_argument("env", help="name of an environment, such as Hopper")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--runs", type=Path, default=Path("runs"), help="folder of run records")
    parser.add_argument("--looks", type=int, default=40, help="at the policy in the first half of the training")
    parser.add_argument("--into", type=Path, default=Path(), help="folder of the policies")
    given = parser.parse_args()
    module = importlib.import_module(given.algorithm)
    own = [one for one in vars(module).values() if isinstance(one, type) and one.__module__ == module.__name__]
    make, settings = (next(one for one in own if issubclass(one, kind)) for kind in (Trainer, Config))
    with sentences(RESUMES):
        found = stages(Watcher(make, given.looks), settings.for_env(given.env, seed=given.seed), given.runs)
    given.into.mkdir(parents=True, exist_ok=True)
    name = envsuite.card(given.env).id.split("/")[-1].rpartition("-v")[0]
    for stage, (steps, value, policy) in found.items():
        save(given.into / f"{name}-{stage}.onnx", policy.program.model, policy.interface)
        print(f"{name}-{stage}: {steps:,} steps, mean return {value:.1f}")


if __name__ == "__main__":
    main()
