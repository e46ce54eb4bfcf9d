"""Recurrent proximal policy optimisation: PPO with gated recurrent units, for what must be remembered.

Other memories (``memories.py``) learn by the same trainer: ``lstm_ppo.py``, ``mingru_ppo.py``, ``ffm_ppo.py``,
``slots_ppo.py``, ``gtrxl_ppo.py``.

Details follow Huang et al. (2022) for recurrent networks: orthogonal weights, a state of zeros where an episode begins,
minibatches of whole instances, and states computed anew from the one at the beginning of the batch. A privileged
vector, where the environment has one, goes to a critic without memory.

Run ``python baselines/recurrent_ppo.py --help`` for all settings; those of an environment come from
``baselines/recurrent_ppo.toml``.
"""

from dataclasses import dataclass
from typing import Any

import torch
from distributions import ActionHead
from export import Exporter
from launch import main
from learning import clipped_gradient_step, explained_variance, truncated_rows
from memories import GRU, Memory
from networks import ACTIVATIONS, Trunk, mlp, normaliser_of
from ppo import PPO, PPOConfig
from rows import Rows, Step
from torch import nn

from envsuite.agents.onnx import OnnxPolicy


@dataclass
class RecurrentPPOConfig(PPOConfig):
    """Settings of recurrent PPO, beside those of `PPOConfig`.

    Attributes:
        units: numbers that the memory gives to actor and critic in each step.
    """

    algorithm = "recurrent_ppo"

    units: int = 64
    num_envs: int = 64
    num_steps: int = 32

    def make_memory(self, inputs: int) -> Memory:
        """What remembers, see `memories`."""
        return GRU(inputs, self.units)


class RecurrentAgent(nn.Module):
    """Encoder, memory, actor and critic."""

    def __init__(self, config: RecurrentPPOConfig, rows: Rows):
        super().__init__()
        self.actions = ActionHead(rows.action_space, config.log_std)
        self.obs_normaliser = normaliser_of(rows.shape, config.normalise)
        self.critic_normaliser = (
            normaliser_of(rows.critic_shape, config.normalise) if config.privileged else self.obs_normaliser
        )
        self.trunk = Trunk(rows.shape)
        sizes = [self.trunk.features, config.hidden[0]]
        self.encoder = nn.Sequential(*mlp(sizes, 2**0.5), ACTIVATIONS[config.activation]())
        self.cell: Any = config.make_memory(config.hidden[0])
        self.actor = mlp([config.units, *config.hidden[1:], self.actions.outputs], 0.01, config.activation)
        inputs = rows.critic_shape[0] if config.privileged else config.units
        layers = config.hidden if config.privileged else config.hidden[1:]
        self.critic = mlp([inputs, *layers, 1], 1.0, config.activation)

    def encode(self, obs: torch.Tensor) -> torch.Tensor:
        """What is made of normalised inputs (r, *O): (r, features); the first ones go into the memory."""
        return self.encoder(self.trunk(obs))

    def remember(self, encoded: torch.Tensor, memory: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """What is remembered (r, units), and the next state (r, size)."""
        return self.cell.step(self.remembered(encoded), memory)

    def remembered(self, encoded: torch.Tensor) -> torch.Tensor:
        """What goes into the memory, of (..., features)."""
        return encoded

    def output(self, recalled: torch.Tensor, encoded: torch.Tensor) -> torch.Tensor:
        """What actions are drawn from, (r, outputs)."""
        return self.actor(recalled)

    def unroll(
        self, obs: torch.Tensor, memory: torch.Tensor, episode_start: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """What is remembered (t, r, units) along a batch, and what was made of the inputs, (t, r, features).

        Args:
            obs: (t, r, *O) normalised.
            memory: (r, size), the state before the first step.
            episode_start: (t, r) bool, a new episode began after the step.
        """
        encoded = self.encode(obs.flatten(0, 1)).unflatten(0, obs.shape[:2])
        return self.cell.unroll(self.remembered(encoded), memory, episode_start), encoded


class RecurrentPPO(PPO):
    """One training run; a batch goes through the loss of PPO."""

    kept = (*PPO.kept, "memory")

    def __init__(self, config: RecurrentPPOConfig):
        super().__init__(config)
        self.memory = torch.zeros(self.rows.count, self.agent.cell.size)

    def make_agent(self) -> RecurrentAgent:
        """The network."""
        return RecurrentAgent(self.config, self.rows)

    @torch.no_grad()
    def collect(self) -> dict[str, torch.Tensor]:
        """Play `num_steps` steps and work out advantages; the state at their beginning is in ``memory``."""
        first = self.memory
        return super().collect() | {"memory": first}

    def current_policy(self) -> tuple[Any, dict[str, torch.Tensor]]:
        """The policy and the values at the present observations; the state moves on."""
        agent, rows = self.agent, self.rows
        encoded = agent.encode(agent.obs_normaliser(rows.obs))
        recalled, self.memory = agent.remember(encoded, self.memory)
        distribution = agent.actions.distribution(agent.output(recalled, encoded), rows.mask)
        return distribution, {"value": self._value(recalled, rows.critic_obs)}

    def _value(self, recalled: torch.Tensor, critic_obs: torch.Tensor) -> torch.Tensor:
        agent = self.agent
        return agent.critic(agent.critic_normaliser(critic_obs) if self.config.privileged else recalled).squeeze(1)

    def after_step(self, step: Step) -> dict[str, torch.Tensor]:
        """What a step adds to the batch: last values, and where episodes begin; the state is forgotten there."""
        values, truncated = torch.zeros(self.rows.count), truncated_rows(step)
        if len(truncated):
            values[truncated] = self._value_after(
                step.next_obs[truncated], self.memory[truncated], step.next_critic_obs[truncated]
            )
        self.memory = self.memory * ~step.episode_start.unsqueeze(1)
        return {"bootstrap_value": values, "episode_start": step.episode_start}

    def next_value(self) -> torch.Tensor:
        """Values of the present observations; the state stays."""
        return self._value_after(self.rows.obs, self.memory, self.rows.critic_obs)

    def _value_after(self, obs: torch.Tensor, memory: torch.Tensor, critic_obs: torch.Tensor) -> torch.Tensor:
        encoded = self.agent.encode(self.agent.obs_normaliser(obs))
        return self._value(self.agent.remember(encoded, memory)[0], critic_obs)

    def update(self, batch: dict[str, torch.Tensor]) -> dict[str, Any]:
        """Improve actor and critic on a batch of experience, some instances at a time."""
        config, agent, memory = self.config, self.agent, batch.pop("memory")
        normalisers = {"obs": agent.obs_normaliser, "critic_obs": agent.critic_normaliser}
        raw = {key: batch[key] for key in normalisers if key in batch}
        data = batch | {key: normalisers[key](one) for key, one in raw.items()}
        found: list[dict[str, torch.Tensor]] = []
        stop = False
        for _ in range(config.epochs):
            for index in torch.randperm(self.rows.count).chunk(config.minibatches):
                part = {key: one[:, index] for key, one in data.items()}
                valid = part["valid"]
                unrolled = agent.unroll(part["obs"], memory[index], part["episode_start"])
                recalled, encoded = (one[valid] for one in unrolled)
                part = {key: one[valid] for key, one in part.items()}
                value = agent.critic(part["critic_obs"] if config.privileged else recalled).squeeze(1)
                distribution = agent.actions.distribution(agent.output(recalled, encoded), part.get("mask"))
                numbers = self.ppo_losses(part, distribution, value)
                stop = stop or bool(config.target_kl and numbers["kl"] > config.target_kl)
                if not stop:
                    clipped_gradient_step(agent, self.optimiser, numbers["loss"], config.max_gradient)
                    found.append({key: one.detach() for key, one in numbers.items()})
        for key, values in raw.items():
            normalisers[key].update(values[batch["valid"]])
        means = {key: torch.stack([one[key] for one in found]).mean() for key in found[0]} if found else {}
        return means | {"explained_variance": explained_variance(batch["value"], batch["return"])}

    def policy(self) -> OnnxPolicy:
        """The actor as it is now; its state is an input and an output of the graph."""
        agent = self.agent
        exporter = Exporter(self.config.env_id, self.rows.env, self.rows.mask_at, one_hot=self.rows.one_hot)
        encoded = exporter.layers(exporter.inputs(agent.obs_normaliser, agent.trunk), agent.encoder)
        recalled = agent.cell.written(exporter, encoded)
        return exporter.finish(exporter.layers(recalled, agent.actor), self.action_kind)


if __name__ == "__main__":
    main(RecurrentPPO, RecurrentPPOConfig)
