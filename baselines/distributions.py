"""Distributions of actions: choices under a mask, normal and squashed normal numbers; what an action space needs."""

import math
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import torch
from torch import nn

ILLEGAL = -1e8  # logit of a choice that is not allowed: its probability is 0, and no gradient comes through it


class Categorical:
    """Independent choices among named alternatives, one a head (detail 1 for MultiDiscrete), under a mask.

    Args:
        logits: (..., sum of heads).
        heads: number of alternatives of each.
        mask: bool, of the shape of the logits, False where an alternative is not allowed; None for all.
    """

    def __init__(self, logits: torch.Tensor, heads: Sequence[int], mask: torch.Tensor | None = None):
        if mask is not None:
            logits = torch.where(mask, logits, ILLEGAL)
        parts = logits.split(list(heads), -1) if len(heads) > 1 else (logits,)
        self._logs = [part.log_softmax(-1) for part in parts]

    def sample(self) -> torch.Tensor:
        """(..., heads) int64; the least of independent exponential times with these rates."""
        drawn = [(torch.empty_like(part).exponential_() / part.exp()).argmin(-1) for part in self._logs]
        return torch.stack(drawn, -1)

    def log_prob(self, action: torch.Tensor) -> torch.Tensor:
        """(...) of actions (..., heads)."""
        found = [part.gather(-1, action[..., k : k + 1]).squeeze(-1) for k, part in enumerate(self._logs)]
        return torch.stack(found).sum(0) if len(found) > 1 else found[0]

    def entropy(self) -> torch.Tensor:
        """(...), nats, summed over heads."""
        return torch.stack([-(part.exp() * part).sum(-1) for part in self._logs]).sum(0)

    def imitation_loss(self, action: torch.Tensor) -> torch.Tensor:
        """(...) from always doing `action`: the cross-entropy, nats."""
        return -self.log_prob(action)


class Gaussian:
    """Independent normal actions.

    Args:
        mean: (..., A).
        log_std: logarithm of the spread, of a shape that goes with the mean's.
    """

    def __init__(self, mean: torch.Tensor, log_std: torch.Tensor):
        self._mean, self._log_std = mean, log_std

    def sample(self) -> torch.Tensor:
        """(..., A)."""
        return torch.addcmul(self._mean, self._log_std.exp(), torch.randn_like(self._mean))

    def log_prob(self, action: torch.Tensor) -> torch.Tensor:
        """(...) of actions (..., A)."""
        scaled = (action - self._mean) * (-self._log_std).exp()
        return -0.5 * scaled.square().sum(-1) - (self._log_std + 0.5 * math.log(2 * math.pi)).sum(-1)

    def entropy(self) -> torch.Tensor:
        """(...) or fewer, nats, summed over A."""
        return (self._log_std + 0.5 * math.log(2 * math.pi * math.e)).sum(-1)

    def imitation_loss(self, action: torch.Tensor) -> torch.Tensor:
        """(...) from always doing `action`: of the mean, squared; the noise is not its business."""
        return (self._mean - action).square().sum(-1)


class ActionHead(nn.Module):
    """What a network's output means in an action space, for policies that draw their actions.

    Args:
        space: of one row.
        log_std: initial logarithm of the noise on numbers.

    Attributes:
        heads: number of alternatives of each choice; empty for numbers.
        outputs: what the network must put out.

    Raises:
        ValueError: a space of another kind.
    """

    def __init__(self, space: gymnasium.Space, log_std: float):
        super().__init__()
        self.heads = heads_of(space)
        if not self.heads and not isinstance(space, gymnasium.spaces.Box):
            raise ValueError(f"action space {space} is not supported, expected Box, Discrete or MultiDiscrete")
        self.outputs = sum(self.heads) or int(np.prod(space.shape or ()))
        if not self.heads:
            self.log_std = nn.Parameter(torch.full((self.outputs,), float(log_std)))
            self.low, self.high = (torch.tensor(bound.reshape(-1)) for bound in (space.low, space.high))

    def distribution(self, output: torch.Tensor, mask: torch.Tensor | None) -> Any:
        """Of actions (r, A), from outputs (r, outputs)."""
        if self.heads:
            return Categorical(output, self.heads, mask)
        return Gaussian(output, self.log_std)

    def anneal_log_std(self, first: float, last: float, left: float) -> None:
        """Bound the logarithm of the noise on numbers: from `first` to `last` as `left` falls from 1 to 0.

        Args:
            first: at the beginning.
            last: at the end; infinite for no bound.
            left: share of the training that is left.
        """
        if not self.heads and last < math.inf:
            self.log_std.data.clamp_(max=last + (first - last) * left)

    def to_env(self, action: torch.Tensor) -> torch.Tensor:
        """What the environment gets: numbers within their bounds."""
        return action if self.heads else action.clamp(self.low, self.high)


LOG_STD = (-20.0, 2.0)
"""Bounds of the logarithm of the spread of squashed normal actions, as in the code of SAC's authors."""


def sample_squashed(output: torch.Tensor, noise: torch.Tensor | None = None) -> tuple[torch.Tensor, torch.Tensor]:
    """Actions drawn from a normal distribution and squashed by tanh (SAC, Haarnoja et al. 2018, appendix C).

    Args:
        output: (..., 2 A), means and logarithms of spreads.
        noise: (..., A) standard normal numbers; None draws them.

    Returns:
        Actions (..., A) in [-1, 1], and the logarithms of their densities (...).
    """
    mean, log_std = output.chunk(2, -1)
    log_std = log_std.clamp(*LOG_STD)
    noise = torch.randn_like(mean) if noise is None else noise
    raw = mean + log_std.exp() * noise
    density = -0.5 * noise.square() - log_std - 0.5 * math.log(2.0 * math.pi)
    # the logarithm of tanh's slope, 1 - tanh², in a form that does not cancel
    slope = 2.0 * (math.log(2.0) - raw - nn.functional.softplus(-2.0 * raw))
    return raw.tanh(), (density - slope).sum(-1)


def heads_of(space: gymnasium.Space) -> tuple[int, ...]:
    """Number of alternatives of each choice of an action; empty for numbers."""
    if isinstance(space, gymnasium.spaces.Discrete):
        return (int(space.n),)
    if isinstance(space, gymnasium.spaces.MultiDiscrete) and space.nvec.ndim == 1:
        return tuple(int(k) for k in space.nvec)
    return ()


def finite_bounds(space: gymnasium.Space) -> tuple[torch.Tensor, torch.Tensor]:
    """Centre and half width (A,) of a space of bounded numbers.

    Raises:
        ValueError: another space.
    """
    if not isinstance(space, gymnasium.spaces.Box):
        raise ValueError(f"action space {space} is not supported, expected Box")
    low, high = torch.tensor(space.low).flatten(), torch.tensor(space.high).flatten()
    if not (torch.isfinite(low).all() and torch.isfinite(high).all()):
        raise ValueError(f"action space {space} is not supported, expected finite bounds")
    return (low + high) / 2, (high - low) / 2
