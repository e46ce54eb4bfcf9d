"""Behaviour cloning (BC): the policy does what the data did.

With ``top`` below 1 it clones only the episodes with the highest undiscounted return; ``bc10.py`` is 10 % BC. Episodes
are those of the dataset's true boundaries.

Run ``python baselines/bc.py --help`` for all settings; those of a dataset come from ``baselines/bc.toml``.
"""

from dataclasses import dataclass

import torch
from launch import main
from learning import gradient_step
from networks import mlp
from offline import OfflineConfig, OfflineTrainer
from torch import nn

from envsuite.agents.onnx import OnnxPolicy
from envsuite.data import Dataset


@dataclass
class BCConfig(OfflineConfig):
    """Settings of behaviour cloning, beside those of `OfflineConfig`.

    Attributes:
        top: share of the episodes, those with the highest return, that are cloned.
    """

    algorithm = "bc"

    top: float = 1.0


class BC(OfflineTrainer):
    """One training run."""

    kept = ("obs_normaliser", "actor", "optimiser")
    unused = (*OfflineTrainer.unused, "gamma", "reward_scale", "reward_shift")

    def __init__(self, config: BCConfig):
        super().__init__(config)
        sizes = [self.numbers, *config.hidden, self.actions]
        self.actor = nn.Sequential(*mlp(sizes, None, config.activation), nn.Tanh())
        self.optimiser = self.adam(self.actor)

    def choose(self, data: Dataset) -> Dataset:
        """The best episodes."""
        return data.top(self.config.top)

    def update(self) -> dict[str, torch.Tensor]:
        """One step towards the data's actions in the mean square."""
        batch = self.sample()
        loss = (self.actor(self.obs_normaliser(batch["obs"])) - batch["action"]).square().mean()
        return {"actor_loss": gradient_step(self.optimiser, loss)}

    def policy(self) -> OnnxPolicy:
        """The actor as it is now."""
        return self.exported(self.actor[:-1])


if __name__ == "__main__":
    main(BC, BCConfig)
