"""Residual learning over a frozen clone (after ResFiT; Ankile et al. 2025, arXiv 2509.19301).

First a policy clones the dataset, and is then frozen. A second one sees what the clone would do and adds to it, within
a bound; it learns as it plays, by RLPD: half of every batch from the dataset, critics with layer normalisation that
judge the sum. So play begins with what the data can do, and only the difference has to be found. The authors learn the
difference with TD3 and targets of several steps, here it is soft actor-critic with targets of one.

Run ``python baselines/residual.py --help`` for all settings; those of a dataset come from ``baselines/residual.toml``.
"""

from dataclasses import dataclass

import numpy as np
import torch
from distributions import sample_squashed
from export import Exporter
from launch import main
from learning import gradient_step
from networks import mlp
from rlpd import RLPD, RLPDConfig
from torch import nn

from envsuite.agents.onnx import OnnxPolicy


@dataclass
class ResidualConfig(RLPDConfig):
    """Settings of residual learning, beside those of `RLPDConfig`.

    Attributes:
        first_steps: environment steps before learning, of the clone with the new policy's first, small additions.
        clone_updates: updates of the clone, before all.
        reach: how far from the clone's actions, scaled to [-1, 1], the sum may be.
    """

    algorithm = "residual"

    clone_updates: int = 5_000
    reach: float = 0.2


class Residual(RLPD):
    """One training run.

    Raises:
        ValueError: no reach.
    """

    kept = (*RLPD.kept, "clone", "cloned")
    config: ResidualConfig

    def __init__(self, config: ResidualConfig):
        if not 0 < config.reach <= 2:
            raise ValueError(f"reach is {config.reach}, expected a number above 0 and up to 2, which is every action")
        super().__init__(config)
        numbers, actions = self.rows.shape[0], len(self.action_scale)
        self.clone = nn.Sequential(*mlp([numbers, *config.hidden, actions], None, config.activation), nn.Tanh())
        self.actor = mlp([numbers + actions, *config.hidden, 2 * actions], None, config.activation)
        self.actor[-1].weight.data *= 0.01  # it begins with the clone, and noise around it
        self.actor_optimiser = torch.optim.Adam(self.actor.parameters(), lr=config.learning_rate, fused=True)
        self.cloned = False

    def iterate(self) -> dict[str, torch.Tensor]:
        """Clone the data, if that is to be done yet; then as RLPD."""
        losses = {} if self.cloned else self.learn_clone()
        return losses | super().iterate()

    def learn_clone(self) -> dict[str, torch.Tensor]:
        """All updates of the clone; its last loss."""
        optimiser, loss = torch.optim.Adam(self.clone.parameters(), lr=self.config.learning_rate, fused=True), None
        for _ in range(self.config.clone_updates):
            batch = self.prior.sample(self.config.batch_size)
            error = self.clone(self.obs_normaliser(batch["obs"])) - batch["action"]
            loss = gradient_step(optimiser, error.square().mean())
        self.cloned = True
        return {} if loss is None else {"clone_loss": loss}

    def collect(self, learning: bool) -> None:
        """Play one step of every instance, never of random actions."""
        super().collect(True)

    def sample_action(self, obs: torch.Tensor, noise: torch.Tensor | None = None) -> tuple[torch.Tensor, torch.Tensor]:
        """Sums (b, A) in [-1, 1], and the logarithms of the densities (b,) of what was added, in units of the reach."""
        with torch.no_grad():
            known = self.clone(obs)
        more, log_prob = sample_squashed(self.actor(torch.cat([obs, known], 1)), noise)
        return (known + self.config.reach * more).clamp(-1.0, 1.0), log_prob

    def policy(self) -> OnnxPolicy:
        """The clone and the mean of what is added to it, as they are now."""
        exporter = Exporter(self.config.env_id, self.rows.env)
        graph, obs = exporter.graph, exporter.inputs(self.obs_normaliser)
        known = exporter.layers(obs, self.clone)
        output = exporter.layers(graph.add("Concat", obs, known, axis=1), self.actor)
        more = graph.activate(exporter.columns(output, len(self.action_scale)), "tanh")
        total = graph.add("Add", known, graph.add("Mul", more, np.array(self.config.reach)))
        bias, scale = (one.numpy() for one in (self.action_bias, self.action_scale))
        return exporter.finish(graph.add("Add", graph.add("Mul", total, scale), bias), "clip")


if __name__ == "__main__":
    main(Residual, ResidualConfig)
