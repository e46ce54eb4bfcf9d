"""Recurrent proximal policy optimisation in one file: PPO with gated recurrent units, for what must be remembered.

Details follow Huang et al. (2022) for recurrent networks: orthogonal weights, a state of zeros where an episode begins,
minibatches of whole instances, and states computed anew from the one at the beginning of the batch. A privileged
vector, where the environment has one, goes to a critic without memory.

Run ``python baselines/recurrent_ppo.py --help`` for all settings; those of an environment come from
``baselines/recurrent_ppo.toml``.
"""

from dataclasses import dataclass
from typing import Any

import torch
from common import Rows, Step
from launch import main
from learning import cut_off, descend, explained
from networks import ACTIVATIONS, Actions, Exporter, Trunk, normaliser_of, perceptron
from ppo import PPO, PPOConfig
from torch import nn

from envsuite.agents.onnx import OnnxPolicy


@dataclass
class RecurrentPPOConfig(PPOConfig):
    """Settings of recurrent PPO, beside those of `PPOConfig`.

    Attributes:
        units: size of the state that is carried from step to step.
    """

    algorithm = "recurrent_ppo"

    units: int = 64
    num_envs: int = 64
    num_steps: int = 32


class RecurrentAgent(nn.Module):
    """Encoder, gated recurrent units (Cho et al. 2014), actor and critic."""

    def __init__(self, config: RecurrentPPOConfig, rows: Rows):
        super().__init__()
        self.actions = Actions(rows.action_space, config.log_std)
        self.seen = normaliser_of(rows.shape, config.normalise)
        self.criticised = normaliser_of(rows.critic_shape, config.normalise) if config.privileged else self.seen
        self.trunk = Trunk(rows.shape)
        sizes = [self.trunk.features, config.hidden[0]]
        self.encoder = nn.Sequential(*perceptron(sizes, 2**0.5), ACTIVATIONS[config.activation]())
        self.cell = nn.GRUCell(config.hidden[0], config.units)
        for name, one in self.cell.named_parameters():
            nn.init.zeros_(one) if "bias" in name else nn.init.orthogonal_(one)
        self.actor = perceptron([config.units, *config.hidden[1:], self.actions.outputs], 0.01, config.activation)
        inputs = rows.critic_shape[0] if config.privileged else config.units
        layers = config.hidden if config.privileged else config.hidden[1:]
        self.critic = perceptron([inputs, *layers, 1], 1.0, config.activation)

    def remember(self, seen: torch.Tensor, memory: torch.Tensor) -> torch.Tensor:
        """The next state (r, units), at normalised inputs."""
        return self.cell(self.encoder(self.trunk(seen)), memory)

    def along(self, seen: torch.Tensor, memory: torch.Tensor, begun: torch.Tensor) -> torch.Tensor:
        """States (t, r, units) along a batch.

        Args:
            seen: (t, r, *O) normalised.
            memory: (r, units), before the first step.
            begun: (t, r) bool, a new episode began after the step.
        """
        encoded = self.encoder(self.trunk(seen.flatten(0, 1))).unflatten(0, seen.shape[:2])
        states = []
        for step in range(len(seen)):
            memory = self.cell(encoded[step], memory)
            states.append(memory)
            memory = memory * ~begun[step].unsqueeze(1)
        return torch.stack(states)


class RecurrentPPO(PPO):
    """One training run; a batch goes through the loss of PPO."""

    kept = (*PPO.kept, "memory")

    def __init__(self, config: RecurrentPPOConfig):
        super().__init__(config)
        self.memory = torch.zeros(self.rows.count, config.units)

    def make_agent(self) -> RecurrentAgent:
        """The network."""
        return RecurrentAgent(self.config, self.rows)

    @torch.no_grad()
    def collect(self) -> dict[str, torch.Tensor]:
        """Play `num_steps` steps and work out advantages; the state at their beginning is in ``memory``."""
        first = self.memory
        return super().collect() | {"memory": first}

    def decide(self) -> tuple[Any, dict[str, torch.Tensor]]:
        """The policy and the values at the present observations; the state moves on."""
        agent, rows = self.agent, self.rows
        self.memory = agent.remember(agent.seen(rows.seen), self.memory)
        distribution = agent.actions.distribution(agent.actor(self.memory), rows.mask)
        return distribution, {"value": self._value(self.memory, rows.criticised)}

    def _value(self, memory: torch.Tensor, criticised: torch.Tensor) -> torch.Tensor:
        agent = self.agent
        return agent.critic(agent.criticised(criticised) if self.config.privileged else memory).squeeze(1)

    def notice(self, step: Step) -> dict[str, torch.Tensor]:
        """What a step adds to the batch: last values, and where episodes begin; the state is forgotten there."""
        values, cut = torch.zeros(self.rows.count), cut_off(step)
        if len(cut):
            after = self.agent.remember(self.agent.seen(step.next_seen[cut]), self.memory[cut])
            values[cut] = self._value(after, step.next_criticised[cut])
        self.memory = self.memory * ~step.begun.unsqueeze(1)
        return {"last_value": values, "begun": step.begun}

    def following(self) -> torch.Tensor:
        """Values of the present observations; the state stays."""
        after = self.agent.remember(self.agent.seen(self.rows.seen), self.memory)
        return self._value(after, self.rows.criticised)

    def update(self, batch: dict[str, torch.Tensor]) -> dict[str, Any]:
        """Improve actor and critic on a batch of experience, some instances at a time."""
        config, agent, memory = self.config, self.agent, batch.pop("memory")
        raw = {key: batch[key] for key in ("seen", "criticised") if key in batch}
        data = batch | {key: getattr(agent, key)(one) for key, one in raw.items()}
        found: list[dict[str, torch.Tensor]] = []
        stop = False
        for _ in range(config.epochs):
            for index in torch.randperm(self.rows.count).chunk(config.minibatches):
                part = {key: one[:, index] for key, one in data.items()}
                valid = part["valid"]
                states = agent.along(part["seen"], memory[index], part["begun"])[valid]
                part = {key: one[valid] for key, one in part.items()}
                value = agent.critic(part["criticised"] if config.privileged else states).squeeze(1)
                distribution = agent.actions.distribution(agent.actor(states), part.get("mask"))
                numbers = self.compared(part, distribution, value)
                stop = stop or bool(config.target_kl and numbers["kl"] > config.target_kl)
                if not stop:
                    descend(agent, self.optimiser, numbers["loss"], config.max_gradient)
                    found.append({key: one.detach() for key, one in numbers.items()})
        for key, values in raw.items():
            getattr(agent, key).update(values[batch["valid"]])
        means = {key: torch.stack([one[key] for one in found]).mean() for key in found[0]} if found else {}
        return means | {"explained_variance": explained(batch["value"], batch["return"])}

    def policy(self) -> OnnxPolicy:
        """The actor as it is now; its state is an input and an output of the graph."""
        agent, cell = self.agent, self.agent.cell
        exporter = Exporter(self.config.env_id, self.rows.env, self.rows.mask_at)
        encoded = exporter.layers(exporter.inputs(agent.seen, agent.trunk), agent.encoder)
        tensors = (cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh)
        state = exporter.graph.gru(encoded, *(one.detach().cpu().numpy().copy() for one in tensors))
        return exporter.finish(exporter.layers(state, agent.actor), self.action_kind)


if __name__ == "__main__":
    main(RecurrentPPO, RecurrentPPOConfig)
