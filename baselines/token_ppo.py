"""Proximal policy optimisation of what is said, with credit turn by turn or token by token.

With ``credit = "turn"`` a critic values the situation before each answer, and all tokens of the answer share its
advantage (turn-level MDP; Zhou et al. 2024, Wang et al. 2025). With ``credit = "token"`` the critic also values each
token that has been said, and generalised advantage estimation goes along the tokens, with a discount of 1 within an
answer.

Run ``python baselines/token_ppo.py --help`` for all settings; those of an environment come from
``baselines/token_ppo.toml``.
"""

from dataclasses import dataclass
from typing import Any

import torch
from dialogues import Turns
from generation import Scored
from launch import main
from token_trainer import TokenConfig, TokenTrainer
from torch import nn

CREDITS = ("turn", "token")


@dataclass
class TokenPPOConfig(TokenConfig):
    """Settings of PPO over tokens, beside those of `TokenConfig`.

    Attributes:
        credit: ``"turn"`` or ``"token"``.
        gae_lambda: share of the longer sums.
        value_weight: of the critic's loss.
    """

    algorithm = "token_ppo"

    credit: str = "turn"
    gae_lambda: float = 0.95
    value_weight: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.credit not in CREDITS:
            raise ValueError(f"credit is {self.credit!r}, expected one of {', '.join(CREDITS)}")


class TokenPPO(TokenTrainer):
    """One training run."""

    kept = (*TokenTrainer.kept, "value")

    def begin(self) -> None:
        """A critic on what the model makes of a text."""
        self.whole = self.config.credit == "token"
        self.value = nn.Linear(self.model.width, 1)
        nn.init.zeros_(self.value.weight)

    def together(self) -> nn.Module:
        """The model and the critic."""
        return nn.ModuleList([self.model, self.value])

    @torch.no_grad()
    def advantages(self, turns: Turns) -> dict[str, torch.Tensor]:
        """Generalised advantages of turns or tokens, and what values should have been."""
        config = self.config
        value = self.value(turns.x).squeeze(2)
        by_token = config.credit == "token"
        counts = turns.counts.tolist() if by_token else [1] * len(turns)
        values, rewards = value.tolist(), turns.reward.tolist()
        found = torch.zeros(len(turns), max(counts))
        for thread in turns.threads():
            ahead = after = 0.0
            for k in reversed(thread):
                # the reward comes with the last token; what follows counts less only after it
                reward, gamma = rewards[k], config.gamma
                for at in reversed(range(counts[k])):
                    ahead = reward + gamma * after - values[k][at] + gamma * config.gae_lambda * ahead
                    after, reward, gamma = values[k][at], 0.0, 1.0
                    found[k, at] = ahead
        there = torch.arange(found.shape[1]) < torch.tensor(counts).unsqueeze(1)
        target = found + value[:, : found.shape[1]]
        advantage = found - found[there].mean()
        if config.scaled:
            advantage = advantage / (advantage[there].std() + 1e-8)
        return {"advantage": torch.where(there, advantage, 0.0), "target": target, "there": there}

    def more_loss(self, spoken: Scored, part: dict[str, Any], said: torch.Tensor) -> dict[str, torch.Tensor]:
        """The critic's."""
        width = min(part["target"].shape[1], spoken.x.shape[1])
        there = part["there"][:, :width]
        error = self.value(spoken.x[:, :width]).squeeze(2) - part["target"][:, :width]
        return {"value_loss": self.config.value_weight * error[there].square().mean()}


if __name__ == "__main__":
    main(TokenPPO, TokenPPOConfig)
