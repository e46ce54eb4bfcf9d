"""How a drone of the gym-pybullet-drones worlds is to be answered."""

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


def request(flight) -> str:
    """What an answer should hold.

    Args:
        flight: record of `flight.flight_dtype`.
    """
    answer = _ANSWERS[ACTION_TYPES[int(flight["act"])]].format(speed=float(flight["speed_limit"]))
    return f"You choose {CONTROL_RATE} times a second. Answer with {answer}."
