"""The task in words."""

import numpy as np

from envsuite.quadcopters.flying.language import SwarmWords


class LeaderFollowerWords(SwarmWords):
    """The task in words."""

    def duty(self, state, agent):
        """What a drone is to do."""
        moving = np.asarray(state["motion"][agent], np.float64).round(2).tolist()
        keep = "closer than 0.2 m to another costs; touching one, the floor, or leaving the space is a crash"
        if agent == 0:
            own = (
                "a controller flies you, whatever you answer"
                if self.world.params[0]["scripted"]
                else "follow your path"
            )
            return f"You lead: {own}. The goal moves at {moving} m/s; {keep}."
        return f"Keep your place behind the leader, drone_0: the goal, which moves at {moving} m/s; {keep}."
