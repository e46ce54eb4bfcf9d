"""Operations that networks are written on once, for PyTorch and for policy files."""

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

LAST = np.iinfo(np.int64).max
"""The end of an axis, for slices in policy files."""


class TorchOps:
    """The operations that networks are written on, on tensors (n, ...)."""

    def columns(self, x, start: int, size: int):
        """Some numbers of the last axis."""
        return x[..., start : start + size]

    def parts(self, x, sizes: list[int]):
        """All numbers of the last axis, in parts: quicker to learn through than as many `columns`."""
        return x.split(sizes, -1)

    def shaped(self, x, *shape: int):
        """Other axes behind the first."""
        return x.reshape(-1, *shape)

    def linear(self, x, layer: nn.Linear):
        """A linear layer on the last axis."""
        return layer(x)

    def norm(self, x, layer: nn.LayerNorm):
        """A normalised last axis."""
        return layer(x)

    def scaled(self, x, factor: Any):
        """A multiple."""
        return x * factor

    def op(self, name: str, *given):
        """Add, Sub, Mul, Div, MatMul, Relu, Exp, Sqrt, Sigmoid, Tanh."""
        return _TORCH[name](*given)

    def swapped(self, x):
        """The last two axes the other way round."""
        return x.transpose(-1, -2)

    def softmax(self, x):
        """Shares along the last axis."""
        return x.softmax(-1)

    def summed(self, x, axis: int):
        """A sum along an axis, which stays."""
        return x.sum(axis, keepdim=True)

    def joined(self, parts: list, axis: int = -1):
        """One behind the other."""
        return torch.cat(parts, axis)

    def greatest(self, x, axis: int):
        """The greatest along an axis, which goes."""
        return x.amax(axis)

    def window(self, tokens, tables: torch.Tensor):
        """For words (n, l) the sum of three rows (n, l, h): of the word before, the word, and the one after.

        Each is looked up in a table of its own, (3, vocabulary, h); index 0 is beyond the ends.
        """
        wide = functional.pad(tokens, (1, 1))
        return self.sentence(torch.stack([wide[:, :-2], tokens, wide[:, 2:]], 2), tables)

    def sentence(self, tokens, tables: torch.Tensor):
        """For words (..., w) the sum of a row for each, (..., h), from the table of its place, (w, vocabulary, h)."""
        places = tokens + torch.arange(tokens.shape[-1], dtype=tokens.dtype) * tables.shape[1]
        rows = functional.embedding_bag(places.flatten(0, -2), tables.flatten(0, 1), mode="sum")
        return rows.unflatten(0, tokens.shape[:-1])

    def present(self, tokens):
        """1.0 where there is a word, 0.0 for the index 0; with a last axis of one number."""
        return (tokens > 0).float().unsqueeze(-1)

    def length(self, tokens) -> int | None:
        """Number of places that need to be looked at, along the last axis; None for all."""
        return tokens.shape[-1]

    def parameter(self, value: torch.Tensor):
        """Numbers that are learned, or follow from such."""
        return value

    def constant(self, value: np.ndarray):
        """A constant array."""
        return torch.from_numpy(np.asarray(value, np.float32))


_TORCH = {
    **{"Add": torch.add, "Sub": torch.sub, "Mul": torch.mul, "Div": torch.div},
    **{"MatMul": torch.matmul, "Relu": torch.relu, "Exp": torch.exp, "Sqrt": torch.sqrt},
    **{"Sigmoid": torch.sigmoid, "Tanh": torch.tanh},
}


class FileOps:
    """The same on values of a policy file under construction.

    Args:
        graph: to which operators are added.
    """

    def __init__(self, graph: Any):
        self._graph = graph

    def columns(self, x, start: int, size: int):
        """See `TorchOps`."""
        return self._graph.add("Slice", x, np.array([start]), np.array([start + size]), np.array([-1]))

    def parts(self, x, sizes: list[int]):
        """See `TorchOps`."""
        return [self.columns(x, sum(sizes[:k]), size) for k, size in enumerate(sizes)]

    def shaped(self, x, *shape: int):
        """See `TorchOps`."""
        return self._graph.add("Reshape", x, np.array([0, *shape]))

    def linear(self, x, layer: nn.Linear):
        """See `TorchOps`."""
        x = self._graph.add("MatMul", x, _array(layer.weight.T))
        return x if layer.bias is None else self._graph.add("Add", x, _array(layer.bias))

    def norm(self, x, layer: nn.LayerNorm):
        """See `TorchOps`."""
        return self._graph.add("LayerNormalization", x, _array(layer.weight), _array(layer.bias), epsilon=layer.eps)

    def scaled(self, x, factor: Any):
        """See `TorchOps`."""
        return self._graph.add("Mul", x, np.asarray(_array(torch.as_tensor(factor)), np.float32))

    def op(self, name: str, *given):
        """See `TorchOps`."""
        return self._graph.add(name, *given)

    def swapped(self, x):
        """See `TorchOps`."""
        return self._graph.add("Transpose", x, perm=(0, 2, 1))

    def softmax(self, x):
        """See `TorchOps`."""
        return self._graph.add("Softmax", x, axis=-1)

    def summed(self, x, axis: int):
        """See `TorchOps`."""
        return self._graph.add("ReduceSum", x, np.array([axis]), keepdims=1)

    def joined(self, parts: list, axis: int = -1):
        """See `TorchOps`."""
        return self._graph.add("Concat", *parts, axis=axis)

    def greatest(self, x, axis: int):
        """See `TorchOps`."""
        return self._graph.add("ReduceMax", x, axes=(axis,), keepdims=0)

    def window(self, tokens, tables: torch.Tensor):
        """See `TorchOps`."""
        before, here, after = (self._graph.embed(_array(table), tokens) for table in tables)
        first = (np.array([0, 1, 0, 0, 0, 0]), np.array([0]), np.array([-1]))
        last = (np.array([0, 0, 0, 0, 1, 0]), np.array([1]), np.array([LAST]))
        for x, (pads, start, stop) in ((before, first), (after, last)):
            moved = self._graph.add("Slice", self._graph.add("Pad", x, pads), start, stop, np.array([1]))
            here = self._graph.add("Add", here, moved)
        return here

    def sentence(self, tokens, tables: torch.Tensor):
        """See `TorchOps`."""
        total = None
        for k, table in enumerate(tables):
            here = self._graph.add("Slice", tokens, np.array([k]), np.array([k + 1]), np.array([-1]))
            rows = self._graph.embed(_array(table), self._graph.add("Squeeze", here, np.array([-1])))
            total = rows if total is None else self._graph.add("Add", total, rows)
        return total

    def present(self, tokens):
        """See `TorchOps`."""
        number = self._graph.add("Unsqueeze", self._graph.add("Cast", tokens, to=1), np.array([-1]))
        return self._graph.add("Clip", number, np.array(0.0), np.array(1.0))

    def length(self, tokens) -> int | None:
        """See `TorchOps`."""
        return None

    def parameter(self, value: torch.Tensor):
        """See `TorchOps`."""
        return _array(value)

    def constant(self, value: np.ndarray):
        """See `TorchOps`."""
        return np.asarray(value, np.float32)


def _array(weight: torch.Tensor) -> np.ndarray:
    return weight.detach().cpu().numpy().copy()
