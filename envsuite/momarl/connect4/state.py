"""The state record of connect four."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.rng import STREAM

PARAMS = np.dtype([("columns", np.uint8)], align=True)
"""Whether each column is an objective."""


def state_dtype(height: int, width: int) -> np.dtype:
    """The record of an instance.

    Args:
        height: rows, the first at the top.
        width: columns.
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("board", np.int8, (height, width)),  # 0, or 1 + the player
            ("filled", np.int8, (width,)),  # tokens in each column
            ("current_player", np.uint8),
            ("winner", np.int8),  # 0, or 1 + the player
        ],
        align=True,
    )
