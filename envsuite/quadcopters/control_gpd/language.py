"""A drone to control, in words."""

from envsuite.core.companions import Words
from envsuite.core.language import parse_numbers
from envsuite.quadcopters.language import situation


def describe(state, params, agent: int) -> str:
    """Where a drone is, how it moves, and how to answer.

    Args:
        state: the state record.
        params: the parameter record.
        agent: index of the drone.
    """
    vehicle, drone = params["physics"]["vehicle"], state["drones"][agent]
    answer = (
        "a direction (x, y, z), each from -1 to 1, and a speed from 0 to 1, in units of "
        f"{float(params['speed_limit']):g} m/s"
        if params["velocity"]
        else f"four rotor speeds from 0 to {float(vehicle['command_high']):.0f} rpm; "
        f"{float(vehicle['command_hover']):.0f} rpm on all four carry the weight"
    )
    return (
        f"You are drone_{agent} and free to fly where you like. {situation(drone, params['spawn'][agent])} "
        "(The goal is where you began.) "
        f"You choose {1 / float(params['control_step']):.0f} times a second. Answer in brackets with {answer}."
    )


class ControlWords(Words):
    """What is said in `ControlWorld`."""

    def describe(self, state, agent=0):
        """Where a drone is, how it moves, and how to answer."""
        return describe(state, self.world.params[0], agent)

    def parse(self, text, state, agent=0):
        """Read an action."""
        return parse_numbers(text, self.world.action)
