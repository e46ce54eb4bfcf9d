"""An ensemble that learns from data where actions lead: what model-based baselines plan or play in."""

from dataclasses import dataclass
from typing import Any

import torch
from networks import stacked_mlp
from torch import nn

LAYERS = 4
"""Hidden layers of each member, as in the code of MOPO's authors; they have swish where these have ReLU."""
BOUNDS = (-10.0, 0.5)
"""Initial bounds of the logarithm of the variance (PETS, Chua et al. 2018); they are learned too."""
BOUNDS_WEIGHT = 0.01
"""Of their distance in the loss (likewise)."""
HELD = 1_000
"""Transitions on which members are compared: so many at most, and a tenth of all at most."""


@dataclass
class Guess:
    """What the elites say of some steps.

    Attributes:
        obs: (b, S) where the steps begin.
        mean: (e, b, S + 1) changes and rewards, standardised.
        std: likewise, the spreads.
        end: (e, b), logit of the task's end.
        scale: (S + 1,) of changes and rewards...
        shift: ...and what is added.
    """

    obs: torch.Tensor
    mean: torch.Tensor
    std: torch.Tensor
    end: torch.Tensor
    scale: torch.Tensor
    shift: torch.Tensor

    @property
    def spread(self) -> torch.Tensor:
        """(b,) the largest length of an elite's spreads, of standardised numbers (MOPO, section 4.3)."""
        return self.std.norm(dim=2).amax(0)

    def draw(self) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Next observations (b, S), rewards (b,) and ends (b,) bool, each row of an elite drawn for it."""
        member, row = torch.randint(len(self.mean), (len(self.obs),)), torch.arange(len(self.obs))
        mean, std = self.mean[member, row], self.std[member, row]
        drawn = (mean + std * torch.randn_like(std)) * self.scale + self.shift
        return self.obs + drawn[:, :-1], drawn[:, -1], self.end[member, row] > 0

    def means(self) -> torch.Tensor:
        """Next observations (e, b, S) that each elite expects."""
        return self.obs + (self.mean * self.scale + self.shift)[..., :-1]


class Dynamics(nn.Module):
    """Networks side by side, each with a normal distribution of change and reward, and a probability of the end.

    Args:
        rows: the dataset.
        members: networks.
        elites: networks that are used after `choose_elites`.
        width: units a layer.

    Raises:
        ValueError: more elites than members, or too few transitions.
    """

    def __init__(self, rows: Any, members: int, elites: int, width: int):
        super().__init__()
        if elites > members:
            raise ValueError(f"elites is {elites}, expected at most all {members} members")
        if rows.count < 20:
            raise ValueError(f"the dataset has {rows.count} transitions, expected at least 20")
        batch = rows.take(torch.arange(rows.count))
        self.members, numbers = members, rows.shape[0]
        sizes = [numbers + len(rows.action_scale), *[width] * LAYERS, 2 * (numbers + 1) + 1]
        self.layers = stacked_mlp(members, sizes, "relu")
        share = (_ended(batch).sum() + 0.5) / (rows.count + 1.0)
        self.layers[-1].bias.data[..., -1] = share.logit()  # a rare end, or none, need not be learned first
        self.low, self.high = (nn.Parameter(torch.full((numbers + 1,), bound)) for bound in BOUNDS)
        inputs, outcome = torch.cat([batch["obs"], batch["action"]], 1), _outcome(batch)
        self.register_buffer("input_mean", inputs.mean(0))
        self.register_buffer("input_scale", inputs.std(0) + 1e-3)
        self.register_buffer("shift", outcome.mean(0))
        self.register_buffer("scale", outcome.std(0) + 1e-6)
        self.register_buffer("order", torch.randperm(rows.count))
        self.register_buffer("elites", torch.arange(elites))
        self._held = min(HELD, rows.count // 10)

    def forward(self, obs: torch.Tensor, action: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Means and logarithms of variances (m, b, S + 1), and logits of the end (m, b), of every member.

        Args:
            obs: (b, S), or (m, b, S) for each member its own.
            action: likewise (..., A).
        """
        inputs = (torch.cat([obs, action], -1) - self.input_mean) / self.input_scale
        output = self.layers(inputs.expand(self.members, -1, -1))
        mean, variance = output[..., :-1].chunk(2, -1)
        variance = self.high - nn.functional.softplus(self.high - variance)
        return mean, self.low + nn.functional.softplus(variance - self.low), output[..., -1]

    def loss(self, rows: Any, size: int) -> torch.Tensor:
        """Of a batch for each member: negative logarithm of the density, and cross-entropy of the end."""
        index = self.order[self._held :][torch.randint(rows.count - self._held, (self.members * size,))]
        batch = {name: one.unflatten(0, (self.members, size)) for name, one in rows.take(index).items()}
        mean, variance, end = self(batch["obs"], batch["action"])
        error = (_outcome(batch) - self.shift) / self.scale - mean
        density = (error.square() * (-variance).exp() + variance).mean((1, 2)).sum()
        ends = nn.functional.binary_cross_entropy_with_logits(end, _ended(batch), reduction="none").mean(1).sum()
        return density + ends + BOUNDS_WEIGHT * (self.high - self.low).sum()

    @torch.no_grad()
    def choose_elites(self, rows: Any) -> None:
        """Use the members whose means are nearest to the transitions kept apart."""
        batch = rows.take(self.order[: self._held])
        mean, _, _ = self(batch["obs"], batch["action"])
        error = ((_outcome(batch) - self.shift) / self.scale - mean).square().mean((1, 2))
        self.elites = error.argsort()[: len(self.elites)]

    def guess(self, obs: torch.Tensor, action: torch.Tensor) -> Guess:
        """What the elites say of actions (b, A) in [-1, 1] at observations (b, S)."""
        mean, variance, end = (one[self.elites] for one in self(obs, action))
        return Guess(obs, mean, (0.5 * variance).exp(), end, self.scale, self.shift)


def _outcome(batch: dict[str, torch.Tensor]) -> torch.Tensor:
    """(..., S + 1) changes of the observation and rewards."""
    return torch.cat([batch["next_obs"] - batch["obs"], batch["reward"][..., None]], -1)


def _ended(batch: dict[str, torch.Tensor]) -> torch.Tensor:
    """(...) 1 where the task ended."""
    return (batch["discount"] == 0).float()
