"""The hovering drone in words."""

import numpy as np

from envsuite.core.companions import Players, Words, companion
from envsuite.core.jit import records
from envsuite.core.language import Refusal, parse_numbers, vector_text
from envsuite.quadcopters.hover.state import ACTION
from envsuite.quadcopters.language import find_set_point


class HoverWords(Words):
    """The drone's situation, and how to answer."""

    def describe(self, state, agent=0):
        """Where the drone is, how it moves and leans, and what an answer looks like."""
        body = state["body"]
        w, x, y, z = (float(value) for value in body["attitude"])
        tilt = np.degrees(np.arccos(np.clip(1 - 2 * (x * x + y * y), -1, 1)))
        yaw = np.degrees(np.arctan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z)))
        return (
            f"Step {int(state['clock']['step'])} of 500 at 100 Hz. Hold the origin; leaving the box of 0.6 m on "
            f"any axis ends the flight. Position {vector_text(body['position'])} m, velocity "
            f"{vector_text(body['velocity'])} m/s (x forward, y left, z up). Tilt {tilt:.1f} degrees, yaw "
            f"{yaw:.1f} degrees, body rates {vector_text(body['rates'])} rad/s. Rotor speeds "
            f"{vector_text(body['rotor_speed'], 0)}, commanded {vector_text(body['command'], 0)}. Answer with the "
            "commands of motors front right, back right, back left, front left, each in [-1, 1], in brackets; "
            "about 0.334 on all four carries the weight; or with a point to fly to, m: go to [x, y, z]."
        )

    def parse(self, text, state, agent=0):
        """Read four motor commands, or a point to fly to."""
        place = find_set_point(text)
        if place is None:
            return parse_numbers(text, ACTION)
        if isinstance(place, Refusal):
            return place
        states = records(np.array([state]))
        states["body"]["position"] -= place
        return companion(self.world, Players).expert().act(np.empty(0), states)[0]
