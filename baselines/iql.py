"""Implicit Q-learning (IQL; Kostrikov, Nair and Levine 2022, arXiv 2110.06169).

The value of a state is an upper expectile of the action values of the data, so that no action outside the data is ever
asked for; the policy clones the data's actions with weights that grow exponentially with their advantage.

Run ``python baselines/iql.py --help`` for all settings; those of a dataset come from ``baselines/iql.toml``.
"""

import copy
import math
from dataclasses import dataclass
from typing import Any

import torch
from distributions import LOG_STD, Gaussian
from launch import main
from learning import gradient_step, polyak_update
from networks import mlp
from offline import OfflineConfig, OfflineTrainer
from td3 import Critics
from torch import nn

from envsuite.agents.onnx import OnnxPolicy

MOST = 100.0
"""Largest weight of an action, as in the authors' code."""


@dataclass
class IQLConfig(OfflineConfig):
    """Settings of IQL, beside those of `OfflineConfig`; defaults are those of the paper for locomotion.

    Attributes:
        expectile: of the action values that a state's value is.
        beta: inverse temperature of the advantage in the policy's weights.
        tau: share by which the target critics move towards the learned ones.
    """

    algorithm = "iql"

    expectile: float = 0.7
    beta: float = 3.0
    tau: float = 0.005


class IQL(OfflineTrainer):
    """One training run."""

    config: Any
    kept = (
        *("obs_normaliser", "actor", "log_std", "critics", "target_critics", "value"),
        *("actor_optimiser", "critic_optimiser", "value_optimiser"),
    )

    def __init__(self, config: Any):
        super().__init__(config)
        sizes = [self.numbers, *config.hidden]
        self.actor = nn.Sequential(*mlp([*sizes, self.actions], None, config.activation), nn.Tanh())
        self.log_std = nn.ParameterList([torch.zeros(self.actions)])
        self.critics = Critics(self.numbers + self.actions, config.hidden, config.activation)
        self.target_critics = copy.deepcopy(self.critics)
        self.value = mlp([*sizes, 1], None, config.activation)
        self.actor_optimiser = self.adam(self.actor, self.log_std)
        self.critic_optimiser, self.value_optimiser = self.adam(self.critics), self.adam(self.value)

    def update(self) -> dict[str, torch.Tensor]:
        """One update of the state's value, the critics and the actor, in this order; the losses."""
        config, batch = self.config, self.sample()
        obs, action = self.obs_normaliser(batch["obs"]), batch["action"]
        with torch.no_grad():
            next_value = self.value(self.obs_normaliser(batch["next_obs"])).squeeze(1)
            best = self.target_critics(obs, action).amin(0)
        advantage = best - self.value(obs).squeeze(1)
        value_loss = gradient_step(self.value_optimiser, self.value_loss(advantage))
        critic_loss = self.critic_loss(self.critics(obs, action), batch, next_value)
        critic_loss = gradient_step(self.critic_optimiser, critic_loss)
        polyak_update(self.target_critics, self.critics, config.tau)
        for group in self.actor_optimiser.param_groups:
            group["lr"] = self.actor_rate()
        weight = advantage_weight(advantage.detach(), config.beta)
        actor_loss = -(weight * self.distribution(obs).log_prob(action)).mean()
        actor_loss = gradient_step(self.actor_optimiser, actor_loss)
        return {
            "value_loss": value_loss,
            "critic_loss": critic_loss,
            "actor_loss": actor_loss,
            "value": next_value.mean(),
        }

    def actor_rate(self) -> float:
        """The actor's step size, which falls to 0 like a cosine."""
        return self.config.learning_rate * 0.5 * (1 + math.cos(math.pi * self.steps / self.config.total_steps))

    def critic_loss(
        self, values: torch.Tensor, batch: dict[str, torch.Tensor], next_value: torch.Tensor
    ) -> torch.Tensor:
        """Squared distance of action values (2, b) from rewards and the values (b,) of what follows."""
        target = batch["reward"] + batch["discount"] * next_value
        return (values - target).square().mean(1).sum()

    def value_loss(self, advantage: torch.Tensor) -> torch.Tensor:
        """Of state values, from the advantages (b,) of the data's actions."""
        return expectile_loss(advantage, self.config.expectile)

    def distribution(self, obs: torch.Tensor) -> Gaussian:
        """Of actions in [-1, 1], at normalised observations; its spread is the same everywhere."""
        return Gaussian(self.actor(obs), self.log_std[0].clamp(*LOG_STD))

    def policy(self) -> OnnxPolicy:
        """The actor's mean as it is now."""
        return self.exported(self.actor[:-1])


def expectile_loss(difference: torch.Tensor, expectile: float) -> torch.Tensor:
    """Mean of |expectile - 1(u < 0)| u² of differences u (equation 4)."""
    weight = torch.where(difference < 0, 1 - expectile, expectile)
    return (weight * difference.square()).mean()


def advantage_weight(advantage: torch.Tensor, beta: float) -> torch.Tensor:
    """exp(beta A), at most `MOST` (equation 7)."""
    return (beta * advantage).exp().clamp(max=MOST)


if __name__ == "__main__":
    main(IQL, IQLConfig)
