"""Constants, from Barto, Sutton and Anderson (1983) as Gymnasium's CartPole-v1 has them."""

import numpy as np

PARAMS = np.dtype(
    [
        ("gravity", np.float64),  # m/s^2
        ("cart_mass", np.float64),  # kg
        ("pole_mass", np.float64),  # kg
        ("half_length", np.float64),  # m, half the pole's length
        ("force", np.float64),  # N
        ("dt", np.float64),  # s
        ("position_limit", np.float64),  # m
        ("angle_limit", np.float64),  # rad
        ("start", np.float64),  # initial values are uniform in [-start, start)
    ],
    align=True,
)

SPEED_LIMIT = 50.0
"""Bound of the observed velocities (m/s and rad/s); no episode of 500 steps comes near it."""


def parameters() -> np.ndarray:
    """The parameter record, shape (1,)."""
    return np.array([(9.8, 1.0, 0.1, 0.5, 10.0, 0.02, 2.4, np.deg2rad(12.0), 0.05)], PARAMS)
