"""Twin delayed deterministic policy gradient (TD3; Fujimoto, van Hoof and Meger 2018).

The two critics are one network with an axis more, evaluated in one call; where the environment reports a privileged
vector in its info, they see that instead of the observation (asymmetric actor-critic, Pinto et al. 2018). Inputs are
normalised with the moments of the random first steps.

Run ``python baselines/td3.py --help`` for all settings; those of an environment come from ``baselines/td3.toml``.
"""

import copy
from dataclasses import dataclass
from typing import Any

import torch
from config import Config
from distributions import finite_bounds
from exploration import ActionNoise
from export import Exporter
from launch import main
from learning import anneal_rate, gradient_step, polyak_update
from networks import mlp, normaliser_of, stacked_mlp
from replay import ReplayBuffer, UpdateSchedule, transition
from torch import nn
from trainer import Trainer

from envsuite.agents.onnx import OnnxPolicy


@dataclass
class TD3Config(Config):
    """Settings of TD3, beside those of `Config`.

    Attributes:
        first_steps: environment steps of uniformly random actions before learning.
        updates: updates of the critics per environment step.
        batch_size: transitions an update.
        returns: steps whose rewards a target sums before it bootstraps.
        reward_scale: what rewards are multiplied by; networks learn values of the size of 1 best.
        memory: transitions kept; the oldest are overwritten.
        decay: share of the training, counted from its end, over which the step size falls linearly (0: never)...
        final_rate: ... to this share of it.
        tau: share by which the target networks move towards the learned ones.
        norm: whether the critics' layers are normalised, which makes many updates a step safer (Ball et al. 2023).
        noise: standard deviation of the exploration noise at first, actions scaled to [-1, 1]. It falls linearly...
        final_noise: ... to this share of it at the end, so that the last transitions are those of the policy alone.
        correlation: of the noise while playing, from one step to the next; above 0 an instance goes one way for longer.
        random: share of actions that are uniformly random while learning.
        action_cost: weight of the mean square of the actor's actions, scaled to [-1, 1], in its loss.
        target_noise: standard deviation of the noise on the actions in targets.
        target_noise_limit: where that noise is clipped.
        policy_delay: updates of the critics per update of the actor and the targets.
    """

    algorithm = "td3"

    num_envs: int = 16
    learning_rate: float = 1e-3
    first_steps: int = 10_000
    updates: float = 0.25
    batch_size: int = 256
    returns: int = 3
    reward_scale: float = 1.0
    memory: int = 1_000_000
    decay: float = 0.5
    final_rate: float = 0.05
    tau: float = 0.005
    norm: bool = False
    noise: float = 0.1
    final_noise: float = 1.0
    correlation: float = 0.0
    random: float = 0.0
    action_cost: float = 0.0
    target_noise: float = 0.2
    target_noise_limit: float = 0.5
    policy_delay: int = 2


class Critics(nn.Module):
    """Action values, two or more."""

    def __init__(self, inputs: int, hidden: tuple[int, ...], activation: str, norm: bool = False, count: int = 2):
        super().__init__()
        self.layers, self._count = stacked_mlp(count, [inputs, *hidden, 1], activation, norm=norm), count

    def forward(self, critic_obs: torch.Tensor, action: torch.Tensor) -> torch.Tensor:
        """Values (count, b) of actions (b, A) in [-1, 1] at normalised inputs (b, C)."""
        return self.layers(torch.cat([critic_obs, action], 1).expand(self._count, -1, -1)).squeeze(2)


class TD3(Trainer):
    """One training run."""

    devices = ("cpu", "cuda")
    kept = (
        *("obs_normaliser", "critic_normaliser", "actor", "critics", "target_actor", "target_critics"),
        *("actor_optimiser", "critic_optimiser", "memory", "debt", "updates", "noise"),
    )

    def __init__(self, config: TD3Config):
        super().__init__(config)
        if not 0 <= config.random <= 1:
            raise ValueError(f"random is {config.random}, expected a share from 0 to 1")
        if not 0 <= config.final_noise <= 1:
            raise ValueError(f"final_noise is {config.final_noise}, expected a share from 0 to 1")
        if not config.action_cost >= 0:
            raise ValueError(f"action_cost is {config.action_cost}, expected 0 or more")
        if not config.decay:
            self.refuse(("final_rate",), "the step size does not fall, since decay is 0")
        rows = self.rows
        self.action_bias, self.action_scale = finite_bounds(rows.action_space)
        if len(rows.shape) != 1:
            raise ValueError(f"observations of shape {rows.shape} are not supported, expected vectors")
        obs_size, critic_size, actions = rows.shape[0], rows.critic_shape[0], len(self.action_scale)
        sizes = (obs_size, critic_size)
        self.obs_normaliser, self.critic_normaliser = (normaliser_of((size,), config.normalise) for size in sizes)
        self.actor = nn.Sequential(*mlp([obs_size, *config.hidden, actions], 0.01, config.activation), nn.Tanh())
        self.critics = Critics(critic_size + actions, config.hidden, config.activation, config.norm)
        self.target_actor, self.target_critics = copy.deepcopy(self.actor), copy.deepcopy(self.critics)
        self.actor_optimiser, self.critic_optimiser = (
            torch.optim.Adam(network.parameters(), lr=config.learning_rate, fused=True)
            for network in (self.actor, self.critics)
        )
        capacity = min(config.memory, config.total_steps * rows.agents)
        self.memory = self.make_memory(capacity)
        self.updates, self.debt = 0, UpdateSchedule(config.updates)
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
        config, rows = self.config, self.rows
        before = rows.obs, rows.critic_obs
        if learning:
            action = self.actor(self.obs_normaliser(rows.obs))
            scale = config.noise * (1.0 - (1.0 - config.final_noise) * self.steps / config.total_steps)
            action = (action + scale * self.noise.normal()).clamp(-1.0, 1.0)
            if config.random:
                anywhere = torch.rand_like(action) * 2.0 - 1.0
                action = torch.where(torch.rand(len(action), 1) < config.random, anywhere, action)
        else:
            action = self.noise.uniform()
            self.obs_normaliser.update(rows.obs)
            self.critic_normaliser.update(rows.critic_obs)
        step = rows.step(self.action_bias + self.action_scale * action)
        self.memory.add(transition(before, action, step, config.gamma, config.reward_scale))
        self.steps += config.num_envs

    def update(self) -> dict[str, torch.Tensor]:
        """One update of the critics, and in its turn one of the actor; the losses."""
        config, batch = self.config, self.memory.sample(self.config.batch_size)
        obs, critic_obs = self.obs_normaliser(batch["obs"]), self.critic_normaliser(batch["critic_obs"])
        with torch.no_grad():
            target = self._targets(batch)
        critic_loss = (self.critics(critic_obs, batch["action"]) - target).square().mean(1).sum()
        losses = {"critic_loss": self._gradient_step(self.critic_optimiser, critic_loss)}
        self.updates += 1
        if self.updates % config.policy_delay == 0:
            action = self.actor(obs)
            actor_loss = -self.critics(critic_obs, action)[0].mean()
            if config.action_cost:
                actor_loss = actor_loss + config.action_cost * action.square().mean()
            losses["actor_loss"] = self._gradient_step(self.actor_optimiser, actor_loss)
            polyak_update(self.target_actor, self.actor, config.tau)
            polyak_update(self.target_critics, self.critics, config.tau)
        return losses

    def _targets(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """What the values should be: the lesser critic at the target's action with clipped noise (equation 14)."""
        config = self.config
        action = self.target_actor(self.obs_normaliser(batch["next_obs"]))
        noise = config.target_noise * torch.randn_like(action)
        action = (action + noise.clamp(-config.target_noise_limit, config.target_noise_limit)).clamp(-1.0, 1.0)
        next_value = self.target_critics(self.critic_normaliser(batch["next_critic_obs"]), action).amin(0)
        return batch["reward"] + batch["discount"] * next_value

    def _gradient_step(self, optimiser: torch.optim.Optimizer, loss: torch.Tensor) -> torch.Tensor:
        config, left = self.config, 1.0 - self.steps / self.config.total_steps
        anneal_rate(optimiser, config.learning_rate, left, config.decay, config.final_rate)
        return gradient_step(optimiser, loss)

    def policy(self) -> OnnxPolicy:
        """The actor as it is now."""
        exporter = Exporter(self.config.env_id, self.rows.env)
        return exporter.finish(exporter.layers(exporter.inputs(self.obs_normaliser), self.actor[:-1]), "tanh")


if __name__ == "__main__":
    main(TD3, TD3Config)
