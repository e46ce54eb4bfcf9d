"""Natural gradient steps within a trust region (TRPO; Schulman et al. 2015), of many small policies side by side."""

from collections.abc import Callable, Sequence

import torch

ITERATIONS = 10
"""Of conjugate gradients, and halvings of a step that are tried (Schulman et al. 2015, appendix C)."""
ACCEPTED = 0.1
"""Share of the gain that the gradient promises, which a step must bring."""
_SMALL = 1e-10  # squared length of the residual at which conjugate gradients stop


def natural_step(
    weights: Sequence[torch.Tensor],
    surrogate: Callable[[], torch.Tensor],
    divergence: Callable[[], torch.Tensor],
    max_kl: float,
    damping: float,
) -> torch.Tensor:
    """Move the weights of each policy along its natural gradient, as far as its divergence allows.

    Args:
        weights: (g, ...) each, of g policies that do not depend on each other; written.
        surrogate: (g,) losses with the present weights.
        divergence: (g,) mean divergences from what the policies were before, with the present weights.
        max_kl: divergence of a step, by its quadratic approximation.
        damping: added to the diagonal of the Fisher information.

    Returns:
        (g,) bool, which policies moved: the others found no step that lessens the loss.
    """
    gradient = _flat(torch.autograd.grad(surrogate().sum(), weights))
    slope = _flat(torch.autograd.grad(divergence().sum(), weights, create_graph=True))

    def fisher(direction: torch.Tensor) -> torch.Tensor:
        return _flat(torch.autograd.grad((slope * direction).sum(), weights, retain_graph=True)) + damping * direction

    direction = conjugate_gradients(fisher, -gradient)
    curvature = 0.5 * (direction * fisher(direction)).sum(1, keepdim=True)
    full = direction * (max_kl / curvature.clamp(min=1e-30)).sqrt()
    promised = -(gradient * full).sum(1)
    return _line_search(weights, surrogate, full, promised)


def conjugate_gradients(product: Callable[[torch.Tensor], torch.Tensor], goal: torch.Tensor) -> torch.Tensor:
    """Solve A x = b for each of g symmetric positive definite matrices.

    Args:
        product: A x of (g, n) vectors x.
        goal: (g, n) vectors b.

    Returns:
        (g, n) vectors x.
    """
    found, residual, along = torch.zeros_like(goal), goal.clone(), goal.clone()
    length = residual.square().sum(1, keepdim=True)
    for _ in range(ITERATIONS):
        going = length > _SMALL
        image = product(along)
        rate = torch.where(going, length / (along * image).sum(1, keepdim=True).clamp(min=1e-30), 0.0)
        found = found + rate * along
        residual = residual - rate * image
        after = residual.square().sum(1, keepdim=True)
        along = torch.where(going, residual + after / length.clamp(min=1e-30) * along, along)
        length = torch.where(going, after, length)
    return found


@torch.no_grad()
def _line_search(
    weights: Sequence[torch.Tensor],
    surrogate: Callable[[], torch.Tensor],
    full: torch.Tensor,
    promised: torch.Tensor,
) -> torch.Tensor:
    before, old = surrogate(), [one.clone() for one in weights]
    share = torch.ones(len(full), 1)
    moved = torch.zeros(len(full), dtype=torch.bool)
    for _ in range(ITERATIONS):
        _move(weights, old, share * full)
        gain = before - surrogate()
        moved |= (gain > 0) & (gain > ACCEPTED * promised * share[:, 0])
        share = torch.where(moved[:, None], share, 0.5 * share)
    _move(weights, old, torch.where(moved[:, None], share * full, 0.0))
    return moved


def _flat(tensors: Sequence[torch.Tensor]) -> torch.Tensor:
    return torch.cat([one.reshape(len(one), -1) for one in tensors], 1)


def _move(weights: Sequence[torch.Tensor], old: Sequence[torch.Tensor], steps: torch.Tensor) -> None:
    sizes = [one[0].numel() for one in weights]
    for weight, start, step in zip(weights, old, steps.split(sizes, 1), strict=True):
        weight.copy_(start + step.reshape(start.shape))
