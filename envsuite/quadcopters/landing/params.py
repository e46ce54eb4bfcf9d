"""Constants of the landing task."""

import numpy as np

from envsuite.quadcopters.flying.settings import Terms, flying_dtype
from envsuite.quadcopters.weights import weights_dtype

CONTROL_RATE = 48  # Hz
SUBSTEPS = 5
TERMS = Terms(ground_effect=True)
PADS = ("fixed", "moving")
START = ((-1.0, -1.0, 1.0), (1.0, 1.0, 2.0))  # m
MOTION = 0.5  # m/s, on each axis at the start
BOX = ((-3.0, -3.0, -0.5), (3.0, 3.0, 4.0))  # m
RADIUS = 0.1  # m, of the pad: a landing further away misses
SOFT = 0.3  # m/s, largest speed relative to the pad of a soft landing
UPRIGHT = np.cos(np.deg2rad(15))
PAD_SPEED = 0.5  # m/s, largest, of a moving pad
PAD_PERIOD = (4.0, 8.0)  # s
HEAVE = 0.05  # m, of a moving pad
HEAVE_PERIOD = (2.0, 4.0)  # s
WEIGHTS = {"approach": 1.0, "landing": 10.0, "crash": 10.0}
"""Weights of the reward's parts, see the README."""


def params_dtype(real: type) -> np.dtype:
    """Type of the parameter record.

    Args:
        real: scalar type of the numbers, float32 or float64.
    """
    return np.dtype(
        [
            ("flying", flying_dtype(real)),
            ("weights", weights_dtype(WEIGHTS, real)),
            ("low", real, 3),
            ("high", real, 3),
            ("first", real, 3),  # corners of the box of starts
            ("last", real, 3),
            ("hull", real),  # m, height of the drone's centre above what it stands on
            ("pad_speed", real),
            ("heave", real),
        ],
        align=True,
    )


def parameters(flying, pad: str, real: type) -> np.ndarray:
    """The parameter record of the task.

    Args:
        flying: record of `flying_dtype`.
        pad: one of `PADS`.
        real: float32 or float64.

    Returns:
        Array of shape (1,) of `params_dtype`.

    Raises:
        ValueError: an unknown kind of pad.
    """
    if pad not in PADS:
        raise ValueError(f"pad is {pad!r}, expected one of {', '.join(PADS)}")
    params = np.zeros(1, params_dtype(real))
    params[0]["flying"] = flying
    params[0]["low"], params[0]["high"] = BOX
    params[0]["first"], params[0]["last"] = START
    params[0]["hull"] = flying["physics"]["floor_height"]
    params[0]["pad_speed"], params[0]["heave"] = (PAD_SPEED, HEAVE) if pad == "moving" else (0.0, 0.0)
    return params
