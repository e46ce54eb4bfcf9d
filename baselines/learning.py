"""Pieces of learning that several baselines share: GAE, minibatches, gradient steps, target networks."""

from collections.abc import Iterator
from typing import Any

import torch
from rows import Step
from torch import nn


def gae(
    reward: torch.Tensor,
    value: torch.Tensor,
    done: torch.Tensor,
    bootstrap_value: torch.Tensor,
    next_value: torch.Tensor,
    gamma: float,
    gae_lambda: float,
) -> torch.Tensor:
    """Generalised advantage estimation (Schulman et al. 2016, equation 16).

    An episode's end cuts the sum and puts its own last value in.

    Args:
        reward: (t, ..., [objectives]) of each step.
        value: likewise, of what each step began with.
        done: (t, ...) bool, the episode ended with the step.
        bootstrap_value: as `value`, what the future counts for where the episode ended: the value of its last
            observation if it was cut off by the length limit, 0 if the task ended it.
        next_value: the value of what comes after all steps.
        gamma: discount.
        gae_lambda: share of the longer sums.
    """
    found = torch.zeros_like(reward)
    advantage = torch.zeros_like(next_value)
    for step in reversed(range(len(reward))):
        ended = done[step].reshape(done[step].shape + (1,) * (reward.ndim - done.ndim))
        after = torch.where(ended, bootstrap_value[step], next_value)
        error = reward[step] + gamma * after - value[step]
        advantage = error + gamma * gae_lambda * advantage * ~ended
        found[step] = advantage
        next_value = value[step]
    return found


def truncated(step: Step) -> torch.Tensor:
    """(r,) bool, rows whose episode the length limit has just ended: it would have gone on."""
    return step.done & ~step.terminated & step.valid


def truncated_rows(step: Step) -> torch.Tensor:
    """Their indices."""
    return truncated(step).nonzero().squeeze(1)


def explained_variance(value: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Explained variance of values: 1 where they are the targets, 0 for a constant."""
    return 1.0 - (target - value).var() / (target.var() + 1e-8)


def clipped_gradient_step(
    network: nn.Module, optimiser: torch.optim.Optimizer, loss: torch.Tensor, most: float
) -> None:
    """A step of gradient descent with the norm of all gradients clipped to `most`."""
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), most)
    optimiser.step()


def minibatches(rows: int, epochs: int, parts: int) -> Iterator[torch.Tensor]:
    """Indices of shuffled parts of a batch, epoch after epoch."""
    for _ in range(epochs):
        yield from torch.randperm(rows).chunk(parts)


def anneal_rate(optimiser: torch.optim.Optimizer, rate: float, left: float, decay: float, final: float) -> None:
    """Set the step size: `rate`, and towards the end less and less.

    Args:
        optimiser: whose it is.
        rate: at the beginning.
        left: share of the training that is left.
        decay: share of the training, counted from its end, over which it falls linearly; 0 for never.
        final: share of `rate` that it falls to.
    """
    share = max(final, min(1.0, left / decay)) if decay else 1.0
    for group in optimiser.param_groups:
        set_rate(group, rate * share)


def set_rate(group: dict[str, Any], rate: float) -> None:
    """Set the step size of an optimiser's group, in its place where it is a tensor."""
    if isinstance(group["lr"], torch.Tensor):
        group["lr"].fill_(rate)
    else:
        group["lr"] = rate


def gradient_step(optimiser: torch.optim.Optimizer, loss: torch.Tensor) -> torch.Tensor:
    """A step of gradient descent; the loss as a number."""
    optimiser.zero_grad(set_to_none=True)
    # gradients of what it does not move, such as the critics of an actor's loss, would cost as much again
    loss.backward(inputs=[one for group in optimiser.param_groups for one in group["params"]])
    optimiser.step()
    return loss.detach()


@torch.no_grad()
def polyak_update(target: nn.Module, network: nn.Module, tau: float) -> None:
    """Move a target network towards the learned one by a share."""
    torch._foreach_lerp_([*target.parameters()], [*network.parameters()], tau)
