"""Constants of the hover task of Learning to Fly in Seconds (Eschmann et al., RA-L 2024, arXiv 2311.13081)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from envsuite.core import Record, field, fmath
from envsuite.quadcopters.params import VEHICLES, VehicleRecord, find_vehicle, vehicle
from envsuite.quadcopters.weights import read_weights, weights_field

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


class Params(Record):
    """Constants of the task; starts and disturbances are Table II of the paper."""

    vehicle = field(type=VehicleRecord)
    dt = field(DT, "s")
    frequency = field(1 / DT, "1/s", "inverse of dt")
    guidance = field(0.1, "", "probability of a start at the goal", low=0, high=1)
    start_position = field(0.2, "m", "uniform in +-")
    start_cosine = field(fmath.cos(np.pi / 4), "", "of half the largest initial rotation angle, 90 degrees")
    start_velocity = field(1.0, "m/s", "uniform in +-")
    start_rates = field(1.0, "rad/s", "uniform in +-")
    start_rotor = field(None, "rotor speed", "half of the largest")
    force_std = field(None, "N", "a twentieth of the weight")
    torque_std = field(None, "N m", "weight times a tenth of a millimetre")
    position_noise = field(0.001, "m", type=np.float32)
    orientation_noise = field(0.001, "", "of each element of the rotation matrix", type=np.float32)
    velocity_noise = field(0.002, "m/s", type=np.float32)
    rates_noise = field(0.002, "rad/s", type=np.float32)
    action_noise = field(0.0, "", "of each normalised action", type=np.float32)
    position_limit = field(0.6, "m", "on each axis; outside the episode ends")
    reward_constant = field(2.0)
    reward_scale = field(0.5)
    action_baseline = field(None, "", "normalised action that costs nothing")
    weights = weights_field(WEIGHTS["target"])


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
        Array of shape (1,) of `Params`.

    Raises:
        ValueError: an unknown or unsuitable vehicle.
    """
    constants = find_vehicle(vehicle_name)
    if constants.motor_rise <= 0:
        lagging = sorted(name for name, one in VEHICLES.items() if one.motor_rise > 0)
        raise ValueError(f"vehicle {vehicle_name!r} has no motor time constant, expected one of {lagging}")
    weight = constants.mass * constants.gravity
    hover_action = 2 * constants.command_hover / constants.command_high - 1
    silence: dict[str, Any] = {} if noise else {name: 0.0 for name in Params.fields if name.endswith("_noise")}
    return Params.make(
        real,
        None,
        **silence
        | {
            "vehicle": vehicle(vehicle_name, real),
            "start_rotor": constants.command_high / 2,
            "force_std": weight / 20,
            "torque_std": weight / 10_000,
            "action_noise": action_noise,
            # the paper rounds its hover action, 0.33405
            "action_baseline": 0.334 if vehicle_name == "l2f_cf2023" else hover_action,
            "weights": reward_weights(weights),
        },
    )
