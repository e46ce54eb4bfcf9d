"""Constants of gym-pybullet-drones' CtrlAviary and VelocityAviary."""

import numpy as np

from envsuite.quadcopters.controllers import dsl_pid
from envsuite.quadcopters.dynamics.settings import physics, physics_dtype
from envsuite.quadcopters.params import check_count, find_vehicle

PHYSICS_RATE = 240  # Hz
CONTROLS = ("rpm", "velocity")
FEWEST, MOST = 1, 16
SPEED_SHARE = 0.03  # of the vehicle's largest speed: the speed limit
HELIX_RADIUS, HELIX_PERIOD, HELIX_STEP = 0.3, 10.0, np.pi / 3  # m, s and rad between drones, of its example


def params_dtype(real: type, count: int) -> np.dtype:
    """Type of the parameter record.

    Args:
        real: scalar type of the numbers, float32 or float64.
        count: number of drones.
    """
    return np.dtype(
        [
            ("physics", physics_dtype(real)),
            ("gains", dsl_pid.gains_dtype(real)),
            ("spawn", real, (count, 3)),  # m
            ("heading", real, count),  # rad
            ("control_step", real),  # s
            ("speed_limit", real),  # m/s
            ("substeps", np.uint8),
            ("velocity", np.bool_),
            ("helix", np.bool_),
        ],
        align=True,
    )


def parameters(
    control: str, num_drones: int, mode: str, vehicle: str, control_rate: int, start: str, speed_limit, real: type
) -> np.ndarray:
    """The parameter record.

    Args:
        control: one of `CONTROLS`.
        num_drones: 1 to 16.
        mode: a key of `dynamics.settings.MODES`.
        vehicle: a vehicle of gym-pybullet-drones.
        control_rate: actions a second, a divisor of 240.
        start: ``"line"`` or ``"helix"``.
        speed_limit: m/s of a full velocity action, or None for the original's.
        real: float32 or float64.

    Returns:
        Array of shape (1,) of `params_dtype`.

    Raises:
        ValueError: an option's value is unknown or out of range.
    """
    if control not in CONTROLS:
        raise ValueError(f"control is {control!r}, expected one of {', '.join(CONTROLS)}")
    check_count(num_drones, FEWEST, MOST)
    if control_rate not in [rate for rate in range(1, PHYSICS_RATE + 1) if PHYSICS_RATE % rate == 0]:
        raise ValueError(f"control_rate is {control_rate!r}, expected a divisor of {PHYSICS_RATE} Hz")
    if start not in ("line", "helix"):
        raise ValueError(f"start is {start!r}, expected 'line' or 'helix'")
    constants = find_vehicle(vehicle)
    if speed_limit is None:
        speed_limit = SPEED_SHARE * constants.max_speed
    if control == "velocity" and not 0 < speed_limit < np.inf:
        raise ValueError(f"speed_limit is {speed_limit!r}, expected a positive number of m/s")
    params = np.zeros(1, params_dtype(real, num_drones))
    p, index = params[0], np.arange(num_drones)
    p["physics"] = physics(mode, vehicle, timestep=1 / PHYSICS_RATE, exact=True, floor=mode != "dyn", real=real)
    p["gains"] = dsl_pid.gains(vehicle if control == "velocity" else "cf2x", real)
    _, height, offset = constants.hull
    p["spawn"][:, 0] = p["spawn"][:, 1] = 4 * constants.arm * index
    p["spawn"][:, 2] = height / 2 - offset + 0.1
    if start == "helix":
        turn = HELIX_STEP * index + np.pi / 2
        p["spawn"][:, 0] = HELIX_RADIUS * np.cos(turn)
        p["spawn"][:, 1] = HELIX_RADIUS * np.sin(turn) - HELIX_RADIUS
        p["spawn"][:, 2] = 0.1 + 0.05 * index
        p["heading"] = np.pi / 6 * index
    p["control_step"], p["substeps"], p["speed_limit"] = 1 / control_rate, PHYSICS_RATE // control_rate, speed_limit
    p["velocity"], p["helix"] = control == "velocity", start == "helix"
    return params
