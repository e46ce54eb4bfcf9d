"""Constants of the hover task of Learning to Fly in Seconds (Eschmann et al., RA-L 2024, arXiv 2311.13081)."""

from collections.abc import Mapping

import numpy as np

from envsuite.quadcopters.params import VEHICLES, find_vehicle, vehicle, vehicle_dtype
from envsuite.quadcopters.weights import read_weights, weights_dtype

DT = 0.01
"""Seconds between steps; the paper's 100 Hz."""

HISTORY = 32
"""Past actions in the observation."""

NOISE_STEPS = 8
"""Steps for which observation noise is drawn at once."""

SETTLED = 0.2
"""Distance in metres within which an episode counts as settled at its end (the paper's 200 mm)."""

PEAKS = ("distance", "angle", "speed", "rate", "angular_acceleration")
"""Errors whose largest values after 100 and after 200 steps are reported, as the paper's evaluation does."""

WEIGHTS: dict[str, dict[str, float]] = {
    name: {
        "position": position,
        "orientation": 5.0,
        "velocity": velocity,
        "rates": 0.0,
        "linear_acceleration": 0.0,
        "angular_acceleration": 0.0,
        "action": action,
    }
    for name, position, velocity, action in (("initial", 5.0, 0.01, 0.01), ("target", 40.0, 1.0, 1.0))
}
"""Cost weights at the start of the paper's curriculum, and of its evaluation."""


def params_dtype(real: type) -> np.dtype:
    """Type of the parameter record.

    Args:
        real: scalar type of the numbers, float32 or float64.
    """
    return np.dtype(
        [
            ("vehicle", vehicle_dtype(real)),
            ("dt", real),  # s
            ("frequency", real),  # 1/s, its inverse
            ("guidance", real),  # probability of a start at the goal
            ("start_position", real),  # m, uniform in +-
            ("start_cosine", real),  # of half the largest initial rotation angle
            ("start_velocity", real),  # m/s, uniform in +-
            ("start_rates", real),  # rad/s, uniform in +-
            ("start_rotor", real),  # rotor speed
            ("force_std", real),  # N
            ("torque_std", real),  # N m
            ("position_noise", np.float32),  # m
            ("orientation_noise", np.float32),  # of each element of the rotation matrix
            ("velocity_noise", np.float32),  # m/s
            ("rates_noise", np.float32),  # rad/s
            ("action_noise", np.float32),  # of each normalised action
            ("position_limit", real),  # m, on each axis
            ("reward_constant", real),
            ("reward_scale", real),
            ("action_baseline", real),  # normalised action that costs nothing
            ("weights", weights_dtype(WEIGHTS["target"], real)),
        ],
        align=True,
    )


def reward_weights(weights: str | Mapping[str, float]) -> tuple[float, ...]:
    """Read cost weights.

    Args:
        weights: ``"target"``, ``"initial"``, or numbers by name; those not named are the target's.

    Returns:
        A number for every name, in the order of `WEIGHTS`.

    Raises:
        ValueError: an unknown set or name, or a number that is negative or not finite.
    """
    if not isinstance(weights, str):
        return read_weights(WEIGHTS["target"], weights)
    if weights not in WEIGHTS:
        raise ValueError(f"weights is {weights!r}, expected one of {sorted(WEIGHTS)} or numbers by name")
    return tuple(WEIGHTS[weights].values())


def parameters(
    vehicle_name: str, weights: str | Mapping[str, float], *, noise: bool, action_noise: float, real: type
) -> np.ndarray:
    """The parameter record of the task.

    Args:
        vehicle_name: a vehicle with motor lag.
        weights: see `reward_weights`.
        noise: whether observations are noisy.
        action_noise: standard deviation added to normalised actions.
        real: float32 or float64.

    Returns:
        Array of shape (1,) of `params_dtype`.

    Raises:
        ValueError: an unknown or unsuitable vehicle, or a number out of range.
    """
    constants = find_vehicle(vehicle_name)
    if constants.motor_rise <= 0:
        lagging = sorted(name for name, one in VEHICLES.items() if one.motor_rise > 0)
        raise ValueError(f"vehicle {vehicle_name!r} has no motor time constant, expected one of {lagging}")
    if not 0 <= action_noise < 1:
        raise ValueError(f"action_noise is {action_noise}, expected a number in [0, 1)")
    weight = constants.mass * constants.gravity
    hover_action = 2 * constants.command_hover / constants.command_high - 1
    params = np.zeros(1, params_dtype(real))
    values = {
        "vehicle": vehicle(vehicle_name, real),
        "dt": DT,
        "frequency": 1 / DT,
        "guidance": 0.1,
        "start_position": 0.2,
        "start_cosine": np.cos(np.pi / 4),  # at most 90 degrees away from level
        "start_velocity": 1.0,
        "start_rates": 1.0,
        "start_rotor": constants.command_high / 2,
        "force_std": weight / 20,
        "torque_std": weight / 10_000,
        "position_noise": 0.001 * noise,
        "orientation_noise": 0.001 * noise,
        "velocity_noise": 0.002 * noise,
        "rates_noise": 0.002 * noise,
        "action_noise": action_noise,
        "position_limit": 0.6,
        "reward_constant": 2.0,
        "reward_scale": 0.5,
        # the paper rounds its hover action, 0.33405
        "action_baseline": 0.334 if vehicle_name == "l2f_cf2023" else hover_action,
    }
    for name, value in values.items():
        params[0][name] = value
    params[0]["weights"] = reward_weights(weights)
    return params
