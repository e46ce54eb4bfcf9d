"""Words."""

from envsuite.quadcopters.flying.language import SwarmWords
from envsuite.quadcopters.swarm_goals import render


class SwarmGoalsWords(SwarmWords):
    """What is said in `SwarmGoalsWorld`."""

    def duty(self, state, agent):
        """What a drone is to do."""
        return render.duty(state, self.world.params[0], agent)
