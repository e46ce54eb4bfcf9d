"""A drone of the gym-pybullet-drones worlds in words and numbers."""

import numpy as np

from envsuite.core.language import vector_text
from envsuite.quadcopters.attitude import to_euler
from envsuite.quadcopters.gpd.flight import ACTION_TYPES, CONTROL_RATE

_ANSWERS = {
    "rpm": (
        "four numbers from -1 to 1 in brackets, one a rotor: each changes its speed by up to 5 % of the hover speed, "
        "0 carries the weight"
    ),
    "pid": "three numbers from -1 to 1 in brackets: where to fly (m), x and y from your start, and the height",
    "vel": (
        "four numbers from -1 to 1 in brackets: a direction (x, y, z) and the speed as a share of the limit, which is "
        "{speed:g} m/s"
    ),
    "one_d_rpm": (
        "one number from -1 to 1 in brackets: it changes the speed of all rotors by up to 5 % of the hover speed, "
        "0 carries the weight"
    ),
    "one_d_pid": "one number from -1 to 1 in brackets: how far to climb, in units of 0.1 m",
}


def situation(drone, target) -> str:
    """Where a drone is and how it moves.

    Args:
        drone: record of `flight.drone_dtype`.
        target: m, world, shape (3,).
    """
    euler = np.rad2deg(to_euler(np.asarray(drone["attitude"], np.float64)))
    offset = np.asarray(target, np.float64) - drone["position"]
    return (
        f"Position (m, z up): {vector_text(drone['position'])}; the target is {vector_text(offset)} away. "
        f"Velocity (m/s): {vector_text(drone['velocity'])}. "
        f"Roll, pitch, yaw (degrees): {vector_text(euler, 1)}. "
        f"Body rates (rad/s): {vector_text(drone['rates'])}."
    )


def request(flight) -> str:
    """What an answer should hold.

    Args:
        flight: record of `flight.flight_dtype`.
    """
    answer = _ANSWERS[ACTION_TYPES[int(flight["act"])]].format(speed=float(flight["speed_limit"]))
    return f"You choose {CONTROL_RATE} times a second. Answer with {answer}."
