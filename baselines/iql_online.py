"""Implicit Q-learning that goes on in the environment (Kostrikov, Nair and Levine 2022, arXiv 2110.06169).

First IQL on a dataset (`iql.py`); then the policy plays with the spread that it has learned, and the same updates go on
with batches from the dataset and its own steps together, as many of each as there are. Step sizes do not fall.

Run ``python baselines/iql_online.py --help`` for all settings; those of a dataset come from
``baselines/iql_online.toml``.
"""

from dataclasses import dataclass

import torch
from iql import IQL, IQLConfig
from launch import main
from online import OnlineConfig, OnlineTrainer


@dataclass
class IQLOnlineConfig(OnlineConfig, IQLConfig):
    """Settings: those of `OnlineConfig` and `IQLConfig`."""

    algorithm = "iql_online"

    share: float = -1.0


class IQLOnline(OnlineTrainer, IQL):
    """One training run."""

    kept = (*IQL.kept, *OnlineTrainer.online_kept)

    def actor_rate(self) -> float:
        """The actor's step size."""
        return self.config.learning_rate

    def explore(self, obs: torch.Tensor) -> torch.Tensor:
        """Drawn from the policy."""
        return self.distribution(obs).sample().clamp(-1.0, 1.0)


if __name__ == "__main__":
    main(IQLOnline, IQLOnlineConfig)
