"""How a drone of the gym-pybullet-drones worlds is to be answered."""

import numpy as np

from envsuite.core.companions import Words
from envsuite.core.jit import records
from envsuite.core.language import Refusal, parse_numbers
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
        flight: a `Flight` record.
    """
    answer = _ANSWERS[ACTION_TYPES[int(flight["act"])]].format(speed=float(flight["speed_limit"]))
    return (
        f"You choose {CONTROL_RATE} times a second. Answer with {answer}; or with a point to fly to, m, world: "
        "go to [x, y, z]."
    )


class GPDWords(Words):
    """How a drone is to be answered; subclasses say what it is to do."""

    def parse(self, text, state, agent=0):
        """Read an action, or a point to fly to, which becomes the action that flies there."""
        place, layout = find_set_point(text), self.world.action
        if place is None:
            return parse_numbers(text, layout)
        if isinstance(place, Refusal):
            return place
        drones, flights = records(state["drones"][agent : agent + 1].copy()), records(self.world.params["flight"])
        actions = np.zeros((1, layout.low.size), np.float32)
        pilot.head_for(drones, flights, place.astype(drones["position"].dtype), actions)
        return actions[0].reshape(layout.shape)
