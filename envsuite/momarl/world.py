"""What the worlds of this family share."""

from collections.abc import Sequence

import numpy as np


def named(stem: str, count: int) -> tuple[str, ...]:
    """Names of agents: ``stem_0`` and so on."""
    return tuple(f"{stem}_{i}" for i in range(count))


def one_of(name: str, value, allowed: Sequence) -> int:
    """Index of a value among those allowed.

    Raises:
        ValueError: naming the option, its value and what is allowed.
    """
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}, expected one of {', '.join(map(repr, allowed))}")
    return list(allowed).index(value)


def both_of(name: str, first, second, allowed: Sequence) -> tuple:
    """An option's values for two agents, each one of those allowed; None for the second is that of the first."""
    found = (first, first if second is None else second)
    for value in found:
        one_of(name, value, allowed)
    return found


def shares(name: str, values: Sequence[float] | None, size: int) -> np.ndarray:
    """An option that must be probabilities of `size` cases; None is uniform; see `one_of`."""
    found = np.full(size, 1 / size) if values is None else np.asarray(values, np.float64)
    if found.shape != (size,) or not (found >= 0).all() or abs(found.sum() - 1) > 1e-9:
        raise ValueError(f"{name} is {values!r}, expected {size} numbers >= 0 that add up to 1")
    return found
