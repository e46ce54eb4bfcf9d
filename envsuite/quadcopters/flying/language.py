"""How a drone is to be answered."""

import numpy as np

from envsuite.core.language import Refusal, parse_numbers
from envsuite.core.layout import Vector
from envsuite.quadcopters.flying.settings import ACTS

_ANSWERS = {
    "motor": "four motor commands front right, back right, back left, front left, from -1 (stopped) to 1 (full speed); "
    "about {hover:.3f} on all four carries the weight",
    "motor5": "four numbers from -1 to 1, one a motor: each changes its speed by up to 5 % of the hover speed",
    "one_d": "one number from -1 to 1: it changes the speed of all motors by up to 5 % of the hover speed",
    "ctbr": "thrust, roll rate, pitch rate, yaw rate, each from -1 to 1: the rates in units of 10, 10 and 6 rad/s, a "
    "thrust of {weight:.3f} carries the weight",
    "attitude": "roll, pitch, yaw rate, thrust, each from -1 to 1: the angles in units of 60 degrees, the rate of 6 "
    "rad/s, a thrust of {weight:.3f} carries the weight",
    "vel": "a direction (x, y, z) and a speed, each from -1 to 1, the speed in units of {speed:g} m/s",
    "pid": "three numbers from -1 to 1: the point to fly to, in m, relative to the drone",
}


def request(p) -> str:
    """What an answer should hold.

    Args:
        p: record of `settings.flying_dtype`.
    """
    vehicle = p["physics"]["vehicle"]
    weight = float(vehicle["mass"] * vehicle["gravity"] / (4 * vehicle["max_rotor_thrust"]))
    answer = _ANSWERS[ACTS[int(p["act"])]].format(
        hover=2 * float(vehicle["command_hover"] / vehicle["command_high"]) - 1,
        weight=2 * weight - 1,
        speed=float(p["speed_limit"]),
    )
    return f"You choose {1 / float(p['control_step']):.0f} times a second. Answer in brackets with {answer}."


def parse(text: str, layout: Vector) -> np.ndarray | Refusal:
    """Read an action."""
    return parse_numbers(text, layout)
