"""Parallelised Q-network (PQN; Gallici et al. 2024, "Simplifying Deep Temporal Difference Learning").

Q-learning on the policy, from many instances at once: no memory of transitions and no target network; layer
normalisation keeps it stable, and targets are lambda-returns of the steps just made.

Run ``python baselines/pqn.py --help`` for all settings; those of an environment come from ``baselines/pqn.toml``.
"""

from dataclasses import dataclass
from typing import Any

import torch
from config import Config
from dqn import QNetwork, epsilon_greedy, exported
from launch import main
from learning import clipped_gradient_step, minibatches
from trainer import Trainer

from envsuite.agents.onnx import OnnxPolicy


@dataclass
class PQNConfig(Config):
    """Settings of PQN, beside those of `Config`.

    Attributes:
        num_steps: steps of each instance between updates.
        epochs: passes over each batch of experience.
        minibatches: parts that a pass is cut into.
        trace: lambda, share of the longer returns.
        explore: share of the training over which the share of random choices falls linearly from 1...
        final_explore: ... to this.
        max_gradient: norm at which gradients are clipped.
    """

    algorithm = "pqn"

    num_envs: int = 64
    learning_rate: float = 1e-3
    activation: str = "relu"
    hidden: tuple[int, ...] = (128, 128)
    num_steps: int = 32
    epochs: int = 4
    minibatches: int = 4
    trace: float = 0.65
    explore: float = 0.3
    final_explore: float = 0.02
    max_gradient: float = 10.0


def lambda_returns(
    reward: torch.Tensor, discount: torch.Tensor, done: torch.Tensor, after: torch.Tensor, trace: float
) -> torch.Tensor:
    """Q(lambda) of Peng and Williams (1996), from the last step back.

    Args:
        reward: (t, r).
        discount: (t, r), what the value after a step counts for: 0 where the task ended the episode.
        done: (t, r) bool, the episode ended with the step; no longer return goes beyond it.
        after: (t, r), the greatest value at what the step led to.
        trace: lambda.
    """
    found = torch.zeros_like(reward)
    next_return = after[-1]
    for step in reversed(range(len(reward))):
        mixed = torch.where(done[step], after[step], (1.0 - trace) * after[step] + trace * next_return)
        found[step] = next_return = reward[step] + discount[step] * mixed
    return found


class PQN(Trainer):
    """One training run."""

    kept = ("network", "optimiser")
    devices = ("cpu", "cuda")
    unused = ("privileged",)

    def __init__(self, config: PQNConfig):
        super().__init__(config)
        self.network = QNetwork(config, self.rows, norm=True)
        self.optimiser = torch.optim.RAdam(self.network.parameters(), lr=config.learning_rate)

    def iterate(self) -> dict[str, Any]:
        """Play `num_steps` steps and learn from them."""
        for group in self.optimiser.param_groups:
            group["lr"] = self.config.learning_rate * self.decayed()
        return self.update(self.collect())

    @torch.no_grad()
    def collect(self) -> dict[str, torch.Tensor]:
        """Play `num_steps` steps and work out their returns."""
        config, rows = self.config, self.rows
        epsilon = 1.0 + (config.final_explore - 1.0) * min(1.0, self.steps / (config.explore * config.total_steps))
        kept: list[dict[str, torch.Tensor]] = []
        for _ in range(config.num_steps):
            now = {"obs": rows.obs}
            values = self.network(rows.obs, rows.mask)
            now["action"] = epsilon_greedy(values.argmax(1), values.shape[1], epsilon, rows.mask)
            step = rows.step(now["action"])
            now |= {"reward": step.reward, "done": step.done, "valid": step.valid}
            now |= {"discount": config.gamma * ~step.terminated}
            now["after"] = self.network(step.next_obs, step.next_mask).amax(1)
            kept.append(now)
        self.steps += config.num_steps * config.num_envs
        batch = {key: torch.stack([now[key] for now in kept]) for key in kept[0]}
        parts = (batch[key] for key in ("reward", "discount", "done", "after"))
        batch["target"] = lambda_returns(*parts, config.trace)
        return batch

    def update(self, batch: dict[str, torch.Tensor]) -> dict[str, Any]:
        """Move the values towards the returns."""
        config = self.config
        valid = batch["valid"].flatten()
        obs, action, target = (batch[key].flatten(0, 1)[valid] for key in ("obs", "action", "target"))
        losses = []
        for index in minibatches(len(obs), config.epochs, config.minibatches):
            value = self.network(obs[index]).gather(1, action[index].unsqueeze(1)).squeeze(1)
            loss = 0.5 * (value - target[index]).square().mean()
            clipped_gradient_step(self.network, self.optimiser, loss, config.max_gradient)
            losses.append(loss.detach())
        self.network.obs_normaliser.update(obs)
        return {"loss": torch.stack(losses).mean(), "value": target.mean()}

    def policy(self) -> OnnxPolicy:
        """The network as it is now."""
        return exported(self)


if __name__ == "__main__":
    main(PQN, PQNConfig)
