"""The state record of a ball in a maze."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.rng import STREAM
from envsuite.mazes.trail import TRAIL

BALL = np.dtype(
    [
        ("clock", CLOCK),
        ("rng", STREAM),
        ("position", np.float64, (2,)),  # m
        ("velocity", np.float64, (2,)),  # m/s
        ("goal", np.float64, (2,)),  # m
        ("trail", TRAIL),
    ],
    align=True,
)
