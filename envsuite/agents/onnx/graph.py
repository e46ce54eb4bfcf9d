"""Builds policy networks from weights."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from envsuite.agents.onnx.model import Model, Node, Port

ROWS = "rows"
"""Name of the first axis of every input and output: one row an agent of an instance."""

ACTIVATIONS = {
    "tanh": "Tanh",
    "relu": "Relu",
    "elu": "Elu",
    "selu": "Selu",
    "sigmoid": "Sigmoid",
    "softplus": "Softplus",
    "leaky_relu": "LeakyRelu",
}
"""Names of activations, and the operators that compute them with their usual settings."""

_F4 = np.dtype(np.float32)


class Graph:
    """A network under construction; every method adds nodes and returns the name of the value they compute.

    Args:
        observation_shape: of one agent's observation.
        dtype: of observations; anything but float32 is converted inside the graph.

    Attributes:
        observation: name of the observation as float32 value, the start of everything.
    """

    def __init__(self, observation_shape: Sequence[int], dtype: Any = np.float32):
        self._nodes: list[Node] = []
        self._constants: dict[str, np.ndarray] = {}
        self._inputs = [Port("observation", np.dtype(dtype), (ROWS, *observation_shape))]
        self._states: list[tuple[str, str, tuple[int, ...]]] = []
        self.observation = "observation"
        if np.dtype(dtype) != _F4:
            self.observation = self.add("Cast", "observation", to=1)

    def add(self, op: str, *inputs: str | np.ndarray, outputs: int = 1, **attributes: Any) -> Any:
        """Add any operator.

        Args:
            op: its ONNX name.
            *inputs: names of values, or constants; float64 ones become float32.
            outputs: how many it has.
            **attributes: its settings.

        Returns:
            The name of the output, or a list of names where there are several.
        """
        names = [one if isinstance(one, str) else self._constant(one) for one in inputs]
        made = [f"v{len(self._nodes)}" if outputs == 1 else f"v{len(self._nodes)}_{k}" for k in range(outputs)]
        self._nodes.append(Node(op, tuple(names), tuple(made), attributes))
        return made[0] if outputs == 1 else made

    def _constant(self, value: np.ndarray) -> str:
        array = np.asarray(value)
        name = f"c{len(self._constants)}"
        self._constants[name] = np.array(array, _F4 if array.dtype.kind == "f" else array.dtype, order="C")
        return name

    def normalise(self, x: str, mean: np.ndarray, scale: np.ndarray, limit: float) -> str:
        """(x - mean) scale, clipped to [-limit, limit]."""
        x = self.add("Mul", self.add("Sub", x, mean), scale)
        return self.add("Clip", x, np.array(-limit), np.array(limit))

    def embed(self, table: np.ndarray, indices: str) -> str:
        """Rows of a table (words, size), by integers."""
        return self.add("Gather", table, indices, axis=0)

    def flatten(self, x: str) -> str:
        """One axis a row."""
        return self.add("Flatten", x, axis=1)

    def dense(self, x: str, weight: np.ndarray, bias: np.ndarray) -> str:
        """A linear layer of (n, in) values: weight (out, in), bias (out,)."""
        return self.add("Gemm", x, weight, bias, transB=1)

    def activate(self, x: str, activation: str) -> str:
        """One of `ACTIVATIONS`.

        Raises:
            ValueError: another name.
        """
        if activation not in ACTIVATIONS:
            raise ValueError(f"activation {activation!r}, expected one of {sorted(ACTIVATIONS)}")
        return self.add(ACTIVATIONS[activation], x)

    def conv(self, x: str, weight: np.ndarray, bias: np.ndarray, *, stride: int = 1, padding: int = 0) -> str:
        """A convolution of images (n, channels, height, width): weight (out, channels, kh, kw), bias (out,)."""
        size = tuple(int(k) for k in np.shape(weight)[2:])
        return self.add("Conv", x, weight, bias, kernel_shape=size, strides=(stride,) * 2, pads=(padding,) * 4)

    def dense_stack(self, x: str, weights: Sequence[np.ndarray], biases: Sequence[np.ndarray], activation: str) -> str:
        """Linear layers with activations between them, none after the last."""
        for k, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
            x = self.dense(self.activate(x, activation) if k else x, weight, bias)
        return x

    def gru(
        self, x: str, weight_ih: np.ndarray, weight_hh: np.ndarray, bias_ih: np.ndarray, bias_hh: np.ndarray
    ) -> str:
        """One step of gated recurrent units, weights as PyTorch has them: gates r, z, n; shapes (3 h, in), (3 h, h)."""
        hidden = np.shape(weight_hh)[1]
        state = self.state("hidden", hidden)
        tensors = self._gates((weight_ih, weight_hh, bias_ih, bias_hh), (1, 0, 2))
        inputs = [self.add("Unsqueeze", one, np.array([0])) for one in (x, state)]
        last = f"g{len(self._nodes)}"
        settings = {"hidden_size": hidden, "linear_before_reset": 1}
        self._nodes.append(Node("GRU", (inputs[0], *tensors, "", inputs[1]), ("", last), settings))
        return self.remember(state, self.add("Squeeze", last, np.array([0])))

    def lstm(
        self, x: str, weight_ih: np.ndarray, weight_hh: np.ndarray, bias_ih: np.ndarray, bias_hh: np.ndarray
    ) -> str:
        """One step of long short-term memory, weights as PyTorch has them: gates i, f, g, o."""
        hidden = np.shape(weight_hh)[1]
        state, memory = self.state("hidden", hidden), self.state("memory", hidden)
        tensors = self._gates((weight_ih, weight_hh, bias_ih, bias_hh), (0, 3, 1, 2))
        inputs = [self.add("Unsqueeze", one, np.array([0])) for one in (x, state, memory)]
        names = ("", f"g{len(self._nodes)}_h", f"g{len(self._nodes)}_c")
        node = Node("LSTM", (inputs[0], *tensors, "", *inputs[1:]), names, {"hidden_size": hidden})
        self._nodes.append(node)
        self.remember(memory, self.add("Squeeze", names[2], np.array([0])))
        return self.remember(state, self.add("Squeeze", names[1], np.array([0])))

    def _gates(self, tensors: Sequence[np.ndarray], order: Sequence[int]) -> list[str]:
        """Weights and joined biases with gates in ONNX's order and a leading axis of one direction."""
        parts = [np.split(np.asarray(one), len(order)) for one in tensors]
        w, r, bw, br = (np.concatenate([part[k] for k in order]) for part in parts)
        return [self._constant(one[None]) for one in (w, r, np.concatenate([bw, br]))]

    def state(self, kind: str, size: int) -> str:
        """Numbers (n, size) that are carried from step to step, 0 at the beginning of an episode; see `remember`."""
        name = f"{kind}_{len(self._states)}"
        self._inputs.append(Port(name, _F4, (ROWS, size)))
        self._states.append((name, "", (size,)))
        return name

    def remember(self, state: str, value: str) -> str:
        """Say what a state is in the next step; gives the value."""
        k = [name for name, _, _ in self._states].index(state)
        self._states[k] = (state, f"next_{state}", self._states[k][2])
        self._nodes.append(Node("Identity", (value,), (f"next_{state}",)))
        return value

    @property
    def states(self) -> list[tuple[str, str, tuple[int, ...]]]:
        """Recurrent states: name of the input, name of the output, shape of a row."""
        return list(self._states)

    def model(self, action: str, shape: Sequence[int]) -> Model:
        """Finish.

        Args:
            action: the value that comes out.
            shape: of a row of it.
        """
        nodes = [*self._nodes, Node("Reshape", (action, "action_shape"), ("action",))]
        shapes = {"action_shape": np.array([0, *shape] if shape else [-1], np.int64)}
        outputs = [Port("action", _F4, (ROWS, *shape))]
        outputs += [Port(name, _F4, (ROWS, *size)) for _, name, size in self._states]
        return Model(tuple(nodes), {**self._constants, **shapes}, tuple(self._inputs), tuple(outputs))


def mlp(
    weights: Sequence[np.ndarray],
    biases: Sequence[np.ndarray],
    *,
    observation_shape: Sequence[int] | None = None,
    action_shape: Sequence[int] | None = None,
    mean: np.ndarray | None = None,
    scale: np.ndarray | None = None,
    limit: float = 10.0,
    activation: str = "tanh",
) -> Model:
    """A multilayer perceptron on normalised observations.

    Args:
        weights: matrix (out, in) of each layer.
        biases: vector (out,) of each layer.
        observation_shape: of one agent; one axis by default.
        action_shape: of one agent, likewise; logits have one axis.
        mean: subtracted from flattened observations; with `scale`, or neither.
        scale: multiplied afterwards.
        limit: normalised observations are clipped to [-limit, limit].
        activation: one of `ACTIVATIONS`.

    Raises:
        ValueError: layers that do not fit together, or an unknown activation.
    """
    sizes = [np.shape(weights[0])[1], *(len(bias) for bias in biases)]
    found = [np.shape(one) for one in weights]
    if found != [(sizes[k + 1], sizes[k]) for k in range(len(weights))]:
        raise ValueError(f"layers {found} with biases {sizes[1:]} do not fit together")
    graph = Graph((sizes[0],) if observation_shape is None else observation_shape)
    x = graph.observation if observation_shape is None else graph.flatten(graph.observation)
    if mean is not None and scale is not None:
        x = graph.normalise(x, mean, scale, limit)
    x = graph.dense_stack(x, weights, biases, activation)
    return graph.model(x, (sizes[-1],) if action_shape is None else action_shape)
