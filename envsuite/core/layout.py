"""Declares what observations and actions hold, without Gymnasium: spaces, documentation and texts derive from it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np


@dataclass(frozen=True)
class Block:
    """A named run of elements of a vector.

    Attributes:
        name: what it is, as documentation and texts print it.
        size: number of elements.
        low: lower bound, one number for all elements or one each.
        high: upper bound, likewise.
        unit: SI unit; empty for pure numbers.
        meaning: one line for the generated tables.
    """

    name: str
    size: int
    low: float | Sequence[float]
    high: float | Sequence[float]
    unit: str = ""
    meaning: str = ""


def _identifier(name: str) -> str:
    return re.sub(r"\W+", "_", name).strip("_").lower()


@dataclass(frozen=True)
class Vector:
    """A bounded array of numbers made of blocks; becomes a Gymnasium ``Box``.

    Attributes:
        blocks: the runs of elements, in order.
        dtype: element type.
        shape: shape of the array; by default one axis of the blocks' total size.
        out_of_range: of an action, what happens to numbers outside the bounds: clipped, refused, or passed on.
    """

    blocks: tuple[Block, ...]
    dtype: type = np.float32
    shape: tuple[int, ...] = ()
    out_of_range: Literal["clip", "refuse", "pass"] = "refuse"

    def __post_init__(self):
        size = sum(block.size for block in self.blocks)
        if not self.shape:
            object.__setattr__(self, "shape", (size,))
        if int(np.prod(self.shape)) != size:
            raise ValueError(f"shape {self.shape} does not hold the {size} elements of the blocks")

    def _bound(self, side: str) -> np.ndarray:
        parts = [np.broadcast_to(getattr(block, side), block.size) for block in self.blocks]
        return np.concatenate(parts).astype(self.dtype).reshape(self.shape)

    @cached_property
    def low(self) -> np.ndarray:
        """Lower bounds, of the array's shape and type."""
        return self._bound("low")

    @cached_property
    def high(self) -> np.ndarray:
        """Upper bounds, of the array's shape and type."""
        return self._bound("high")

    @cached_property
    def record(self) -> np.dtype:
        """The array as a record, a field for each block, so that kernels write ``o.position[k]``.

        A block's field has its name with ``_`` for what is no letter or digit; a block of one element is a number.
        """
        fields = [(_identifier(one.name), self.dtype, one.size) for one in self.blocks]
        return np.dtype([(name, kind) if size == 1 else (name, kind, (size,)) for name, kind, size in fields])

    def offset(self, name: str) -> int:
        """Index of the first element of a block in the flattened array.

        Raises:
            KeyError: no block has this name.
        """
        start = 0
        for block in self.blocks:
            if block.name == name:
                return start
            start += block.size
        raise KeyError(f"no block {name!r}; known: {[block.name for block in self.blocks]}")

    def space(self):
        """The Gymnasium ``Box`` of this array."""
        from gymnasium.spaces import Box

        return Box(self.low, self.high, self.shape, np.dtype(self.dtype).type)


@dataclass(frozen=True)
class Choice:
    """One of several named alternatives; becomes a Gymnasium ``Discrete``."""

    names: tuple[str, ...]
    dtype: type = np.int64
    shape: tuple[int, ...] = ()
    out_of_range = "refuse"

    @property
    def low(self) -> np.ndarray:
        """The smallest valid action, 0."""
        return np.zeros((), self.dtype)

    @property
    def high(self) -> np.ndarray:
        """The largest valid action."""
        return np.array(len(self.names) - 1, self.dtype)

    def space(self):
        """The Gymnasium ``Discrete`` of this choice."""
        from gymnasium.spaces import Discrete

        return Discrete(len(self.names))


@dataclass(frozen=True)
class Choices:
    """Several choices made at once; becomes a Gymnasium ``MultiDiscrete``.

    Attributes:
        heads: (name, names of its alternatives) of each choice.
    """

    heads: tuple[tuple[str, tuple[str, ...]], ...]
    dtype: type = np.int64
    out_of_range = "refuse"

    @property
    def shape(self) -> tuple[int, ...]:
        """One element a choice."""
        return (len(self.heads),)

    @property
    def low(self) -> np.ndarray:
        """The smallest valid action, zeros."""
        return np.zeros(self.shape, self.dtype)

    @property
    def high(self) -> np.ndarray:
        """The largest valid action of each choice."""
        return np.array([len(names) - 1 for _, names in self.heads], self.dtype)

    def space(self):
        """The Gymnasium ``MultiDiscrete`` of these choices."""
        from gymnasium.spaces import MultiDiscrete

        return MultiDiscrete([len(names) for _, names in self.heads])


Layout = Vector | Choice | Choices


def mask_of(observation: "Layout", action: "Layout") -> slice:
    """Where a flattened observation says which choices are allowed; empty where it does not.

    Args:
        observation: what one agent sees.
        action: what it may do.
    """
    named = isinstance(observation, Vector) and any(block.name == "action_mask" for block in observation.blocks)
    if not (named and isinstance(action, Choice)):
        return slice(0, 0)
    first = observation.offset("action_mask")
    return slice(first, first + len(action.names))
