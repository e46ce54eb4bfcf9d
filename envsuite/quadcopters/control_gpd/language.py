"""A drone to control, in words."""

from envsuite.core.companions import Words
from envsuite.quadcopters.language import situation


class ControlWords(Words):
    """The drone's situation, and how to answer."""

    def describe(self, state, agent=0):
        """Where a drone is, how it moves, and how to answer."""
        params = self.world.params[0]
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
