"""What policies remember with: recurrent cells behind one interface, whose state is one flat row of numbers.

- ``GRU``: gated recurrent units (Cho et al. 2014);
- ``LSTM``: long short-term memory (Hochreiter and Schmidhuber 1997), with forget gates;
- ``MinGRU``: gates that see the input alone, so that the recurrence is linear (Feng et al. 2024, arXiv 2410.01201);
- ``FFM``: fast and forgetful memory (Morad et al. 2023, arXiv 2310.04128): traces that decay and turn;
- ``Slots``: gated slot attention (Zhang et al. 2024, arXiv 2409.07146): places that are written to and searched.

``gated_transformer.py`` has one more, which attends to a window of the past. A state of zeros remembers nothing, and
that is how every episode begins.
"""

import math
from typing import Any

import torch
from gated_recurrences import gru, kept_before, lstm
from ops import FileOps, TorchOps
from torch import nn
from torch.autograd.function import once_differentiable

ROOTS = 3
"""Square roots of what slots keep in a step: the eighth root of Zhang et al. (2024), to forget slowly at first."""


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

    def unroll(self, inputs: torch.Tensor, state: torch.Tensor, episode_start: torch.Tensor) -> torch.Tensor:
        """See `Memory`."""
        return gru(self, inputs, state, episode_start)

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

    def unroll(self, inputs: torch.Tensor, state: torch.Tensor, episode_start: torch.Tensor) -> torch.Tensor:
        """See `Memory`."""
        return lstm(self, inputs, state[:, : self.units], state[:, self.units :], episode_start)

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
    return _LinearRecurrence.apply(decay * kept_before(episode_start, added.real), added, first)


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


class Slots(Memory, nn.Module):
    """Gated slot attention: a fixed number of slots, each with a key to be found by and a value.

    In each step slot i keeps a share a_i of its key and value and takes in the rest of the step's: K_i becomes
    a_i K_i + (1 - a_i) k, V_i likewise, with a = sigmoid(Linear(x)) ** (1 / 8). What is read is the mean of the values,
    weighed by softmax(K q) (Zhang et al. 2024, section 3). Here scores are divided by the square root of the width, as
    is usual, and what comes out is the sum of linear layers of the input and of what was read, normalised. The state is
    key and value of the first slot, of the second, and so on.

    Args:
        inputs: numbers that come in.
        units: that come out.
        slots: how many.
        width: numbers of a key, and of a value.
    """

    def __init__(self, inputs: int, units: int, slots: int, width: int):
        super().__init__()
        self.keep, self.query, self.entry = (nn.Linear(inputs, size) for size in (slots, width, 2 * width))
        self.skip, self.told = nn.Linear(inputs, units), nn.Linear(width, units)
        _orthogonal(self)
        self.norm = nn.LayerNorm(width)
        self.units, self.size, self.slots, self.width = units, 2 * slots * width, slots, width

    def advance(self, ops: Any, inputs: Any, state: Any) -> tuple[Any, Any]:
        """See `Memory`."""
        slots, both = self.slots, 2 * self.width
        kept, state = ops.shaped(self._kept(ops, inputs), slots, 1), ops.shaped(state, slots, both)
        change = ops.op("Sub", state, ops.shaped(ops.linear(inputs, self.entry), 1, both))
        state = ops.op("Sub", state, ops.op("Sub", change, ops.op("Mul", kept, change)))
        return self._output(ops, inputs, state), ops.shaped(state, slots * both)

    def unroll(self, inputs: torch.Tensor, state: torch.Tensor, episode_start: torch.Tensor) -> torch.Tensor:
        """See `Memory`."""
        ops, flat = TorchOps(), inputs.flatten(0, 1)
        kept, steps = self._kept(ops, inputs).unsqueeze(3), inputs.shape[:2]
        decay = kept.expand(-1, -1, -1, 2 * self.width).flatten(2)
        added = ((1.0 - kept) * self.entry(inputs).unsqueeze(2)).flatten(2)
        states = linear_recurrence(decay, added, state, episode_start)
        return self._output(ops, flat, states.reshape(-1, self.slots, 2 * self.width)).unflatten(0, steps)

    def _kept(self, ops: Any, inputs: Any) -> Any:
        """The share of each slot that stays, (..., slots)."""
        kept = ops.op("Sigmoid", ops.linear(inputs, self.keep))
        for _ in range(ROOTS):
            kept = ops.op("Sqrt", kept)
        return kept

    def _output(self, ops: Any, inputs: Any, state: Any) -> Any:
        """What comes out, (n, units), of inputs (n, inputs) and slots (n, slots, 2 width)."""
        keys, values = (ops.columns(state, k * self.width, self.width) for k in range(2))
        query = ops.scaled(ops.shaped(ops.linear(inputs, self.query), 1, self.width), self.width**-0.5)
        read = ops.op("MatMul", ops.softmax(ops.op("MatMul", query, ops.swapped(keys))), values)
        told = ops.linear(ops.norm(ops.shaped(read, self.width), self.norm), self.told)
        return ops.op("Add", ops.linear(inputs, self.skip), told)
