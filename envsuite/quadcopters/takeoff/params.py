"""Constants of the take-off task."""

import numpy as np

from envsuite.quadcopters.flying.settings import Terms, flying_dtype
from envsuite.quadcopters.weights import weights_dtype

CONTROL_RATE = 48  # Hz, as the learning scripts of gym-pybullet-drones have it
SUBSTEPS = 5  # to its physics rate of 240 Hz
TERMS = Terms(ground_effect=True, floor=True)
TARGET = (0.0, 0.0, 1.0)  # m
SIDE = 0.05  # m, of the square that the drone starts in
BOX = ((-1.5, -1.5, -0.1), (1.5, 1.5, 2.5))  # m
NEAR, SLOW, HELD = 0.05, 0.1, 48  # m, m/s and steps: a success
REWARDS = ("settle", "gpd2021")
WEIGHTS = {"position": 1.0, "slow": 0.2, "tilt": 0.05, "change": 0.01, "crash": 10.0}
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
            ("target", real, 3),
            ("low", real, 3),  # corner of the box that ends the flight
            ("high", real, 3),
            ("side", real),
            ("original", np.bool_),  # the reward of gym-pybullet-drones
        ],
        align=True,
    )


def parameters(flying, reward: str, real: type) -> np.ndarray:
    """The parameter record of the task.

    Args:
        flying: record of `flying_dtype`.
        reward: one of `REWARDS`.
        real: float32 or float64.

    Returns:
        Array of shape (1,) of `params_dtype`.

    Raises:
        ValueError: an unknown reward.
    """
    if reward not in REWARDS:
        raise ValueError(f"reward is {reward!r}, expected one of {', '.join(REWARDS)}")
    params = np.zeros(1, params_dtype(real))
    params[0]["flying"] = flying
    params[0]["target"] = TARGET
    params[0]["low"], params[0]["high"] = BOX
    params[0]["side"] = SIDE
    params[0]["original"] = reward == "gpd2021"
    return params
