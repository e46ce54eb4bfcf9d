"""How operators are declared, and what is known of a value before anything is computed.

Besides type and shape, the axis along which the rows of the batch lie is followed through the graph. An operator that
would mix rows is refused, so that a row's result cannot depend on its neighbours.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from envsuite.agents.onnx.model import Node

FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


@dataclass(frozen=True)
class Spec:
    """What is known of a value.

    Attributes:
        dtype: element type.
        shape: all axes.
        batch: axis of the rows; None for what is the same for all rows.
        value: where it is known beforehand.
    """

    dtype: np.dtype
    shape: tuple[int, ...]
    batch: int | None = None
    value: np.ndarray | None = None

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """Memory it takes."""
        return self.size * self.dtype.itemsize


@dataclass(frozen=True)
class Step:
    """A planned operation.

    Attributes:
        outputs: what comes out.
        compute: takes one array for each given input (None for one left out), returns one for each output.
        flops: arithmetic operations, elementary functions counted as 20.
        scratch: bytes needed while it runs, besides inputs and outputs.
    """

    outputs: tuple[Spec, ...]
    compute: Callable[..., Sequence[np.ndarray]]
    flops: int
    scratch: int = 0


@dataclass
class Call:
    """A node with what is known of its inputs.

    Attributes:
        node: the operation.
        inputs: None for one that is left out.
        opset: version of the operator set.
        cache: rearranged weights, shared by all plans of a program.
    """

    node: Node
    inputs: list[Spec | None]
    opset: int
    cache: dict[Any, np.ndarray] = field(default_factory=dict)

    def get(self, name: str, default: Any) -> Any:
        """An attribute; its type is known to be right."""
        return self.node.attributes.get(name, default)

    def given(self, index: int) -> Spec | None:
        """An optional input."""
        return self.inputs[index] if index < len(self.inputs) else None

    def need(self, index: int) -> Spec:
        """An input that must be there."""
        spec = self.given(index)
        require(spec is not None, f"input {index} is missing")
        assert spec is not None
        return spec

    def constant(self, index: int) -> np.ndarray | None:
        """The value of an optional input that must be known beforehand."""
        spec = self.given(index)
        if spec is None:
            return None
        require(spec.value is not None, f"input {index} must be a constant")
        return spec.value

    def whole_numbers(self, index: int, name: str) -> list[int] | None:
        """Axes and the like: a constant input, or in older operator sets an attribute."""
        value = self.constant(index)
        if value is None:
            listed = self.get(name, None)
            return None if listed is None else list(listed)
        require(value.dtype.kind == "i" and value.ndim <= 1 and value.size <= 64, f"{name} must be a list of integers")
        return [int(one) for one in value.reshape(-1)]

    def prepared(self, key: str, index: int, make: Callable[[np.ndarray], np.ndarray]) -> Callable:
        """A rearrangement of an input: made once for a constant, at each run for anything else."""
        spec = self.need(index)
        if spec.value is None:
            return lambda array: np.ascontiguousarray(make(array))
        place = (id(spec.value), key)
        if place not in self.cache:
            self.cache[place] = np.ascontiguousarray(make(spec.value))
        ready = self.cache[place]
        return lambda array: ready


@dataclass(frozen=True)
class Operator:
    """What an operator accepts, and how it is planned."""

    plan: Callable[[Call], Step]
    inputs: tuple[int, int]
    attributes: dict[str, type]


OPERATORS: dict[str, Operator] = {}
"""Every operator that a policy may use."""


def operator(name: str, inputs: int | tuple[int, int], **attributes: type) -> Callable:
    """Declare an operator.

    Args:
        name: as ONNX has it.
        inputs: number of inputs, or the least and the most.
        **attributes: names and types of what may be set.
    """
    bounds = (inputs, inputs) if isinstance(inputs, int) else inputs

    def declare(plan: Callable[[Call], Step]) -> Callable[[Call], Step]:
        OPERATORS[name] = Operator(plan, bounds, attributes)
        return plan

    return declare


def plan(call: Call) -> Step:
    """Check a node and plan it.

    Raises:
        ValueError: the operator is not allowed, or not with these inputs and attributes.
    """
    node = call.node
    if node.op not in OPERATORS:
        raise ValueError(f"operator {node.op!r} is not allowed; allowed are {', '.join(sorted(OPERATORS))}")
    found = OPERATORS[node.op]
    try:
        least, most = found.inputs
        require(least <= len(call.inputs) <= most, f"{len(call.inputs)} inputs, expected {least} to {most}")
        for name, value in node.attributes.items():
            require(name in found.attributes, f"attribute {name!r} is not allowed")
            right = isinstance(value, found.attributes[name])
            require(right, f"attribute {name!r} has type {type(value).__name__}")
        step = found.plan(call)
        require(len(node.outputs) <= len(step.outputs), f"{len(node.outputs)} outputs, it has {len(step.outputs)}")
    except ValueError as error:
        raise ValueError(f"{node.op}: {error}") from None
    return step


def require(condition: bool, message: str) -> None:
    """Raise ValueError with the message unless the condition holds."""
    if not condition:
        raise ValueError(message)


def floating(*specs: Spec | None) -> np.dtype:
    """The one float type of all of these.

    Raises:
        ValueError: several, or another kind.
    """
    kinds = {spec.dtype for spec in specs if spec is not None}
    require(len(kinds) == 1 and kinds <= set(FLOATS), f"types {sorted(map(str, kinds))}, expected one float type")
    return kinds.pop()


def broadcast(*specs: Spec) -> tuple[tuple[int, ...], int | None]:
    """Shape and row axis of an elementwise operation.

    Raises:
        ValueError: shapes do not fit, or something that is no row would be spread over rows.
    """
    rank = max(len(spec.shape) for spec in specs)
    shape = [1] * rank
    rows = {spec.batch + rank - len(spec.shape) for spec in specs if spec.batch is not None}
    require(len(rows) <= 1, "rows lie along different axes")
    batch = rows.pop() if rows else None
    for spec in specs:
        for k, size in enumerate(spec.shape, start=rank - len(spec.shape)):
            if k == batch and spec.batch is None:
                require(size == 1, f"a constant with {size} elements along the axis of the rows")
            require(size == shape[k] or 1 in (size, shape[k]), f"shapes {[one.shape for one in specs]} do not fit")
            shape[k] = size if shape[k] == 1 else shape[k]
    return tuple(shape), batch


def axis_of(axis: int, rank: int) -> int:
    """An axis counted from the front.

    Raises:
        ValueError: there is none such.
    """
    require(-rank <= axis < rank, f"axis {axis} of {rank}")
    return axis % rank


def axes_of(axes: Sequence[int], rank: int) -> tuple[int, ...]:
    """Several different axes, sorted.

    Raises:
        ValueError: one does not exist or comes twice.
    """
    found = sorted(axis_of(axis, rank) for axis in axes)
    require(len(set(found)) == len(found), f"axes {list(axes)} name one twice")
    return tuple(found)
