"""Vehicles by name, and the record that kernels read a vehicle from."""

import numpy as np

from envsuite.quadcopters.airframe import Vehicle
from envsuite.quadcopters.vehicles import VEHICLES

__all__ = ["VEHICLES", "Vehicle", "check_count", "find_vehicle", "vehicle", "vehicle_dtype"]


def check_strength(strength: float) -> None:
    """Refuse an impossible strength.

    Raises:
        ValueError: it is not in [0, 1].
    """
    if not 0 <= strength <= 1:
        raise ValueError(f"strength is {strength!r}, expected a number in [0, 1]")


def check_count(num_drones: int, fewest: int, most: int) -> None:
    """Refuse an impossible number of drones.

    Args:
        num_drones: the number.
        fewest: that a task has.
        most: likewise.

    Raises:
        ValueError: not an integer, or out of range.
    """
    whole = isinstance(num_drones, int | np.integer) and not isinstance(num_drones, bool)
    if not whole or not fewest <= num_drones <= most:
        raise ValueError(f"num_drones is {num_drones!r}, expected an integer from {fewest} to {most}")


def find_vehicle(name: str | Vehicle) -> Vehicle:
    """Look a vehicle up.

    Args:
        name: a key of `VEHICLES`, or constants of a vehicle of one's own.

    Returns:
        Its constants.

    Raises:
        ValueError: there is no such vehicle.
    """
    if isinstance(name, Vehicle):
        return name
    try:
        return VEHICLES[name]
    except (KeyError, TypeError):
        raise ValueError(f"unknown vehicle {name!r}; expected one of {', '.join(VEHICLES)}") from None


def vehicle_dtype(real: type = np.float32) -> np.dtype:
    """Type of the record that kernels read a vehicle from.

    Args:
        real: scalar type of the numbers, float32 or float64.

    Returns:
        A structured type; units as in `Vehicle`.
    """
    return np.dtype(
        [
            ("mass", real),
            ("inertia", real, 3),
            ("inverse_inertia", real, 3),
            ("effect", real, (4, 4)),
            ("gyration", real, 3),
            ("rotors", real, (4, 2)),
            ("levers", real, (4, 2)),
            ("spin", real, 4),
            ("thrust_curve", real, 3),
            ("torque_per_thrust", real),
            ("command_high", real),
            ("command_hover", real),
            ("max_rotor_thrust", real),
            ("gravity", real),
            ("motor_rise", real),
            ("motor_fall", real),
            ("motor_pull", real, 2),
            ("max_speed", real),
            ("ground_effect", real),
            ("ground_clip", real),
            ("propeller_radius", real),
            ("drag", real, 3),
            ("downwash", real, 3),
            ("hull", real, 3),
            ("response", real, 4),
            ("rotor_torque", real, 3),
            ("rotor_inertia", real),
            ("body_drag", real, 3),
            ("thrust_range", real, 2),
            ("attitude_response", real, (3, 3)),
            ("thrust_gain", real, 3),
            ("thrust_lag", real, 3),
        ],
        align=True,
    )


def vehicle(name: str | Vehicle, real: type = np.float32) -> np.record:
    """The record of a vehicle.

    Args:
        name: a key of `VEHICLES`, or constants of a vehicle of one's own.
        real: scalar type of its numbers, float32 or float64.

    Returns:
        A record of `vehicle_dtype(real)`.

    Raises:
        ValueError: there is no such vehicle.
    """
    constants = find_vehicle(name)
    record = np.recarray(1, vehicle_dtype(real))[0]
    for field in record.dtype.names:
        record[field] = getattr(constants, field)
    return record
