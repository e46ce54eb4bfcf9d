"""Soft actor-critic (SAC; Haarnoja et al. 2018, "Soft Actor-Critic Algorithms and Applications").

The policy is a normal distribution squashed by tanh; the weight of its entropy is learned, so that the entropy stays
near minus the number of actions. The two critics are one network with an axis more; where the environment reports a
privileged vector in its info, they see that instead of the observation. Inputs are normalised with the moments of the
random first steps.

Run ``python baselines/sac.py --help`` for all settings; those of an environment come from ``baselines/sac.toml``.
"""

import copy
import math
from dataclasses import dataclass
from typing import Any

import torch
from config import Config
from distributions import finite_bounds, sample_squashed
from exploration import ActionNoise
from export import Exporter
from launch import main
from learning import anneal_rate, gradient_step, polyak_update
from networks import mlp, normaliser_of
from replay import ReplayBuffer, UpdateSchedule, transition
from td3 import Critics
from torch import nn
from trainer import Trainer

from envsuite.agents.onnx import OnnxPolicy


@dataclass
class SACConfig(Config):
    """Settings of SAC, beside those of `Config`.

    Attributes:
        critic_rate: step size of the critics and of the entropy's weight; `learning_rate` is that of the actor.
        first_steps: environment steps of uniformly random actions before learning.
        updates: updates of the critics per environment step.
        actor_every: updates of the critics per update of the actor and the entropy's weight.
        batch_size: transitions an update.
        returns: steps whose rewards a target sums before it bootstraps.
        reward_scale: what rewards are multiplied by; networks learn values of the size of 1 best.
        memory: transitions kept; the oldest are overwritten.
        decay: share of the training, counted from its end, over which all step sizes fall linearly (0: never)...
        final_rate: ... to this share of them.
        tau: share by which the target critics move towards the learned ones.
        norm: whether the critics' layers are normalised, which makes many updates a step safer (Ball et al. 2023).
        correlation: of the noise while playing, from one step to the next; above 0 an instance goes one way for longer.
        weight: initial weight of the entropy.
        entropy: what the policy's entropy is held at, for each action (-1: minus the number of actions), at the
            beginning...
        final_entropy: ... and at the end of the training; in between it changes evenly.
    """

    algorithm = "sac"

    num_envs: int = 16
    learning_rate: float = 3e-4
    critic_rate: float = 1e-3
    hidden: tuple[int, ...] = (256, 256)
    activation: str = "relu"
    first_steps: int = 5_000
    updates: float = 0.25
    actor_every: int = 1
    batch_size: int = 256
    returns: int = 1
    reward_scale: float = 1.0
    memory: int = 1_000_000
    decay: float = 0.0
    final_rate: float = 0.05
    tau: float = 0.005
    norm: bool = False
    correlation: float = 0.0
    weight: float = 1.0
    entropy: float = -1.0
    final_entropy: float = -1.0


class SAC(Trainer):
    """One training run."""

    devices = ("cpu", "cuda")
    kept = (
        *("obs_normaliser", "critic_normaliser", "actor", "critics", "target_critics", "log_weight"),
        *("actor_optimiser", "critic_optimiser", "weight_optimiser", "memory", "debt", "turn"),
        "noise",
    )

    def __init__(self, config: SACConfig):
        super().__init__(config)
        if not config.decay:
            self.refuse(("final_rate",), "step sizes do not fall, since decay is 0")
        rows = self.rows
        self.action_bias, self.action_scale = finite_bounds(rows.action_space)
        if len(rows.shape) != 1:
            raise ValueError(f"observations of shape {rows.shape} are not supported, expected vectors")
        obs_size, critic_size, actions = rows.shape[0], rows.critic_shape[0], len(self.action_scale)
        sizes = (obs_size, critic_size)
        self.obs_normaliser, self.critic_normaliser = (normaliser_of((size,), config.normalise) for size in sizes)
        # the first half of the outputs are means, the second logarithms of spreads
        self.actor = mlp([obs_size, *config.hidden, 2 * actions], None, config.activation)
        self.critics = Critics(critic_size + actions, config.hidden, config.activation, config.norm)
        self.target_critics = copy.deepcopy(self.critics)
        self.log_weight = nn.ParameterList([torch.tensor(math.log(config.weight))])
        self.actor_optimiser = torch.optim.Adam(self.actor.parameters(), lr=config.learning_rate, fused=True)
        self.critic_optimiser = torch.optim.Adam(self.critics.parameters(), lr=config.critic_rate, fused=True)
        self.weight_optimiser = torch.optim.Adam(self.log_weight.parameters(), lr=config.critic_rate)
        capacity = min(config.memory, config.total_steps * rows.agents)
        self.memory = self.make_memory(capacity)
        self.turn, self.debt = 0, UpdateSchedule(config.updates)
        self.noise = ActionNoise(rows.count, actions, config.correlation)

    def make_memory(self, capacity: int) -> Any:
        """What its transitions are kept in and drawn from."""
        return ReplayBuffer(capacity, self.rows, self.config.returns, self.config.gamma)

    def enter_stage(self) -> None:
        """What was learned stays; rewards of another task do not."""
        self.memory.clear()

    def iterate(self) -> dict[str, Any]:
        """Play one step of every instance, and make the updates owed."""
        losses: dict[str, torch.Tensor] = {}
        learning = self.steps >= self.config.first_steps
        self.collect(learning)
        for _ in range(self.debt.due(self.config.num_envs) if learning else 0):
            if self.memory.count >= self.config.batch_size:
                losses |= self.update()
        return losses

    @torch.no_grad()
    def collect(self, learning: bool) -> None:
        """Play one step of every instance."""
        rows = self.rows
        before = rows.obs, rows.critic_obs
        if learning:
            action, _ = self.sample_action(self.obs_normaliser(rows.obs), self.noise.normal())
        else:
            action = self.noise.uniform()
            self.obs_normaliser.update(rows.obs)
            self.critic_normaliser.update(rows.critic_obs)
        step = rows.step(self.action_bias + self.action_scale * action)
        self.memory.add(transition(before, action, step, self.config.gamma, self.config.reward_scale))
        self.steps += self.config.num_envs

    def sample_action(self, obs: torch.Tensor, noise: torch.Tensor | None = None) -> tuple[torch.Tensor, torch.Tensor]:
        """Actions (b, A) in [-1, 1] and the logarithms of their densities (b,), at normalised inputs."""
        return sample_squashed(self.actor(obs), noise)

    def update(self) -> dict[str, torch.Tensor]:
        """One update of the critics, and in its turn one of the actor and the entropy's weight; the losses."""
        self.turn += 1
        self.anneal()
        batch = self.memory.sample(self.config.batch_size)
        weight = self.log_weight[0].exp().detach()
        if self.turn % self.config.actor_every:
            losses = {"critic_loss": self.update_critics(batch, weight)}
        else:
            action, log_prob = self.sample_action(self.obs_normaliser(batch["obs"]))
            lack = (log_prob + self.entropy() * len(self.action_scale)).detach()
            losses = {"weight_loss": gradient_step(self.weight_optimiser, -(self.log_weight[0] * lack).mean())}
            losses["critic_loss"] = self.update_critics(batch, weight)
            value = self.own_value(self.critic_normaliser(batch["critic_obs"]), action)
            losses["actor_loss"] = gradient_step(self.actor_optimiser, (weight * log_prob - value).mean())
            losses |= {"weight": weight, "entropy": -log_prob.detach().mean()}
        polyak_update(self.target_critics, self.critics, self.config.tau)
        return losses

    def entropy(self) -> float:
        """What the policy's entropy is held at now, for each action."""
        config = self.config
        return config.entropy + (config.final_entropy - config.entropy) * self.steps / config.total_steps

    def anneal(self) -> None:
        """Set the step sizes for what is left of the training."""
        config, left = self.config, 1.0 - self.steps / self.config.total_steps
        rates = (config.learning_rate, config.critic_rate, config.critic_rate)
        for optimiser, rate in zip(
            (self.actor_optimiser, self.critic_optimiser, self.weight_optimiser), rates, strict=True
        ):
            anneal_rate(optimiser, rate, left, config.decay, config.final_rate)

    def update_critics(self, batch: dict[str, torch.Tensor], weight: torch.Tensor) -> torch.Tensor:
        """One step of the critics towards their targets; the loss."""
        target = self.targets(batch, weight)
        values = self.critics(self.critic_normaliser(batch["critic_obs"]), batch["action"])
        return gradient_step(self.critic_optimiser, (values - target).square().mean(1).sum())

    def own_value(self, critic_obs: torch.Tensor, action: torch.Tensor) -> torch.Tensor:
        """(b,) values of the actor's own actions: those of the lesser critic."""
        return self.critics(critic_obs, action).amin(0)

    @torch.no_grad()
    def targets(self, batch: dict[str, torch.Tensor], weight: torch.Tensor) -> torch.Tensor:
        """What the values should be (equation 5): the lesser critic at a drawn action, and its entropy."""
        action, log_prob = self.sample_action(self.obs_normaliser(batch["next_obs"]))
        next_value = self.target_critics(self.critic_normaliser(batch["next_critic_obs"]), action).amin(0)
        return batch["reward"] + batch["discount"] * (next_value - weight * log_prob)

    def policy(self) -> OnnxPolicy:
        """The actor's mean as it is now."""
        exporter = Exporter(self.config.env_id, self.rows.env)
        output = exporter.layers(exporter.inputs(self.obs_normaliser), self.actor)
        return exporter.finish(exporter.columns(output, len(self.action_scale)), "tanh")


if __name__ == "__main__":
    main(SAC, SACConfig)
