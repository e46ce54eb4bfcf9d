"""What policies remember with: recurrent cells behind one interface, whose state is one flat row of numbers.

- ``GRU``: gated recurrent units (Cho et al. 2014);
- ``LSTM``: long short-term memory (Hochreiter and Schmidhuber 1997), with forget gates;
- ``MinGRU``: gates that see the input alone, so that the recurrence is linear (Feng et al. 2024, arXiv 2410.01201);
- ``GTrXL``: gated transformer-XL (Parisotto et al. 2020, arXiv 1910.06764), which attends to a window of the past;
- ``FFM``: fast and forgetful memory (Morad et al. 2023, arXiv 2310.04128): traces that decay and turn.

A state of zeros remembers nothing, and that is how every episode begins.
"""

import math
from typing import Any

import torch
from ops import FileOps, TorchOps
from torch import nn
from torch.autograd.function import once_differentiable

HIDDEN = 1e9
"""Subtracted from scores of attention where nothing may be heard."""


class Memory:
    """What all memories share; beside it they are modules of PyTorch.

    Attributes:
        units: numbers that come out in a step.
        size: numbers of a state.
    """

    units: int
    size: int

    def step(self, inputs: torch.Tensor, state: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """One step of r rows.

        Args:
            inputs: (r, inputs).
            state: (r, size).

        Returns:
            What comes out (r, units), and the next state (r, size).
        """
        return self.advance(TorchOps(), inputs, state)

    def unroll(self, inputs: torch.Tensor, state: torch.Tensor, episode_start: torch.Tensor) -> torch.Tensor:
        """What comes out along a batch, (t, r, units): the same as step by step.

        Args:
            inputs: (t, r, inputs).
            state: (r, size), before the first step.
            episode_start: (t, r) bool, a new episode began after the step.
        """
        found = []
        for step in range(len(inputs)):
            output, state = self.step(inputs[step], state)
            found.append(output)
            state = state * ~episode_start[step].unsqueeze(1)
        return torch.stack(found)

    def written(self, exporter: Any, x: str) -> str:
        """The value that comes out in a policy file, whose state the policy carries.

        Args:
            exporter: `export.Exporter`.
            x: value (r, inputs).
        """
        graph = exporter.graph
        state = graph.state("memory", self.size)
        output, following = self.advance(FileOps(graph), x, state)
        graph.remember(state, following)
        return output

    def advance(self, ops: Any, inputs: Any, state: Any) -> tuple[Any, Any]:
        """A step on the operations of `ops`."""
        raise NotImplementedError


def _orthogonal(cell: nn.Module) -> None:
    """Orthogonal weights and zero biases (Huang et al. 2022)."""
    for name, one in cell.named_parameters():
        nn.init.zeros_(one) if "bias" in name else nn.init.orthogonal_(one)


class GRU(Memory, nn.GRUCell):
    """Gated recurrent units; the state is what comes out.

    Args:
        inputs: numbers that come in.
        units: that come out.
    """

    def __init__(self, inputs: int, units: int):
        super().__init__(inputs, units)
        _orthogonal(self)
        self.units = self.size = units

    def step(self, inputs: torch.Tensor, state: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """See `Memory`."""
        state = self(inputs, state)
        return state, state

    def written(self, exporter: Any, x: str) -> str:
        """See `Memory`."""
        return exporter.gru(x, self)


class LSTM(Memory, nn.LSTMCell):
    """Long short-term memory; the state is what comes out, and behind it the cells.

    Args:
        inputs: numbers that come in.
        units: that come out.
    """

    def __init__(self, inputs: int, units: int):
        super().__init__(inputs, units)
        _orthogonal(self)
        self.units, self.size = units, 2 * units

    def step(self, inputs: torch.Tensor, state: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """See `Memory`."""
        output, cells = self(inputs, (state[:, : self.units], state[:, self.units :]))
        return output, torch.cat([output, cells], 1)

    def written(self, exporter: Any, x: str) -> str:
        """See `Memory`."""
        return exporter.lstm(x, self)


class _LinearRecurrence(torch.autograd.Function):
    """h[k] = decay[k] h[k - 1] + added[k]: a loop of one operation a step both ways.

    A parallel scan does the same work log2(t) times, which pays where there are more processors than rows.
    """

    @staticmethod
    def forward(ctx: Any, decay: torch.Tensor, added: torch.Tensor, first: torch.Tensor) -> torch.Tensor:
        found, state = torch.empty_like(added), first
        for k in range(len(added)):
            state = torch.addcmul(added[k], decay[k], state, out=found[k])
        ctx.save_for_backward(decay, found, first)
        return found

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor, ...]:
        decay, found, first = ctx.saved_tensors
        back, moved = decay.conj().resolve_conj(), gradients[0].clone()
        for k in reversed(range(len(moved) - 1)):
            moved[k].addcmul_(back[k + 1], moved[k + 1])
        before = torch.cat([first.unsqueeze(0), found[:-1]])
        return moved * before.conj(), moved, back[0] * moved[0]


def linear_recurrence(
    decay: torch.Tensor, added: torch.Tensor, first: torch.Tensor, episode_start: torch.Tensor
) -> torch.Tensor:
    """States (t, r, size) of h[k] = decay[k] h[k - 1] + added[k], with zeros before each episode.

    Args:
        decay: real or complex, of a shape that goes with (t, r, size).
        added: (t, r, size).
        first: (r, size), before the first step.
        episode_start: (t, r) bool, a new episode began after the step.
    """
    kept = torch.cat([torch.ones_like(episode_start[:1]), ~episode_start[:-1]]).unsqueeze(2)
    return _LinearRecurrence.apply(decay * kept, added, first)


class MinGRU(Memory, nn.Module):
    """Gates and proposals that see the input alone (Feng et al. 2024, section 3.1); the state is what comes out.

    Args:
        inputs: numbers that come in.
        units: that come out.
    """

    def __init__(self, inputs: int, units: int):
        super().__init__()
        self.gate, self.proposal = nn.Linear(inputs, units), nn.Linear(inputs, units)
        _orthogonal(self)
        self.units = self.size = units

    def advance(self, ops: Any, inputs: Any, state: Any) -> tuple[Any, Any]:
        """See `Memory`."""
        gate = ops.op("Sigmoid", ops.linear(inputs, self.gate))
        change = ops.op("Sub", ops.linear(inputs, self.proposal), state)
        state = ops.op("Add", state, ops.op("Mul", gate, change))
        return state, state

    def unroll(self, inputs: torch.Tensor, state: torch.Tensor, episode_start: torch.Tensor) -> torch.Tensor:
        """See `Memory`."""
        gate = self.gate(inputs).sigmoid()
        return linear_recurrence(1.0 - gate, gate * self.proposal(inputs), state, episode_start)


class FFM(Memory, nn.Module):
    """Fast and forgetful memory: traces of the past that decay, each once for every frequency with which it turns.

    A state S of complex numbers, (traces, contexts), becomes S exp(-|decay| - i frequency) + x (Morad et al. 2023); a
    gate lets x in, another one mixes what is read from the traces with the input. The state is its real parts, and
    behind them its imaginary ones. First decays and frequencies are ours, over a range like that of the paper.

    Args:
        inputs: numbers that come in.
        units: that come out.
        traces: m of the paper.
        contexts: c of the paper.
        horizon: steps after which the slowest trace has fallen to a hundredth; also the longest period.
    """

    def __init__(self, inputs: int, units: int, traces: int, contexts: int, horizon: int):
        super().__init__()
        self.decay = nn.Parameter(torch.linspace(math.log(100.0) / 2, math.log(100.0) / horizon, traces))
        self.frequency = nn.Parameter(2 * math.pi / torch.linspace(2.0, horizon, contexts))
        self.enter, self.entered = nn.Linear(inputs, traces), nn.Linear(inputs, traces)
        self.read, self.norm = nn.Linear(2 * traces * contexts, units), nn.LayerNorm(units)
        self.mix, self.skip = nn.Linear(inputs, units), nn.Linear(inputs, units)
        self.units, self.size, self.contexts = units, 2 * traces * contexts, contexts

    def turned(self) -> torch.Tensor:
        """What a state is multiplied with in a step: complex, (contexts traces,), the traces of a context together."""
        size = (-self.decay.abs()).exp().repeat(self.contexts)
        return torch.polar(size, -self.frequency.repeat_interleave(len(self.decay)))

    def advance(self, ops: Any, inputs: Any, state: Any) -> tuple[Any, Any]:
        """See `Memory`."""
        half = self.size // 2
        turned = self.turned()
        real, imaginary = (ops.parameter(part) for part in (turned.real, turned.imag))
        first, second = ops.columns(state, 0, half), ops.columns(state, half, half)
        parts = (
            ops.op("Sub", ops.op("Mul", first, real), ops.op("Mul", second, imaginary)),
            ops.op("Add", ops.op("Mul", first, imaginary), ops.op("Mul", second, real)),
        )
        state = ops.joined([ops.op("Add", parts[0], self._added(ops, inputs)), parts[1]])
        return self._output(ops, inputs, state), state

    def unroll(self, inputs: torch.Tensor, state: torch.Tensor, episode_start: torch.Tensor) -> torch.Tensor:
        """See `Memory`."""
        ops, half = TorchOps(), self.size // 2
        first = torch.complex(state[:, :half], state[:, half:])
        added = self._added(ops, inputs)
        states = linear_recurrence(self.turned(), torch.complex(added, torch.zeros_like(added)), first, episode_start)
        return self._output(ops, inputs, torch.cat([states.real, states.imag], 2))

    def _added(self, ops: Any, inputs: Any) -> Any:
        x = ops.op("Mul", ops.linear(inputs, self.entered), ops.op("Sigmoid", ops.linear(inputs, self.enter)))
        return ops.joined([x] * self.contexts)

    def _output(self, ops: Any, inputs: Any, state: Any) -> Any:
        told, skip = ops.norm(ops.linear(state, self.read), self.norm), ops.linear(inputs, self.skip)
        share = ops.op("Sigmoid", ops.linear(inputs, self.mix))
        return ops.op("Add", skip, ops.op("Mul", share, ops.op("Sub", told, skip)))


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
