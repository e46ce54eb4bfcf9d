"""Vehicles: constants with units and sources, and the record that kernels read."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


@dataclass(frozen=True)
class Vehicle:
    """Constants of a quadcopter, in double precision.

    Attributes:
        source: where the numbers come from.
        mass: kg.
        inertia: principal moments, kg m^2.
        rotors: rotor positions in the body frame, m, shape (4, 2); all rotors lie in the plane z = 0.
        spin: sign of the yaw torque that each rotor's drag puts on the body.
        thrust_curve: thrust of a rotor at speed u is c0 + c1 u + c2 u^2, N.
        torque_per_thrust: rotor drag torque divided by rotor thrust, m.
        command_high: largest rotor speed; the smallest is 0. RPM or throttle, as the thrust curve has it.
        arm: distance from the centre to a rotor as the source states it, m (it may differ from `rotors`).
        gravity: m/s^2, as the source has it.
        motor_rise, motor_fall: time constants of the rotor speed, s; 0 where the source has no motor lag.
        thrust_to_weight: ratio that the source states, from which its command limit derives; 0 if it states
            none.
        max_speed: m/s, 0 if not stated.
        ground_effect: coefficient of the ground effect, pure number.
        propeller_radius: m.
        drag: coefficients along world x, y, z, kg/rad.
        downwash: the three coefficients of the downwash model (N, pure number, m).
        hull: radius, height and vertical centre of the collision cylinder, m.
    """

    source: str
    mass: float
    inertia: tuple[float, float, float]
    rotors: tuple[tuple[float, float], ...]
    spin: tuple[int, int, int, int]
    thrust_curve: tuple[float, float, float]
    torque_per_thrust: float
    command_high: float
    arm: float
    gravity: float = 9.81
    motor_rise: float = 0.0
    motor_fall: float = 0.0
    thrust_to_weight: float = 0.0
    max_speed: float = 0.0
    ground_effect: float = 0.0
    propeller_radius: float = 0.0
    drag: tuple[float, float, float] = (0.0, 0.0, 0.0)
    downwash: tuple[float, float, float] = (0.0, 0.0, 1.0)
    hull: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def plus_layout(self) -> bool:
        """Whether the arms lie along the body axes (+) rather than between them (X)."""
        return any(x == 0.0 for x, _ in self.rotors)

    @property
    def command_hover(self) -> float:
        """Rotor speed at which four rotors carry the weight."""
        c0, c1, c2 = self.thrust_curve
        missing = self.mass * self.gravity / 4 - c0
        return 2 * missing / (c1 + math.sqrt(c1 * c1 + 4 * c2 * missing))

    @property
    def max_rotor_thrust(self) -> float:
        """Thrust of one rotor at its largest speed, N."""
        c0, c1, c2 = self.thrust_curve
        return c0 + c1 * self.command_high + c2 * self.command_high**2

    @property
    def ground_clip(self) -> float:
        """Height below which the ground effect grows no more, m."""
        return 0.25 * self.propeller_radius * math.sqrt(15 * self.ground_effect / 4)

    @property
    def levers(self) -> tuple[tuple[float, float], ...]:
        """Rotor positions in the explicit dynamics: the stated arm, equally over x and y."""
        reach = self.arm if self.plus_layout else self.arm / math.sqrt(2)
        return tuple((float(np.sign(x)) * reach, float(np.sign(y)) * reach) for x, y in self.rotors)

    @property
    def effect(self) -> tuple[tuple[float, ...], ...]:
        """Accelerations that each newton of each rotor causes: one row each for body z (1/kg), roll, pitch and yaw."""
        x, y = np.array(self.rotors).T
        lift = np.full(4, 1 / self.mass)
        yaw = self.torque_per_thrust * np.array(self.spin) / self.inertia[2]
        return tuple(map(tuple, (lift, y / self.inertia[0], -x / self.inertia[1], yaw)))

    @property
    def inverse_inertia(self) -> tuple[float, ...]:
        """1/(kg m^2)."""
        return tuple(1 / moment for moment in self.inertia)

    @property
    def motor_pull(self) -> tuple[float, float]:
        """Inverse time constants of speeding up and slowing down, 1/s; infinite without motor lag."""
        rise, fall = (1 / lag if lag else math.inf for lag in (self.motor_rise, self.motor_fall))
        return rise, fall

    @property
    def gyration(self) -> tuple[float, float, float]:
        """Factors of the products of rates in Euler's equations."""
        a, b, c = self.inertia
        return (b - c) / a, (c - a) / b, (a - b) / c

    @property
    def limits(self) -> "Limits":
        """Largest total thrust and body torques, from the stated arm."""
        thrust = self.max_rotor_thrust
        tilt = self.arm * thrust * (1.0 if self.plus_layout else math.sqrt(2))
        return Limits(4 * thrust, tilt, 2 * self.torque_per_thrust * thrust)


class Limits(NamedTuple):
    """Largest total thrust (N), roll or pitch torque and yaw torque (N m)."""

    thrust: float
    tilt_torque: float
    yaw_torque: float


def _gpd(kf, km, thrust_to_weight, mass, max_speed_kmh, **rest) -> Vehicle:
    """A vehicle of gym-pybullet-drones, whose thrust is kf RPM^2 and rotor torque km RPM^2."""
    gravity = 9.8
    return Vehicle(
        thrust_curve=(0.0, 0.0, kf),
        torque_per_thrust=km / kf,
        command_high=math.sqrt(thrust_to_weight * mass * gravity / (4 * kf)),
        thrust_to_weight=thrust_to_weight,
        mass=mass,
        max_speed=max_speed_kmh / 3.6,
        gravity=gravity,
        **rest,
    )


def _square(x: float, y: float) -> tuple[tuple[float, float], ...]:
    """Rotors front right, back left, front left, back right (the PX4 order)."""
    return ((x, -y), (-x, y), (x, y), (-x, -y))


_CRAZYFLIE_ROTORS = ((0.028, -0.028), (-0.028, -0.028), (-0.028, 0.028), (0.028, 0.028))
_CRAZYFLIE_AERODYNAMICS = dict(
    ground_effect=11.36859,
    drag=(9.1785e-7, 9.1785e-7, 10.311e-7),
    downwash=(2267.18, 0.16, -0.11),
    hull=(0.06, 0.025, 0.0),
)
_PX4_SPIN = (-1, -1, 1, 1)
_HUMMINGBIRD_ARM = 0.17 * math.sqrt(0.5)

# Sources: "GPD" is gym-pybullet-drones (Panerati et al., IROS 2021, arXiv 2103.02142), "L2F" is
# Learning to Fly in Seconds (Eschmann et al., RA-L 2024, arXiv 2311.13081).
VEHICLES: dict[str, Vehicle] = {
    "cf2x": _gpd(
        source="GPD: Bitcraze Crazyflie 2.x flying as an X (Foerster 2015 identification)",
        mass=0.027,
        inertia=(1.4e-5, 1.4e-5, 2.17e-5),
        rotors=_CRAZYFLIE_ROTORS,
        spin=(-1, 1, -1, 1),
        kf=3.16e-10,
        km=7.94e-12,
        thrust_to_weight=2.25,
        max_speed_kmh=30,
        arm=0.0397,
        propeller_radius=2.31348e-2,
        **_CRAZYFLIE_AERODYNAMICS,
    ),
    "cf2p": _gpd(
        source="GPD: Bitcraze Crazyflie 2.x flying as a +",
        mass=0.027,
        inertia=(2.3951e-5, 2.3951e-5, 3.2347e-5),
        rotors=((0.0397, 0.0), (0.0, 0.0397), (-0.0397, 0.0), (0.0, -0.0397)),
        spin=(-1, 1, -1, 1),
        kf=3.16e-10,
        km=7.94e-12,
        thrust_to_weight=2.25,
        max_speed_kmh=30,
        arm=0.0397,
        propeller_radius=2.31348e-2,
        **_CRAZYFLIE_AERODYNAMICS,
    ),
    "racer": _gpd(
        source="GPD: racing quadcopter; its aerodynamics and hull are the Crazyflie's, so not meaningful",
        mass=0.830,
        inertia=(3.113e-3, 3.113e-3, 3.113e-3),
        rotors=((0.085, 0.0675), (-0.085, 0.0675), (-0.085, -0.0675), (0.085, -0.0675)),
        spin=(1, -1, 1, -1),
        kf=8.47e-9,
        km=2.13e-11,
        thrust_to_weight=4.17,
        max_speed_kmh=200,
        arm=0.109,
        propeller_radius=12.7e-2,
        **_CRAZYFLIE_AERODYNAMICS,
    ),
    "hb": _gpd(
        source="GPD, 2021 branch: GRASP Hummingbird",
        mass=0.5,
        inertia=(2.3e-3, 2.3e-3, 4.0e-3),
        rotors=((0.175, 0.0), (0.0, 0.175), (-0.175, 0.0), (0.0, -0.175)),
        spin=(-1, 1, -1, 1),
        kf=6.11e-8,
        km=1.5e-9,
        thrust_to_weight=2.0,
        max_speed_kmh=50,
        arm=0.175,
        hull=(0.25, 0.15, -0.075),
    ),
    "l2f_cf2023": Vehicle(
        source="L2F, paper code: Crazyflie 2.1, RPM; its inertia is about a quarter of the identified one",
        mass=0.027,
        inertia=(3.85e-6, 3.85e-6, 5.9675e-6),
        rotors=_CRAZYFLIE_ROTORS,
        spin=(-1, 1, -1, 1),
        thrust_curve=(0.0, 0.0, 3.16e-10),
        torque_per_thrust=0.005964552,
        motor_rise=0.15,
        motor_fall=0.15,
        command_high=21702.0,
        arm=0.028 * math.sqrt(2),
    ),
    "l2f_cf2024": Vehicle(
        source="L2F, successor: Crazyflie 2.1 with decks, throttle",
        mass=0.0306,
        inertia=(9.416556729130406e-6, 9.644051701582312e-6, 1.745951732253285e-5),
        rotors=_CRAZYFLIE_ROTORS,
        spin=(-1, 1, -1, 1),
        thrust_curve=(0.00352526, 0.01437313, 0.09223048),
        torque_per_thrust=4.665e-3,
        motor_rise=0.05545454545454546,
        motor_fall=0.24939393939393945,
        command_high=1.0,
        arm=0.028 * math.sqrt(2),
    ),
    "mrs": Vehicle(
        source="L2F, successor (1.7 kg; 0.73 kg in the paper code): MRS multirotor, RPM up to 2000",
        mass=1.7,
        inertia=(7.911375e-3, 7.911375e-3, 1.23065833333333e-2),
        rotors=_square(_HUMMINGBIRD_ARM, _HUMMINGBIRD_ARM),
        spin=_PX4_SPIN,
        thrust_curve=(-1.7689986848125325, 0.0038360810526746033, 1.3298253500372892e-6),
        torque_per_thrust=0.016,
        motor_rise=0.04,
        motor_fall=0.04,
        command_high=2000.0,
        arm=0.17,
    ),
    "x500_sim": Vehicle(
        source="L2F, successor: Holybro X500 as simulated in Gazebo, throttle",
        mass=2.0,
        inertia=(0.0216666666666666, 0.0216666666666666, 0.04),
        rotors=_square(0.176776695296636, 0.176776695296636),
        spin=_PX4_SPIN,
        thrust_curve=(0.0, 0.0, 8.74),
        torque_per_thrust=0.11697849233439939,
        motor_rise=0.03,
        motor_fall=0.03,
        command_high=1.0,
        arm=0.25,
    ),
    "x500_real": Vehicle(
        source="L2F, successor: Holybro X500 as measured, throttle (typing error in Ixx corrected)",
        mass=2.0,
        inertia=(2.1705e-2, 2.1304e-2, 0.039396244),
        rotors=_square(0.176776695296636, 0.176776695296636),
        spin=_PX4_SPIN,
        thrust_curve=(0.0, 0.0, 15.926119900619797),
        torque_per_thrust=0.10847,
        motor_rise=0.054,
        motor_fall=0.054,
        command_high=1.0,
        arm=0.25,
    ),
    "flightmare": Vehicle(
        source="L2F, successor: the quadrotor of Flightmare, throttle",
        mass=0.73,
        inertia=(0.00791, 0.00791, 0.0123),
        rotors=_square(_HUMMINGBIRD_ARM, _HUMMINGBIRD_ARM),
        spin=_PX4_SPIN,
        thrust_curve=(-1.7689986848125325, 11.50824315802381, 11.968428150335603),
        torque_per_thrust=0.016,
        motor_rise=0.02,
        motor_fall=0.02,
        command_high=1.0,
        arm=0.17,
    ),
    "fs": Vehicle(
        source="L2F, successor: 'fs', throttle",
        mass=3.35,
        inertia=(7.56e-2, 7.296e-2, 7.296e-2 * 1.879),
        rotors=_square(0.20895, 0.240666),
        spin=_PX4_SPIN,
        thrust_curve=(0.7846629595902934, 9.15540123440728, 18.005569363583604),
        torque_per_thrust=0.01492,
        motor_rise=0.06532,
        motor_fall=0.06532,
        command_high=1.0,
        arm=math.hypot(0.20895, 0.240666),
    ),
    "arpl": Vehicle(
        source="L2F, successor: quadrotor of the Agile Robotics and Perception Lab, throttle",
        mass=0.782,
        inertia=(1.7665e-3, 1.3766e-3, (1.7665e-3 + 1.3766e-3) / 2 * 1.879),
        rotors=_square(0.0775, 0.0981),
        spin=_PX4_SPIN,
        thrust_curve=(-0.5300192490953086, 8.971435376396558, -0.8911788522090669),
        torque_per_thrust=0.005964552,
        motor_rise=0.033,
        motor_fall=0.033,
        command_high=1.0,
        arm=math.hypot(0.0775, 0.0981),
    ),
}


def find_vehicle(name: str) -> Vehicle:
    """Look a vehicle up.

    Args:
        name: a key of `VEHICLES`.

    Returns:
        Its constants.

    Raises:
        ValueError: there is no such vehicle.
    """
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
        ],
        align=True,
    )


def vehicle(name: str, real: type = np.float32) -> np.record:
    """The record of a vehicle.

    Args:
        name: a key of `VEHICLES`.
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
