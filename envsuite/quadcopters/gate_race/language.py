"""The task in words."""

import numpy as np

from envsuite.quadcopters.flying.language import DroneWords
from envsuite.quadcopters.gate_race.params import RINGS


class GateRaceWords(DroneWords):
    """The task in words."""

    def task(self, state):
        """What is to be done."""
        done, count = int(state["next"]), len(state["gates"])
        yaw = np.degrees(float(state["known"][min(done, count - 1), 3]))
        poles = "" if int(self.world.params[0]["course"]) == RINGS else (
            "; poles to avoid stand at "
            + ", ".join(f"({x:.2f}, {y:.2f})" for x, y in np.asarray(state["poles"], np.float64))
        )  # fmt: skip
        return (
            f"Fly through {count} gates in order, {done} are passed; the next, whose middle is the goal, is passed "
            f"heading {yaw:.0f} degrees (0 is +x, 90 is +y){poles}."
        )
