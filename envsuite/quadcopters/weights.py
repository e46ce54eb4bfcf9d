"""Weights of a reward's parts: an option of every task, and the hook of curricula."""

from collections.abc import Mapping

import numpy as np


def weights_dtype(defaults: Mapping[str, float], real: type) -> np.dtype:
    """Type of the record of a task's weights.

    Args:
        defaults: the task's own weights by name.
        real: scalar type of the numbers, float32 or float64.
    """
    return np.dtype([(name, real) for name in defaults], align=True)


def read_weights(defaults: Mapping[str, float], weights: Mapping[str, float] | None) -> tuple[float, ...]:
    """A task's weights with changes.

    Args:
        defaults: the task's own weights by name.
        weights: those that differ.

    Returns:
        A number for every name, in the order of `defaults`.

    Raises:
        ValueError: an unknown name, or a number that is negative or not finite.
    """
    for name, value in (weights or {}).items():
        if name not in defaults:
            raise ValueError(f"unknown weight {name!r}, expected one of {', '.join(defaults)}")
        if not 0 <= value < np.inf:
            raise ValueError(f"weight {name} is {value}, expected a finite number >= 0")
    return tuple(float(value) for value in {**defaults, **(weights or {})}.values())
