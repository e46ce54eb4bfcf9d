"""Deep Q-learning (DQN; Mnih et al. 2015) with double targets (van Hasselt et al. 2016).

For actions that are one choice, from vectors or images; what info's ``action_mask`` forbids is neither explored nor
bootstrapped from.

Run ``python baselines/dqn.py --help`` for all settings; those of an environment come from ``baselines/dqn.toml``.
"""

import copy
from dataclasses import dataclass
from typing import Any

import gymnasium
import torch
from config import Config
from distributions import ILLEGAL
from export import Exporter
from launch import main
from learning import clipped_gradient_step
from networks import Trunk, mlp, normaliser_of
from replay import ReplayBuffer, UpdateSchedule, transition
from rows import Rows
from torch import nn
from torch.nn import functional
from trainer import Trainer

from envsuite.agents.onnx import OnnxPolicy


@dataclass
class DQNConfig(Config):
    """Settings of DQN, beside those of `Config`.

    Attributes:
        first_steps: environment steps of random choices before learning.
        updates: updates per environment step.
        batch_size: transitions an update.
        returns: steps whose rewards a target sums before it bootstraps.
        memory: transitions kept; the oldest are overwritten.
        target_every: environment steps between copies of the network to the target network.
        double: the learned network chooses the action that the target network values.
        explore: share of the training over which the share of random choices falls linearly from 1...
        final_explore: ... to this.
        final_rate: share of the step size that is left at the end of its linear decay.
        max_gradient: norm at which gradients are clipped.
        normalise: whether inputs are scaled by the moments of the random first steps, which mislead where a good player
            gets far from where a random one does.
    """

    algorithm = "dqn"

    num_envs: int = 16
    learning_rate: float = 2.5e-4
    activation: str = "relu"
    hidden: tuple[int, ...] = (128, 128)
    normalise: bool = False
    first_steps: int = 2_000
    updates: float = 0.1
    batch_size: int = 128
    returns: int = 1
    memory: int = 100_000
    target_every: int = 500
    double: bool = True
    explore: float = 0.5
    final_explore: float = 0.05
    final_rate: float = 1.0
    max_gradient: float = 10.0


class QNetwork(nn.Module):
    """Values of all choices."""

    def __init__(self, config: Config, rows: Rows, norm: bool = False):
        super().__init__()
        space = rows.action_space
        if not isinstance(space, gymnasium.spaces.Discrete):
            raise ValueError(f"action space {space} is not supported, expected Discrete")
        self.obs_normaliser, self.trunk = normaliser_of(rows.shape, config.normalise), Trunk(rows.shape)
        sizes = [self.trunk.features, *config.hidden, int(space.n)]
        layers = mlp(sizes, 1.0 if norm else None, config.activation)
        if norm:  # layer normalisation before each activation
            layers = nn.Sequential(*(one for layer in layers for one in _after_norm(layer, layers[-1])))
        self.layers = layers

    def forward(self, obs: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        """(b, choices) at observations as they come; what is forbidden has no value worth having."""
        values = self.layers(self.trunk(self.obs_normaliser(obs)))
        return values if mask is None else torch.where(mask, values, ILLEGAL)


def _after_norm(layer: nn.Module, last: nn.Module) -> list[nn.Module]:
    if isinstance(layer, nn.Linear) and layer is not last:
        return [layer, nn.LayerNorm(layer.out_features)]
    return [layer]


def epsilon_greedy(greedy: torch.Tensor, choices: int, epsilon: float, mask: torch.Tensor | None) -> torch.Tensor:
    """Choices (b,) of which a share has been replaced by uniformly random ones among those allowed."""
    rates = torch.ones(len(greedy), choices) if mask is None else mask.float() + 1e-30  # rows with none allowed
    return torch.where(torch.rand(len(greedy)) < epsilon, torch.multinomial(rates, 1)[:, 0], greedy)


def exported(trainer: Any) -> OnnxPolicy:
    """The choice of the greatest value."""
    exporter = Exporter(trainer.config.env_id, trainer.rows.env, trainer.rows.mask_at)
    network = trainer.network
    return exporter.finish(
        exporter.layers(exporter.inputs(network.obs_normaliser, network.trunk), network.layers), "argmax"
    )


class DQN(Trainer):
    """One training run."""

    kept = ("network", "target", "optimiser", "memory", "debt", "copied")
    devices = ("cpu", "cuda")
    unused = ("privileged",)

    def __init__(self, config: DQNConfig):
        super().__init__(config)
        self.network = self.make_network()
        self.target = copy.deepcopy(self.network)
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=config.learning_rate, fused=True)
        capacity = min(config.memory, config.total_steps * self.rows.agents)
        self.memory, self.debt = (
            ReplayBuffer(capacity, self.rows, config.returns, config.gamma),
            UpdateSchedule(config.updates),
        )
        self.copied = 0

    def make_network(self) -> Any:
        """The network."""
        return QNetwork(self.config, self.rows)

    def enter_stage(self) -> None:
        """What was learned stays; rewards of another task do not."""
        self.memory.clear()

    def iterate(self) -> dict[str, Any]:
        """Play one step of every instance, and make the updates owed."""
        config = self.config
        losses: dict[str, torch.Tensor] = {}
        learning = self.steps >= config.first_steps
        for group in self.optimiser.param_groups:
            group["lr"] = config.learning_rate * self.decayed(config.final_rate)
        self.collect(learning)
        for _ in range(self.debt.due(config.num_envs) if learning else 0):
            if self.memory.count >= config.batch_size:
                losses = self.update()
        if self.steps - self.copied >= config.target_every:
            self.target.load_state_dict(self.network.state_dict())
            self.copied = self.steps
        return losses

    @torch.no_grad()
    def collect(self, learning: bool) -> None:
        """Play one step of every instance."""
        config, rows = self.config, self.rows
        before, values = (rows.obs, rows.critic_obs), self.network(rows.obs, rows.mask)
        progress = min(1.0, self.steps / (config.explore * config.total_steps))
        epsilon = 1.0 + (config.final_explore - 1.0) * progress if learning else 1.0
        action = epsilon_greedy(values.argmax(1), values.shape[1], epsilon, rows.mask)
        if not learning:
            self.network.obs_normaliser.update(rows.obs)
            self.target.obs_normaliser.load_state_dict(self.network.obs_normaliser.state_dict())
        step = rows.step(action)
        self.memory.add(transition(before, action, step, config.gamma))
        self.steps += config.num_envs

    def update(self) -> dict[str, torch.Tensor]:
        """One update; the loss."""
        batch = self.memory.sample(self.config.batch_size)
        target = self.targets(batch)
        value = self.network(batch["obs"]).gather(1, batch["action"].unsqueeze(1)).squeeze(1)
        loss = functional.smooth_l1_loss(value, target)
        clipped_gradient_step(self.network, self.optimiser, loss, self.config.max_gradient)
        return {"loss": loss.detach(), "value": value.detach().mean()}

    @torch.no_grad()
    def targets(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """What the values should be."""
        mask = batch.get("next_mask")
        values = self.target(batch["next_obs"], mask)
        chooser = self.network(batch["next_obs"], mask) if self.config.double else values
        next_value = values.gather(1, chooser.argmax(1, keepdim=True)).squeeze(1)
        return batch["reward"] + batch["discount"] * next_value

    def policy(self) -> OnnxPolicy:
        """The network as it is now."""
        return exported(self)


if __name__ == "__main__":
    main(DQN, DQNConfig)
