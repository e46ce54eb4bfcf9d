"""Constants of the tracking task, and its curves."""

import numpy as np

from envsuite.quadcopters.flying.settings import Terms, flying_dtype
from envsuite.quadcopters.weights import weights_dtype

CONTROL_RATE = 100  # Hz
TERMS = Terms()
HISTORY = 16  # past actions in the observation
FUTURE = 10  # points of the reference ahead
AHEAD = 0.1  # s between them
RAMP = 1.0  # s in which the pace rises
CENTER = 1.0  # m, height of the middle of the curve
LOST = 1.0  # m from the reference: a crash
GOOD = 0.1  # m, root mean square error of a success
WEIGHTS = {"position": 1.0, "velocity": 0.3, "tilt": 0.1, "change": 0.02, "crash": 10.0}
"""Weights of the reward's parts, see the README."""

SHAPES = ((2, 1, 1), (1, 2, 1), (2, 1, 2), (3, 2, 1), (1, 1, 0))
"""Frequencies along x, y and z of the random curves."""

WIDTH, HEIGHT, PERIOD = (0.3, 1.2), (0.0, 0.3), (3.5, 12.0)
"""Ranges of half-widths and half-height (m) and of the period (s) of the random curves."""

CURVES = ("random", "figure8", "circle", "helix", "vertical8")
FIGURE8, CIRCLE, HELIX, VERTICAL8 = range(1, len(CURVES))
CLIMB, TURNS = 0.4, 8  # m, half-height of a helix, and turns in which it rises and sinks


def params_dtype(real: type) -> np.dtype:
    """Type of the parameter record.

    Args:
        real: scalar type of the numbers, float32 or float64.
    """
    return np.dtype(
        [
            ("flying", flying_dtype(real)),
            ("weights", weights_dtype(WEIGHTS, real)),
            ("shapes", real, (len(SHAPES), 3)),
            ("width", real, 2),  # m
            ("height", real, 2),  # m
            ("period", real, 2),  # s
            ("half_width", real),  # m, of a given curve
            ("pace", real),  # s, its period
            ("start", real),  # m, uniform in +- around the reference
            ("curve", np.uint8),
        ],
        align=True,
    )


def parameters(flying, curve: str, size: float, period: float, start: float, real: type) -> np.ndarray:
    """The parameter record of the task.

    Args:
        flying: record of `flying_dtype`.
        curve: one of `CURVES`.
        size: half-width of a curve that is not random, m.
        period: of a curve that is not random, s.
        start: how far from the curve's start the drone may begin on each axis, m.
        real: float32 or float64.

    Returns:
        Array of shape (1,) of `params_dtype`.

    Raises:
        ValueError: an unknown curve or a number out of range.
    """
    if curve not in CURVES:
        raise ValueError(f"curve is {curve!r}, expected one of {', '.join(CURVES)}")
    if not 0 < size < np.inf:
        raise ValueError(f"size is {size!r}, expected a positive number of m")
    if not 0 < period < np.inf:
        raise ValueError(f"period is {period!r}, expected a positive number of s")
    if not 0 <= start < LOST / 2:
        raise ValueError(f"start is {start!r}, expected a number in [0, {LOST / 2:g}) m")
    params = np.zeros(1, params_dtype(real))
    values = {
        "flying": flying, "shapes": SHAPES, "width": WIDTH, "height": HEIGHT, "period": PERIOD, "half_width": size,
        "pace": period, "start": start, "curve": CURVES.index(curve),
    }  # fmt: skip
    for name, value in values.items():
        params[0][name] = value
    return params
