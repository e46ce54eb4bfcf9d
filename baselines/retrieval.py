"""A policy that looks up what the data did in situations like its own (after Humphreys et al. 2022, arXiv 2206.05314).

Some transitions of the dataset stay with the policy. Attention between the present observation and theirs, both
embedded by one network, reads from them an action and a return to go: the means over what is alike. The actor sees the
observation and both. It clones the data's actions, those the more that earned more than what was read, so that the same
look-up is also the value that advantages are measured from. While it learns it reads nothing of the episode that it is
asked about. The authors look up neighbours for a critic and a policy that play; here all is learned from the data.

Run ``python baselines/retrieval.py --help`` for all settings; those of a dataset come from
``baselines/retrieval.toml``.
"""

import math
from dataclasses import dataclass

import numpy as np
import torch
from export import Exporter
from launch import main
from learning import gradient_step
from networks import mlp
from offline import OfflineConfig, OfflineTrainer
from torch import nn

from envsuite.agents.onnx import OnnxPolicy

MOST = 20.0
"""Largest weight of an action."""


@dataclass
class RetrievalConfig(OfflineConfig):
    """Settings, beside those of `OfflineConfig`.

    Attributes:
        memory: transitions that stay with the policy, at equal distances in the dataset.
        width: numbers of an embedding.
        beta: inverse temperature of the advantage in an action's weight, in deviations of the returns to go; 0 clones
            all alike.
        value_weight: of the squared error of the return to go that is read, beside the loss of the actions.
    """

    algorithm = "retrieval"

    memory: int = 512
    width: int = 32
    beta: float = 1.0
    value_weight: float = 0.5


class Retrieval(OfflineTrainer):
    """One training run.

    Raises:
        ValueError: a memory that the dataset cannot fill from at least two episodes.
    """

    kept = ("obs_normaliser", "embedding", "actor", "optimiser")
    config: RetrievalConfig

    def __init__(self, config: RetrievalConfig):
        super().__init__(config)
        count, lengths = self.rows.count, self.rows.data.lengths
        if not 2 <= config.memory <= count or len(lengths) < 2:
            raise ValueError(
                f"memory is {config.memory}, expected 2 to {count} transitions, of a dataset of several episodes; "
                f"{config.dataset} has {len(lengths)}"
            )
        self.episode = torch.from_numpy(np.repeat(np.arange(len(lengths)), lengths))
        returns = self.rows.returns_to_go(config.gamma)
        self.to_go = (returns - returns.mean()) / (returns.std(correction=0) + 1e-6)
        self.index = torch.linspace(0, count - 1, config.memory).round().long()
        remembered = self.rows.take(self.index)
        self.remembered_obs = self.obs_normaliser(remembered["obs"])
        self.read_from = torch.cat([remembered["action"], self.to_go[self.index][:, None]], 1)
        self.embedding = mlp([self.numbers, *config.hidden, config.width], None, config.activation)
        sizes = [self.numbers + self.actions + 1, *config.hidden, self.actions]
        self.actor = nn.Sequential(*mlp(sizes, None, config.activation), nn.Tanh())
        self.optimiser = self.adam(self.embedding, self.actor)

    def look_up(self, obs: torch.Tensor, episode: torch.Tensor | None = None) -> torch.Tensor:
        """Actions and returns to go (b, A + 1) of what is like normalised observations, but for their own episodes."""
        alike = self.embedding(obs) @ self.embedding(self.remembered_obs).T / math.sqrt(self.config.width)
        if episode is not None:
            alike = alike.masked_fill(episode[:, None] == self.episode[self.index], -torch.inf)
        return alike.softmax(1) @ self.read_from

    def update(self) -> dict[str, torch.Tensor]:
        """One step of both networks towards the data's actions and returns to go."""
        config, batch = self.config, self.sample()
        obs, index = self.obs_normaliser(batch["obs"]), batch["index"]
        found = self.look_up(obs, self.episode[index])
        surprise = self.to_go[index] - found[:, -1]
        weight = (config.beta * surprise.detach()).exp().clamp(max=MOST)
        error = (self.actor(torch.cat([obs, found], 1)) - batch["action"]).square().mean(1)
        loss = (weight * error).mean() + config.value_weight * surprise.square().mean()
        return {"loss": gradient_step(self.optimiser, loss), "value_error": surprise.detach().square().mean()}

    def policy(self) -> OnnxPolicy:
        """The embeddings of what is remembered, and the actor, as they are now."""
        exporter = Exporter(self.config.env_id, self.rows.env)
        graph, obs = exporter.graph, exporter.inputs(self.obs_normaliser)
        with torch.no_grad():
            keys = (self.embedding(self.remembered_obs) / math.sqrt(self.config.width)).numpy()
        alike = graph.add("Softmax", graph.add("MatMul", exporter.layers(obs, self.embedding), keys.T.copy()), axis=1)
        found = graph.add("MatMul", alike, self.read_from.numpy())
        return exporter.finish(exporter.layers(graph.add("Concat", obs, found, axis=1), self.actor[:-1]), "tanh")


if __name__ == "__main__":
    main(Retrieval, RetrievalConfig)
