"""The constants that make up a quadcopter, and what follows from them."""

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
        rotor_response: a0 to a3 of the acceleration of a rotor at speed u towards its command c, per s (and per
            s and unit of speed): a0 (c - u) + a1 (c^2 - u^2) when speeding up, a2 and a3 when slowing down. All 0
            where the source has first-order lag, or none.
        torque_curve: drag torque of a rotor at speed u is c0 + c1 u + c2 u^2, N m; all 0 where it is proportional
            to the thrust.
        rotor_inertia: of a propeller about its axis, kg m^2.
        body_drag: drag force per speed along the body axes, N s/m.
        thrust_range: least and largest thrust of a rotor that the source's controllers ask for, N.
        attitude_response: what angle, angular velocity and command add to the second derivative of an Euler angle
            (1/s^2, 1/s, 1/s^2), a row each for roll, pitch and yaw; all 0 where the source identified none.
        thrust_gain: thrust delivered per thrust asked for, under each form of `dynamics.rpy`.
        thrust_lag: time constant of the collective thrust, s, under each form of `dynamics.rpy`.

    Raises:
        ValueError: a quantity that must be positive is not, or a thrust too small to fly.
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
    rotor_response: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    torque_curve: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rotor_inertia: float = 0.0
    body_drag: tuple[float, float, float] = (0.0, 0.0, 0.0)
    thrust_range: tuple[float, float] = (0.0, 0.0)
    attitude_response: tuple[tuple[float, float, float], ...] = ((0.0, 0.0, 0.0),) * 3
    thrust_gain: tuple[float, float, float] = (1.0, 1.0, 1.0)
    thrust_lag: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def __post_init__(self):
        for name in ("mass", "gravity", "torque_per_thrust", "command_high", "arm"):
            if not 0 < getattr(self, name) < math.inf:
                raise ValueError(f"{name} is {getattr(self, name)!r}, expected a positive number")
        for name in ("motor_rise", "motor_fall", "propeller_radius", "ground_effect", "rotor_inertia"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueError(f"{name} is {getattr(self, name)!r}, expected a number >= 0")
        low, middle, high = sorted(self.inertia)
        if not (low > 0 and high <= (low + middle) * (1 + 1e-9)):
            raise ValueError(f"inertia is {self.inertia}, expected positive moments, none above the sum of the others")
        if np.shape(self.rotors) != (4, 2):
            raise ValueError(f"rotors have the shape {np.shape(self.rotors)}, expected (4, 2)")
        if not 4 * self.max_rotor_thrust > self.mass * self.gravity:
            raise ValueError(
                f"the rotors lift at most {4 * self.max_rotor_thrust:.4g} N, expected more than the weight of "
                f"{self.mass * self.gravity:.4g} N"
            )

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
    def response(self) -> tuple[float, float, float, float]:
        """`rotor_response`, or what first-order lag makes of it."""
        if any(self.rotor_response):
            return self.rotor_response
        return self.motor_pull[0], 0.0, self.motor_pull[1], 0.0

    @property
    def rotor_torque(self) -> tuple[float, float, float]:
        """`torque_curve`, or the thrust curve times the torque per thrust."""
        if any(self.torque_curve):
            return self.torque_curve
        c0, c1, c2 = self.thrust_curve
        return self.torque_per_thrust * c0, self.torque_per_thrust * c1, self.torque_per_thrust * c2

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
