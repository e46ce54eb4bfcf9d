"""Annotations that the options of several worlds share."""

from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between

Range = Sequence[float]
Weight = Annotated[float, Between(-1e6, 1e6)]
Noise = Annotated[float, Between(0, 10)]
Skip = Annotated[int, Between(1, 1000)]
Compat = Literal["v5", "v4", "v2"]


def check_ranges(values: dict) -> None:
    """Refuse ranges that are none.

    Args:
        values: options by name; those whose names end in ``_range`` are looked at.

    Raises:
        ValueError: names one that is not two numbers, the smaller first.
    """
    for name, value in values.items():
        if not name.endswith("_range"):
            continue
        two = isinstance(value, Sequence | np.ndarray) and len(value) == 2
        if not (two and all(isinstance(one, int | float | np.number) for one in value) and value[0] < value[1]):
            raise ValueError(f"{name} is {value!r}, expected two numbers, the smaller first")
