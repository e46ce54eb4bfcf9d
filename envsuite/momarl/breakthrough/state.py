"""The state record of breakthrough."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.rng import STREAM

PARAMS = np.dtype([("longest", np.float32)], align=True)
"""Moves of the longest possible game."""


def state_dtype(height: int, width: int) -> np.dtype:
    """The record of an instance.

    Args:
        height: rows; the first player begins on the first two and moves towards the last.
        width: columns.
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("board", np.int8, (height, width)),  # 0, or 1 + the player
            ("pieces", np.int32, (2,)),
            ("current_player", np.uint8),
            ("winner", np.int8),  # 0, or 1 + the player
        ],
        align=True,
    )
