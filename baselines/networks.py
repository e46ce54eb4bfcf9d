"""Networks of the baselines: normalised inputs, MLPs, convolutions, several networks side by side."""

import itertools
import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import nn

OBSERVATION_LIMIT = 10.0  # normalised observations are clipped here (detail 5 of the nine for continuous control)
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
        self.count: Any = 1e-4
        self.active = active

    def get_extra_state(self) -> float:
        """The number of rows seen, part of the state in double precision."""
        return float(self.count)

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


def mlp(sizes: Sequence[int], last_gain: float | None, activation: str = "tanh", norm: bool = False) -> nn.Sequential:
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
    """What comes before the MLP: nothing for vectors, convolutions for images.

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


def stacked_mlp(
    count: int, sizes: Sequence[int], activation: str, last_gain: float | None = None, norm: bool = False
) -> nn.Sequential:
    """Several MLPs side by side, as `mlp`; orthogonal weights where a gain of the last layer is given."""
    layers: list[nn.Module] = []
    for k, (inputs, outputs) in enumerate(itertools.pairwise(sizes)):
        last = k == len(sizes) - 2
        gain = None if last_gain is None else last_gain if last else math.sqrt(2)
        layers.append(StackedLinear(count, inputs, outputs, gain))
        if not last:
            layers += [*([StackedNorm(count, outputs)] if norm else []), ACTIVATIONS[activation]()]
    return nn.Sequential(*layers)
