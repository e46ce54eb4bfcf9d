"""How a drone of the gym-pybullet-drones worlds is to be answered."""

import numpy as np

from envsuite.core.jit import records
from envsuite.core.language import Refusal, parse_numbers
from envsuite.core.layout import Vector
from envsuite.quadcopters.gpd import pilot
from envsuite.quadcopters.gpd.flight import ACTION_TYPES, CONTROL_RATE
from envsuite.quadcopters.language import find_set_point

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


def request(flight) -> str:
    """What an answer should hold.

    Args:
        flight: record of `flight.flight_dtype`.
    """
    answer = _ANSWERS[ACTION_TYPES[int(flight["act"])]].format(speed=float(flight["speed_limit"]))
    return (
        f"You choose {CONTROL_RATE} times a second. Answer with {answer}; or with a point to fly to, m, world: "
        "go to [x, y, z]."
    )


def parse(text: str, layout: Vector, drone, flight) -> np.ndarray | Refusal:
    """Read an action, or a set-point, which becomes the action that flies there.

    Args:
        text: the answer.
        layout: of one drone's action.
        drone: record of `flight.drone_dtype`.
        flight: record of `flight.flight_dtype`.
    """
    place = find_set_point(text)
    if place is None:
        return parse_numbers(text, layout)
    if isinstance(place, Refusal):
        return place
    drones, flights = records(np.array([drone])), records(np.array([flight]))
    actions = np.zeros((1, layout.low.size), np.float32)
    pilot.head_for(drones, flights, place.astype(drone["position"].dtype), actions)
    return actions[0].reshape(layout.shape)
