"""Pieces of learning that several baselines share: advantages, minibatches, steps of gradient descent."""

from collections.abc import Iterator

import torch
from common import Step
from torch import nn


def advantages(
    reward: torch.Tensor,
    value: torch.Tensor,
    over: torch.Tensor,
    last_value: torch.Tensor,
    following: torch.Tensor,
    gamma: float,
    gae_lambda: float,
) -> torch.Tensor:
    """Generalised advantage estimation (Schulman et al. 2016, equation 16).

    An episode's end cuts the sum and puts its own last value in.

    Args:
        reward: (t, ..., [objectives]) of each step.
        value: likewise, of what each step began with.
        over: (t, ...) bool, the episode ended with the step.
        last_value: as `value`, what the future counts for where the episode ended: the value of its last observation
            if it was cut off by the length limit, 0 if the task ended it.
        following: the value of what comes after all steps.
        gamma: discount.
        gae_lambda: share of the longer sums.
    """
    found = torch.zeros_like(reward)
    advantage = torch.zeros_like(following)
    for step in reversed(range(len(reward))):
        ended = over[step].reshape(over[step].shape + (1,) * (reward.ndim - over.ndim))
        after = torch.where(ended, last_value[step], following)
        error = reward[step] + gamma * after - value[step]
        advantage = error + gamma * gae_lambda * advantage * ~ended
        found[step] = advantage
        following = value[step]
    return found


def cut_off(step: Step) -> torch.Tensor:
    """Indices of rows whose episode the length limit has just ended: it would have gone on."""
    return (step.over & ~step.terminated & step.valid).nonzero().squeeze(1)


def explained(value: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Explained variance of values: 1 where they are the targets, 0 for a constant."""
    return 1.0 - (target - value).var() / (target.var() + 1e-8)


def descend(network: nn.Module, optimiser: torch.optim.Optimizer, loss: torch.Tensor, most: float) -> None:
    """A step of gradient descent with the norm of all gradients clipped to `most`."""
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), most)
    optimiser.step()


def minibatches(rows: int, epochs: int, parts: int) -> Iterator[torch.Tensor]:
    """Indices of shuffled parts of a batch, epoch after epoch."""
    for _ in range(epochs):
        yield from torch.randperm(rows).chunk(parts)


def minimise(optimiser: torch.optim.Optimizer, loss: torch.Tensor) -> torch.Tensor:
    """A step of gradient descent; the loss as a number."""
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    optimiser.step()
    return loss.detach()


@torch.no_grad()
def follow(target: nn.Module, network: nn.Module, tau: float) -> None:
    """Move a target network towards the learned one by a share."""
    torch._foreach_lerp_([*target.parameters()], [*network.parameters()], tau)
