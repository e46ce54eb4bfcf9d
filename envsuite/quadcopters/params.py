"""Vehicles by name, and the record that kernels read a vehicle from."""

import numpy as np

from envsuite.core.declare import Record, field
from envsuite.quadcopters.airframe import Vehicle
from envsuite.quadcopters.vehicles import VEHICLES

__all__ = ["VEHICLES", "Vehicle", "VehicleRecord", "find_vehicle", "vehicle"]


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


class VehicleRecord(Record):
    """What kernels know of a vehicle; `Vehicle` says what it means."""

    mass = field(unit="kg")
    inertia = field(unit="kg m^2", shape=3)
    inverse_inertia = field(unit="1/(kg m^2)", shape=3)
    effect = field(meaning="accelerations that each newton of each rotor causes", shape=(4, 4))
    gyration = field(meaning="factors of the products of rates in Euler's equations", shape=3)
    rotors = field(unit="m", meaning="x and y of each", shape=(4, 2))
    levers = field(unit="m", meaning="likewise, in the explicit dynamics", shape=(4, 2))
    spin = field(meaning="sign of each rotor's torque", shape=4)
    thrust_curve = field(meaning="of the rotor speed: constant, linear, square", shape=3)
    torque_per_thrust = field(unit="m")
    command_high = field(unit="rotor speed", meaning="largest")
    command_hover = field(unit="rotor speed", meaning="carries the weight")
    max_rotor_thrust = field(unit="N")
    gravity = field(unit="m/s^2")
    motor_rise = field(unit="s", meaning="time constant of speeding up")
    motor_fall = field(unit="s", meaning="time constant of slowing down")
    motor_pull = field(unit="1/s", meaning="their inverses", shape=2)
    max_speed = field(unit="m/s")
    ground_effect = field()
    ground_clip = field(unit="m", meaning="height below which the ground effect grows no more")
    propeller_radius = field(unit="m")
    drag = field(shape=3)
    downwash = field(shape=3)
    hull = field(unit="m", meaning="radius, height and vertical centre of the collision cylinder", shape=3)
    response = field(unit="1/s", meaning="of rotors", shape=4)
    rotor_torque = field(meaning="of the rotor speed: constant, linear, square", shape=3)
    rotor_inertia = field(unit="kg m^2")
    body_drag = field(unit="N s/m", shape=3)
    thrust_range = field(unit="N", meaning="of a rotor", shape=2)
    attitude_response = field(shape=(3, 3))
    thrust_gain = field(shape=3)
    thrust_lag = field(unit="s", shape=3)


def vehicle(name: str | Vehicle, real: type = np.float32) -> np.record:
    """The record of a vehicle.

    Args:
        name: a key of `VEHICLES`, or constants of a vehicle of one's own.
        real: scalar type of its numbers, float32 or float64.

    Returns:
        A `VehicleRecord`.

    Raises:
        ValueError: there is no such vehicle.
    """
    constants = find_vehicle(name)
    values = {field: getattr(constants, field) for field in VehicleRecord.fields}
    return VehicleRecord.make(real, **values).view(np.recarray)[0]
