"""Imitation of a few demonstrations with the help of other data (ReCOIL of Dual RL; Sikchi et al. 2024).

The demonstrations are the best episodes of a dataset; apart from this choice no reward is ever looked at (arXiv
2302.08560). Action values of demonstrations are pulled to the highest value there can be, those of a batch
of all data follow from what comes after with the least reward in every step, so that what leads to where the
demonstrations are is worth more than what leads elsewhere; no discriminator is learned. State values and the policy
come from them as in IQL. The bounds and both halves of a batch are those of the authors' code, where they are 2 / (1 -
discount); here they are 1, so that networks learn numbers of that size.

Run ``python baselines/recoil.py --help`` for all settings; those of a dataset come from ``baselines/recoil.toml``.
"""

from dataclasses import dataclass

import numpy as np
import torch
from iql import IQL, expectile_loss
from launch import main
from offline import OfflineConfig, OfflineTrainer

LEAST, MOST = -1.0, 1.0
"""Value of the least reward for ever, which every step of the data has, and of a demonstration."""


@dataclass
class ReCOILConfig(OfflineConfig):
    """Settings of ReCOIL, beside those of `OfflineConfig`.

    Attributes:
        demonstrations: episodes with the highest return, which are imitated.
        expectile: of the action values that a state's value is.
        beta: inverse temperature of the advantage in the policy's weights.
        tau: share by which the target critics move towards the learned ones.
    """

    algorithm = "recoil"

    demonstrations: int = 10
    expectile: float = 0.8
    beta: float = 10.0
    tau: float = 0.005


class ReCOIL(IQL):
    """One training run; state values, the policy and the order of updates are IQL's.

    Raises:
        ValueError: a discount of 1, by which nothing far away would be worth less, or a number of demonstrations that
            the dataset has not.
    """

    unused = (*OfflineTrainer.unused, "reward_scale", "reward_shift")
    config: ReCOILConfig

    def __init__(self, config: ReCOILConfig):
        super().__init__(config)
        if config.gamma >= 1:
            raise ValueError(f"gamma is {config.gamma}, expected a number below 1")
        data = self.rows.data
        if not 1 <= config.demonstrations <= len(data.lengths):
            raise ValueError(f"demonstrations is {config.demonstrations}, expected 1 to {len(data.lengths)} episodes")
        best = np.argsort(-data.returns, kind="stable")[: config.demonstrations]
        ends = np.cumsum(data.lengths)
        spans = [np.arange(ends[k] - data.lengths[k], ends[k]) for k in sorted(best)]
        self.demonstrated = torch.from_numpy(np.concatenate(spans))

    def sample(self, size: int = 0) -> dict[str, torch.Tensor]:
        """All data in the first half, demonstrations in the second."""
        half = (size or self.config.batch_size) // 2
        chosen = self.demonstrated[torch.randint(len(self.demonstrated), (half,))]
        return self.rows.take(torch.cat([torch.randint(self.rows.count, (half,)), chosen]))

    def critic_loss(
        self, values: torch.Tensor, batch: dict[str, torch.Tensor], next_value: torch.Tensor
    ) -> torch.Tensor:
        """Squared distance of demonstrations' action values from the most, and of the data's from their targets."""
        half, gamma = values.shape[1] // 2, self.config.gamma
        ended = batch["discount"] == 0
        target = (1 - gamma) * LEAST + gamma * torch.where(ended, LEAST, next_value.clamp(LEAST, MOST))
        data = (values[:, :half] - target[:half]).square()
        demonstrated = (values[:, half:] - MOST).square()
        return 0.5 * (data + demonstrated).mean(1).sum()

    def value_loss(self, advantage: torch.Tensor) -> torch.Tensor:
        """As IQL's, on all data."""
        return expectile_loss(advantage[: len(advantage) // 2], self.config.expectile)


if __name__ == "__main__":
    main(ReCOIL, ReCOILConfig)
