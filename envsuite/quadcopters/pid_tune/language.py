"""The task in words."""

import numpy as np

from envsuite.core.language import parse_numbers
from envsuite.quadcopters.flying.language import DroneWords
from envsuite.quadcopters.language import situation
from envsuite.quadcopters.pid_tune.params import CONTROL_RATE
from envsuite.quadcopters.pid_tune.state import ACTION


class PIDTuneWords(DroneWords):
    """The task in words."""

    def task(self, state):
        """What is to be done."""
        done = ", ".join(f"{value:.2f}" for value in np.asarray(state["last_action"], np.float64) + 1)
        return (
            "A PID controller flies the drone after a goal that moves to and fro; you choose its gains so that it "
            f"stays close. At present they are the published ones times [{done}] (proportional, integral and "
            "derivative gain of the position, then of the attitude)."
        )

    def describe(self, state, agent=0):
        """The task, the drone's situation, and how to answer."""
        return (
            f"{self.task(state)} {situation(state['craft'], self.world.goal(state))} You choose {CONTROL_RATE} times a "
            "second. Answer in brackets with six numbers from -1 to 1, one a gain: -1 switches it off, 0 keeps the "
            "published one, 1 doubles it."
        )

    def parse(self, text, state, agent=0):
        """Read six numbers."""
        return parse_numbers(text, ACTION)
