"""A policy network as plain data, between the file and the runner."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

OPSETS = range(13, 23)
"""Versions of the operator set that are read; 13 moved axes and splits from attributes to inputs."""

DTYPES = {1: "<f4", 2: "<u1", 3: "<i1", 5: "<i2", 6: "<i4", 7: "<i8", 9: "|b1", 11: "<f8"}
"""Element types by ONNX's number: float, uint8, int8, int16, int32, int64, bool, double."""

NUMBERS = {np.dtype(name): number for number, name in DTYPES.items()}
"""ONNX's number by element type."""

Attribute = float | int | bytes | np.ndarray | tuple[float, ...] | tuple[int, ...] | tuple[bytes, ...]


@dataclass(frozen=True)
class Port:
    """An input or output of a graph.

    Attributes:
        name: of the value.
        dtype: element type.
        shape: a number or, for the number of rows, a name for each axis.
    """

    name: str
    dtype: np.dtype
    shape: tuple[int | str, ...]


@dataclass(frozen=True)
class Node:
    """One operation.

    Attributes:
        op: operator of the default domain.
        inputs: names of values; empty for an optional one that is left out.
        outputs: names that it defines; empty for one that nobody wants.
        attributes: settings by name.
    """

    op: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: dict[str, Attribute] = field(default_factory=dict)


@dataclass(frozen=True)
class Model:
    """A graph: nodes in an order in which they can be computed.

    Attributes:
        nodes: operations.
        constants: weights by name.
        inputs: what is fed.
        outputs: what comes out.
        opset: version of the operator set, one of `OPSETS`.
    """

    nodes: tuple[Node, ...]
    constants: dict[str, np.ndarray]
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    opset: int = 17

    @property
    def parameters(self) -> int:
        """Number of weights."""
        return sum(one.size for one in self.constants.values() if one.dtype.kind == "f")


def dtype_of(number: Any) -> np.dtype:
    """The element type of ONNX's number.

    Raises:
        ValueError: another one.
    """
    if number not in DTYPES:
        raise ValueError(f"element type {number}, expected one of {sorted(DTYPES)} (ONNX TensorProto.DataType)")
    return np.dtype(DTYPES[number])
