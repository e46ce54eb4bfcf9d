"""Soft actor-critic on data: what CQL, EDAC and MOPO share."""

import copy
import math
from dataclasses import dataclass
from typing import Any

import torch
from distributions import sample_squashed
from learning import gradient_step, polyak_update
from networks import mlp
from offline import OfflineConfig, OfflineTrainer
from td3 import Critics
from torch import nn

from envsuite.agents.onnx import OnnxPolicy


@dataclass
class OfflineSACConfig(OfflineConfig):
    """Settings of soft actor-critic on data, beside those of `OfflineConfig`.

    Attributes:
        critic_rate: step size of the critics and of the entropy's weight; `learning_rate` is that of the actor.
        tau: share by which the target critics move towards the learned ones.
        weight: initial weight of the entropy.
        entropy: what the policy's entropy is held at, for each action.
    """

    critic_rate: float = 3e-4
    tau: float = 0.005
    weight: float = 1.0
    entropy: float = -1.0


class OfflineSAC(OfflineTrainer):
    """One training run; the critics' loss is that of the class below, which may change what is learned from.

    Args:
        config: settings.
        ensemble: critics, of which the least counts.
    """

    config: Any
    kept = (
        *("obs_normaliser", "actor", "critics", "target_critics", "log_weight"),
        *("actor_optimiser", "critic_optimiser", "weight_optimiser"),
    )

    def __init__(self, config: Any, ensemble: int = 2):
        super().__init__(config)
        self.actor = mlp([self.numbers, *config.hidden, 2 * self.actions], None, config.activation)
        self.critics = Critics(self.numbers + self.actions, config.hidden, config.activation, count=ensemble)
        self.target_critics = copy.deepcopy(self.critics)
        self.log_weight = nn.ParameterList([torch.tensor(math.log(config.weight))])
        self.actor_optimiser = self.adam(self.actor)
        self.critic_optimiser = self.adam(self.critics, rate=config.critic_rate)
        self.weight_optimiser = torch.optim.Adam(self.log_weight.parameters(), lr=config.critic_rate)

    def update(self) -> dict[str, torch.Tensor]:
        """One update of the entropy's weight, the actor and the critics; the losses."""
        config, batch = self.config, self.sample()
        obs, next_obs = self.obs_normaliser(batch["obs"]), self.obs_normaliser(batch["next_obs"])
        action, log_prob = sample_squashed(self.actor(obs))
        weight_loss = -(self.log_weight[0] * (log_prob + config.entropy * self.actions).detach()).mean()
        weight_loss = gradient_step(self.weight_optimiser, weight_loss)
        weight = self.log_weight[0].exp().detach()
        actor_loss = (weight * log_prob - self.critics(obs, action).amin(0)).mean()
        actor_loss = gradient_step(self.actor_optimiser, actor_loss)
        with torch.no_grad():
            next_action, next_log_prob = sample_squashed(self.actor(next_obs))
            target = self.target_critics(next_obs, next_action).amin(0) - weight * next_log_prob
            batch |= {"target": batch["reward"] + batch["discount"] * target}
        loss, told = self.critic_loss(batch, obs, next_obs)
        critic_loss = gradient_step(self.critic_optimiser, loss)
        polyak_update(self.target_critics, self.critics, config.tau)
        return {"critic_loss": critic_loss, "actor_loss": actor_loss, "weight_loss": weight_loss, **told}

    def critic_loss(
        self, batch: dict[str, torch.Tensor], obs: torch.Tensor, next_obs: torch.Tensor
    ) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """The critics' loss, and what else is logged: here the squared distance from the targets.

        Args:
            batch: transitions, with ``target`` (b,): what the values of the actions should be.
            obs: normalised (b, S)...
            next_obs: ...likewise.
        """
        values = self.critics(obs, batch["action"])
        return bellman_loss(values, batch["target"]), {"value": values.detach().mean()}

    def policy(self) -> OnnxPolicy:
        """The actor's mean as it is now."""
        return self.exported(self.actor, columns=self.actions)


def bellman_loss(values: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Squared distance of values (count, b) from targets (b,): a mean over the batch, a sum over critics."""
    return (values - target).square().mean(1).sum()
