"""Networks of the baselines: normalised inputs, perceptrons, convolutions, choices under a mask, policy files."""

import itertools
import math
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import torch
from torch import nn

from envsuite.agents.onnx import Action, Graph, Interface, OnnxPolicy, Program, State
from envsuite.agents.onnx.interface import Kind

OBSERVATION_LIMIT = 10.0  # normalised observations are clipped here (detail 5 of the nine for continuous control)
ILLEGAL = -1e8  # logit of a choice that is not allowed: its probability is 0, and no gradient comes through it
ACTIVATIONS: dict[str, type[nn.Module]] = {"tanh": nn.Tanh, "relu": nn.ReLU}
NATURE = ((32, 8, 4), (64, 4, 2), (64, 3, 1))
"""Channels, kernel and stride of each convolution for images of 36 pixels or more: Mnih et al. (2015), Nature 518."""
SMALL = ((16, 3, 1), (32, 3, 1))
"""Likewise for smaller images, such as grids of objects."""


class Normaliser(nn.Module):
    """Running mean and variance of inputs, and their normalised form.

    Args:
        size: numbers a row.
        active: False passes inputs on as they are.
    """

    def __init__(self, size: int, active: bool = True):
        super().__init__()
        self.register_buffer("mean", torch.zeros(size))
        self.register_buffer("variance", torch.ones(size))
        self.count, self.active = 1e-4, active

    def get_extra_state(self) -> float:
        """The number of rows seen, part of the state in double precision."""
        return self.count

    def set_extra_state(self, state: float) -> None:
        """Restore it."""
        self.count = state

    def update(self, batch: torch.Tensor) -> None:
        """Merge the moments of a batch (Chan et al. 1979)."""
        if not self.active or not len(batch):
            return
        variance, mean = torch.var_mean(batch, dim=0, correction=0)
        total = self.count + len(batch)
        delta = mean - self.mean
        self.variance = (
            self.variance * self.count + variance * len(batch) + delta**2 * self.count * len(batch) / total
        ) / total
        self.mean = self.mean + delta * len(batch) / total
        self.count = total

    def forward(self, batch: torch.Tensor) -> torch.Tensor:
        """Normalise and clip."""
        if not self.active:
            return batch
        scaled = (batch - self.mean) * torch.rsqrt(self.variance + 1e-8)
        return scaled.clamp(-OBSERVATION_LIMIT, OBSERVATION_LIMIT)


def normaliser_of(shape: Sequence[int], active: bool) -> Normaliser:
    """The normaliser of rows of a shape: images are scaled by their network instead."""
    return Normaliser(shape[0], active) if len(shape) == 1 else Normaliser(1, False)


def perceptron(
    sizes: Sequence[int], last_gain: float | None, activation: str = "tanh", norm: bool = False
) -> nn.Sequential:
    """Linear layers with orthogonal weights (gain sqrt 2, and `last_gain` for the output) and zero biases.

    Without a gain they keep PyTorch's own initial spread, uniform within 1 / sqrt(inputs). With `norm`, hidden layers
    are normalised before the activation.
    """
    layers: list[nn.Module] = []
    for k, (inputs, outputs) in enumerate(itertools.pairwise(sizes)):
        last = k == len(sizes) - 2
        layer = nn.Linear(inputs, outputs)
        if last_gain is not None:
            _orthogonal(layer, last_gain if last else 2**0.5)
        normal = [nn.LayerNorm(outputs)] if norm and not last else []
        layers += [layer] if last else [layer, *normal, ACTIVATIONS[activation]()]
    return nn.Sequential(*layers)


def _orthogonal(layer: Any, gain: float) -> Any:
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


class Trunk(nn.Module):
    """What comes before the perceptron: nothing for vectors, convolutions for images.

    Args:
        shape: of a row: (numbers,), or (height, width, channels) of bytes.

    Attributes:
        features: numbers a row that come out.
    """

    def __init__(self, shape: Sequence[int]):
        super().__init__()
        self.layers = nn.Sequential()
        self.features = shape[0]
        if len(shape) == 3:
            height, width, channels = shape
            for outputs, kernel, stride in NATURE if min(height, width) >= 36 else SMALL:
                self.layers.append(_orthogonal(nn.Conv2d(channels, outputs, kernel, stride), 2**0.5))
                self.layers.append(nn.ReLU())
                height, width, channels = (height - kernel) // stride + 1, (width - kernel) // stride + 1, outputs
            self.features = height * width * channels

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """(r, features) of rows."""
        if not len(self.layers):
            return rows
        return self.layers(rows.permute(0, 3, 1, 2).float() / 255.0).flatten(1)


class Choices:
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

    def distance(self, action: torch.Tensor) -> torch.Tensor:
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

    def distance(self, action: torch.Tensor) -> torch.Tensor:
        """(...) from always doing `action`: of the mean, squared; the noise is not its business."""
        return (self._mean - action).square().sum(-1)


class Actions(nn.Module):
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
            return Choices(output, self.heads, mask)
        return Gaussian(output, self.log_std)

    def quieten(self, first: float, last: float, left: float) -> None:
        """Bound the logarithm of the noise on numbers: from `first` to `last` as `left` falls from 1 to 0.

        Args:
            first: at the beginning.
            last: at the end; infinite for no bound.
            left: share of the training that is left.
        """
        if not self.heads and last < math.inf:
            self.log_std.data.clamp_(max=last + (first - last) * left)

    def played(self, action: torch.Tensor) -> torch.Tensor:
        """What the environment gets: numbers within their bounds."""
        return action if self.heads else action.clamp(self.low, self.high)


LOG_STD = (-20.0, 2.0)
"""Bounds of the logarithm of the spread of squashed normal actions, as in the code of SAC's authors."""


def squashed(output: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Actions drawn from a normal distribution and squashed by tanh (SAC, Haarnoja et al. 2018, appendix C).

    Args:
        output: (..., 2 A), means and logarithms of spreads.

    Returns:
        Actions (..., A) in [-1, 1], and the logarithms of their densities (...).
    """
    mean, log_std = output.chunk(2, -1)
    log_std = log_std.clamp(*LOG_STD)
    noise = torch.randn_like(mean)
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


class Exporter:
    """Writes an actor as a policy that plays without PyTorch.

    Args:
        env_id: environment that it was trained on.
        env: whose spaces it has, ``single_observation_space`` and ``single_action_space``.
        mask_at: where the observation holds the mask of choices; None for nowhere.
        agents: agents with networks of their own, which one graph then plays together.

    Attributes:
        graph: the network so far.
    """

    def __init__(self, env_id: str, env: Any, mask_at: int | None = None, agents: int = 1):
        self._env_id, self._action, self._mask_at, self._agents = env_id, env.single_action_space, mask_at, agents
        space = env.single_observation_space
        graph = self.graph = Graph(space.shape if agents == 1 else (agents, *space.shape), space.dtype)
        if agents > 1:
            parts = (graph.add("Gather", graph.observation, np.array(k), axis=1) for k in range(agents))
            self._rows = [graph.flatten(part) for part in parts]
        else:
            self._rows = [graph.observation if len(space.shape) == 3 else graph.flatten(graph.observation)]

    def inputs(self, normaliser: Normaliser, trunk: Trunk | None = None, agent: int = 0) -> str:
        """The value that the perceptron gets."""
        graph, x = self.graph, self._rows[agent]
        if trunk is not None and len(trunk.layers):
            x = graph.add("Div", graph.add("Transpose", x, perm=(0, 3, 1, 2)), np.array(255.0))
            for layer in trunk.layers:
                if isinstance(layer, nn.Conv2d):
                    x = graph.activate(graph.conv(x, *_arrays(layer), stride=layer.stride[0]), "relu")
            return graph.flatten(x)
        if not normaliser.active:
            return x
        scale = torch.rsqrt(normaliser.variance + 1e-8).cpu().numpy()
        return graph.normalise(x, normaliser.mean.cpu().numpy().copy(), scale, OBSERVATION_LIMIT)

    def layers(self, x: str, network: nn.Sequential) -> str:
        """Linear layers, layer normalisations and activations."""
        for layer in network:
            if isinstance(layer, nn.Linear):
                x = self.graph.dense(x, *_arrays(layer))
            elif isinstance(layer, nn.LayerNorm):
                x = self.graph.add("LayerNormalization", x, *_arrays(layer), epsilon=layer.eps)
            else:
                x = self.graph.activate(x, type(layer).__name__.lower())
        return x

    def columns(self, x: str, count: int) -> str:
        """The first columns of (r, n) values."""
        return self.graph.add("Slice", x, np.array([0]), np.array([count]), np.array([1]))

    def finish(self, output: str | list[str], kind: Kind) -> OnnxPolicy:
        """The policy.

        Args:
            output: numbers (r, A), logits or values of choices (r, sum of heads); a list with one value an agent.
            kind: what becomes of them, see `envsuite.agents.onnx.Action`.

        Raises:
            ValueError: agents with networks of their own make several choices each.
        """
        space, low, high = self._action, (), ()
        heads, outputs = heads_of(space), [output] if isinstance(output, str) else output
        if isinstance(space, gymnasium.spaces.Box):
            low, high = (tuple(map(float, bound.reshape(-1))) * self._agents for bound in (space.low, space.high))
        outputs = [self._allowed(one, rows, heads) for one, rows in zip(outputs, self._rows, strict=True)]
        several = heads if isinstance(space, gymnasium.spaces.MultiDiscrete) else ()
        shape = (sum(heads),) if heads else space.shape
        if self._agents > 1:
            if several:
                raise ValueError(f"networks of their own are not supported for {space}: let agents share one")
            several, shape = heads * self._agents, (shape[0] * self._agents,) if heads else (self._agents, *shape)
        joined = outputs[0] if len(outputs) == 1 else self.graph.add("Concat", *outputs, axis=1)
        model = self.graph.model(joined, shape)
        states = tuple(State(name, into, size) for name, into, size in self.graph.states)
        return OnnxPolicy(Program(model), Interface(self._env_id, Action(kind, low, high, several), states=states))

    def _allowed(self, output: str, rows: str, heads: tuple[int, ...]) -> str:
        """Logits that forbidden choices cannot win."""
        if self._mask_at is None:
            return output
        graph = self.graph
        ends = (np.array([self._mask_at]), np.array([self._mask_at + sum(heads)]), np.array([1]))
        forbidden = graph.add("Sub", np.array(1.0), graph.add("Slice", rows, *ends))
        return graph.add("Add", output, graph.add("Mul", forbidden, np.array(ILLEGAL)))


def _arrays(layer: Any) -> list[np.ndarray]:
    return [one.detach().cpu().numpy().copy() for one in (layer.weight, layer.bias)]


class StackedLinear(nn.Module):
    """Several linear layers side by side: (g, b, inputs) to (g, b, outputs).

    Args:
        count: how many, g.
        inputs: numbers that come in.
        outputs: numbers that go out.
        gain: of orthogonal weights; None for PyTorch's own initial spread.
    """

    def __init__(self, count: int, inputs: int, outputs: int, gain: float | None = None):
        super().__init__()
        reach = inputs**-0.5
        self.weight = nn.Parameter(torch.empty(count, inputs, outputs))
        self.bias = nn.Parameter(torch.zeros(count, 1, outputs))
        if gain is None:
            self.weight.data.uniform_(-reach, reach)
            self.bias.data.uniform_(-reach, reach)
        else:
            for one in self.weight.data:
                nn.init.orthogonal_(one, gain)

    def forward(self, batch: torch.Tensor) -> torch.Tensor:
        """Apply each layer to its part."""
        return torch.baddbmm(self.bias, batch, self.weight)

    def part(self, k: int) -> nn.Linear:
        """One of the layers."""
        layer = nn.Linear(*self.weight.shape[1:])
        layer.weight.data, layer.bias.data = self.weight.data[k].T.contiguous(), self.bias.data[k, 0].clone()
        return layer


class StackedNorm(nn.Module):
    """Layer normalisations side by side, each with weights of its own, of (g, b, numbers).

    Args:
        count: how many, g.
        numbers: that are normalised together.
    """

    def __init__(self, count: int, numbers: int):
        super().__init__()
        self.weight, self.bias = (
            nn.Parameter(torch.ones(count, 1, numbers)),
            nn.Parameter(torch.zeros(count, 1, numbers)),
        )

    def forward(self, batch: torch.Tensor) -> torch.Tensor:
        """Normalise each part."""
        return torch.addcmul(self.bias, nn.functional.layer_norm(batch, batch.shape[-1:]), self.weight)


def stacked(
    count: int, sizes: Sequence[int], activation: str, last_gain: float | None = None, norm: bool = False
) -> nn.Sequential:
    """Several perceptrons side by side, as `perceptron`; orthogonal weights where a gain of the last layer is given."""
    layers: list[nn.Module] = []
    for k, (inputs, outputs) in enumerate(itertools.pairwise(sizes)):
        last = k == len(sizes) - 2
        gain = None if last_gain is None else last_gain if last else math.sqrt(2)
        layers.append(StackedLinear(count, inputs, outputs, gain))
        if not last:
            layers += [*([StackedNorm(count, outputs)] if norm else []), ACTIVATIONS[activation]()]
    return nn.Sequential(*layers)
