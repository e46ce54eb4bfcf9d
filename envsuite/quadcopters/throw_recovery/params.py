"""Constants of the throw-recovery task."""

import numpy as np

from envsuite.quadcopters.controllers.geometric import gains
from envsuite.quadcopters.flying.settings import Terms, flying_dtype
from envsuite.quadcopters.params import check_strength
from envsuite.quadcopters.weights import weights_dtype

CONTROL_RATE = 100  # Hz
TERMS = Terms()
TARGET = (0.0, 0.0, 3.0)  # m
THROW = 3.0  # m/s, on each axis
SPIN = 10.0  # rad/s, on each axis
UPRIGHT = 3.0  # how much of the upright attitude a throw without strength mixes in, beside normal numbers
BOX = ((-10.0, -10.0, 0.0), (10.0, 10.0, 13.0))  # m; the floor takes the place of its lower side
NEAR, SLOW = 0.5, 0.3  # m and m/s: a success
EARLY = 150  # step at which `settled_early` looks
WEIGHTS = {"position": 40.0, "orientation": 5.0, "velocity": 1.0, "action": 1.0, "crash": 10.0}
"""Weights of the reward's parts, see the README."""


def params_dtype(real: type) -> np.dtype:
    """Type of the parameter record.

    Args:
        real: scalar type of the numbers, float32 or float64.
    """
    return np.dtype(
        [
            ("flying", flying_dtype(real)),
            ("target", real, 3),
            ("low", real, 3),
            ("high", real, 3),
            ("reward_constant", real),
            ("reward_scale", real),
            ("action_baseline", real),
            ("strength", real),  # of the throw
            ("weights", weights_dtype(WEIGHTS, real)),
        ],
        align=True,
    )


def parameters(flying, strength: float, real: type) -> np.ndarray:
    """The parameter record of the task.

    Args:
        flying: record of `flying_dtype`.
        strength: of the throw, 0 (held still) to 1.
        real: float32 or float64.

    Returns:
        Array of shape (1,) of `params_dtype`.

    Raises:
        ValueError: a strength that is not in [0, 1].
    """
    check_strength(strength)
    params = np.zeros(1, params_dtype(real))
    params[0]["strength"] = strength
    vehicle = flying["physics"]["vehicle"]
    params[0]["flying"] = flying
    calmer = gains("tumbling", scalar=real)
    for name in ("attitude", "rates"):  # the lead stays that of the vehicle
        params[0]["flying"]["pilot"][name] = calmer[name]
    params[0]["target"] = TARGET
    params[0]["low"], params[0]["high"] = BOX
    params[0]["low"][2] = flying["physics"]["floor_height"]
    params[0]["reward_constant"], params[0]["reward_scale"] = 2.0, 0.5
    params[0]["action_baseline"] = 2 * vehicle["command_hover"] / vehicle["command_high"] - 1
    return params
