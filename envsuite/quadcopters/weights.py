"""Weights of a reward's parts: an option of every task, and the hook of curricula."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from envsuite.core.declare import Record, field


def weights_field(defaults: Mapping[str, float]) -> Any:
    """Declare a task's weights in its parameter record.

    Args:
        defaults: the task's own weights by name.
    """
    record = type("Weights", (Record,), {name: field(value, low=0) for name, value in defaults.items()})
    said = ", ".join(f"{name} {value:g}" for name, value in defaults.items())
    return field(tuple(defaults.values()), "", f"of the reward's parts: {said}", type=record)


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
