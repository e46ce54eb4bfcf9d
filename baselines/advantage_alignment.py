"""Advantage Alignment (Duque et al. 2024, arXiv 2406.14662) on PPO, for two agents in a social dilemma.

Each agent learns with a network of its own from advantages that also credit what its action does to the other: where
the agent's past went well, actions that the other gains from are made likelier, where it went badly, less likely. The
other, who learns likewise, is thereby shaped towards answers that are good for both. With ``alignment = 0`` agents are
naive.

Run ``python baselines/advantage_alignment.py --help`` for all settings; those of an environment come from
``baselines/advantage_alignment.toml``.
"""

from dataclasses import dataclass

import torch
from launch import main
from mappo import MAPPO, MAPPOConfig


@dataclass
class AdvantageAlignmentConfig(MAPPOConfig):
    """Settings of Advantage Alignment, beside those of MAPPO.

    Attributes:
        alignment: beta, the weight of what the other gains.
    """

    algorithm = "advantage_alignment"

    alignment: float = 1.0
    sharing: bool = False
    central: bool = False
    sampled: bool = True


class AdvantageAlignment(MAPPO):
    """One training run."""

    def __init__(self, config: AdvantageAlignmentConfig):
        super().__init__(config)
        if self.rows.agents != 2:
            raise ValueError(f"{config.env_id} has {self.rows.agents} agents, expected 2")

    def collect(self) -> dict[str, torch.Tensor]:
        """Play `num_steps` steps and work out aligned advantages.

        The sums of episodes under way begin with the batch: let `num_steps` be a multiple of an episode's length.
        """
        batch = super().collect()
        config, past = self.config, torch.zeros(self.rows.count)
        batch["advantage"] = aligned(batch["advantage"], batch["done"], past, config.gamma, config.alignment)
        return batch


def aligned(
    advantage: torch.Tensor, done: torch.Tensor, past: torch.Tensor, gamma: float, alignment: float
) -> torch.Tensor:
    """Advantages with the credit for what the other gains (equation 9 of the paper, with the discount of its code).

    ``A1_t + alignment gamma (sum over k < t of gamma^(t - k) A1_k) A2_t``, the sum over the episode so far.

    Args:
        advantage: (t, r), rows of the two agents of an instance side by side.
        done: (t, r) bool, the episode ended with the step.
        past: (r,), the sum before the first step.
        gamma: discount.
        alignment: weight of the credit.
    """
    found = torch.empty_like(advantage)
    for t in range(len(advantage)):
        other = advantage[t].reshape(-1, 2).flip(1).reshape(-1)
        found[t] = advantage[t] + alignment * gamma * past * other
        past = torch.where(done[t], 0.0, gamma * (past + advantage[t]))
    return found


if __name__ == "__main__":
    main(AdvantageAlignment, AdvantageAlignmentConfig)
