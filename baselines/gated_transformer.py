"""Gated transformer-XL (Parisotto et al. 2020, arXiv 1910.06764): a memory that attends to a window of the past."""

from typing import Any

import torch
from memories import Memory
from ops import TorchOps
from torch import nn

HIDDEN = 1e9
"""Subtracted from scores of attention where nothing may be heard."""


class Gate(nn.Module):
    """What joins a layer's result with what came in, as a GRU would (Parisotto et al. 2020).

    Args:
        width: numbers of a place.
    """

    def __init__(self, width: int):
        super().__init__()
        self.result, self.given = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, 2 * width, bias=False)
        self.last = nn.Linear(width, width, bias=False)
        self.bias = nn.Parameter(torch.full((width,), 2.0))  # at first nearly all of what came in goes on
        self.width = width

    def join(self, ops: Any, x: Any, y: Any) -> Any:
        """What came in, x, and the result, y, (..., width)."""
        width, result, given = self.width, ops.linear(y, self.result), ops.linear(x, self.given)
        reset, update = (
            ops.op("Add", ops.columns(result, k * width, width), ops.columns(given, k * width, width)) for k in range(2)
        )
        update = ops.op("Sigmoid", ops.op("Sub", update, ops.parameter(self.bias)))
        past = ops.linear(ops.op("Mul", ops.op("Sigmoid", reset), x), self.last)
        proposal = ops.op("Tanh", ops.op("Add", ops.columns(result, 2 * width, width), past))
        return ops.op("Add", x, ops.op("Mul", update, ops.op("Sub", proposal, x)))


class GatedBlock(nn.Module):
    """Attention to a window of the past and a perceptron, each normalised before and gated behind.

    Scores are those of transformer-XL (Dai et al. 2019, section 3.3): (q + u) k for what is there, (q + v) r for how
    long ago it was.

    Args:
        width: numbers of a place.
        heads: of attention.
        past: earlier steps that are attended to.
    """

    ago: torch.Tensor

    def __init__(self, width: int, heads: int, past: int):
        super().__init__()
        self.heads, self.each = heads, width // heads
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.query, self.key, self.value, self.place = (nn.Linear(width, width, bias=False) for _ in range(4))
        self.content_bias, self.place_bias = nn.Parameter(torch.zeros(width)), nn.Parameter(torch.zeros(width))
        self.out = nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        self.attended, self.thought = Gate(width), Gate(width)
        angles = torch.arange(past, -1, -1).unsqueeze(1) / 10_000.0 ** (torch.arange(0, width, 2) / width)
        self.register_buffer("ago", torch.cat([angles.sin(), angles.cos()], 1)[:, :width], persistent=False)

    def advance(self, ops: Any, x: Any, window: Any, hidden: Any) -> Any:
        """(r, width) of the present x (r, width).

        Instead of keys and values of the whole window, queries are brought to where places are, and the mean place
        to where values are, which is the same.

        Args:
            ops: operations.
            x: what came in.
            window: (r, past + 1, width) what came in until now, the present last.
            hidden: (r, 1, past + 1), very negative where there is nothing.
        """
        each, normal = self.each, ops.norm(window, self.first)
        query, places = ops.linear(ops.norm(x, self.first), self.query), self.place(self.ago)
        width, length = places.shape[1], places.shape[0]
        content = ops.op("Add", query, ops.parameter(self.content_bias))
        timed = ops.op("Add", query, ops.parameter(self.place_bias))
        heard = []
        for k in range(0, width, each):
            sought = ops.op("MatMul", ops.columns(content, k, each), ops.parameter(self.key.weight[k : k + each]))
            scores = ops.op("MatMul", ops.shaped(sought, 1, width), ops.swapped(normal))
            when = ops.op("MatMul", ops.columns(timed, k, each), ops.parameter(places[:, k : k + each].T))
            scores = ops.scaled(ops.op("Add", scores, ops.shaped(when, 1, length)), each**-0.5)
            mean = ops.op("MatMul", ops.softmax(ops.op("Add", scores, hidden)), normal)
            heard.append(ops.op("MatMul", ops.shaped(mean, width), ops.parameter(self.value.weight[k : k + each].T)))
        return self._behind(ops, x, ops.joined(heard))

    def along(self, x: torch.Tensor, before: torch.Tensor, seen: torch.Tensor) -> torch.Tensor:
        """(r, t, width) of x (r, t, width), all steps at once.

        Args:
            x: what came in.
            before: (r, past, width) what came in before.
            seen: (r, 1, t, past + t) bool, what each step attends to.
        """
        normal = self.first(torch.cat([before, x], 1))
        rows, steps, past = len(x), x.shape[1], before.shape[1]
        query = self.query(normal[:, past:])
        content, timed = (
            (query + bias).unflatten(2, (self.heads, -1)).transpose(1, 2)
            for bias in (self.content_bias, self.place_bias)
        )
        key, value = (layer(normal).unflatten(2, (self.heads, -1)).transpose(1, 2) for layer in (self.key, self.value))
        places = self.place(self.ago).unflatten(1, (self.heads, -1)).permute(1, 2, 0)
        when = nn.functional.pad(timed @ places, (0, steps))  # rows one too long, so each begins one place later
        when = when.flatten(2)[..., : steps * (past + steps)].reshape(rows, self.heads, steps, past + steps)
        scores = (content @ key.transpose(2, 3) + when) * self.each**-0.5
        shares = scores.masked_fill(~seen, -HIDDEN).softmax(3)
        return self._behind(TorchOps(), x, (shares @ value).transpose(1, 2).flatten(2))

    def _behind(self, ops: Any, x: Any, heard: Any) -> Any:
        x = self.attended.join(ops, x, ops.op("Relu", ops.linear(heard, self.out)))
        thought = ops.op("Relu", ops.linear(ops.norm(x, self.second), self.wide))
        return self.thought.join(ops, x, ops.op("Relu", ops.linear(thought, self.narrow)))


class GTrXL(Memory, nn.Module):
    """Gated transformer-XL: each layer attends to what came into it in the last steps of the episode.

    The state has a 1 for each earlier step that there is, the latest last, and then for each layer what came into it
    in these steps. As in transformer-XL, nothing is learned through states from before a batch.

    Args:
        inputs: numbers that come in.
        units: that come out, and numbers of a place.
        layers: how many.
        heads: of attention, in each.
        past: earlier steps that are attended to.
    """

    one: torch.Tensor

    def __init__(self, inputs: int, units: int, layers: int, heads: int, past: int):
        super().__init__()
        self.entrance = nn.Linear(inputs, units)
        self.blocks = nn.ModuleList(GatedBlock(units, heads, past) for _ in range(layers))
        self.register_buffer("one", torch.ones(1, 1), persistent=False)
        self.units, self.past, self.size = units, past, past * (1 + layers * units)

    def advance(self, ops: Any, inputs: Any, state: Any) -> tuple[Any, Any]:
        """See `Memory`."""
        past, width = self.past, self.units
        there = ops.columns(state, 0, past)
        now = ops.op("Add", ops.scaled(ops.columns(there, 0, 1), 0.0), ops.parameter(self.one))
        there = ops.joined([there, now])
        hidden = ops.scaled(ops.op("Sub", ops.shaped(there, 1, past + 1), ops.parameter(self.one)), HIDDEN)
        following, x = [ops.columns(there, 1, past)], ops.linear(inputs, self.entrance)
        for k, block in enumerate(self.blocks):
            window = ops.joined([ops.columns(state, past + k * past * width, past * width), x])
            following.append(ops.columns(window, width, past * width))
            x = block.advance(ops, x, ops.shaped(window, past + 1, width), hidden)
        return x, ops.joined(following)

    def unroll(self, inputs: torch.Tensor, state: torch.Tensor, episode_start: torch.Tensor) -> torch.Tensor:
        """See `Memory`."""
        past, steps = self.past, len(inputs)
        before = state[:, past:].unflatten(1, (len(self.blocks), past, self.units)).unbind(1)
        episode = (episode_start.cumsum(0) - episode_start.long()).T  # of each step, the first is 0
        known = torch.where(state[:, :past] > 0, 0, -1)
        same = episode.unsqueeze(2) == torch.cat([known, episode], 1).unsqueeze(1)
        later = torch.arange(past + steps) - torch.arange(steps).unsqueeze(1)
        seen = (same & (later >= 0) & (later <= past)).unsqueeze(1)
        x = self.entrance(inputs).transpose(0, 1)
        for block, old in zip(self.blocks, before, strict=True):
            x = block.along(x, old, seen)
        return x.transpose(0, 1)
