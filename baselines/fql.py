"""Flow Q-learning (FQL; Park, Li and Levine 2025, arXiv 2502.02538).

A flow that carries noise to the data's actions clones the data, however many ways of acting they mix. A second policy
does in one step what the flow does in ten, and follows the values' gradient at the same time; it alone acts, so that
neither training nor play goes back through the flow's steps.

Policy files draw no numbers: in play the policy's noise is 0. Its outputs are squashed by tanh, where the authors clip.

Run ``python baselines/fql.py --help`` for all settings; those of a dataset come from ``baselines/fql.toml``.
"""

import copy
from dataclasses import dataclass

import torch
from launch import main
from learning import gradient_step, polyak_update
from networks import mlp
from offline import OfflineConfig, OfflineTrainer
from td3 import Critics
from torch import nn

from envsuite.agents.onnx import OnnxPolicy


@dataclass
class FQLConfig(OfflineConfig):
    """Settings of FQL, beside those of `OfflineConfig`; defaults are the authors'.

    Attributes:
        alpha: weight of the distance from the flow in the policy's loss, to be chosen for each task.
        flow_steps: Euler steps from noise to an action.
        scale_values: whether values are divided by their mean size in the policy's loss.
        pessimistic: whether targets hold the lesser critic, as the authors do in mazes, or the mean of both.
        tau: share by which the target critics move towards the learned ones.
    """

    algorithm = "fql"

    hidden: tuple[int, ...] = (512, 512, 512, 512)
    alpha: float = 10.0
    flow_steps: int = 10
    scale_values: bool = False
    pessimistic: bool = False
    tau: float = 0.005


class FQL(OfflineTrainer):
    """One training run."""

    config: FQLConfig
    kept = (
        *("obs_normaliser", "actor", "flow", "critics", "target_critics"),
        *("actor_optimiser", "flow_optimiser", "critic_optimiser"),
    )

    def __init__(self, config: FQLConfig):
        super().__init__(config)
        inputs = self.numbers + self.actions
        self.actor = nn.Sequential(*mlp([inputs, *config.hidden, self.actions], None, config.activation), nn.Tanh())
        self.flow = mlp([inputs + 1, *config.hidden, self.actions], None, config.activation)
        self.critics = Critics(inputs, config.hidden, config.activation, norm=True)
        self.target_critics = copy.deepcopy(self.critics)
        networks = self.actor, self.flow, self.critics
        self.actor_optimiser, self.flow_optimiser, self.critic_optimiser = map(self.adam, networks)

    def update(self) -> dict[str, torch.Tensor]:
        """One update of the critics, the flow and the policy; the losses."""
        config, batch = self.config, self.sample()
        obs, action = self.obs_normaliser(batch["obs"]), batch["action"]
        critic_loss = (self.critics(obs, action) - self.targets(batch)).square().mean(1).sum()
        critic_loss = gradient_step(self.critic_optimiser, critic_loss)
        acting = self.obs_normaliser(batch["actor_obs"]) if "actor_obs" in batch else obs  # with the policy's own goals
        flow_loss = gradient_step(self.flow_optimiser, self.flow_loss(acting, action))
        losses = self.actor_losses(acting)
        gradient_step(self.actor_optimiser, losses["actor_loss"])
        polyak_update(self.target_critics, self.critics, config.tau)
        return {"critic_loss": critic_loss, "flow_loss": flow_loss, **{k: one.detach() for k, one in losses.items()}}

    def act(self, obs: torch.Tensor, noise: torch.Tensor) -> torch.Tensor:
        """Actions (b, A) in [-1, 1] of the policy, at normalised observations (b, S) and noise (b, A)."""
        return self.actor(torch.cat([obs, noise], 1))

    @torch.no_grad()
    def targets(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """What the values should be: the mean or the lesser critic at a drawn action of the policy."""
        obs = self.obs_normaliser(batch["next_obs"])
        values = self.target_critics(obs, self.act(obs, torch.randn_like(batch["action"])))
        next_value = values.amin(0) if self.config.pessimistic else values.mean(0)
        return batch["reward"] + batch["discount"] * next_value

    def velocity(self, obs: torch.Tensor, place: torch.Tensor, time: torch.Tensor) -> torch.Tensor:
        """Of the flow (b, A), at places (b, A) and times (b, 1) from 0 to 1."""
        return self.flow(torch.cat([obs, place, time], 1))

    def flow_loss(self, obs: torch.Tensor, action: torch.Tensor) -> torch.Tensor:
        """Squared distance from the velocity of straight lines from noise (time 0) to the data's actions (time 1)."""
        noise, time = torch.randn_like(action), torch.rand(len(action), 1)
        found = self.velocity(obs, torch.lerp(noise, action, time), time)
        return (found - (action - noise)).square().mean()

    @torch.no_grad()
    def flowed(self, obs: torch.Tensor, noise: torch.Tensor) -> torch.Tensor:
        """Actions (b, A) in [-1, 1] to which the flow carries noise (b, A)."""
        place, steps = noise, self.config.flow_steps
        for k in range(steps):
            place = place + self.velocity(obs, place, torch.full((len(obs), 1), k / steps)) / steps
        return place.clamp(-1.0, 1.0)

    def actor_losses(self, obs: torch.Tensor) -> dict[str, torch.Tensor]:
        """The policy's loss, its distance from the flow at the same noise, and the mean value of its actions."""
        noise = torch.randn(len(obs), self.actions)
        own = self.act(obs, noise)
        distance = (own - self.flowed(obs, noise)).square().mean()
        value = self.critics(obs, own).mean(0)
        gain = value.mean() / value.abs().mean().detach() if self.config.scale_values else value.mean()
        return {"actor_loss": self.config.alpha * distance - gain, "distance": distance, "value": value.mean()}

    def policy(self) -> OnnxPolicy:
        """The policy as it is now, at noise 0: the first layer without the noise's columns."""
        first, *others = self.actor[:-1]
        layer = nn.Linear(self.numbers, first.out_features)
        layer.weight.data, layer.bias.data = first.weight.data[:, : self.numbers].clone(), first.bias.data.clone()
        return self.exported(nn.Sequential(layer, *others))


if __name__ == "__main__":
    main(FQL, FQLConfig)
