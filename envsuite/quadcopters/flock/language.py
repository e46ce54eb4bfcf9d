"""The task in words."""

from envsuite.quadcopters.flock.params import REGION
from envsuite.quadcopters.flying.language import SwarmWords


class FlockWords(SwarmWords):
    """The task in words."""

    def duty(self, state, agent):
        """What a drone is to do."""
        return (
            "Fly as a flock: all in one direction, at 1 m/s or more, half a metre to one and a half from your nearest "
            f"neighbour, evenly spaced, the flock's middle (here called the goal) within {REGION[0]:g} m of the origin "
            f"and between 0.5 and 2.5 m high. The order is {float(state['order']):.2f} of 1. Touching another, or the "
            "floor, is a crash."
        )
