"""What the worlds of this family share."""

from collections.abc import Sequence

import numpy as np

COMPAT = "momaland-0.2"
"""Name of the switch that brings back what MOMAland 0.2.0 does where it departs from its documentation."""


def named(stem: str, count: int) -> tuple[str, ...]:
    """Names of agents: ``stem_0`` and so on."""
    return tuple(f"{stem}_{i}" for i in range(count))


def whole(name: str, value: int, low: int, high: int) -> int:
    """An option that must be a whole number within bounds.

    Raises:
        ValueError: naming the option, its value and the bounds.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise ValueError(f"{name} is {value!r}, expected a whole number from {low} to {high}")
    return int(value)


def number(name: str, value: float, low: float, high: float) -> float:
    """An option that must be a number within bounds; see `whole`."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not low <= value <= high:
        raise ValueError(f"{name} is {value!r}, expected a number from {low} to {high}")
    return float(value)


def one_of(name: str, value, allowed: Sequence) -> int:
    """Index of an option's value among those allowed; see `whole`."""
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
    """An option that must be probabilities of `size` cases; None is uniform; see `whole`."""
    found = np.full(size, 1 / size) if values is None else np.asarray(values, np.float64)
    if found.shape != (size,) or not (found >= 0).all() or abs(found.sum() - 1) > 1e-9:
        raise ValueError(f"{name} is {values!r}, expected {size} numbers >= 0 that add up to 1")
    return found
