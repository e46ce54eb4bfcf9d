"""The table of vehicles."""

import math

from envsuite.quadcopters.airframe import Vehicle


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
_CRAZYFLIE_GROUND_EFFECT = 11.36859
_CRAZYFLIE_DOWNWASH = (2267.18, 0.16, -0.11)
_CRAZYFLIE_HULL = (0.06, 0.025, 0.0)
_CRAZYFLIE_AERODYNAMICS = dict(
    ground_effect=_CRAZYFLIE_GROUND_EFFECT,
    drag=(9.1785e-7, 9.1785e-7, 10.311e-7),
    downwash=_CRAZYFLIE_DOWNWASH,
    hull=_CRAZYFLIE_HULL,
)
_PX4_SPIN = (-1, -1, 1, 1)
_HUMMINGBIRD_ARM = 0.17 * math.sqrt(0.5)


def _identified(
    source, *, mass, inertia, lever, thrust, torque, response, drag, thrust_range, radius, **constants
) -> Vehicle:
    """A vehicle of drone-models; its rotors' lag is that of small changes around hovering."""
    hover = _speed_of(thrust, mass * 9.81 / 4)
    a0, a1, a2, a3 = response
    return Vehicle(
        source=f"{source}; ground effect, downwash and hull are those of cf2x",
        mass=mass,
        inertia=inertia,
        rotors=((lever, -lever), (-lever, -lever), (-lever, lever), (lever, lever)),
        spin=(-1, 1, -1, 1),
        thrust_curve=(0.0, *thrust),
        torque_curve=(0.0, *torque),
        rotor_response=response,
        motor_rise=1 / (a0 + 2 * a1 * hover),
        motor_fall=1 / (a2 + 2 * a3 * hover),
        command_high=_speed_of(thrust, thrust_range[1]),
        thrust_range=thrust_range,
        arm=lever * math.sqrt(2),
        body_drag=(drag[0], drag[0], drag[1]),
        propeller_radius=radius,
        ground_effect=_CRAZYFLIE_GROUND_EFFECT,
        downwash=_CRAZYFLIE_DOWNWASH,
        hull=_CRAZYFLIE_HULL,
        **constants,
    )


def _speed_of(thrust: tuple[float, float], force: float) -> float:
    """Rotor speed at which a rotor with thrust k1 u + k2 u^2 pulls with a force."""
    k1, k2 = thrust
    return (math.sqrt(k1 * k1 + 4 * k2 * force) - k1) / (2 * k2)


def _by_axis(tilt: tuple[float, float, float], yaw: tuple[float, float, float]):
    return (tilt, tilt, yaw)


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

# "drone-models" is the package of that name of the Learning Systems Lab, TU Munich, as used by crazyflow (arXiv
# 2606.01478).
_CF2X_INERTIA = (16.8e-6, 16.8e-6, 29.8e-6)
VEHICLES |= {
    "cf2x_L250": _identified(
        "drone-models: Crazyflie 2.x with L250 propulsion",
        mass=0.0319,
        inertia=_CF2X_INERTIA,
        lever=0.03253,
        thrust=(-5.382196e-7, 2.458293e-10),
        torque=(1.410454e-9, 1.459258e-12),
        response=(7.355624, 0.0, 0.0, 2.444386e-4),
        drag=(0.01471782, 0.01277641),
        thrust_range=(0.0128176, 0.12),
        rotor_inertia=3.452e-8,
        radius=0.02355,
        torque_per_thrust=7.350863e-3,
        thrust_gain=(0.97605781, 0.97732585, 0.98325003),
        thrust_lag=(0.0, 0.0858607, 0.12116392),
        attitude_response=_by_axis((-245.67, -17.32, 196.18), (-227.78, -25.63, 390.27)),
    ),
    "cf2x_P250": _identified(
        "drone-models: Crazyflie 2.x with P250 propulsion",
        mass=0.0318,
        inertia=_CF2X_INERTIA,
        lever=0.03253,
        thrust=(-3.620023e-7, 1.606092e-10),
        torque=(-2.266527e-9, 1.114949e-12),
        response=(5.172597, 8.147742e-5, 0.0, 2.095253e-4),
        drag=(0.01351483, 0.01677452),
        thrust_range=(0.0128176, 0.12),
        rotor_inertia=2.697e-8,
        radius=0.0234,
        torque_per_thrust=6.992895e-3,
        thrust_gain=(0.98275823, 0.98323006, 0.99085062),
        thrust_lag=(0.0, 0.0578952, 0.11554009),
        attitude_response=_by_axis((-319.14, -20.85, 263.30), (-284.28, -38.43, 502.58)),
    ),
    "cf2x_T350": _identified(
        "drone-models: Crazyflie 2.x with T350 propulsion",
        mass=0.0379,
        inertia=_CF2X_INERTIA,
        lever=0.03253,
        thrust=(-7.167227e-7, 2.940130e-10),
        torque=(5.815895e-10, 1.331814e-12),
        response=(11.374753, 0.0, 0.0, 3.786769e-4),
        drag=(0.01556697, 0.02191672),
        thrust_range=(0.0192264, 0.18),
        rotor_inertia=3.893e-8,
        radius=0.0254,
        torque_per_thrust=5.355991e-3,
        thrust_gain=(0.86214912, 0.86259295, 0.87242516),
        thrust_lag=(0.0, 0.05062676, 0.13701907),
        attitude_response=_by_axis((-267.14, -19.48, 200.90), (-126.49, -14.41, 193.11)),
    ),
    "cf21B_500": _identified(
        "drone-models: Crazyflie 2.1 Brushless",
        mass=0.04338,
        inertia=(25e-6, 28e-6, 49e-6),
        lever=0.035355,
        thrust=(-3.133427e-7, 4.407355e-10),
        torque=(1.658864e-9, 2.469348e-12),
        response=(13.996002, 1.109321e-4, 5.933169, 3.195131e-4),
        drag=(0.02149163, 0.02359736),
        thrust_range=(0.0213626, 0.2),
        rotor_inertia=3.893e-8,
        radius=0.0275,
        torque_per_thrust=5.938934e-3,
        thrust_gain=(0.96836458, 0.96841816, 0.98023254),
        thrust_lag=(0.0, 0.02055366, 0.07993871),
        attitude_response=_by_axis((-188.991, -12.7803, 138.0834), (-138.3109, -16.8485, 198.5161)),
    ),
}
