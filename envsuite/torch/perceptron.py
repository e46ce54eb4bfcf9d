"""Policies of linear layers: PyTorch learns them, and compiled code plays their rollouts on the CPU."""

import math
from typing import Any

import numpy as np
import torch
from torch import nn

from envsuite.core import perceptron
from envsuite.core.layout import Choice, Choices, Vector
from envsuite.core.perceptron import ACTIVATIONS

_KINDS: dict[type[nn.Module], str] = dict(zip((nn.Tanh, nn.ReLU), ACTIVATIONS, strict=True))


class Perceptron(nn.Module):
    """Draws actions by linear layers; `TorchVectorEnv.rollout` plays it without Python between steps.

    Called with observations (n, [a,] *O) it gives actions within bounds (n, [a,] *A), and by name ``log_prob`` (n, [a])
    and ``raw_action``, the numbers as drawn, whose density that is. Choices are drawn one a head.

    Args:
        world: of the environment, for its actions: ``env.world``.
        network: linear layers with ``nn.Tanh`` or ``nn.ReLU`` between them, from observations to means of actions or to
            logits of choices.
        log_std: (A,) logarithm of the spread of normal actions; None for zeros, or where actions are choices.

    Attributes:
        network: as given.
        log_std: a parameter; None where actions are choices.
        heads: number of alternatives of each choice; empty for numbers.
        outputs: of the network.

    Raises:
        ValueError: another kind of network, one whose outputs do not fit the actions, or choices that are not always
            allowed.
    """

    low: torch.Tensor
    high: torch.Tensor

    def __init__(self, world: Any, network: nn.Sequential, log_std: torch.Tensor | None = None):
        super().__init__()
        action = world.action
        if not isinstance(action, Vector | Choice | Choices):
            raise ValueError(f"actions are {type(action).__name__}, expected Vector, Choice or Choices")
        if "action_mask" in (world.info_dtype.names or ()):
            raise ValueError(f"{type(world).__name__} has actions that are not always allowed, which it cannot tell")
        self.network, self._shape, self._axes = network, action.shape, len(world.observation.shape)
        self._activation = _activation_of(network)
        self.heads = () if isinstance(action, Vector) else tuple(int(k) + 1 for k in action.high.reshape(-1))
        self.outputs = int(_linear_of(network)[-1].out_features)
        outputs, expected = self.outputs, sum(self.heads) or math.prod(self._shape)
        if outputs != expected:
            raise ValueError(f"the network has {outputs} outputs, expected {expected}")
        if self.heads and log_std is not None:
            raise ValueError("log_std is given, expected None: actions are choices")
        spread = torch.zeros((outputs,)) if log_std is None else torch.as_tensor(log_std).detach().clone()
        if spread.shape != (outputs,):
            raise ValueError(f"log_std has shape {tuple(spread.shape)}, expected ({outputs},)")
        self.log_std = None if self.heads else nn.Parameter(spread.float())
        for name in ("low", "high"):
            self.register_buffer(name, torch.from_numpy(getattr(action, name).reshape(-1).astype(np.float32)))

    def draw_noise(self, *lead: int) -> torch.Tensor:
        """(..., outputs) numbers that decide what is drawn: standard normal, or of the Gumbel distribution."""
        shape, device = (*lead, self.outputs), self.low.device
        if self.heads:
            return -torch.empty(shape, device=device).exponential_().log_()
        return torch.randn(shape, device=device)

    def log_prob(self, observations: torch.Tensor, raw_actions: torch.Tensor) -> torch.Tensor:
        """(...) of actions as drawn (..., A), with gradients."""
        outputs = self._outputs_of(observations)
        if self.log_std is None:
            return self._log_prob_of_choices(outputs, raw_actions)
        scaled = (raw_actions - outputs) * (-self.log_std).exp()
        return -0.5 * scaled.square().sum(-1) - (self.log_std + 0.5 * math.log(2 * math.pi)).sum()

    def _outputs_of(self, observations: torch.Tensor) -> torch.Tensor:
        return self.network(observations.flatten(-self._axes).float())

    def _log_prob_of_choices(self, logits: torch.Tensor, choices: torch.Tensor) -> torch.Tensor:
        parts = logits.split(list(self.heads), -1)
        picked = [part.log_softmax(-1).gather(-1, choices[..., k : k + 1]) for k, part in enumerate(parts)]
        return torch.cat(picked, -1).sum(-1)

    @torch.no_grad()
    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """Draw actions; see the class."""
        outputs = self._outputs_of(observations)
        noise = self.draw_noise(*outputs.shape[:-1])
        if self.log_std is None:
            parts = (outputs + noise).split(list(self.heads), -1)
            raw = played = torch.stack([part.argmax(-1) for part in parts], -1)
        else:
            raw = torch.addcmul(outputs, self.log_std.exp(), noise)
            played = raw.clamp(self.low, self.high)
        extras = {"log_prob": self.log_prob(observations, raw), "raw_action": raw}
        return played.reshape(*outputs.shape[:-1], *self._shape), extras

    def compiled(self) -> perceptron.Perceptron:
        """As kernels play it, with the weights of now."""
        linear = _linear_of(self.network)
        zeros = np.zeros(linear[0].in_features, np.float32)
        layers = [(one.weight.detach().numpy().T, _bias(one)) for one in linear]
        spread = np.zeros(0, np.float32) if self.log_std is None else self.log_std.detach().numpy()
        return perceptron.Perceptron(layers, self._activation, zeros, zeros + 1, math.inf, spread, self.heads)


def _linear_of(network: nn.Sequential) -> list[nn.Linear]:
    """The linear layers of a network."""
    return [layer for layer in network if isinstance(layer, nn.Linear)]


def _bias(layer: nn.Linear) -> np.ndarray:
    return np.zeros(layer.out_features, np.float32) if layer.bias is None else layer.bias.detach().numpy()


def _activation_of(network: nn.Sequential) -> str:
    """The name of the activation between linear layers.

    Raises:
        ValueError: anything else stands in the network.
    """
    layers = [*network] if isinstance(network, nn.Sequential) else []
    kinds: set[type[nn.Module]] = {type(layer) for layer in layers[1::2]} or {nn.Tanh}
    linear = all(isinstance(layer, nn.Linear) for layer in layers[::2])
    if not linear or len(layers) % 2 == 0 or len(kinds) > 1 or not kinds <= set(_KINDS):
        raise ValueError(f"network is {network}, expected Linear layers with Tanh, or with ReLU, between them")
    return _KINDS[kinds.pop()]
