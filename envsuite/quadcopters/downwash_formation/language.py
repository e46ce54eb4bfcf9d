"""The task in words."""

import numpy as np

from envsuite.quadcopters.downwash_formation.course import reference
from envsuite.quadcopters.downwash_formation.params import CONTROL_RATE
from envsuite.quadcopters.flying.language import SwarmWords


class DownwashFormationWords(SwarmWords):
    """The task in words."""

    def duty(self, state, agent):
        """What a drone is to do."""
        now = self.world.scalar(int(state["clock"]["step"]) / CONTROL_RATE)
        record = np.asarray(state).reshape(1).view(np.recarray)[0]
        motion = np.round(np.array(reference(record, agent, now)[3:6], np.float64), 2).tolist()
        push = float(state["crafts"][agent]["downwash"]) / float(
            self.world.params[0]["flying"]["physics"]["vehicle"]["mass"] * 9.8
        )
        return (
            f"Follow the goal, which moves at {motion} m/s; a metre away from it, on the floor, or touching another "
            f"you crash. Drones above push you down with {push:.2f} of your weight."
        )
