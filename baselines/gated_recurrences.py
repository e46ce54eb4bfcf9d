"""Gated recurrences along a batch, with gradients worked out by hand: a few operations a step instead of dozens.

PyTorch's fused layers cannot forget at the beginning of an episode in the middle of a batch, and cells one step after
the other leave every small operation to be gone through again backwards. Here all that does not depend on the state is
done for all steps at once, and gradients of weights are single products over the batch.
"""

from typing import Any

import torch
from torch import nn
from torch.autograd.function import once_differentiable


def kept_before(episode_start: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """What of a state is kept on the way into each step, (t, r, 1): 0 where an episode begins.

    Args:
        episode_start: (t, r) bool, a new episode began after the step.
        like: whose precision it has.
    """
    kept = torch.cat([torch.ones_like(episode_start[:1]), ~episode_start[:-1]])
    return kept.unsqueeze(2).to(like.dtype)


class _GRURecurrence(torch.autograd.Function):
    """States of gated recurrent units (t, r, u).

    From what the inputs give to the gates (t, r, 3 u), in the order reset, update, candidate; the first state (r, u);
    weights (3 u, u) and biases (3 u,) of the state; and what is kept before each step (t, r, 1).
    """

    @staticmethod
    def forward(
        ctx: Any,
        given: torch.Tensor,
        first: torch.Tensor,
        weight: torch.Tensor,
        bias: torch.Tensor,
        kept: torch.Tensor,
    ) -> torch.Tensor:
        steps, units = len(given), first.shape[1]
        states, before = given.new_empty(steps, *first.shape), given.new_empty(steps, *first.shape)
        gates, told = given.new_empty(steps, len(first), 2 * units), given.new_empty(steps, len(first), units)
        candidates, turned, state = torch.empty_like(states), weight.t(), first
        for k in range(steps):
            torch.mul(state, kept[k], out=before[k])
            heard = torch.addmm(bias, before[k], turned)
            torch.add(given[k, :, : 2 * units], heard[:, : 2 * units], out=gates[k]).sigmoid_()
            told[k] = heard[:, 2 * units :]
            torch.addcmul(given[k, :, 2 * units :], gates[k, :, :units], told[k], out=candidates[k]).tanh_()
            state = torch.lerp(candidates[k], before[k], gates[k, :, units:], out=states[k])
        ctx.save_for_backward(weight, kept, before, gates, told, candidates)
        return states

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        weight, kept, before, gates, told, candidates = ctx.saved_tensors
        reset, update = gates.chunk(2, 2)
        # how the gates' inputs change with the state that comes out
        candidate = (1.0 - update) * (1.0 - candidates * candidates)
        shares = torch.stack(
            [candidate * told * reset * (1.0 - reset), (before - candidates) * update * (1.0 - update)], 2
        )
        heard = torch.cat([shares, (candidate * reset).unsqueeze(2)], 2)
        moved, at_gates = gradients[0].clone(), torch.empty_like(heard)
        for k in reversed(range(len(moved))):
            torch.mul(moved[k].unsqueeze(1), heard[k], out=at_gates[k])
            back = torch.addmm(moved[k] * update[k], at_gates[k].flatten(1), weight).mul_(kept[k])
            if k:
                moved[k - 1] += back
        given = torch.cat([at_gates[:, :, :2].flatten(2), moved * candidate], 2)
        flat = at_gates.flatten(2).flatten(0, 1)
        return given, back, flat.t() @ before.flatten(0, 1), flat.sum(0), None


class _LSTMRecurrence(torch.autograd.Function):
    """Outputs of long short-term memory (t, r, u).

    From what the inputs give to the gates (t, r, 4 u), in the order input, forget, candidate, output; the first outputs
    and cells (r, u); weights (4 u, u) of the outputs; and what is kept before each step (t, r, 1).
    """

    @staticmethod
    def forward(
        ctx: Any,
        given: torch.Tensor,
        first: torch.Tensor,
        cells: torch.Tensor,
        weight: torch.Tensor,
        kept: torch.Tensor,
    ) -> torch.Tensor:
        steps, units = len(given), first.shape[1]
        found, before = given.new_empty(steps, *first.shape), given.new_empty(steps, *first.shape)
        earlier, squashed = torch.empty_like(found), torch.empty_like(found)
        gates, turned, state = torch.empty_like(given), weight.t(), first
        for k in range(steps):
            torch.mul(state, kept[k], out=before[k])
            torch.mul(cells, kept[k], out=earlier[k])
            torch.addmm(given[k], before[k], turned, out=gates[k])
            gates[k, :, : 2 * units].sigmoid_()
            gates[k, :, 2 * units : 3 * units].tanh_()
            gates[k, :, 3 * units :].sigmoid_()
            enter, stay, candidate, leave = gates[k].chunk(4, 1)
            cells = torch.addcmul(stay * earlier[k], enter, candidate)
            torch.tanh(cells, out=squashed[k])
            state = torch.mul(leave, squashed[k], out=found[k])
        ctx.save_for_backward(weight, kept, before, earlier, gates, squashed)
        return found

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        weight, kept, before, earlier, gates, squashed = ctx.saved_tensors
        enter, stay, candidate, leave = gates.chunk(4, 2)
        # how the gates' inputs change with the cells, and cells and the last gate with what comes out
        inner = [
            candidate * enter * (1.0 - enter),
            earlier * stay * (1.0 - stay),
            enter * (1.0 - candidate * candidate),
        ]
        shares, through = torch.stack(inner, 2), leave * (1.0 - squashed * squashed)
        last = squashed * leave * (1.0 - leave)
        moved, at_gates = gradients[0].clone(), gates.new_empty(*gates.shape[:2], 4, gates.shape[2] // 4)
        cells = torch.zeros_like(moved[0])
        for k in reversed(range(len(moved))):
            cells = torch.addcmul(cells, moved[k], through[k])
            torch.mul(cells.unsqueeze(1), shares[k], out=at_gates[k, :, :3])
            torch.mul(moved[k], last[k], out=at_gates[k, :, 3])
            back = (at_gates[k].flatten(1) @ weight).mul_(kept[k])
            cells = (cells * stay[k]).mul_(kept[k])
            if k:
                moved[k - 1] += back
        given = at_gates.flatten(2)
        return given, back, cells, given.flatten(0, 1).t() @ before.flatten(0, 1), None


def gru(cell: nn.GRUCell, inputs: torch.Tensor, state: torch.Tensor, episode_start: torch.Tensor) -> torch.Tensor:
    """States of a cell along a batch, (t, r, units), with zeros before each episode.

    Args:
        cell: with biases.
        inputs: (t, r, inputs).
        state: (r, units), before the first step.
        episode_start: (t, r) bool, a new episode began after the step.
    """
    given = nn.functional.linear(inputs, cell.weight_ih, cell.bias_ih)
    kept = kept_before(episode_start, given)
    return _GRURecurrence.apply(given, state, cell.weight_hh, cell.bias_hh, kept)


def lstm(
    cell: nn.LSTMCell, inputs: torch.Tensor, state: torch.Tensor, cells: torch.Tensor, episode_start: torch.Tensor
) -> torch.Tensor:
    """Outputs of a cell along a batch, (t, r, units), with zeros before each episode.

    Args:
        cell: with biases.
        inputs: (t, r, inputs).
        state: (r, units), outputs before the first step.
        cells: (r, units), likewise.
        episode_start: (t, r) bool, a new episode began after the step.
    """
    given = nn.functional.linear(inputs, cell.weight_ih, cell.bias_ih + cell.bias_hh)
    return _LSTMRecurrence.apply(given, state, cells, cell.weight_hh, kept_before(episode_start, given))
