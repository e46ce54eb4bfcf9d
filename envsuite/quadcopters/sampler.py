"""Draws vehicles that no one has built: the procedural domain randomisation of Learning to Fly in Seconds' successor.

In order: thrust-to-weight ratio, mass, size, inertia, rotor torque and motor lag. The source leaves the range of the
torque-to-inertia ratio ambiguous; ours spans its comments' values for a Crazyflie (536 to 933 rad/s^2) amply.
"""

import numpy as np

from envsuite.core import fmath, rng
from envsuite.core.declare import Record, field
from envsuite.core.fmath import real
from envsuite.core.jit import kernel


class Ranges(Record):
    """Low and high of what is drawn."""

    thrust_to_weight = field((1.5, 5.0), shape=2)
    mass = field((0.02, 5.0), "kg", "uniform in its cube root", shape=2)
    torque_to_inertia = field((40.0, 1200.0), "rad/s^2", "of the largest roll torque", shape=2)
    arm_factor = field((0.9, 1.1), "", "of the arm that the mass suggests", shape=2)
    torque_per_thrust = field((0.005, 0.05), "m", shape=2)
    motor_rise = field((0.03, 0.1), "s", shape=2)
    motor_fall = field((0.03, 0.3), "s", shape=2)


RANGES: dict[str, tuple[float, float]] = {name: one.default for name, one in Ranges.fields.items()}


def ranges(scalar: type = np.float32, **changes: tuple[float, float]) -> np.record:
    """The record of ranges.

    Args:
        scalar: type of the numbers, float32 or float64.
        **changes: (low, high) by name, instead of those of `RANGES`.

    Returns:
        A record of `Ranges`.

    Raises:
        ValueError: an unknown name, or a range that is empty or not positive.
    """
    if unknown := sorted(set(changes) - set(RANGES)):
        raise ValueError(f"unknown range {unknown[0]!r}, expected one of {', '.join(RANGES)}")
    for name, (low, high) in {**RANGES, **changes}.items():
        if not 0 < low <= high < np.inf:
            raise ValueError(f"range {name} is ({low}, {high}), expected positive numbers, the lower first")
    lift = changes.get("thrust_to_weight", RANGES["thrust_to_weight"])[0]
    if lift <= 1:
        raise ValueError(f"range thrust_to_weight begins at {lift}, which cannot fly")
    return Ranges.make(scalar, None, **changes).view(np.recarray)[0]


@kernel
def sample(g, purpose, vehicle, like, ranges):
    """Draw a vehicle.

    Args:
        g: random stream, record of `core.rng.STREAM`.
        purpose: of the draws.
        vehicle: record of `params.VehicleRecord` to write, a copy of `like`.
        like: record of the vehicle whose proportions and thrust curve it takes.
        ranges: record of `Ranges`.
    """
    lift = rng.uniform(g, purpose, ranges.thrust_to_weight[0], ranges.thrust_to_weight[1])
    third = real(1 / 3, lift)
    root = rng.uniform(g, purpose, fmath.pow(ranges.mass[0], third), fmath.pow(ranges.mass[1], third))
    agility = rng.uniform(g, purpose, ranges.torque_to_inertia[0], ranges.torque_to_inertia[1])
    stretch = rng.uniform(g, purpose, ranges.arm_factor[0], ranges.arm_factor[1])
    vehicle.mass = root * root * root
    vehicle.torque_per_thrust = rng.uniform(g, purpose, ranges.torque_per_thrust[0], ranges.torque_per_thrust[1])
    vehicle.motor_rise = rng.uniform(g, purpose, ranges.motor_rise[0], ranges.motor_rise[1])
    vehicle.motor_fall = rng.uniform(g, purpose, ranges.motor_fall[0], ranges.motor_fall[1])
    strength = lift * vehicle.mass * vehicle.gravity / (4.0 * like.max_rotor_thrust)
    size = stretch * fmath.pow(vehicle.mass / like.mass, third)
    for k in range(3):
        vehicle.thrust_curve[k] = strength * like.thrust_curve[k]
    reach = real(0.0, lift)
    for i in range(4):
        for k in range(2):
            vehicle.rotors[i, k] = size * like.rotors[i, k]
            vehicle.levers[i, k] = size * like.levers[i, k]
        reach += max(vehicle.rotors[i, 1], 0.0)
    roll = reach * strength * like.max_rotor_thrust / agility
    for k in range(3):
        vehicle.inertia[k] = roll * like.inertia[k] / like.inertia[0]
    derive(vehicle)


@kernel
def derive(vehicle):
    """Work out all fields that follow from others, after those have changed.

    Args:
        vehicle: record of `params.VehicleRecord`; mass, inertia, rotors, thrust curve, torque per thrust, motor time
            constants (positive) and the largest command hold. Rotors respond by first-order lag afterwards.
    """
    high = vehicle.command_high
    c0, c1, c2 = vehicle.thrust_curve[0], vehicle.thrust_curve[1], vehicle.thrust_curve[2]
    vehicle.max_rotor_thrust = c0 + c1 * high + c2 * high * high
    for k in range(3):
        vehicle.rotor_torque[k] = vehicle.torque_per_thrust * vehicle.thrust_curve[k]
    vehicle.motor_pull[0] = 1.0 / vehicle.motor_rise
    vehicle.motor_pull[1] = 1.0 / vehicle.motor_fall
    vehicle.response[0], vehicle.response[1] = vehicle.motor_pull[0], 0.0
    vehicle.response[2], vehicle.response[3] = vehicle.motor_pull[1], 0.0
    load(vehicle)


@kernel
def load(vehicle):
    """Work out the fields that follow from mass and inertia, after a change of payload.

    Args:
        vehicle: record of `params.VehicleRecord`.
    """
    j = vehicle.inertia
    c0, c1, c2 = vehicle.thrust_curve[0], vehicle.thrust_curve[1], vehicle.thrust_curve[2]
    missing = vehicle.mass * vehicle.gravity / 4.0 - c0
    vehicle.command_hover = 2.0 * missing / (c1 + fmath.sqrt(c1 * c1 + 4.0 * c2 * missing))
    for k in range(3):
        vehicle.inverse_inertia[k] = 1.0 / j[k]
    for i in range(4):
        vehicle.effect[0, i] = 1.0 / vehicle.mass
        vehicle.effect[1, i] = vehicle.rotors[i, 1] / j[0]
        vehicle.effect[2, i] = -vehicle.rotors[i, 0] / j[1]
        vehicle.effect[3, i] = vehicle.torque_per_thrust * vehicle.spin[i] / j[2]
    vehicle.gyration[0] = (j[1] - j[2]) / j[0]
    vehicle.gyration[1] = (j[2] - j[0]) / j[1]
    vehicle.gyration[2] = (j[0] - j[1]) / j[2]
