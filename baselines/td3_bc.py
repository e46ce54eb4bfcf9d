"""TD3+BC (Fujimoto and Gu 2021, "A Minimalist Approach to Offline Reinforcement Learning").

TD3 on a dataset, with one term more in the actor's loss: the square distance from the data's action, against values
that are divided by their mean size, so that one weight fits all rewards.

Run ``python baselines/td3_bc.py --help`` for all settings; those of a dataset come from ``baselines/td3_bc.toml``.
"""

import copy
from dataclasses import dataclass
from typing import Any

import torch
from launch import main
from learning import gradient_step, polyak_update
from networks import mlp
from offline import OfflineConfig, OfflineTrainer
from td3 import Critics
from torch import nn

from envsuite.agents.onnx import OnnxPolicy


@dataclass
class TD3BCConfig(OfflineConfig):
    """Settings of TD3+BC, beside those of `OfflineConfig`; defaults are the authors'.

    Attributes:
        alpha: weight of the values against the distance from the data (equation 4).
        tau: share by which the target networks move towards the learned ones.
        target_noise: standard deviation of the noise on the actions in targets, actions scaled to [-1, 1].
        target_noise_limit: where that noise is clipped.
        policy_delay: updates of the critics per update of the actor and the targets.
    """

    algorithm = "td3_bc"

    alpha: float = 2.5
    tau: float = 0.005
    target_noise: float = 0.2
    target_noise_limit: float = 0.5
    policy_delay: int = 2


class TD3BC(OfflineTrainer):
    """One training run.

    Attributes:
        layer_norm: whether the critics' layers are normalised.
    """

    layer_norm = False
    kept = (
        "obs_normaliser",
        "actor",
        "critics",
        "target_actor",
        "target_critics",
        "actor_optimiser",
        "critic_optimiser",
    )

    def __init__(self, config: Any):
        super().__init__(config)
        sizes = [self.numbers, *config.hidden, self.actions]
        self.actor = nn.Sequential(*mlp(sizes, None, config.activation), nn.Tanh())
        sizes = self.numbers + self.actions, config.hidden, config.activation
        self.critics = Critics(*sizes, norm=self.layer_norm)
        self.target_actor, self.target_critics = copy.deepcopy(self.actor), copy.deepcopy(self.critics)
        self.actor_optimiser, self.critic_optimiser = self.adam(self.actor), self.adam(self.critics)

    def update(self) -> dict[str, torch.Tensor]:
        """One update of the critics, and in its turn one of the actor; the losses."""
        config, batch = self.config, self.sample()
        obs = self.obs_normaliser(batch["obs"])
        target = self.targets(batch)
        critic_loss = (self.critics(obs, batch["action"]) - target).square().mean(1).sum()
        losses = {"critic_loss": gradient_step(self.critic_optimiser, critic_loss)}
        if (self.steps + 1) % config.policy_delay == 0:
            losses["actor_loss"] = gradient_step(self.actor_optimiser, self.actor_loss(obs, batch["action"]))
            polyak_update(self.target_actor, self.actor, config.tau)
            polyak_update(self.target_critics, self.critics, config.tau)
        return losses

    @torch.no_grad()
    def targets(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """What the values should be: the lesser critic at the target's action with clipped noise (TD3, equation 14)."""
        config, obs = self.config, self.obs_normaliser(batch["next_obs"])
        action = self.target_actor(obs)
        noise = config.target_noise * torch.randn_like(action)
        action = (action + noise.clamp(-config.target_noise_limit, config.target_noise_limit)).clamp(-1.0, 1.0)
        return batch["reward"] + batch["discount"] * self.target_critics(obs, action).amin(0)

    def actor_loss(self, obs: torch.Tensor, action: torch.Tensor) -> torch.Tensor:
        """Values of the first critic over their mean size, against the distance from the data (equations 3 and 4)."""
        own = self.actor(obs)
        value = self.critics(obs, own)[0]
        weight = self.config.alpha / value.abs().mean().detach()
        return -weight * value.mean() + (own - action).square().mean()

    def policy(self) -> OnnxPolicy:
        """The actor as it is now."""
        return self.exported(self.actor[:-1])


if __name__ == "__main__":
    main(TD3BC, TD3BCConfig)
